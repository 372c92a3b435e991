//! Figures for Prometheus.

use super::code_metrics;
use crate::wiring::Services;
use axum::{
    extract::{MatchedPath, Request, State},
    middleware::Next,
    response::Response,
};
use http::{Method, StatusCode};
use metrics::{counter, gauge, histogram};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use std::{
    sync::OnceLock,
    time::{Duration, Instant},
};

/// One recorder for the process, however many servers run in it.
fn recorder() -> &'static PrometheusHandle {
    static HANDLE: OnceLock<PrometheusHandle> = OnceLock::new();
    HANDLE.get_or_init(|| {
        let buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];
        let builder =
            PrometheusBuilder::new().set_buckets(&buckets).unwrap_or_else(|_| PrometheusBuilder::new());
        let recorder = builder.build_recorder();
        let handle = recorder.handle();
        // Somebody who installed one before keeps it; ours then stays empty.
        let _ = metrics::set_global_recorder(recorder);
        gauge!("alcada_build_info", "version" => env!("CARGO_PKG_VERSION")).set(1.0);
        handle
    })
}

pub async fn render(State(services): State<Services>) -> String {
    recorder().run_upkeep();
    let mut text = recorder().render();
    text.push_str(&code_metrics::render(services.engine.code_metrics().as_ref()));
    text
}

/// Counts and times one request under its route, and writes its line in the log. Never the path itself: an
/// invitation's path is a secret.
pub async fn measured<F: Future<Output = Response>>(
    request: Request,
    answer: impl FnOnce(Request) -> F,
) -> Response {
    recorder();
    let method = known_method(request.method());
    let uri = request.uri().clone();
    let started = Instant::now();
    let response = answer(request).await;
    let route = match response.extensions().get::<MatchedPath>() {
        Some(matched) => matched.as_str(),
        None => app::route::find(uri.path()).map_or("(none)", |page| page.path),
    };
    let (status, took) = (response.status().as_u16(), started.elapsed());
    record(method, route, response.status(), took);
    let request_id = super::problem::request_id();
    let ms = took.as_secs_f64() * 1000.0;
    tracing::debug!(method, route, status, ms, request_id, "request");
    // An outage (503) has its one line already; a fault of ours deserves one each time.
    if status == 500 {
        tracing::warn!(method, route, status, ms, request_id, "a request failed");
    }
    response
}

/// On every route: tells [`measured`], which stands around the routers, where the request went.
pub async fn name_route(request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().cloned();
    let mut response = next.run(request).await;
    if let Some(route) = route {
        response.extensions_mut().insert(route);
    }
    response
}

/// Invented methods share one series: nobody fills the memory with names.
fn known_method(method: &Method) -> &'static str {
    let known = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
    known.into_iter().find(|name| *name == method.as_str()).unwrap_or("other")
}

fn record(method: &'static str, route: &str, status: StatusCode, took: Duration) {
    let labels =
        [("method", method.to_owned()), ("route", route.to_owned()), ("status", status.as_str().to_owned())];
    counter!("alcada_http_requests_total", &labels).increment(1);
    histogram!("alcada_http_request_duration_seconds", &labels[..2]).record(took.as_secs_f64());
}
