//! Data that a page shows: asked for once on the server, sent with the page, asked for again in the browser.
//!
//! All data travels as text in one kind of resource. A resource per type of answer would be the usual way, but
//! each would bring its own copy of the machinery to the browser: the difference is a third of the download.

use crate::{api::ApiError, browser, location::use_location};
use domain::{ErrorCode, ServiceError};
use leptos::{prelude::*, server::codee::string::FromToStringCodec, server_fn::ServerFn};
use serde::de::DeserializeOwned;
use std::{
    future::Future,
    marker::PhantomData,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
};

/// A server function that brings data.
pub trait Question: ServerFn<Error = ApiError> + 'static {
    /// What the browser sends. A question that is not complete has nothing to send, and is not asked.
    fn fields(&self) -> Option<Vec<(&'static str, String)>> {
        Some(Vec::new())
    }
}

/// An answer that is on its way or here.
pub struct Loaded<T> {
    text: Text,
    kind: PhantomData<fn() -> T>,
}

type Text = Resource<String, FromToStringCodec>;

impl<T> Clone for Loaded<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Loaded<T> {}

impl<T: DeserializeOwned> Loaded<T> {
    /// Nothing while it is on its way, when it was not asked, and once its page was left; read it inside a
    /// `<Transition>`.
    pub fn get(self) -> Option<Result<T, ApiError>> {
        read(&self.text.try_get()??)
    }

    pub fn refetch(self) {
        self.text.refetch();
    }
}

/// The first character tells an answer from an error.
const ANSWER: char = '+';
const ERROR: char = '-';

fn read<T: DeserializeOwned>(text: &str) -> Option<Result<T, ApiError>> {
    let unreadable = || ApiError(ServiceError::new(ErrorCode::Internal, "The answer was not understood."));
    if let Some(answer) = text.strip_prefix(ANSWER) {
        return Some(browser::read_json(answer).ok_or_else(unreadable));
    }
    let error = text.strip_prefix(ERROR)?;
    Some(Err(browser::read_json(error).unwrap_or_else(unreadable)))
}

/// Asks for a page, and asks again whenever the question or the number beside it changes while the page is shown.
pub fn load<Q: Question>(ask: impl Fn() -> (u32, Q) + Send + Sync + 'static) -> Loaded<Q::Output>
where
    Q::Output: serde::Serialize,
{
    let location = use_location();
    let page = location.page_untracked();
    load_while(move || location.page_index() == page, ask)
}

/// Asks for all pages.
pub fn load_everywhere<Q: Question>(ask: impl Fn() -> (u32, Q) + Send + Sync + 'static) -> Loaded<Q::Output>
where
    Q::Output: serde::Serialize,
{
    load_while(|| true, ask)
}

/// Asks once, in the browser, outside of any page's data.
pub fn ask<Q: Question>(question: Q, then: impl FnOnce(Result<Q::Output, ApiError>) + 'static)
where
    Q::Output: DeserializeOwned,
{
    let Some(fields) = question.fields() else { return };
    let read_answer = move |text: String| {
        if let Some(answer) = read(&text) {
            then(answer);
        }
    };
    browser::fetch_then(Q::PATH, body(fields), Box::new(read_answer));
}

fn load_while<Q: Question>(
    is_here: impl Fn() -> bool + Send + Sync + 'static,
    ask: impl Fn() -> (u32, Q) + Send + Sync + 'static,
) -> Loaded<Q::Output>
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
    let fetch = Arc::new(move |_| -> Fetching { Box::pin(called(untrack(|| ask().1))) });
    #[cfg(not(feature = "ssr"))]
    let fetch = Arc::new(move |body| -> Fetching { Box::pin(browser::fetch_text(Q::PATH, body)) });
    Loaded { text: resource(while_here(Arc::new(is_here), source), fetch), kind: PhantomData }
}

/// A page that is being left sees the address of the next one: it must not ask about that.
fn while_here(is_here: Arc<dyn Fn() -> bool + Send + Sync>, source: Source) -> Source {
    let last = Mutex::new(None);
    Arc::new(move || {
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        match &*last {
            Some(known) if !is_here() => known,
            _ => last.insert(source()),
        }
        .clone()
    })
}

type Fetching = Pin<Box<dyn Future<Output = String> + Send>>;
type Source = Arc<dyn Fn() -> (u32, Option<String>) + Send + Sync>;
type Fetch = Arc<dyn Fn(String) -> Fetching + Send + Sync>;

fn resource(source: Source, fetch: Fetch) -> Text {
    Resource::new_str(
        move || source(),
        move |(_, body)| match body {
            Some(body) => fetch(body),
            None => Box::pin(std::future::ready(String::new())),
        },
    )
}

/// On the server the function is called, not the network.
#[cfg(feature = "ssr")]
async fn called<Q: Question>(question: Q) -> String
where
    Q::Output: serde::Serialize,
{
    use leptos::serde_json::to_string;
    let (sign, text) = match question.run_body().await {
        Ok(answer) => (ANSWER, to_string(&answer)),
        Err(error) => (ERROR, to_string(&error)),
    };
    format!("{sign}{}", text.unwrap_or_default())
}

fn body(fields: Vec<(&'static str, String)>) -> String {
    let pair = |(name, value): (&str, String)| format!("{name}={}", browser::encoded(&value));
    fields.into_iter().map(pair).collect::<Vec<_>>().join("&")
}
