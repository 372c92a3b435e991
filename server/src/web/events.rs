//! `/events`: news for an open page or a backend, as server-sent events. Only that something changed; who hears it asks
//! what.

use super::visitor::{bearer, look_again};
use crate::{http::Problem, wiring::Services};
use ability::ReadConfirmations;
use app::request::Visitor;
use axum::response::{
    IntoResponse, Response, Sse,
    sse::{Event, KeepAlive},
};
use domain::{ErrorCode, ServiceResult, TenantId, UserId};
use futures::{Stream, StreamExt};
use http::HeaderMap;
use std::{convert::Infallible, future::ready, time::Duration};
use store::Signal;
use tokio_stream::wrappers::{BroadcastStream, WatchStream};

const LOOK_EVERY: Duration = Duration::from_secs(2);

/// A key that is over while nothing happens holds its stream no longer.
const LONGEST_FOR_A_KEY: Duration = Duration::from_secs(15 * 60);

/// Who listens.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Listener {
    /// Nobody: a key. It hears nothing of anybody's rights.
    user: Option<UserId>,
    tenant: Option<TenantId>,
}

impl Listener {
    /// A person hears what concerns their page; a key what a page of its tenant would, when it may read the inbox.
    fn of(visitor: &Visitor) -> ServiceResult<Self> {
        if let (None, Some(_)) = (&visitor.me, &visitor.caller) {
            let permit = visitor.tenant_permit::<ReadConfirmations>()?;
            return Ok(Self { user: None, tenant: Some(permit.tenant()) });
        }
        let tenant = visitor.me.as_ref().and_then(|me| me.tenant.as_ref()).map(|tenant| tenant.id);
        Ok(Self { user: Some(visitor.user()?), tenant })
    }
}

pub fn stream(services: &Services, visitor: Visitor, headers: &HeaderMap) -> Response {
    match Listener::of(&visitor) {
        Ok(listener) => Sse::new(news_for(services, listener, visitor, bearer(headers).map(str::to_owned)))
            .keep_alive(KeepAlive::new().interval(Duration::from_secs(20)))
            .into_response(),
        Err(error) => Problem::from(error).into_response(),
    }
}

/// Whether whoever asked for the stream would get the same one now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    Holds,
    /// Nobody can tell: an outage, say. A browser that was sent away would find no answer, and never come back.
    Unknown,
    Over,
}

impl Standing {
    async fn of(services: &Services, listener: Listener, visitor: &Visitor, key: Option<&str>) -> Self {
        let now = Box::pin(look_again(services, visitor, key)).await;
        Self::when(listener, now.and_then(|now| Listener::of(&now)))
    }

    fn when(listener: Listener, now: ServiceResult<Listener>) -> Self {
        use ErrorCode::{Forbidden, TenantRequired, Unauthenticated};
        match now {
            Ok(now) if now == listener => Self::Holds,
            Ok(_) => Self::Over,
            Err(error) if matches!(error.code, Unauthenticated | Forbidden | TenantRequired) => Self::Over,
            Err(_) => Self::Unknown,
        }
    }
}

/// Ends when the process stops, and before the first event that the listener has no right to. An event of which nobody
/// can tell that is not sent.
fn news_for(
    services: &Services,
    listener: Listener,
    visitor: Visitor,
    key: Option<String>,
) -> impl Stream<Item = Result<Event, Infallible>> + use<> {
    let Listener { user, tenant } = listener;
    let news = BroadcastStream::new(services.db.signals().subscribe());
    let stopping = WatchStream::new(services.stopping.clone()).filter(|stop| ready(*stop)).into_future();
    let names = news.flat_map(move |signal| {
        futures::stream::iter(match signal {
            Ok(Signal::Rights(changed)) if Some(changed) == user => &["rights"][..],
            Ok(Signal::Rights(_)) => &[],
            Ok(Signal::GlobalTools) => &["tools"],
            // The call of a question that is decided or over has moved on as well.
            Ok(Signal::Confirmations(of)) if Some(of) == tenant => &["confirmations", "executions"],
            Ok(Signal::Confirmations(_) | Signal::Cancel(_) | Signal::Deliveries) => &[],
            // Missed news may have been anything.
            Ok(Signal::Resync) | Err(_) if user.is_none() => &["tools", "confirmations", "executions"],
            Ok(Signal::Resync) | Err(_) => &["rights", "tools", "confirmations", "executions"],
        })
    });
    let names = futures::stream::select(names.map(|name| *name), calls_in(services, tenant));
    let services = services.clone();
    let names = names.then(move |name| {
        let (services, visitor, key) = (services.clone(), visitor.clone(), key.clone());
        async move {
            // Whoever lost their rights hears that much: the page goes by it.
            let standing = match name {
                "rights" => Standing::Holds,
                _ => Standing::of(&services, listener, &visitor, key.as_deref()).await,
            };
            (name, standing)
        }
    });
    let names = names.take_while(|(_, standing)| ready(*standing != Standing::Over));
    let names = names.filter_map(|(name, standing)| ready((standing == Standing::Holds).then_some(name)));
    // Browsers drop an event without data.
    let events = names.map(|name| Ok(Event::default().event(name).data("changed"))).take_until(stopping);
    events.take_until(async move {
        match user {
            Some(_) => std::future::pending().await,
            None => tokio::time::sleep(LONGEST_FOR_A_KEY).await,
        }
    })
}

/// Calls are many: they send no signal of their own. An open page looks at their pulse instead, and where the database
/// counts its commits only after there was one.
fn calls_in(services: &Services, tenant: Option<TenantId>) -> impl Stream<Item = &'static str> + use<> {
    let Some(tenant) = tenant else { return futures::stream::empty().boxed() };
    let start = (services.clone(), None, None);
    let news = futures::stream::unfold(start, move |(services, mut version, mut pulse)| async move {
        loop {
            let is_first = pulse.is_none();
            if !is_first {
                tokio::time::sleep(LOOK_EVERY).await;
            }
            let now = services.db.now().await.and_then(|now| now.version);
            if now.is_some() && now == version {
                continue;
            }
            version = now;
            // An outage is no news: the next look tells.
            let Ok(seen) = services.engine.pulse(tenant).await else {
                tokio::time::sleep(LOOK_EVERY).await;
                continue;
            };
            let has_changed = pulse.replace(seen) != Some(seen);
            if has_changed && !is_first {
                return Some(("executions", (services, version, pulse)));
            }
        }
    });
    news.boxed()
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::ServiceError;

    #[test]
    fn s24_a_stream_ends_by_a_no_and_not_by_an_outage() {
        let listener = Listener { user: None, tenant: None };
        let failed = |code| Standing::when(listener, Err(ServiceError::new(code, "x")));
        for code in [ErrorCode::Unauthenticated, ErrorCode::Forbidden, ErrorCode::TenantRequired] {
            assert_eq!(failed(code), Standing::Over, "{code:?}");
        }
        for code in [ErrorCode::Unavailable, ErrorCode::Internal] {
            assert_eq!(failed(code), Standing::Unknown, "{code:?}");
        }
        assert_eq!(Standing::when(listener, Ok(listener)), Standing::Holds);
        let other = Listener { user: Some(UserId::new()), ..listener };
        assert_eq!(Standing::when(listener, Ok(other)), Standing::Over);
    }
}
