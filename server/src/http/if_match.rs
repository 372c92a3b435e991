//! `If-Match`: which version a change was made from. Whoever sends none takes the risk themselves.

use super::Problem;
use axum::extract::FromRequestParts;
use domain::{FieldCode, ServiceError};
use http::{header, request::Parts};

/// The `version` of what is changed, quoted or not; `*` is any. Other forms are refused: 422.
pub struct IfMatch(pub Option<i64>);

impl IfMatch {
    /// The header says the same as the field in the body: one of them is enough.
    pub fn or(self, field: Option<i64>) -> Result<Option<i64>, Problem> {
        match (self.0, field) {
            (Some(header), Some(field)) if header != field => {
                Err(ServiceError::field("expected_version", FieldCode::Mismatch).into())
            }
            (header, field) => Ok(header.or(field)),
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for IfMatch {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let Some(value) = parts.headers.get(header::IF_MATCH) else { return Ok(Self(None)) };
        let text = value.to_str().unwrap_or_default().trim();
        if text == "*" {
            return Ok(Self(None));
        }
        let bare = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(text);
        let version = bare.parse().map_err(|_| ServiceError::field("If-Match", FieldCode::Invalid))?;
        Ok(Self(Some(version)))
    }
}
