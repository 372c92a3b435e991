//! An address may carry a secret in its query: `https://example.org/hook?token=…`.

use super::{MASKED, names::is_secret};
use egress::{Url, form_urlencoded};
use std::borrow::Cow;

/// The address as it may be shown: without the values of parameters that have the name of a secret, and without a
/// password. The rest stays byte for byte. Of one that cannot be read, the query is left out.
pub fn masked_address(address: &str) -> String {
    let (place, query) = match address.split_once('?') {
        Some((place, query)) => (place, Some(query)),
        None => (address, None),
    };
    let Ok(url) = Url::parse(address) else { return place.to_owned() };
    let place = if url.password().is_some() { without_password(url) } else { place.to_owned() };
    match query {
        Some(query) => format!("{place}?{}", query.split('&').map(masked_pair).collect::<Vec<_>>().join("&")),
        None => place,
    }
}

/// Whether a secret in the query reads as it would be shown: nobody can call that address.
pub fn has_masked_secret(address: &str) -> bool {
    let is_masked = |(name, value): (Cow<str>, Cow<str>)| is_hidden(&name) && value == MASKED;
    Url::parse(address).is_ok_and(|url| url.query_pairs().any(is_masked))
}

/// In an address these are secrets, too, with one service or another.
const ALSO: &[&str] = &["auth", "code", "key", "sig", "signature"];

fn is_hidden(name: &str) -> bool {
    is_secret(name) || ALSO.iter().any(|also| name.eq_ignore_ascii_case(also))
}

fn masked_pair(pair: &str) -> Cow<'_, str> {
    let Some((name, _)) = pair.split_once('=') else { return Cow::Borrowed(pair) };
    let is_hidden = form_urlencoded::parse(name.as_bytes()).next().is_some_and(|(name, _)| is_hidden(&name));
    if is_hidden { Cow::Owned(format!("{name}={MASKED}")) } else { Cow::Borrowed(pair) }
}

fn without_password(mut url: Url) -> String {
    url.set_query(None);
    url.set_fragment(None);
    // Only an address without a host has no room for one, and it had one.
    let _ = url.set_password(Some(MASKED));
    url.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s16_secrets_in_an_address_are_masked_and_nothing_else() {
        for (address, shown) in [
            ("https://example.org/a?token=canary", "https://example.org/a?token=***"),
            ("https://example.org/a?x=1&api-key=canary&y", "https://example.org/a?x=1&api-key=***&y"),
            ("https://example.org/?access%5Ftoken=a=b%26c", "https://example.org/?access%5Ftoken=***"),
            ("https://example.org/?auth[token]=canary&&", "https://example.org/?auth[token]=***&&"),
            ("https://example.org/?x=1?&client+secret=canary", "https://example.org/?x=1?&client+secret=***"),
            ("https://ana:canary@example.org/?senha=canary", "https://ana:***@example.org/?senha=***"),
            ("https://ana:canary@example.org/x", "https://ana:***@example.org/x"),
            (
                "https://example.org/?key=canary&sig=canary&keys=1",
                "https://example.org/?key=***&sig=***&keys=1",
            ),
            ("no address?token=canary", "no address"),
        ] {
            assert_eq!(masked_address(address), shown);
            assert_eq!(masked_address(shown), shown, "and once is enough");
        }
        for address in [
            "https://example.org",
            "https://example.org/token=x",
            "https://EXAMPLE.org/a b?page=1&next_page_token=x&=y&max_tokens=3&token",
            "https://ana@example.org/?",
            "no address",
        ] {
            assert_eq!(masked_address(address), address);
        }
    }

    #[test]
    fn s16_an_address_that_was_shown_is_known_by_its_mask() {
        assert!(has_masked_secret("https://example.org/?x=1&token=***"));
        for address in
            ["https://example.org/?token=a***", "https://example.org/?x=***", "https://example.org/***"]
        {
            assert!(!has_masked_secret(address), "{address}");
        }
    }
}
