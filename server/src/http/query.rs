//! What follows the question mark, and ids in paths: refused with a problem that names what is wrong.

use super::Problem;
use axum::extract::{FromRequestParts, Path, Query};
use domain::{ErrorCode, FieldCode, FieldError, ServiceError};
use http::request::Parts;
use serde::de::DeserializeOwned;
use std::str::FromStr;

/// The query as a `T`; 422 otherwise.
pub struct QueryOf<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for QueryOf<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let Query(query) = Query::try_from_uri(&parts.uri).map_err(|rejection| {
            let text = rejection.body_text();
            let (field, message) = text
                .strip_prefix("Failed to deserialize query string: ")
                .and_then(|rest| rest.split_once(": "))
                .unwrap_or(("query", text.as_str()));
            let error =
                FieldError { message: message.to_owned(), ..FieldError::new(field, FieldCode::Invalid) };
            ServiceError::fields(vec![error])
        })?;
        Ok(Self(query))
    }
}

/// The one id in a path. What is no id names nothing: 404.
pub struct IdOf<T>(pub T);

impl<T: FromStr, S: Send + Sync> FromRequestParts<S> for IdOf<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let unknown = || ServiceError::new(ErrorCode::NotFound, "There is nothing with that id.");
        let Path(text) = Path::<String>::from_request_parts(parts, state).await.map_err(|_| unknown())?;
        Ok(Self(text.parse().map_err(|_| unknown())?))
    }
}
