//! The browser's door: pages, server functions, live news; and what every answer passes through.

mod around;
mod assets;
pub(crate) mod events;
mod guard;
mod headers;
mod known;
mod outage;
mod pages;
mod visitor;

pub(crate) use around::too_large;
pub use known::Known;
pub(crate) use visitor::{KnownAt, caller_now};

use crate::{http as rest, wiring::Services};
use axum::{
    Router,
    extract::Request,
    middleware::{from_fn, from_fn_with_state},
    response::IntoResponse,
    routing::{get, post},
};
use store::{SESSION_LIFETIME, SeaOrmSessionStore};
use tower::{ServiceBuilder, ServiceExt};
use tower_sessions::{Expiry, SessionManagerLayer, cookie::SameSite};

/// The whole product as one service.
///
/// What every request passes stands around the routers, not on each of their routes: axum copies all layers of a route
/// for each of them, which took a third of a call's time.
pub fn router(services: Services) -> Router {
    pages::use_tokio();
    let routes = Router::new()
        .merge(rest::api())
        .route("/fn/{*name}", post(pages::call_server_function))
        .fallback(get(pages::render_page).fallback(pages::method_not_allowed))
        .layer(from_fn(rest::name_route))
        .with_state(services.clone());
    let identified =
        ServiceBuilder::new().layer(from_fn_with_state(services.clone(), visitor::identify)).service(routes);
    let with_session = ServiceBuilder::new().layer(session_layer(&services)).service(identified.clone());
    let app = Router::new()
        .merge(rest::operations())
        .route("/pkg/{*path}", get(assets::serve_asset))
        .layer(from_fn(rest::name_route))
        .with_state(services.clone())
        .fallback(|request: Request| async move {
            // A key needs no session: no cookie of such a request is read, and none is set.
            if visitor::bearer(request.headers()).is_some() {
                Box::pin(identified.oneshot(request)).await.into_response()
            } else {
                Box::pin(with_session.oneshot(request)).await.into_response()
            }
        });
    around::around(app, &services.site.public_url)
}

/// While the database is out of reach: probes answer, everything else says so.
pub fn router_without_database() -> Router {
    let app = Router::new().route("/healthz", get(rest::healthz)).fallback(outage::unavailable);
    around::around(app, "")
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
