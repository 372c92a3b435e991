//! Who sends the request: read anew each time, so that a change of rights holds at the next request.

use super::{guard::guard_page, known::Identified, outage};
use crate::{
    http::{EXECUTE_FOR_AGENT, Problem, in_tenant},
    wiring::{Services, Site},
};
use ability::{Caller, ExecuteTools};
use accounts::Identity;
use app::request::{Days, SESSION_RENEWED, SESSION_TENANT, Visitor, ZONE};
use axum::{
    extract::{ConnectInfo, Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use domain::{ErrorCode, Language, ServiceError, ServiceResult, TenantId, UserId};
use http::{HeaderMap, Method, header, request::Parts};
use std::{
    net::{IpAddr, SocketAddr},
    sync::Arc,
};
use store::{Epoch, SeaOrmSessionStore};
use tower_sessions::{Session, session::Id};

/// Puts [`Visitor`], [`Caller`] and [`Language`] where handlers find them.
pub async fn identify(State(services): State<Services>, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    if let Some((caller, known)) = known_caller(&services, &parts) {
        parts.extensions.insert(caller);
        parts.extensions.insert(known);
        return next.run(Request::from_parts(parts, body)).await;
    }
    let language = language_of(&parts.headers);
    // Asked before anything is read: what is made of the reading may be kept under this version.
    let now = services.db.now().await;
    match Box::pin(visitor_of(&services, &parts, language, now.map(|now| now.rights))).await {
        Ok(visitor) => {
            if let Some(elsewhere) = Box::pin(guard_page(&services, &visitor, &parts.uri)).await {
                return elsewhere;
            }
            parts.extensions.insert(language);
            if let Some(version) = now.and_then(|now| now.version) {
                parts.extensions.insert(version);
            }
            if let Some(caller) = &visitor.caller {
                parts.extensions.insert::<Caller>(caller.clone());
            }
            parts.extensions.insert(visitor);
            next.run(Request::from_parts(parts, body)).await
        }
        Err(error)
            if matches!(error.code, ErrorCode::Unavailable | ErrorCode::Busy)
                && outage::wants_html(&parts.headers) =>
        {
            outage::page(&parts.headers)
        }
        Err(error) => Problem::from(error).into_response(),
    }
}

/// The caller is the one whom a key was known to belong to, at an epoch of rights that may be over. The handler that takes
/// this sees to it that nothing comes of it then (`http/v1/executions.rs`).
#[derive(Clone, Copy, Debug)]
pub struct KnownAt(pub Epoch);

/// Calls of tools are most of what a server does, and their transaction reads the epochs anyway: they do not ask for them
/// before, too.
fn known_caller(services: &Services, request: &Parts) -> Option<(Caller, KnownAt)> {
    let is_call = request.method == Method::POST && request.uri.path() == EXECUTE_FOR_AGENT;
    let key = bearer(&request.headers).filter(|_| is_call)?;
    let rights = services.db.last_now()?.rights;
    let caller = services.known.identities.get(rights, &key_name(key))?.caller;
    // Only a yes may be old: a no is asked for anew.
    in_tenant::<ExecuteTools>(Some(&caller)).ok()?;
    Some((caller, KnownAt(rights)))
}

/// Who the key of a request belongs to now.
pub async fn caller_now(services: &Services, headers: &HeaderMap) -> ServiceResult<Caller> {
    let key = bearer(headers).ok_or_else(unknown_key)?;
    let rights = services.db.now().await.map(|now| now.rights);
    if let Some(known) = rights.and_then(|at| services.known.identities.get(at, &key_name(key))) {
        return Ok(known.caller);
    }
    let caller = key_holder(services, key).await?;
    if let Some(rights) = rights {
        services.known.identities.put(rights, key_name(key), Identified { me: None, caller: caller.clone() });
    }
    Ok(caller)
}

fn key_name(key: &str) -> String {
    format!("key {key}")
}

async fn visitor_of(
    services: &Services,
    request: &Parts,
    language: Language,
    rights: Option<Epoch>,
) -> ServiceResult<Visitor> {
    let session = request.extensions.get::<Session>().cloned().unwrap_or_else(|| unread(services, None));
    let address = address_of(&services.site, request);
    let session_hash = session.id().map(SeaOrmSessionStore::secret_hash);
    let zone = zone_of(&request.headers);
    let mut visitor = Visitor { me: None, caller: None, session, session_hash, address, language, zone };
    find_out(services, &mut visitor, bearer(&request.headers), rights, Occasion::Request).await?;
    Ok(visitor)
}

/// Why it is asked who somebody is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Occasion {
    /// They use their key or their session, and that is noted.
    Request,
    /// An answer goes on: that is no use of theirs, and makes no session live longer.
    LookAgain,
}

/// The same visitor, looked at anew: for an answer that goes on behind its request. `key` is the one that they came with.
pub async fn look_again(services: &Services, visitor: &Visitor, key: Option<&str>) -> ServiceResult<Visitor> {
    // A session that was read once is not read again.
    let session = unread(services, visitor.session.id());
    let mut visitor = Visitor { me: None, caller: None, session, ..visitor.clone() };
    let rights = services.db.now().await.map(|now| now.rights);
    find_out(services, &mut visitor, key, rights, Occasion::LookAgain).await?;
    Ok(visitor)
}

/// Who it is, by their key or by their session.
async fn find_out(
    services: &Services,
    visitor: &mut Visitor,
    key: Option<&str>,
    rights: Option<Epoch>,
    occasion: Occasion,
) -> ServiceResult<()> {
    let name = key.map(key_name).or_else(|| visitor.session_hash.clone());
    let name = match occasion {
        Occasion::Request => name,
        // Kept apart: a request that found it would not be noted.
        Occasion::LookAgain => name.map(|name| format!("again {name}")),
    };
    if let Some(known) =
        rights.zip(name.as_ref()).and_then(|(at, name)| services.known.identities.get(at, name))
    {
        (visitor.me, visitor.caller) = (known.me, Some(known.caller));
        return Ok(());
    }
    match (key, occasion) {
        (Some(key), Occasion::Request) => visitor.caller = Some(key_holder(services, key).await?),
        (Some(key), Occasion::LookAgain) => {
            visitor.caller = Some(services.accounts.holder_of_key(key).await?.ok_or_else(unknown_key)?);
        }
        (None, _) => read_session(services, visitor, occasion).await?,
    }
    if let (Some(rights), Some(name), Some(caller)) = (rights, name, visitor.caller.clone()) {
        services.known.identities.put(rights, name, Identified { me: visitor.me.clone(), caller });
    }
    Ok(())
}

async fn key_holder(services: &Services, key: &str) -> ServiceResult<Caller> {
    services.accounts.identify_key(key).await?.ok_or_else(unknown_key)
}

fn unknown_key() -> ServiceError {
    ServiceError::new(ErrorCode::Unauthenticated, "This API key is unknown, revoked or expired.")
}

async fn read_session(services: &Services, visitor: &mut Visitor, occasion: Occasion) -> ServiceResult<()> {
    if let Some(identity) = identity_of(services, &visitor.session).await? {
        if occasion == Occasion::Request {
            renew_cookie(&visitor.session).await?;
            if let Some(hash) = visitor.session_hash.clone() {
                note_use(services, identity.me.id, hash);
            }
        }
        visitor.me = Some(identity.me);
        visitor.caller = Some(identity.caller);
    }
    Ok(())
}

/// A cookie lives for a week; whoever comes every day gets a new one every day.
async fn renew_cookie(session: &Session) -> ServiceResult<()> {
    let today = accounts::today();
    let renewed: Option<i64> = session.get(SESSION_RENEWED).await.map_err(session_failed)?;
    if renewed != Some(today) {
        session.insert(SESSION_RENEWED, today).await.map_err(session_failed)?;
    }
    Ok(())
}

fn session_failed(error: tower_sessions::session::Error) -> ServiceError {
    tracing::warn!(%error, "a session could not be read");
    let detail = "The database does not answer. Nothing was changed; try again shortly.";
    ServiceError { retry_after: Some(5), ..ServiceError::new(ErrorCode::Unavailable, detail) }
}

/// On the side: whoever only reads does not wait for a write, and is served when none is possible.
fn note_use(services: &Services, user: UserId, session_hash: String) {
    let accounts = services.accounts.clone();
    if accounts.is_news(&session_hash) {
        tokio::spawn(async move {
            if let Err(error) = accounts.saw(user, &session_hash).await {
                tracing::debug!(%error, "the use of a session was not noted");
            }
        });
    }
}

async fn identity_of(services: &Services, session: &Session) -> ServiceResult<Option<Identity>> {
    let Some(user) = read::<UserId>(session, accounts::SESSION_USER).await? else {
        return Ok(None);
    };
    let tenant = read::<TenantId>(session, SESSION_TENANT).await?;
    services.accounts.identify_user(user, tenant).await
}

/// An entry that cannot be read is no entry: a forged cookie finds nothing.
async fn read<T: std::str::FromStr>(session: &Session, name: &str) -> ServiceResult<Option<T>> {
    let text: Option<String> = session.get(name).await.map_err(session_failed)?;
    Ok(text.and_then(|text| text.parse().ok()))
}

/// The session with that id; whoever comes with a key has none.
fn unread(services: &Services, id: Option<Id>) -> Session {
    Session::new(id, Arc::new(SeaOrmSessionStore::new(services.db.clone())), None)
}

pub fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, key) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(key.trim())
}

