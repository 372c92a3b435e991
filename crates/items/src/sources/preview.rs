//! A page's preview: what it says about itself (OpenGraph), or else its title and description.
//!
//! Only the beginning of the page is read, for a few seconds: one that is huge or never ends costs no more than
//! another. Where it leads elsewhere it is followed a little, and every step is vetted like the first.

use super::{Asking, Found, MOST_BYTES, Missing, html, line, oembed::image, refusal};
use domain::item::ItemDetails;
use egress::{Answer, Url};
use http::header;
use serde_json::Value;

const MOST_STEPS: usize = 4;

pub(super) async fn look_up(asking: &Asking<'_>, url: Url) -> Result<Found, Missing> {
    let mut url = url;
    for _ in 0..MOST_STEPS {
        let answer = asking.get(url.clone(), "text/html,application/xhtml+xml", None).await?;
        match answer.status {
            200..=299 => return read(&answer, &url),
            301 | 302 | 303 | 307 | 308 => {
                let next = answer.headers.get(header::LOCATION).and_then(|value| value.to_str().ok());
                let next = next.and_then(|next| url.join(next).ok());
                url = next.ok_or(Missing::never("redirected"))?;
            }
            // Others may be let in; we never are.
            401 | 403 => return Err(Missing::never("private")),
            status => return Err(refusal(status, &answer.headers)),
        }
    }
    Err(Missing::never("redirected"))
}

fn read(answer: &Answer, url: &Url) -> Result<Found, Missing> {
    let kind =
        answer.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let kind = kind.to_ascii_lowercase();
    if !kind.is_empty() && !kind.starts_with("text/html") && !kind.starts_with("application/xhtml") {
        return Err(Missing::never("not_a_page"));
    }
    let bytes = answer.body.get(..answer.body.len().min(MOST_BYTES)).unwrap_or_default();
    let head = html::head(&html::text(bytes, &kind));
    let title = head.property("og:title").or(head.title.as_deref()).and_then(|text| line(text, 300));
    let summary =
        head.property("og:description").or(head.property("description")).and_then(|text| line(text, 1_000));
    let image_url = head.property("og:image").and_then(|text| url.join(text).ok());
    let site = head.property("og:site_name").and_then(|text| line(text, 100));
    if title.is_none() && summary.is_none() {
        return Err(Missing::never("no_preview"));
    }
    let details = ItemDetails {
        summary,
        author: head.property("author").and_then(|text| line(text, 200)),
        provider: site.or_else(|| url.host_str().map(str::to_owned)),
        image_url: image_url.and_then(|url| image(&Value::String(url.into()))),
        ..ItemDetails::default()
    };
    Ok(Found::One { title, details })
}
