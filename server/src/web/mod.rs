//! The browser's door: pages, server functions, live news; and what every answer passes through.

mod assets;
mod events;
mod guard;
mod headers;
mod known;
mod outage;
mod pages;
mod visitor;

pub use known::Known;

use crate::{
    http::{self as rest, Problem, problem::REQUEST_ID},
    wiring::Services,
};
use ::http::{HeaderValue, header};
use axum::{
    Router,
    body::Body,
    extract::{DefaultBodyLimit, Request},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use domain::{ErrorCode, ServiceError};
use store::{SESSION_LIFETIME, SeaOrmSessionStore};
use tower_http::{catch_panic::CatchPanicLayer, csrf::CsrfLayer};
use tower_sessions::{Expiry, SessionManagerLayer, cookie::SameSite};
use uuid::Uuid;

/// Bodies over this are refused.
pub const BODY_LIMIT: usize = 1024 * 1024;

/// The whole product as one service.
pub fn router(services: Services) -> Router {
    pages::use_tokio();
    let with_session = Router::new()
        .merge(rest::api())
        .route("/fn/{*name}", post(pages::call_server_function))
        .route("/events", get(events::stream))
        .fallback(get(pages::render_page).fallback(pages::method_not_allowed))
        .layer(middleware::from_fn_with_state(services.clone(), guard::guard_pages))
        .layer(middleware::from_fn_with_state(services.clone(), visitor::identify))
        .layer(session_layer(&services))
        .layer(middleware::map_response(outage::session_failure));
    let app = Router::new()
        .merge(rest::operations())
        .route("/pkg/{*path}", get(assets::serve_asset))
        .merge(with_session)
        .with_state(services.clone());
    around(app, &services.site.public_url)
}

/// While the database is out of reach: probes answer, everything else says so.
pub fn router_without_database() -> Router {
    let app = Router::new().route("/healthz", get(rest::healthz)).fallback(outage::unavailable);
    around(app, "")
}

/// What every answer passes through, whatever made it.
fn around(app: Router, public_url: &str) -> Router {
    app.layer(DefaultBodyLimit::max(BODY_LIMIT))
        .layer(middleware::from_fn(limit_body))
        .layer(origin_check(public_url))
        .layer(CatchPanicLayer::custom(|_| outage::internal()))
        .layer(middleware::from_fn(headers::secure))
        .layer(middleware::from_fn(rest::measure))
        .layer(middleware::from_fn(give_request_id))
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

fn session_layer(services: &Services) -> SessionManagerLayer<SeaOrmSessionStore> {
    let is_https = services.site.is_https();
    SessionManagerLayer::new(SeaOrmSessionStore::new(services.db.clone()))
        .with_name(if is_https { "__Host-alcada" } else { "alcada" })
        .with_secure(is_https)
        .with_http_only(true)
        .with_same_site(SameSite::Lax)
        .with_path("/")
        .with_expiry(Expiry::OnInactivity(SESSION_LIFETIME))
}

/// Refuses what announces itself as too large before reading a byte; the rest is counted while it is read.
async fn limit_body(request: Request, next: Next) -> Response {
    let announced = request.headers().get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    if announced.and_then(|length| length.parse::<usize>().ok()).is_some_and(|length| length > BODY_LIMIT) {
        return Problem::from(too_large()).into_response();
    }
    let (parts, body) = request.into_parts();
    let body = Body::new(http_body_util::Limited::new(body, BODY_LIMIT));
    next.run(Request::from_parts(parts, body)).await
}

pub(crate) fn too_large() -> ServiceError {
    ServiceError::new(ErrorCode::BodyTooLarge, "The body is larger than 1 MiB.")
}

/// Every request has an id, in the answer and in the logs.
async fn give_request_id(request: Request, next: Next) -> Response {
    let id = Uuid::now_v7().to_string();
    let mut response = REQUEST_ID.scope(id.clone(), next.run(request)).await;
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert("x-request-id", value);
    }
    response
}
