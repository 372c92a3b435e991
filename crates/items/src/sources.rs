//! Who knows more about what was saved: TMDB about films and series, the sites' own oEmbed about videos, a page itself
//! about a link. Everything goes through the one guarded way out.

mod html;
mod oembed;
mod preview;
mod tmdb;

use crate::address;
use domain::item::{ItemDetails, ItemKind, ItemMatch, ItemOut};
use egress::{Answer, Egress, EgressError, Outgoing, Retry, Url};
use http::{HeaderMap, HeaderValue, Method, header};
use std::time::{Duration, SystemTime};
use tokio::time::Instant;

/// Where they are; tests point them elsewhere.
#[derive(Clone)]
pub struct SourceSettings {
    pub tmdb_url: String,
    /// A version 3 key, or a version 4 token.
    pub tmdb_key: Option<String>,
    pub youtube_oembed_url: String,
    pub vimeo_oembed_url: String,
}

impl Default for SourceSettings {
    fn default() -> Self {
        Self {
            tmdb_url: "https://api.themoviedb.org/3".to_owned(),
            tmdb_key: None,
            youtube_oembed_url: "https://www.youtube.com/oembed".to_owned(),
            vimeo_oembed_url: "https://vimeo.com/api/oembed.json".to_owned(),
        }
    }
}

/// Cheap to clone.
#[derive(Clone)]
pub struct Sources {
    egress: Egress,
    settings: SourceSettings,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    One { title: Option<String>, details: ItemDetails },
    Several(Vec<ItemMatch>),
}

/// Why nothing was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// Stable; made for programs.
    pub code: &'static str,
    pub again: Again,
}

/// Whether another try can help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Again {
    Never,
    Later,
    /// Not before the other side wants it.
    After(Duration),
}

pub const NOT_CONFIGURED: &str = "not_configured";

/// Of one look, all its requests together.
const LONGEST: Duration = Duration::from_secs(6);
const MOST_BYTES: usize = 512 * 1024;
/// What the other side may ask us to wait, at most.
const LONGEST_WAIT: Duration = Duration::from_secs(24 * 60 * 60);

impl Missing {
    fn never(code: &'static str) -> Self {
        Self { code, again: Again::Never }
    }

    fn later(code: &'static str) -> Self {
        Self { code, again: Again::Later }
    }
}

impl Sources {
    pub fn new(egress: Egress, settings: SourceSettings) -> Self {
        Self { egress, settings }
    }

    /// Nobody can be asked about such things here: why.
    pub fn lacks(&self, kind: ItemKind) -> Option<&'static str> {
        let needs_key = matches!(kind, ItemKind::Movie | ItemKind::TvShow);
        (needs_key && self.settings.tmdb_key.is_none()).then_some(NOT_CONFIGURED)
    }

    /// `chosen` is the one of several that the person chose.
    pub async fn look_up(&self, item: &ItemOut, owner: u128, chosen: Option<i64>) -> Result<Found, Missing> {
        let asking = Asking { sources: self, owner, deadline: Instant::now() + LONGEST };
        let url = || item.url.as_deref().and_then(address::parse).ok_or(Missing::never("invalid_url"));
        match item.kind {
            ItemKind::Note => Err(Missing::never("not_needed")),
            ItemKind::Movie => tmdb::look_up(&asking, tmdb::MOVIE, item, chosen).await,
            ItemKind::TvShow => tmdb::look_up(&asking, tmdb::TV, item, chosen).await,
            ItemKind::Video => match address::video(&url()?) {
                Some((site, _)) => oembed::look_up(&asking, site, url()?).await,
                None => preview::look_up(&asking, url()?).await,
            },
            ItemKind::Link => preview::look_up(&asking, url()?).await,
        }
    }
}

/// One look at the outside.
struct Asking<'a> {
    sources: &'a Sources,
    /// Whose failures count together.
    owner: u128,
    deadline: Instant,
}

impl Asking<'_> {
    async fn get(&self, url: Url, accept: &'static str, bearer: Option<&str>) -> Result<Answer, Missing> {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT, HeaderValue::from_static(accept));
        headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        if let Some(token) = bearer.and_then(|token| HeaderValue::from_str(&format!("Bearer {token}")).ok()) {
            headers.insert(header::AUTHORIZATION, token);
        }
        let outgoing = Outgoing {
            owner: self.owner,
            method: Method::GET,
            url,
            headers,
            body: None,
            deadline: self.deadline,
            max_body: MOST_BYTES,
            retry: Retry::Never,
        };
        self.sources.egress.send(outgoing).await.map_err(|error| unreachable(&error))
    }

    /// The JSON of an answer; what is none is an answer that cannot be used.
    async fn json(&self, url: Url, bearer: Option<&str>) -> Result<serde_json::Value, Missing> {
        let answer = self.get(url, "application/json", bearer).await?;
        match answer.status {
            200..=299 => serde_json::from_slice(&answer.body).map_err(|_| Missing::later("bad_answer")),
            status => Err(refusal(status, &answer.headers)),
        }
    }
}

fn unreachable(error: &EgressError) -> Missing {
    let again = match error {
        EgressError::InvalidUrl(_)
        | EgressError::InvalidMethod(_)
        | EgressError::HttpsRequired { .. }
        | EgressError::BlockedAddress { .. } => Again::Never,
        EgressError::CircuitOpen { retry_after, .. } => Again::After(*retry_after),
        _ => Again::Later,
    };
    Missing { code: error.code(), again }
}

fn refusal(status: u16, headers: &HeaderMap) -> Missing {
    let asked = egress::retry_after(headers, SystemTime::now());
    let again = asked.map_or(Again::Later, |wait| Again::After(wait.min(LONGEST_WAIT)));
    match status {
        401 | 403 => Missing::later("unauthorized"),
        404 | 410 => Missing::never("not_found"),
        429 => Missing { code: "rate_limited", again },
        408 | 425 => Missing { code: "upstream_error", again },
        300..=399 => Missing::never("redirected"),
        400..=499 => Missing::never("refused"),
        _ => Missing { code: "upstream_error", again },
    }
}

/// A text of somebody else's: one line, bounded.
fn line(text: &str, most: usize) -> Option<String> {
    let words: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|w| !w.is_empty()).collect();
    let text: String = words.join(" ").chars().take(most).collect();
    (!text.is_empty()).then_some(text)
}
