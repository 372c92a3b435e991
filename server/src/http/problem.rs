//! The one conversion of an error into an answer: problem details (RFC 9457).

use axum::response::{IntoResponse, Response};
use domain::{AgentRef, ErrorCode, FieldError, LimitOf, ServiceError};
use http::{HeaderValue, StatusCode, header};
use serde::Serialize;

tokio::task_local! {
    /// The id of the request being answered; the logs have it too.
    pub static REQUEST_ID: String;
}

pub fn request_id() -> String {
    REQUEST_ID.try_with(Clone::clone).unwrap_or_default()
}

/// An error on its way out.
#[derive(Debug)]
pub struct Problem(ServiceError);

/// What every error looks like.
#[derive(Serialize, utoipa::ToSchema)]
pub struct ProblemOut {
    /// Always `about:blank`: `code` tells what it is.
    r#type: &'static str,
    title: &'static str,
    status: u16,
    /// Stable; made for programs.
    code: &'static str,
    detail: String,
    request_id: String,
    errors: Vec<FieldError>,
    /// With `tool_in_use`: the agents that use the tool.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    agents: Vec<AgentRef>,
    /// With `rate_limited`, when a call came too soon: whose limit it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    exceeded: Option<LimitOf>,
}

impl From<ServiceError> for Problem {
    fn from(error: ServiceError) -> Self {
        Self(error)
    }
}

impl From<ability::Denied> for Problem {
    fn from(denied: ability::Denied) -> Self {
        Self(denied.into())
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status =
            StatusCode::from_u16(self.0.code.http_status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let body = ProblemOut {
            r#type: "about:blank",
            title: status.canonical_reason().unwrap_or("Error"),
            status: status.as_u16(),
            code: self.0.code.as_str(),
            detail: self.0.detail,
            request_id: request_id(),
            errors: self.0.errors,
            agents: self.0.agents,
            exceeded: self.0.exceeded,
        };
        let mut response = (status, axum::Json(body)).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if let Some(seconds) = self.0.retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.0.code == ErrorCode::Unauthenticated {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}
