//! Leptos, mounted: pages rendered whole, and server functions.

use super::{
    assets,
    headers::page_policy,
    known::{KeptPage, PageKey},
    visitor::cookie,
};
use crate::{http::Problem, wiring::Services};
use app::{
    Preferences, ShellOptions,
    request::{Backend, Visitor},
    shell,
};
use axum::{
    extract::{Request, State},
    response::{Html, IntoResponse, Response},
};
use domain::{ErrorCode, ServiceError, Theme};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use http_body_util::{BodyExt, Collected};
use leptos::{
    nonce::{Nonce, use_nonce},
    prelude::provide_context,
};
use leptos_axum::ResponseOptions;
use store::Version;

const VARY: HeaderValue = HeaderValue::from_static("accept-language, cookie");

/// What pages and server functions find in their context.
#[derive(Clone)]
struct PageContext {
    backend: Backend,
    visitor: Visitor,
    preferences: Preferences,
}

impl PageContext {
    fn new(services: &Services, request: &Request) -> Option<Self> {
        let visitor = request.extensions().get::<Visitor>()?.clone();
        let preferences = Preferences { language: visitor.language, theme: theme_of(request.headers()) };
        let backend = Backend {
            accounts: services.accounts.clone(),
            tools: services.tools.clone(),
            engine: services.engine.clone(),
            crm: services.crm.clone(),
            channels: services.channels.clone(),
            items: services.items.clone(),
            assistant: services.assistant.clone(),
            vault: services.vault.clone(),
            is_https: services.site.is_https(),
        };
        Some(Self { backend, visitor, preferences })
    }

    fn provide(&self) {
        provide_context(self.backend.clone());
        provide_context(self.visitor.clone());
        provide_context(self.preferences);
    }
}

fn theme_of(headers: &HeaderMap) -> Theme {
    cookie(headers, "theme").and_then(Theme::from_name).unwrap_or_default()
}

/// Resources run on the server's own runtime. Said once for the process; a second time changes nothing.
pub fn use_tokio() {
    let _ = any_spawner::Executor::init_tokio();
}

/// The page as it was rendered last, when nothing has changed since; else rendered now.
pub async fn render_page(State(services): State<Services>, request: Request) -> Response {
    let Some((version, key)) = keepable(&request) else { return render(&services, request).await };
    if let Some(page) = services.known.pages.get(version, &key) {
        return kept(&page);
    }
    let (parts, body) = render(&services, request).await.into_parts();
    let Ok(body) = body.collect().await.map(Collected::to_bytes) else { return lost().into_response() };
    if parts.status == StatusCode::OK && !parts.headers.contains_key(header::SET_COOKIE) {
        let page = str::from_utf8(&body)
            .ok()
            .zip(nonce_of(&parts.headers))
            .and_then(|(html, n)| KeptPage::cut(html, n));
        if let Some(page) = page {
            services.known.pages.put(version, key, page);
        }
    }
    Response::from_parts(parts, body.into())
}

/// Under which name a page may be kept. Not with a message that is shown once, nor with a form's error.
fn keepable(request: &Request) -> Option<(Version, PageKey)> {
    let version = *request.extensions().get::<Version>()?;
    let visitor = request.extensions().get::<Visitor>()?;
    let address = request.uri().path_and_query()?.as_str().to_owned();
    let once = cookie(request.headers(), "flash").is_some() || address.contains("__err");
    let (language, theme) = (visitor.language, theme_of(request.headers()));
    let (session_hash, zone) = (visitor.session_hash.clone(), visitor.zone.clone());
    let key = PageKey { session_hash, address, language, theme, zone };
    (!once).then_some((version, key))
}

fn kept(page: &KeptPage) -> Response {
    let nonce = Nonce::new().to_string();
    let mut response = Html(page.with_nonce(&nonce)).into_response();
    let headers = response.headers_mut();
    headers.insert(header::VARY, VARY);
    if let Ok(policy) = HeaderValue::from_str(&page_policy(&nonce)) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}

fn nonce_of(headers: &HeaderMap) -> Option<&str> {
    let policy = headers.get(header::CONTENT_SECURITY_POLICY)?.to_str().ok()?;
    policy.split_once("'nonce-")?.1.split_once('\'').map(|(nonce, _)| nonce)
}

async fn render(services: &Services, request: Request) -> Response {
    let Some(context) = PageContext::new(services, &request) else { return lost().into_response() };
    let Preferences { language, theme } = context.preferences;
    let options = ShellOptions { language, theme, assets: assets::urls(request.uri().path()) };
    let provide = move || {
        context.provide();
        set_policy();
    };
    let mut response =
        leptos_axum::render_app_async_with_context(provide, move || shell(options.clone()))(request).await;
    response.headers_mut().insert(header::VARY, VARY);
    response
}

/// Leptos made a nonce for this page; the policy that names it has to travel with it.
fn set_policy() {
    let policy = use_nonce().and_then(|nonce| HeaderValue::from_str(&page_policy(&nonce)).ok());
    if let (Some(response), Some(policy)) = (leptos::prelude::use_context::<ResponseOptions>(), policy) {
        response.insert_header(header::CONTENT_SECURITY_POLICY, policy);
    }
}

pub async fn call_server_function(State(services): State<Services>, request: Request) -> Response {
    let Some(context) = PageContext::new(&services, &request) else {
        return lost().into_response();
    };
    let known = leptos::server_fn::axum::server_fn_paths().any(|(path, _)| path == request.uri().path());
    if !known {
        return Problem::from(ServiceError::new(ErrorCode::NotFound, "There is no such function."))
            .into_response();
    }
    leptos_axum::handle_server_fns_with_context(move || context.provide(), request).await.into_response()
}

pub async fn method_not_allowed() -> Problem {
    ServiceError::new(ErrorCode::MethodNotAllowed, "Pages are read with GET.").into()
}

/// The layers in `web::router` put the visitor there; without them nothing is shown.
fn lost() -> Problem {
    ServiceError::new(ErrorCode::Internal, "Something went wrong on the server.").into()
}
