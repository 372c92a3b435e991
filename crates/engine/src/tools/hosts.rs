//! Where a code tool may fetch from: hosts that it names, exactly or with everything below them.

use channels::unreachable;
use domain::{FieldCode, FieldError};
use egress::{Egress, Url};
use std::fmt;

const MOST: usize = 20;

/// `host`, `host:port`, `*.host` or `*.host:port`. Without a port, the usual one of the scheme is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HostPattern {
    is_below: bool,
    host: String,
    port: Option<u16>,
}

impl HostPattern {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let (is_below, rest) = text.strip_prefix("*.").map_or((false, text), |rest| (true, rest));
        let (host, port) = match rest.rsplit_once(':') {
            Some((host, digits)) if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                (host, Some(digits.parse().ok().filter(|port| *port != 0)?))
            }
            _ => (rest, None),
        };
        let odd = |c: char| c.is_whitespace() || c.is_control() || "/\\?#@*%".contains(c);
        if host.is_empty() || host.contains(odd) {
            return None;
        }
        let url = Url::parse(&format!("https://{host}/")).ok()?;
        let is_name = url.domain().is_some();
        let host = url.host_str()?.trim_end_matches('.').to_owned();
        // All of a top-level domain is nobody's.
        let is_sound = !host.is_empty() && (!is_below || is_name && host.contains('.'));
        is_sound.then_some(Self { is_below, host, port })
    }

    pub(crate) fn matches(&self, url: &Url) -> bool {
        let usual = if url.scheme() == "https" { 443 } else { 80 };
        let host = url.host_str().unwrap_or_default().trim_end_matches('.');
        let is_here = match self.is_below {
            true => host.strip_suffix(self.host.as_str()).is_some_and(|rest| rest.ends_with('.')),
            false => host == self.host,
        };
        is_here && url.port_or_known_default() == Some(self.port.unwrap_or(usual))
    }
}

impl fmt::Display for HostPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { is_below, host, port } = self;
        write!(f, "{}{host}", if *is_below { "*." } else { "" })?;
        port.map_or(Ok(()), |port| write!(f, ":{port}"))
    }
}

/// As they are kept. What the way out would refuse anyway is refused here, with the reason.
pub(super) fn checked(given: &[String], egress: &Egress) -> Result<Vec<String>, FieldError> {
    if given.len() > MOST {
        return Err(FieldError::new("fetch_hosts", FieldCode::TooLong));
    }
    let mut kept = Vec::new();
    for text in given {
        let is_none = || FieldError {
            message: format!("{text}: it is not of the form host, host:port, *.host or *.host:port"),
            ..FieldError::new("fetch_hosts", FieldCode::Invalid)
        };
        let pattern = HostPattern::parse(text).ok_or_else(is_none)?;
        let port = pattern.port.unwrap_or(443);
        egress.check_host(&pattern.host, port, true).map_err(|error| {
            let error = unreachable("fetch_hosts", &error);
            FieldError { message: format!("{text}: {}", error.message), ..error }
        })?;
        let pattern = pattern.to_string();
        if !kept.contains(&pattern) {
            kept.push(pattern);
        }
    }
    Ok(kept)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn reaches(pattern: &str, url: &str) -> bool {
        HostPattern::parse(pattern).unwrap().matches(&url.parse().unwrap())
    }

    #[test]
    fn s1_a_pattern_reaches_what_it_says_and_nothing_else() {
        assert!(reaches("API.example.org", "https://api.example.org/x"));
        assert!(reaches("api.example.org.", "https://api.example.org./x"));
        assert!(!reaches("api.example.org", "https://api.example.org:8443/"));
        assert!(reaches("api.example.org:8443", "https://api.example.org:8443/"));
        assert!(!reaches("api.example.org:443", "http://api.example.org/"));
        assert!(reaches("*.example.org", "https://a.b.example.org/"));
        assert!(!reaches("*.example.org", "https://example.org/"));
        assert!(!reaches("*.example.org", "https://evilexample.org/"));
        assert!(!reaches("example.org", "https://a.example.org/"));
        assert!(reaches("[2001:db8::1]:99", "https://[2001:db8:0::1]:99/"));
        assert!(reaches("127.0.0.1:80", "http://0x7f000001/"));
        assert!(reaches("PÃO.example.org", "https://pão.example.org/"));
    }

    #[test]
    fn what_is_no_pattern_is_refused() {
        for bad in ["", "*", "*.", "*.com", "*.127.0.0.1", "a*.b.c", "https://a.b", "a.b/c", "a@b.c", "a.b:0"]
        {
            assert_eq!(HostPattern::parse(bad), None, "{bad}");
        }
    }
}
