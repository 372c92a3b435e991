//! The browser's files (style, script, wasm) as `cargo xtask site` left them in `target/site`.
//!
//! A release build carries them inside the binary; a debug build reads the folder at each request, so that a new
//! style shows without a restart. Only what lies in `pkg/` is served, and never compressed at request time.

use std::{borrow::Cow, sync::OnceLock};

use app::{chunk, route, shell::Assets};
use axum::{
    body::{Body, Bytes},
    extract::Path,
    response::{IntoResponse, Response},
};
use http::{
    HeaderMap, HeaderValue, StatusCode,
    header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY},
};
use rust_embed::{EmbeddedFile, RustEmbed};

#[derive(RustEmbed)]
#[folder = "../target/site"]
#[allow_missing = true]
struct Site;

/// `cargo leptos watch` copies the main style sheet as it is: what it imports comes from the sources.
#[cfg(debug_assertions)]
#[derive(RustEmbed)]
#[folder = "../style"]
#[allow_missing = true]
struct StyleSources;

const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
const ASK_AGAIN: HeaderValue = HeaderValue::from_static("no-cache");

/// The addresses that a page loads its style, script and wasm from.
pub fn urls(path: &str) -> Assets {
    static ONCE: OnceLock<String> = OnceLock::new();
    let group = route::find(path).and_then(chunk::group);
    if cfg!(debug_assertions) {
        urls_in(&manifest(), group)
    } else {
        urls_in(ONCE.get_or_init(manifest), group)
    }
}

fn manifest() -> String {
    let manifest = Site::get("manifest.txt").map(|file| file.data).unwrap_or_default();
    String::from_utf8_lossy(&manifest).into_owned()
}

fn urls_in(manifest: &str, group: Option<&str>) -> Assets {
    let [css, js, wasm] = ["css", "js", "wasm"].map(|kind| url(manifest, kind));
    Assets { css, js, wasm, pieces: group.map(|group| pieces(manifest, group)).unwrap_or_default() }
}

/// Without a manifest, the names that `cargo leptos watch` gives.
fn url(manifest: &str, kind: &str) -> String {
    let named = manifest.lines().filter_map(|line| line.split_once(' ')).find(|(key, _)| *key == kind);
    named.map_or_else(|| format!("/pkg/alcada.{kind}"), |(_, name)| format!("/pkg/{name}"))
}

/// The files of wasm that a group of pages needs beside the first: `group home alcada.1.bin alcada.2.bin`.
fn pieces(manifest: &str, group: &str) -> Vec<String> {
    let lines = manifest.lines().filter_map(|line| line.strip_prefix("group ")?.split_once(' '));
    let names = lines.filter(|(name, _)| *name == group).flat_map(|(_, names)| names.split(' '));
    names.map(|name| format!("/pkg/{name}")).collect()
}

/// `GET /pkg/{*path}`
pub async fn serve_asset(Path(path): Path<String>, headers: HeaderMap) -> Response {
    let Some(plain) = find(&path) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let Some((encoding, file)) = choose(&path, plain, &headers) else {
        return (StatusCode::NOT_ACCEPTABLE, [(VARY, "Accept-Encoding")]).into_response();
    };
    let etag = etag(&file);
    let mut answer = caching_headers(&path, &etag);
    if matches_etag(&headers, &etag) {
        return (StatusCode::NOT_MODIFIED, answer).into_response();
    }
    answer.insert(CONTENT_TYPE, content_type(&path));
    if let Some(name) = encoding.header() {
        answer.insert(CONTENT_ENCODING, name);
    }
    (answer, body(file.data)).into_response()
}

fn find(path: &str) -> Option<EmbeddedFile> {
    // The compressed twins are representations of a file, not files to ask for.
    let is_twin = path.ends_with(".br") || path.ends_with(".gz");
    if is_twin || path.split('/').any(|part| part == "..") {
        return None;
    }
    let file = Site::get(&format!("pkg/{path}"));
    #[cfg(debug_assertions)]
    let file = file.or_else(|| path.ends_with(".css").then(|| StyleSources::get(path)).flatten());
    file
}

