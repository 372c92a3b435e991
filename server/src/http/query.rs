//! What follows the question mark, and ids in paths: refused with a problem that names what is wrong.

use super::{Problem, body::refused_field};
use axum::extract::{FromRequestParts, Path, Query};
use domain::{ErrorCode, FieldCode, FieldError, Part, ServiceError, ToolId};
use http::{Uri, request::Parts};
use serde::{Deserialize, de::DeserializeOwned};
use std::str::FromStr;

/// The query as a `T`, which refuses unknown names: a filter with a slip in it would let everything through. 422 otherwise.
pub struct QueryOf<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for QueryOf<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        Ok(Self(parse(&parts.uri)?))
    }
}

pub(super) fn parse<T: DeserializeOwned>(uri: &Uri) -> Result<T, ServiceError> {
    let Query(query) = Query::try_from_uri(uri).map_err(|rejection| {
        let text = rejection.body_text();
        let told = text.strip_prefix("Failed to deserialize query string: ").unwrap_or(&text);
        ServiceError::fields(vec![refused(told)])
    })?;
    match with_zero(uri.query().unwrap_or_default()) {
        Some(name) => Err(ServiceError::field(name, FieldCode::Invalid)),
        None => Ok(query),
    }
}

/// `name: what is wrong`, or only that.
fn refused(told: &str) -> FieldError {
    let Some((name, message)) = told.split_once(": ") else {
        let found = refused_field(".", told);
        return if found.field == "." { FieldError { field: "query".to_owned(), ..found } } else { found };
    };
    refused_field(name, message)
}

/// The first name whose value has a zero in it: no text in a database has one, and PostgreSQL refuses the question.
fn with_zero(query: &str) -> Option<&str> {
    let pair = query.split('&').find(|pair| pair.contains("%00"))?;
    pair.split('=').next()
}

/// The one id in a path. What is no id names nothing: 404. No name has a zero in it, and PostgreSQL refuses a question with
/// one: in its place is what stands for letters that nobody knows, and the route says that nothing is named so.
pub struct IdOf<T>(pub T);

impl<T: FromStr, S: Send + Sync> FromRequestParts<S> for IdOf<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let unknown = || ServiceError::new(ErrorCode::NotFound, "There is nothing with that id.");
        let Path(text) = Path::<String>::from_request_parts(parts, state).await.map_err(|_| unknown())?;
        Ok(Self(text.replace('\0', "\u{fffd}").parse().map_err(|_| unknown())?))
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
#[serde(deny_unknown_fields)]
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

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Asked {
        #[allow(dead_code)]
        limit: u64,
    }

    #[test]
    fn every_bad_query_names_what_is_wrong() {
        for (query, field, code) in [
            ("limit=x", "limit", FieldCode::Invalid),
            ("limit=1&limit=2", "limit", FieldCode::Invalid),
            ("limti=1", "limti", FieldCode::Unknown),
            ("", "limit", FieldCode::Required),
        ] {
            let uri: http::Uri = format!("/x?{query}").parse().unwrap();
            let rejection = Query::<Asked>::try_from_uri(&uri).unwrap_err().body_text();
            let told = rejection.strip_prefix("Failed to deserialize query string: ").unwrap();
            let found = refused(told);
            assert_eq!((found.field.as_str(), found.code), (field, code), "{query}: {told}");
        }
    }

    #[test]
    fn s21_a_zero_in_a_query_is_found_by_its_name() {
        assert_eq!(with_zero("limit=1&q=a%00b&stage=%00"), Some("q"));
        for fine in ["", "q", "q=100", "q=%2500", "q=%20"] {
            assert_eq!(with_zero(fine), None, "{fine}");
        }
    }
}