/// The cookie that remembers a choice, else the browser's wish.
pub fn language_of(headers: &HeaderMap) -> Language {
    let chosen = cookie(headers, "language").and_then(Language::from_tag);
    let wish = || headers.get(header::ACCEPT_LANGUAGE)?.to_str().ok().and_then(Language::negotiate);
    chosen.or_else(wish).unwrap_or_default()
}

/// Pages are kept by it: what names no zone, or one in other letters, makes no page of its own.
fn zone_of(headers: &HeaderMap) -> Option<String> {
    cookie(headers, ZONE).and_then(Days::known_zone)
}

pub fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = all.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(key, _)| *key == name).map(|(_, value)| value)
}

/// The peer, or whom a trusted proxy names: the last address that is not itself a trusted proxy.
fn address_of(site: &Site, request: &Parts) -> Option<IpAddr> {
    let ConnectInfo(peer) = request.extensions.get::<ConnectInfo<SocketAddr>>()?;
    let trusted = |address: &IpAddr| site.trusted_proxies.iter().any(|network| network.contains(address));
    let mut address = peer.ip().to_canonical();
    let named = request.headers.get_all("x-forwarded-for").iter().filter_map(|value| value.to_str().ok());
    let named: Vec<&str> = named.flat_map(|value| value.split(',')).map(str::trim).collect();
    for before in named.iter().rev() {
        if !trusted(&address) {
            break;
        }
        match before.parse::<IpAddr>() {
            Ok(known) => address = known.to_canonical(),
            Err(_) => break,
        }
    }
    Some(address)
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    #[test]
    fn t9_a_visitor_has_a_zone_only_by_its_known_name() {
        for (told, zone) in [
            ("zone=America/Sao_Paulo", Some("America/Sao_Paulo")),
            ("zone=america/sao_paulo", Some("America/Sao_Paulo")),
            ("zone=utc", Some("UTC")),
            ("zone=x1", None),
            ("zone=", None),
            ("theme=dark", None),
        ] {
            let cookies = [(header::COOKIE, HeaderValue::from_static(told))];
            let headers: HeaderMap = cookies.into_iter().collect();
            assert_eq!(zone_of(&headers).as_deref(), zone, "{told}");
        }
    }
}
