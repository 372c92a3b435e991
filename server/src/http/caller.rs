//! The proof of a right, as an extractor: a handler that takes one cannot run without it.

use super::Problem;
use ability::{Caller, Permit, Right, TenantPermit};
use axum::extract::FromRequestParts;
use domain::{ErrorCode, ServiceError};
use http::request::Parts;

/// The caller has the right `R`; 401 or 403 otherwise.
pub struct Permitted<R: Right>(pub Permit<R>);

impl<R: Right, S: Send + Sync> FromRequestParts<S> for Permitted<R> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let caller = parts.extensions.get::<Caller>().ok_or_else(|| {
            ServiceError::new(
                ErrorCode::Unauthenticated,
                "Sign in, or send an API key as Authorization: Bearer.",
            )
        })?;
        Ok(Self(caller.permit()?))
    }
}

/// The caller has the right `R` in a tenant; 401 or 403 otherwise.
pub struct InTenant<R: Right>(pub TenantPermit<R>);

impl<R: Right, S: Send + Sync> FromRequestParts<S> for InTenant<R> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let Permitted(permit) = Permitted::<R>::from_request_parts(parts, state).await?;
        let permit = permit.in_tenant().ok_or_else(|| {
            ServiceError::new(ErrorCode::TenantRequired, "Use a key or a session of an organisation.")
        })?;
        Ok(Self(permit))
    }
}