/// The representation that the client likes best among those that exist.
fn choose(path: &str, plain: EmbeddedFile, headers: &HeaderMap) -> Option<(Encoding, EmbeddedFile)> {
    let mut plain = Some(plain);
    preferences(headers).into_iter().find_map(|encoding| {
        let file = match encoding {
            Encoding::Brotli => Site::get(&format!("pkg/{path}.br")),
            Encoding::Gzip => Site::get(&format!("pkg/{path}.gz")),
            Encoding::Identity => plain.take(),
        };
        file.map(|file| (encoding, file))
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    Brotli,
    Gzip,
    Identity,
}

impl Encoding {
    /// In the order the server prefers them.
    const ALL: [Self; 3] = [Self::Brotli, Self::Gzip, Self::Identity];

    fn name(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Gzip => "gzip",
            Self::Identity => "identity",
        }
    }

    fn header(self) -> Option<HeaderValue> {
        (self != Self::Identity).then(|| HeaderValue::from_static(self.name()))
    }
}

/// What the client accepts, best first (RFC 9110, 12.5.3).
fn preferences(headers: &HeaderMap) -> Vec<Encoding> {
    let lines: Vec<&str> =
        headers.get_all(ACCEPT_ENCODING).iter().filter_map(|line| line.to_str().ok()).collect();
    let offers: Vec<(&str, u16)> = lines.iter().flat_map(|line| line.split(',')).filter_map(offer).collect();
    let weight = |name: &str| {
        offers.iter().find(|(offered, _)| offered.eq_ignore_ascii_case(name)).map(|offer| offer.1)
    };
    let weight_of = |encoding: Encoding| match encoding {
        // Always acceptable unless refused, but the last choice when it is not named.
        Encoding::Identity => weight("identity").unwrap_or(if weight("*") == Some(0) { 0 } else { 1 }),
        _ => weight(encoding.name()).or_else(|| weight("*")).unwrap_or(0),
    };
    let mut accepted: Vec<Encoding> =
        Encoding::ALL.into_iter().filter(|encoding| weight_of(*encoding) > 0).collect();
    accepted.sort_by_key(|encoding| std::cmp::Reverse(weight_of(*encoding)));
    accepted
}

/// `gzip;q=0.5` → `("gzip", 500)`; nothing when the weight cannot be read.
fn offer(item: &str) -> Option<(&str, u16)> {
    let (name, parameters) = item.split_once(';').unwrap_or((item, ""));
    let weight = match parameters.trim().to_ascii_lowercase().strip_prefix("q=") {
        Some(weight) => weight.parse::<f32>().ok().filter(|weight| (0.0..=1.0).contains(weight))?,
        None => 1.0,
    };
    let name = name.trim();
    (!name.is_empty()).then_some((name, (weight * 1000.0) as u16))
}

fn caching_headers(path: &str, etag: &str) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(VARY, HeaderValue::from_static("Accept-Encoding"));
    headers.insert(CACHE_CONTROL, if is_hashed(path) { FOR_EVER } else { ASK_AGAIN });
    if let Ok(value) = HeaderValue::from_str(etag) {
        headers.insert(ETAG, value);
    }
    headers
}

