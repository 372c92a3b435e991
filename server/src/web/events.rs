//! `/events`: news for an open page, as server-sent events. Only that something changed; the page asks what.

use crate::{http::Problem, wiring::Services};
use app::request::Visitor;
use axum::{
    Extension,
    extract::State,
    response::{
        IntoResponse, Response, Sse,
        sse::{Event, KeepAlive},
    },
};
use domain::{TenantId, UserId};
use futures::{Stream, StreamExt};
use std::{convert::Infallible, time::Duration};
use store::Signal;
use tokio_stream::wrappers::{BroadcastStream, WatchStream};

pub async fn stream(State(services): State<Services>, Extension(visitor): Extension<Visitor>) -> Response {
    match visitor.user() {
        Ok(user) => Sse::new(news_for(&services, user, visitor.me.and_then(|me| me.tenant).map(|t| t.id)))
            .keep_alive(KeepAlive::new().interval(Duration::from_secs(20)))
            .into_response(),
        Err(error) => Problem::from(error).into_response(),
    }
}

/// Ends when the process stops.
fn news_for(
    services: &Services,
    user: UserId,
    tenant: Option<TenantId>,
) -> impl Stream<Item = Result<Event, Infallible>> + use<> {
    let news = BroadcastStream::new(services.db.signals().subscribe());
    let stopping =
        WatchStream::new(services.stopping.clone()).filter(|stop| std::future::ready(*stop)).into_future();
    let names = news.flat_map(move |signal| {
        futures::stream::iter(match signal {
            Ok(Signal::Rights(changed)) if changed == user => &["rights"][..],
            Ok(Signal::Rights(_)) => &[],
            Ok(Signal::GlobalTools) => &["tools"],
            Ok(Signal::Confirmations(of)) if Some(of) == tenant => &["confirmations"],
            Ok(Signal::Confirmations(_) | Signal::Cancel(_) | Signal::Deliveries) => &[],
            // Missed news may have been anything.
            Ok(Signal::Resync) | Err(_) => &["rights", "tools", "confirmations"],
        })
    });
    // Browsers drop an event without data.
    names.map(|name| Ok(Event::default().event(*name).data("changed"))).take_until(stopping)
}
