//! Data that a page shows: asked for once on the server, sent with the page, asked for again in the browser.
//!
//! All data travels as text in one kind of resource. A resource per type of answer would be the usual way, but
//! each would bring its own copy of the machinery to the browser: the difference is a third of the download.

use crate::api::ApiError;
use leptos::{prelude::*, serde_json, server_fn::ServerFn};
use serde::de::DeserializeOwned;
use std::{future::Future, marker::PhantomData, pin::Pin, sync::Arc};

/// A server function that brings data.
pub trait Question: ServerFn<Error = ApiError> + 'static {
    /// What the browser sends. A question that is not complete has nothing to send, and is not asked.
    fn fields(&self) -> Option<Vec<(&'static str, String)>> {
        Some(Vec::new())
    }
}

/// An answer that is on its way or here.
pub struct Loaded<T> {
    text: Resource<Result<String, ApiError>>,
    kind: PhantomData<fn() -> T>,
}

impl<T> Clone for Loaded<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Loaded<T> {}

impl<T: DeserializeOwned> Loaded<T> {
    /// Nothing while it is on its way; read it inside a `<Transition>`.
    pub fn get(self) -> Option<Result<T, ApiError>> {
        Some(
            self.text
                .get()?
                .and_then(|text| serde_json::from_str(&text).map_err(unreadable)),
        )
    }

    pub fn refetch(self) {
        self.text.refetch();
    }
}

fn unreadable(error: serde_json::Error) -> ApiError {
    let detail = format!("The answer was not understood: {error}");
    ApiError(domain::ServiceError::new(domain::ErrorCode::Internal, detail))
}

/// Asks, and asks again whenever the question or the number beside it changes.
pub fn load<Q: Question>(ask: impl Fn() -> (u32, Q) + Send + Sync + 'static) -> Loaded<Q::Output>
where
    Q::Output: serde::Serialize,
{
    let ask = Arc::new(ask);
    let asked = ask.clone();
    let source = Arc::new(move || {
        let (count, question) = asked();
        (count, question.fields().map(body))
    });
    #[cfg(feature = "ssr")]
    let fetch = Arc::new(move |_| -> Fetching { Box::pin(answer(untrack(|| ask().1))) });
    #[cfg(not(feature = "ssr"))]
    let fetch = Arc::new(move |body| -> Fetching { Box::pin(crate::browser::fetch(Q::PATH, body)) });
    Loaded {
        text: resource(source, fetch),
        kind: PhantomData,
    }
}

type Fetching = Pin<Box<dyn Future<Output = Result<String, ApiError>> + Send>>;
type Source = Arc<dyn Fn() -> (u32, Option<String>) + Send + Sync>;
type Fetch = Arc<dyn Fn(String) -> Fetching + Send + Sync>;

fn resource(source: Source, fetch: Fetch) -> Resource<Result<String, ApiError>> {
    Resource::new(
        move || source(),
        move |(_, body)| match body {
            Some(body) => fetch(body),
            None => Box::pin(std::future::ready(Ok(String::new()))),
        },
    )
}

/// On the server the function is called, not the network.
#[cfg(feature = "ssr")]
async fn answer<Q: Question>(question: Q) -> Result<String, ApiError>
where
    Q::Output: serde::Serialize,
{
    let answer = question.run_body().await?;
    serde_json::to_string(&answer).map_err(unreadable)
}

fn body(fields: Vec<(&'static str, String)>) -> String {
    let pair = |(name, value): (&str, String)| format!("{name}={}", crate::browser::encoded(&value));
    fields.into_iter().map(pair).collect::<Vec<_>>().join("&")
}
