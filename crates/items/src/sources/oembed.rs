//! oEmbed: what YouTube and Vimeo tell about a video.

use super::{Asking, Found, Missing, line};
use crate::address::VideoSite;
use domain::item::ItemDetails;
use egress::Url;
use serde_json::Value;

pub(super) async fn look_up(asking: &Asking<'_>, site: VideoSite, video: Url) -> Result<Found, Missing> {
    let settings = &asking.sources.settings;
    let (base, name) = match site {
        VideoSite::YouTube => (&settings.youtube_oembed_url, "YouTube"),
        VideoSite::Vimeo => (&settings.vimeo_oembed_url, "Vimeo"),
    };
    let mut url: Url = base.parse().map_err(|_| Missing::never("invalid_url"))?;
    url.query_pairs_mut().append_pair("url", video.as_str()).append_pair("format", "json");
    // A private video is answered with 401 or 403: nobody will be told, ever.
    let answer = asking.json(url, None).await.map_err(|missing| match missing.code {
        "unauthorized" => Missing::never("private"),
        _ => missing,
    })?;
    let text = |name: &str, most| answer[name].as_str().and_then(|text| line(text, most));
    let Some(title) = text("title", 300) else { return Err(Missing::later("bad_answer")) };
    let details = ItemDetails {
        author: text("author_name", 200),
        provider: Some(text("provider_name", 100).unwrap_or_else(|| name.to_owned())),
        image_url: image(&answer["thumbnail_url"]),
        ..ItemDetails::default()
    };
    Ok(Found::One { title: Some(title), details })
}

/// Only an address of the web.
pub(super) fn image(value: &Value) -> Option<String> {
    let url: Url = value.as_str()?.parse().ok()?;
    (matches!(url.scheme(), "http" | "https") && url.as_str().len() <= 2_048).then(|| url.into())
}
