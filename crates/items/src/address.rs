//! Addresses that people send: found in a text, told apart, and brought to one form, so that the same page is saved
//! once however it was copied.

pub use egress::Url;

/// Where a video is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VideoSite {
    YouTube,
    Vimeo,
}

/// What follows a question mark to tell who sent whom, and nothing about the page.
const TRACKING: &[&str] = &["fbclid", "gclid", "igshid", "mc_cid", "mc_eid", "ref_src", "si", "feature"];

/// The first address in a text.
pub fn first_in(text: &str) -> Option<Url> {
    text.split_whitespace().find_map(parse)
}

/// An address of the web, with or without its scheme when it begins with `www.`.
pub fn parse(word: &str) -> Option<Url> {
    let word = word.trim_matches(|c: char| "<>()[]{}\"'“”«»,;".contains(c));
    let word = word.trim_end_matches(|c: char| "<>()[]{}\"'“”«»,;.!?".contains(c));
    let lower = word.get(..8).unwrap_or(word).to_ascii_lowercase();
    let whole = match lower.as_str() {
        lower if lower.starts_with("http://") || lower.starts_with("https:/") => word.to_owned(),
        lower if lower.starts_with("www.") => format!("https://{word}"),
        _ => return None,
    };
    let url = Url::parse(&whole).ok().filter(|_| whole.len() <= 2_048)?;
    let is_web = matches!(url.scheme(), "http" | "https")
        && url.host_str().is_some_and(|host| host.contains(['.', ':']));
    let has_login = !url.username().is_empty() || url.password().is_some();
    (is_web && !has_login).then_some(url)
}

/// What two addresses have in common when they lead to the same: scheme, `www.`, port, fragment, the last slash and
/// what only tracks make no difference.
pub fn same_as(url: &Url) -> String {
    if let Some((site, id)) = video(url) {
        return format!("{}:{id}", if site == VideoSite::YouTube { "youtube" } else { "vimeo" });
    }
    let host = host(url);
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    let path = url.path().trim_end_matches('/');
    let tells = |name: &str| !name.starts_with("utm_") && !TRACKING.contains(&name);
    let mut query: Vec<String> = url
        .query_pairs()
        .filter(|(name, _)| tells(name))
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    query.sort();
    let query = if query.is_empty() { String::new() } else { format!("?{}", query.join("&")) };
    format!("url:{host}{port}{path}{query}")
}

/// The site and the id of a video that it knows.
pub fn video(url: &Url) -> Option<(VideoSite, String)> {
    let mut parts = url.path_segments()?.filter(|part| !part.is_empty());
    let named =
        |name: &str| url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned());
    let (site, id) = match host(url).as_str() {
        "youtu.be" => (VideoSite::YouTube, parts.next().map(str::to_owned)),
        "youtube.com" | "m.youtube.com" | "music.youtube.com" | "youtube-nocookie.com" => {
            let id = match parts.next() {
                Some("watch") => named("v"),
                Some("shorts" | "embed" | "live" | "v") => parts.next().map(str::to_owned),
                _ => None,
            };
            (VideoSite::YouTube, id)
        }
        "vimeo.com" | "player.vimeo.com" => {
            let id = parts.find(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
            (VideoSite::Vimeo, id.map(str::to_owned))
        }
        _ => return None,
    };
    let is_id =
        |id: &String| id.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    id.filter(|id| (1..=64).contains(&id.len()) && is_id(id)).map(|id| (site, id))
}

fn host(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default().trim_end_matches('.').to_ascii_lowercase();
    host.strip_prefix("www.").map(str::to_owned).unwrap_or(host)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn key(text: &str) -> String {
        same_as(&parse(text).unwrap())
    }

    #[test]
    fn g13_the_same_page_has_one_name() {
        let wanted = key("https://example.org/a");
        for same in [
            "http://example.org/a",
            "https://www.example.org/a/",
            "https://EXAMPLE.org:443/a#part",
            "https://example.org./a?utm_source=x&fbclid=y",
            "<https://example.org/a>,",
        ] {
            assert_eq!(key(same), wanted, "{same}");
        }
        assert_eq!(key("https://example.org/a?b=2&a=1"), key("https://example.org/a?a=1&b=2"));
        for other in ["https://example.org/b", "https://example.org:8443/a", "https://example.org/a?id=1"] {
            assert_ne!(key(other), wanted, "{other}");
        }
    }

    #[test]
    fn g13_a_video_is_known_by_its_id() {
        for same in [
            "https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=1s",
            "https://youtu.be/dQw4w9WgXcQ?si=x",
            "https://m.youtube.com/shorts/dQw4w9WgXcQ",
            "http://youtube.com/embed/dQw4w9WgXcQ",
        ] {
            assert_eq!(key(same), "youtube:dQw4w9WgXcQ", "{same}");
        }
        assert_eq!(key("https://vimeo.com/channels/staffpicks/76979871"), "vimeo:76979871");
        assert!(video(&parse("https://www.youtube.com/@channel").unwrap()).is_none());
    }

    #[test]
    fn what_is_no_address_of_the_web_is_none() {
        for none in [
            "javascript:alert(1)",
            "file:///etc/passwd",
            "https://",
            "https://user:pw@example.org/",
            "oi",
            "http://localhost",
        ] {
            assert!(parse(none).is_none(), "{none}");
        }
        assert_eq!(first_in("veja www.example.org agora").unwrap().as_str(), "https://www.example.org/");
        assert_eq!(first_in("em (https://example.org/a).").unwrap().as_str(), "https://example.org/a");
    }
}
