//! What people see when we cannot work: never a bare 500.

use crate::http::{Problem, problem::request_id};
use axum::{
    extract::Request,
    response::{Html, IntoResponse, Response},
};
use domain::{ErrorCode, Language, ServiceError};
use http::{HeaderValue, StatusCode, header};

/// Everything but `healthz` while the database is out of reach.
pub async fn unavailable(request: Request) -> Response {
    let is_page = !request.uri().path().starts_with("/api") && wants_html(request.headers());
    if is_page { page(request.headers()) } else { unavailable_problem().into_response() }
}

pub fn unavailable_problem() -> Problem {
    let detail = "The database does not answer. Nothing was changed; try again shortly.";
    ServiceError { retry_after: Some(5), ..ServiceError::new(ErrorCode::Unavailable, detail) }.into()
}

pub fn wants_html(headers: &http::HeaderMap) -> bool {
    headers
        .get(header::ACCEPT)
        .and_then(|accept| accept.to_str().ok())
        .is_some_and(|a| a.contains("text/html"))
}

/// A page without style or script: nothing else may be needed now.
pub fn page(headers: &http::HeaderMap) -> Response {
    let wish = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let (lang, title, text) = match Language::negotiate(wish).unwrap_or_default() {
        Language::PtBr => (
            "pt-BR",
            "Alçada está fora do ar por um momento",
            "O banco de dados não responde. Nada se perdeu; tente de novo em instantes.",
        ),
        Language::En => (
            "en",
            "Alçada is away for a moment",
            "The database does not answer. Nothing was lost; try again shortly.",
        ),
    };
    let html = format!(
        "<!DOCTYPE html><html lang=\"{lang}\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\"><meta http-equiv=\"refresh\" content=\"5\"><title>{title}</title></head>\
         <body><main><h1>{title}</h1><p>{text}</p></main></body></html>"
    );
    let mut response = (StatusCode::SERVICE_UNAVAILABLE, Html(html)).into_response();
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
    response
}

/// tower-sessions answers a failed save with a bare 500: it is the database that is away.
pub fn session_failure(response: Response) -> Response {
    let bare = response.status() == StatusCode::INTERNAL_SERVER_ERROR
        && !response.headers().contains_key(header::CONTENT_TYPE);
    if bare { unavailable_problem().into_response() } else { response }
}

/// A panic was caught; the log has it.
pub fn internal() -> Response {
    tracing::error!(request_id = request_id(), "a handler panicked");
    Problem::from(ServiceError::new(ErrorCode::Internal, "Something went wrong on the server."))
        .into_response()
}