/// `alcada.0123456789abcdef.css`
fn is_hashed(path: &str) -> bool {
    let mut parts = path.rsplit('.');
    let hash = parts.nth(1).unwrap_or_default();
    hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Of the representation, so that each encoding has its own.
fn etag(file: &EmbeddedFile) -> String {
    let hash = file.metadata.sha256_hash();
    let digits: String = hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    format!("\"{digits}\"")
}

fn matches_etag(headers: &HeaderMap, etag: &str) -> bool {
    let lines = headers.get_all(IF_NONE_MATCH).iter().filter_map(|line| line.to_str().ok());
    let mut candidates = lines.flat_map(|line| line.split(',')).map(str::trim);
    candidates.any(|candidate| candidate == "*" || candidate.trim_start_matches("W/") == etag)
}

fn content_type(path: &str) -> HeaderValue {
    let kind = mime_guess::from_path(path).first_or_octet_stream();
    let charset = if kind.type_() == mime_guess::mime::TEXT { "; charset=utf-8" } else { "" };
    HeaderValue::from_str(&format!("{kind}{charset}"))
        .unwrap_or(HeaderValue::from_static("application/octet-stream"))
}

fn body(data: Cow<'static, [u8]>) -> Body {
    Body::from(match data {
        Cow::Borrowed(embedded) => Bytes::from_static(embedded),
        Cow::Owned(read) => Bytes::from(read),
    })
}

#[cfg(test)]
mod tests {
    use super::{Encoding::*, *};

    fn accepting(value: &'static str) -> Vec<Encoding> {
        preferences(&HeaderMap::from_iter([(ACCEPT_ENCODING, HeaderValue::from_static(value))]))
    }

    #[test]
    fn without_a_header_nothing_is_compressed() {
        assert_eq!(preferences(&HeaderMap::new()), [Identity]);
        assert_eq!(accepting(""), [Identity]);
        assert_eq!(accepting("zstd"), [Identity]);
    }

    #[test]
    fn brotli_comes_before_gzip_before_plain() {
        assert_eq!(accepting("gzip, deflate, br"), [Brotli, Gzip, Identity]);
        assert_eq!(accepting("GZIP"), [Gzip, Identity]);
        assert_eq!(accepting("*"), [Brotli, Gzip, Identity]);
    }

    #[test]
    fn the_clients_weights_decide() {
        assert_eq!(accepting("br;q=0.2, gzip;q=0.9"), [Gzip, Brotli, Identity]);
        assert_eq!(accepting("identity, gzip;q=0.5"), [Identity, Gzip]);
        assert_eq!(accepting("br ; q=0.5"), [Brotli, Identity]);
    }

    #[test]
    fn a_weight_of_zero_refuses() {
        assert_eq!(accepting("br;q=0, gzip"), [Gzip, Identity]);
        assert_eq!(accepting("br;q=0.000, *"), [Gzip, Identity]);
        assert_eq!(accepting("gzip, identity;q=0"), [Gzip]);
        assert_eq!(accepting("gzip, *;q=0"), [Gzip]);
        assert_eq!(accepting("*;q=0"), []);
        assert_eq!(accepting("*;q=0, identity"), [Identity]);
    }

    #[test]
    fn an_unreadable_weight_is_no_offer() {
        assert_eq!(accepting("br;q=much, gzip;q=7"), [Identity]);
    }

    #[test]
    fn only_names_with_a_hash_are_kept_for_ever() {
        assert!(is_hashed("alcada.0123456789abcdef.css"));
        for name in [
            "alcada.css",
            "alcada.0123.css",
            "snippets/x-0123456789abcdef/inline0.js",
            "a.0123456789abcdeg.js",
        ] {
            assert!(!is_hashed(name), "{name}");
        }
    }

    #[test]
    fn any_listed_etag_matches() {
        let sent = |value| HeaderMap::from_iter([(IF_NONE_MATCH, HeaderValue::from_static(value))]);
        assert!(matches_etag(&sent("\"a\", W/\"b\""), "\"b\""));
        assert!(matches_etag(&sent("*"), "\"b\""));
        assert!(!matches_etag(&sent("\"a\""), "\"b\""));
        assert!(!matches_etag(&HeaderMap::new(), "\"b\""));
    }

    #[test]
    fn types_are_those_that_browsers_insist_on() {
        assert_eq!(content_type("alcada.wasm"), "application/wasm");
        assert_eq!(content_type("alcada.js"), "text/javascript; charset=utf-8");
        assert_eq!(content_type("alcada.css"), "text/css; charset=utf-8");
    }

    #[test]
    fn urls_come_from_the_manifest_or_are_those_of_cargo_leptos() {
        let manifest = "css alcada.1.css\njs alcada.2.js\nsource 3\n";
        assert_eq!(url(manifest, "css"), "/pkg/alcada.1.css");
        assert_eq!(url(manifest, "wasm"), "/pkg/alcada.wasm");
    }

    #[test]
    fn a_page_names_the_pieces_of_its_group_only() {
        let manifest =
            "wasm alcada.1.wasm\ngroup home alcada.2.bin alcada.3.bin\ngroup people alcada.2.bin\n";
        assert_eq!(urls_in(manifest, Some("home")).pieces, ["/pkg/alcada.2.bin", "/pkg/alcada.3.bin"]);
        assert_eq!(urls_in(manifest, Some("people")).pieces, ["/pkg/alcada.2.bin"]);
        assert!(urls_in(manifest, None).pieces.is_empty() && urls_in("", Some("home")).pieces.is_empty());
    }

    #[tokio::test]
    async fn nothing_outside_pkg_is_served() {
        for path in ["../manifest.txt", "gone.js", "", "alcada.css.br", "../../../Cargo.toml"] {
            let answer = serve_asset(Path(path.to_owned()), HeaderMap::new()).await;
            assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{path}");
        }
    }
}
