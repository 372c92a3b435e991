//! What follows the question mark, and ids in paths: refused with a problem that names what is wrong.

use super::Problem;
use axum::extract::{FromRequestParts, Path, Query};
use domain::{ErrorCode, FieldCode, FieldError, Part, ServiceError, ToolId};
use http::request::Parts;
use serde::{Deserialize, de::DeserializeOwned};
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

/// The tool in a path. What is no id names no tool.
pub struct ToolOf(pub ToolId);

impl<S: Send + Sync> FromRequestParts<S> for ToolOf {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let unknown = || ServiceError::new(ErrorCode::ToolNotFound, "There is no such tool.");
        let IdOf(id) = IdOf::<ToolId>::from_request_parts(parts, state).await.map_err(|_| unknown())?;
        Ok(Self(id))
    }
}

/// A part of a list that is read whole.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PartQuery {
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u64>,
    /// `next_cursor` of the page before.
    cursor: Option<String>,
}

impl PartQuery {
    pub fn parse(self) -> Result<Part, ServiceError> {
        Ok(Part::parse(self.limit, self.cursor)?)
    }
}
