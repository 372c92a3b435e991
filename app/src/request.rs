//! What a server function knows about the request it answers: the services, the visitor, the response.
//!
//! The server provides [`Backend`] and [`Visitor`] as context before anything renders or runs.

mod cookies;
mod days;
mod drafts;

pub use days::{Days, ZONE};
pub use drafts::{made_for, or_keep, take_draft};

use crate::api::{
    ApiError,
    confirmations::DecisionMade,
    session::{Flash, Lacked, ShownSecret},
    setup::Said,
    tools::edit::BreakingOut,
    undo::Undo,
};
use crate::texts::Texts;
use ability::{Ability, Action, Caller, Denied, Permit, Right, Subject, TenantPermit};
use accounts::Accounts;
use channels::Channels;
use crm::Crm;
use domain::{
    ErrorCode, ItemId, Language, ServiceError, TenantId, UserId, account::Me, assistant::LinkCodeOut,
    tenant::InvitationLink,
};
use engine::global_tools::GlobalTools;
use http::{HeaderValue, StatusCode, header, request::Parts};
use leptos::prelude::{expect_context, use_context};
use leptos_axum::ResponseOptions;
use std::net::IpAddr;
use tower_sessions::Session;

/// The services behind the pages.
#[derive(Clone)]
pub struct Backend {
    pub accounts: Accounts,
    pub tools: GlobalTools,
    pub engine: engine::Engine,
    pub crm: Crm,
    pub channels: Channels,
    pub items: items::Items,
    pub assistant: assistant::Assistant,
    pub vault: vault::Vault,
    /// Cookies carry `Secure`.
    pub is_https: bool,
}

/// Whoever sent the request.
#[derive(Clone)]
pub struct Visitor {
    pub me: Option<Me>,
    pub caller: Option<Caller>,
    pub session: Session,
    /// The hash under which the session is kept, when there is one.
    pub session_hash: Option<String>,
    pub address: Option<IpAddr>,
    pub language: Language,
    /// The name of the browser's time zone, when it told one that is known: for [`Days`].
    pub zone: Option<String>,
}

/// The entries of a session.
pub const SESSION_TENANT: &str = "tenant_id";
/// The day on which the browser last got its cookie.
pub const SESSION_RENEWED: &str = "renewed";

const FLASH: &str = "flash";
const SETUP: &str = "setup";
const TWO_YEARS: u32 = 63_072_000;

impl Visitor {
    pub fn ability(&self) -> Ability {
        self.caller.as_ref().map(|caller| Ability::clone(&caller.ability)).unwrap_or_default()
    }

    /// The signed-in person, or 401.
    pub fn user(&self) -> Result<UserId, ServiceError> {
        self.me.as_ref().map(|me| me.id).ok_or_else(unauthenticated)
    }

    /// The proof that the visitor has the right, or 401 or 403.
    pub fn permit<R: Right>(&self) -> Result<Permit<R>, ServiceError> {
        let caller = self.caller.as_ref().ok_or_else(unauthenticated)?;
        caller.permit().map_err(|denied: Denied| denied.into())
    }

    /// The same in the organisation that the visitor works in.
    pub fn tenant_permit<R: Right>(&self) -> Result<TenantPermit<R>, ServiceError> {
        let detail = "Choose an organisation first.";
        self.permit()?.in_tenant().ok_or_else(|| ServiceError::new(ErrorCode::TenantRequired, detail))
    }
}

fn unauthenticated() -> ServiceError {
    ServiceError::new(ErrorCode::Unauthenticated, "Sign in first.")
}

pub fn backend() -> Backend {
    expect_context()
}

pub fn visitor() -> Visitor {
    expect_context()
}

/// The words of whoever reads the answer.
pub fn reader_texts() -> Texts {
    Texts::of(use_context::<Visitor>().map(|visitor| visitor.language).unwrap_or_default())
}

/// A plain form of a browser without JavaScript, as opposed to a call by our own client.
fn is_plain_form() -> bool {
    let accept = use_context::<Parts>().and_then(|parts| parts.headers.get(header::ACCEPT).cloned());
    accept.is_some_and(|accept| accept.to_str().is_ok_and(|accept| accept.contains("text/html")))
}

