//! The Movie Database: films and series by title and year, or by its own id.

use super::{Asking, Found, Missing, NOT_CONFIGURED, line};
use domain::item::{ItemDetails, ItemMatch, ItemOut};
use egress::Url;
use serde_json::Value;

/// How it speaks about films, and about series.
#[derive(Clone, Copy)]
pub(super) struct Words {
    kind: &'static str,
    title: &'static str,
    original: &'static str,
    date: &'static str,
    year: &'static str,
}

pub(super) const MOVIE: Words =
    Words { kind: "movie", title: "title", original: "original_title", date: "release_date", year: "year" };
pub(super) const TV: Words = Words {
    kind: "tv",
    title: "name",
    original: "original_name",
    date: "first_air_date",
    year: "first_air_date_year",
};

/// More than this nobody reads on a phone.
const MOST_MATCHES: usize = 6;
const PICTURES: &str = "https://image.tmdb.org/t/p/w342";

pub(super) async fn look_up(
    asking: &Asking<'_>,
    words: Words,
    item: &ItemOut,
    chosen: Option<i64>,
) -> Result<Found, Missing> {
    if let Some(id) = chosen.or(item.details.tmdb_id) {
        let film = ask(asking, &[words.kind, &id.to_string()], &[]).await?;
        return one(words, &film).ok_or(Missing::later("bad_answer"));
    }
    let year = item.details.year.map(|year| year.to_string());
    let mut query = vec![("query", item.title.as_str()), ("include_adult", "false")];
    query.extend(year.as_deref().map(|year| (words.year, year)));
    let answer = ask(asking, &["search", words.kind], &query).await?;
    let films = answer["results"].as_array().ok_or(Missing::later("bad_answer"))?;
    decide(words, item, films)
}

/// The only one, or the only one of that name; else the person decides.
fn decide(words: Words, item: &ItemOut, films: &[Value]) -> Result<Found, Missing> {
    let fits = |film: &&Value| {
        let found = matched(words, film);
        let is_named = found.as_ref().is_some_and(|found| same(&found.title, &item.title));
        let of_year =
            item.details.year.is_none_or(|year| found.is_some_and(|found| found.year == Some(year)));
        is_named && of_year
    };
    let named: Vec<&Value> = films.iter().filter(fits).collect();
    let only = match (films, named.as_slice()) {
        ([], _) => return Err(Missing::never("not_found")),
        ([only], _) => Some(only),
        (_, [only]) if item.details.year.is_some() => Some(*only),
        _ => None,
    };
    if let Some(found) = only.and_then(|film| one(words, film)) {
        return Ok(found);
    }
    let matches: Vec<ItemMatch> =
        films.iter().filter_map(|film| matched(words, film)).take(MOST_MATCHES).collect();
    if matches.is_empty() { Err(Missing::later("bad_answer")) } else { Ok(Found::Several(matches)) }
}

fn same(a: &str, b: &str) -> bool {
    let plain = |text: &str| text.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    plain(a) == plain(b)
}

fn matched(words: Words, film: &Value) -> Option<ItemMatch> {
    let title = line(film[words.title].as_str()?, 300)?;
    Some(ItemMatch { tmdb_id: film["id"].as_i64()?, title, year: year(words, film) })
}

fn year(words: Words, film: &Value) -> Option<i64> {
    film[words.date].as_str()?.get(..4)?.parse().ok()
}

fn one(words: Words, film: &Value) -> Option<Found> {
    let found = matched(words, film)?;
    let text = |name: &str, most| film[name].as_str().and_then(|text| line(text, most));
    let details = ItemDetails {
        tmdb_id: Some(found.tmdb_id),
        year: found.year,
        original_title: text(words.original, 300),
        summary: text("overview", 2_000),
        provider: Some("TMDB".to_owned()),
        image_url: text("poster_path", 200)
            .filter(|path| path.starts_with('/'))
            .map(|path| format!("{PICTURES}{path}")),
        ..ItemDetails::default()
    };
    Some(Found::One { title: Some(found.title), details })
}

/// A key of version 3 is a part of the question, a token of version 4 stands in a header.
async fn ask(asking: &Asking<'_>, path: &[&str], query: &[(&str, &str)]) -> Result<Value, Missing> {
    let settings = &asking.sources.settings;
    let key = settings.tmdb_key.as_deref().ok_or(Missing::later(NOT_CONFIGURED))?;
    let whole = format!("{}/{}", settings.tmdb_url.trim_end_matches('/'), path.join("/"));
    let mut url: Url = whole.parse().map_err(|_| Missing::never("invalid_url"))?;
    let is_old = key.len() == 32 && key.bytes().all(|byte| byte.is_ascii_hexdigit());
    {
        let mut pairs = url.query_pairs_mut();
        pairs.extend_pairs(query).append_pair("language", "pt-BR");
        if is_old {
            pairs.append_pair("api_key", key);
        }
    }
    asking.json(url, (!is_old).then_some(key)).await
}
