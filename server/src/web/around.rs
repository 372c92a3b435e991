//! What every request passes on its way in, and every answer on its way out.

use super::{headers, outage};
use crate::http::{Problem, measured, problem::REQUEST_ID};
use ::http::{HeaderValue, header};
use axum::{
    Router,
    body::Body,
    extract::{DefaultBodyLimit, Request},
    middleware::{Next, from_fn},
    response::{IntoResponse, Response},
};
use domain::{ErrorCode, ServiceError};
use tower::ServiceBuilder;
use tower_http::{catch_panic::CatchPanicLayer, csrf::CsrfLayer};
use uuid::Uuid;

/// Bodies over this are refused.
const BODY_LIMIT: usize = 1024 * 1024;

pub fn around(app: Router, public_url: &str) -> Router {
    let service = ServiceBuilder::new()
        .layer(from_fn(pass))
        .layer(CatchPanicLayer::custom(|_| outage::internal()))
        .layer(origin_check(public_url))
        .layer(DefaultBodyLimit::max(BODY_LIMIT))
        .service(app);
    Router::new().fallback_service(service)
}

/// One middleware for all of it: each further one would copy everything inside it for every request.
async fn pass(request: Request, next: Next) -> Response {
    let id = Uuid::now_v7().to_string();
    let answered = measured(request, |request| async {
        let mut response = match limited(request) {
            Ok(request) => outage::session_failure(next.run(request).await),
            Err(refusal) => refusal.into_response(),
        };
        headers::secure(&mut response);
        response
    });
    let mut response = REQUEST_ID.scope(id.clone(), answered).await;
    // Every request has an id, in the answer and in the logs.
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert("x-request-id", value);
    }
    response
}

/// Refuses what announces itself as too large before reading a byte; the rest is counted while it is read.
fn limited(request: Request) -> Result<Request, Problem> {
    let announced = request.headers().get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    if announced.and_then(|length| length.parse::<usize>().ok()).is_some_and(|length| length > BODY_LIMIT) {
        return Err(too_large().into());
    }
    Ok(request.map(|body| Body::new(http_body_util::Limited::new(body, BODY_LIMIT))))
}

pub(crate) fn too_large() -> ServiceError {
    ServiceError::new(ErrorCode::BodyTooLarge, "The body is larger than 1 MiB.")
}

/// S11: a request that changes something must come from our own pages, or from no browser at all.
fn origin_check(public_url: &str) -> CsrfLayer<fn(tower_http::csrf::ProtectionError) -> Response> {
    let layer = CsrfLayer::new();
    let layer = layer.clone().add_trusted_origin(public_url).unwrap_or(layer);
    layer.with_rejection_response(|_| {
        let detail = "The request comes from another site.";
        Problem::from(ServiceError::new(ErrorCode::CrossOrigin, detail)).into_response()
    })
}
