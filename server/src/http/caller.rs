//! The proof of a right, as an extractor: a handler that takes one cannot run without it. Nor with a query that it does not
//! read: that is looked at here because whoever lacks the right is told that first.

use super::{Problem, no_query::refuse_what_nobody_reads};
use ability::{Caller, Permit, Right, TenantPermit};
use axum::extract::FromRequestParts;
use domain::{ErrorCode, ServiceError};
use http::request::Parts;

/// The caller has the right `R`; 401 or 403 otherwise.
pub struct Permitted<R: Right>(pub Permit<R>);

impl<R: Right, S: Send + Sync> FromRequestParts<S> for Permitted<R> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let permit = permitted(parts.extensions.get::<Caller>())?;
        refuse_what_nobody_reads(parts)?;
        Ok(Self(permit))
    }
}

/// The caller has the right `R` in a tenant; 401 or 403 otherwise.
pub struct InTenant<R: Right>(pub TenantPermit<R>);

impl<R: Right, S: Send + Sync> FromRequestParts<S> for InTenant<R> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let permit = in_tenant(parts.extensions.get::<Caller>())?;
        refuse_what_nobody_reads(parts)?;
        Ok(Self(permit))
    }
}

fn permitted<R: Right>(caller: Option<&Caller>) -> Result<Permit<R>, ServiceError> {
    let nobody = || {
        let detail = "Sign in, or send an API key as Authorization: Bearer.";
        ServiceError::new(ErrorCode::Unauthenticated, detail)
    };
    Ok(caller.ok_or_else(nobody)?.permit()?)
}

/// For whoever found out about the caller without an extractor.
pub fn in_tenant<R: Right>(caller: Option<&Caller>) -> Result<TenantPermit<R>, ServiceError> {
    let elsewhere =
        || ServiceError::new(ErrorCode::TenantRequired, "Use a key or a session of an organisation.");
    permitted(caller)?.in_tenant().ok_or_else(elsewhere)
}