/// Gives the answer its status. A plain form is redirected instead, with the error in the address.
pub fn answer_with_status(error: &ServiceError) {
    let Some(response) = use_context::<ResponseOptions>() else {
        return;
    };
    let is_call = use_context::<Parts>().is_some_and(|parts| parts.uri.path().starts_with("/fn/"));
    if !is_call || is_plain_form() {
        return;
    }
    if let Ok(status) = StatusCode::from_u16(error.code.http_status()) {
        response.set_status(status);
    }
    if let Some(seconds) = error.retry_after {
        response.insert_header(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
}

/// A page of ours to go on to; anything else becomes the home page.
pub fn safe_next(next: Option<&str>) -> &str {
    let ours = |path: &&str| {
        path.starts_with('/')
            && !path.starts_with("//")
            && path.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\')
            && !path.starts_with("/fn/")
    };
    next.filter(ours).unwrap_or("/")
}

/// The page that follows the sign-in, without what was refused before it.
pub fn next_after_sign_in(next: Option<&str>) -> String {
    let (path, query) = safe_next(next).split_once('?').unwrap_or((safe_next(next), ""));
    let is_refusal = |part: &&str| part.starts_with("__path=") || part.starts_with("__err=");
    let rest: Vec<&str> = query.split('&').filter(|part| !part.is_empty() && !is_refusal(part)).collect();
    if rest.is_empty() { path.to_owned() } else { format!("{path}?{}", rest.join("&")) }
}

/// A new session id at every sign-in: one that was planted before is worthless (S12). Tells whether something that the
/// person typed before waits for them.
pub async fn start_session(visitor: &Visitor, user: UserId) -> Result<bool, ApiError> {
    let session = &visitor.session;
    session.cycle_id().await.map_err(session_failed)?;
    let is_draft_kept = drafts::claim_draft(visitor, user).await?;
    session.insert(accounts::SESSION_USER, user.to_string()).await.map_err(session_failed)?;
    session.insert(SESSION_RENEWED, accounts::today()).await.map_err(session_failed)?;
    if let Some(address) = visitor.address {
        session.insert("address", address.to_string()).await.map_err(session_failed)?;
    }
    if let Some(agent) = user_agent() {
        session.insert("user_agent", agent).await.map_err(session_failed)?;
    }
    // Saved before the answer leaves: whoever follows the redirect is signed in.
    session.save().await.map_err(session_failed)?;
    Ok(is_draft_kept)
}

fn user_agent() -> Option<String> {
    let parts = use_context::<Parts>()?;
    let agent = parts.headers.get(header::USER_AGENT)?.to_str().ok()?;
    Some(agent.chars().take(300).collect())
}

pub async fn end_session(visitor: &Visitor) -> Result<(), ApiError> {
    visitor.session.flush().await.map_err(session_failed)
}

pub async fn choose_tenant(visitor: &Visitor, tenant: TenantId) -> Result<(), ApiError> {
    visitor.session.insert(SESSION_TENANT, tenant.to_string()).await.map_err(session_failed)
}

pub fn current_session(visitor: &Visitor) -> Option<String> {
    visitor.session_hash.clone()
}

/// "Saved" on the next page, for whoever has no JavaScript to show it at once.
pub async fn saved(visitor: &Visitor) -> Result<(), ApiError> {
    leave_flash(visitor, Flash::Saved).await
}

pub async fn invited(visitor: &Visitor, link: &InvitationLink) -> Result<(), ApiError> {
    leave_flash(visitor, Flash::Invited(link.clone())).await
}

/// A secret that is shown once: also to whoever has no JavaScript.
pub async fn shown_once(visitor: &Visitor, secret: &ShownSecret) -> Result<(), ApiError> {
    leave_flash(visitor, Flash::Secret(secret.clone())).await
}

/// With and without JavaScript: the form loads its page anew.
pub async fn link_code(visitor: &Visitor, code: &LinkCodeOut) -> Result<(), ApiError> {
    leave_flash(visitor, Flash::LinkCode(code.clone())).await
}

pub async fn deleted(visitor: &Visitor, item: ItemId) -> Result<(), ApiError> {
    leave_flash(visitor, Flash::Deleted(item)).await
}

/// "Saved", with the way back.
pub async fn saved_with_undo(visitor: &Visitor, undo: Undo) -> Result<(), ApiError> {
    leave_flash(visitor, Flash::Undo(undo)).await
}

/// A cookie holds little: the beginning of a message stands for all of it.
pub async fn decided(visitor: &Visitor, made: DecisionMade) -> Result<DecisionMade, ApiError> {
    const MOST: usize = 400;
    let error_message = made.error_message.as_ref().map(|text| text.chars().take(MOST).collect());
    leave_flash(visitor, Flash::Decided(DecisionMade { error_message, ..made.clone() })).await?;
    Ok(made)
}

/// A cookie holds little: the first reasons and agents stand for all.
pub async fn changed(visitor: &Visitor, breaking: Option<&BreakingOut>) -> Result<(), ApiError> {
    const MOST: usize = 8;
    let first =
        |texts: &[String]| texts.iter().take(MOST).map(|text| text.chars().take(80).collect()).collect();
    let cut =
        |change: &BreakingOut| BreakingOut { reasons: first(&change.reasons), agents: first(&change.agents) };
    leave_flash(visitor, breaking.map_or(Flash::Saved, |change| Flash::Breaking(cut(change)))).await
}

pub async fn leave_flash(_: &Visitor, flash: Flash) -> Result<(), ApiError> {
    if is_plain_form() && !cookies::leave(FLASH, &flash) {
        // A way back that no cookie can carry is not offered.
        cookies::leave(FLASH, &Flash::Saved);
    }
    Ok(())
}

/// Shown once. It travels in a cookie: an invitation's link never stands in the database.
pub fn take_flash() -> Option<Flash> {
    cookies::take(FLASH)
}

/// Whether that message is shown on this page.
fn has_flash(expected: &Flash) -> bool {
    cookies::read::<Flash>(FLASH).flatten().is_some_and(|flash| flash == *expected)
}

/// The form of the first start was refused: what it said comes back with the page that says why. Nobody has a session
/// yet, and the code is a secret, so it travels in a cookie too.
pub fn keep_setup(said: &Said) {
    if is_plain_form() {
        cookies::leave(SETUP, said);
    }
}

pub fn take_setup() -> Option<Said> {
    cookies::take(SETUP)
}

fn session_failed(error: tower_sessions::session::Error) -> ApiError {
    tracing::warn!(%error, "a session could not be read or saved");
    let detail = "The database does not answer. Nothing was changed; try again shortly.";
    ServiceError::new(ErrorCode::Unavailable, detail).into()
}

/// A preference, remembered.
pub fn remember(name: &str, value: &str) {
    cookies::set(name, value, TWO_YEARS);
}

/// For whoever is led home from a page: the next one says which right was missing.
pub fn no_access_cookie(action: Action, subject: Subject, is_https: bool) -> Option<HeaderValue> {
    cookies::holding(FLASH, &Flash::NoAccess(Lacked { action, subject }), is_https)
}

/// Back to the page that the form was on.
pub fn back_to_referer() {
    let referer = use_context::<Parts>().and_then(|parts| parts.headers.get(header::REFERER).cloned());
    let path = referer.as_ref().and_then(|referer| referer.to_str().ok()).and_then(path_of);
    leptos_axum::redirect(safe_next(path));
}

fn path_of(address: &str) -> Option<&str> {
    let (_, rest) = address.split_once("://")?;
    rest.find('/').and_then(|at| rest.get(at..))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_of_ours_come_next() {
        assert_eq!(safe_next(Some("/admin/tools?q=a")), "/admin/tools?q=a");
        for foreign in [
            "https://evil.example",
            "//evil.example",
            "/\\evil.example",
            "javascript:x",
            "",
            "/a\nb",
            "/fn/x",
        ] {
            assert_eq!(safe_next(Some(foreign)), "/", "{foreign:?}");
        }
        assert_eq!(safe_next(None), "/");
        let refused = "/tools/new?kind=code&__path=%2Ffn%2Fcreate_tool&__err=abc";
        assert_eq!(next_after_sign_in(Some(refused)), "/tools/new?kind=code");
        assert_eq!(next_after_sign_in(Some("/contacts/new?__path=a&__err=b")), "/contacts/new");
        assert_eq!(next_after_sign_in(Some("/tools?q=a")), "/tools?q=a");
        assert_eq!(next_after_sign_in(Some("//evil.example?__err=a")), "/");
        assert_eq!(path_of("http://127.0.0.1:3000/members?a=b"), Some("/members?a=b"));
    }
}
