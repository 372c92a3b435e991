//! S16: an address that people give may carry a secret: in its query, as a password, or in its path. It is taken apart here:
//! what everybody may see, and the whole of it, which is sealed with the other secrets of whatever goes there.

use domain::{
    FieldCode, FieldError,
    secret::{MASKED, names::is_secret},
};
use egress::{Egress, EgressError, Url, form_urlencoded};
use std::borrow::Cow;

/// An address that may be called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// For everybody's eyes: `***` stands for each secret, the rest is byte for byte as it is.
    pub shown: String,
    /// All of it, where something had to be masked.
    pub whole: Option<String>,
}

impl Address {
    pub fn of(url: &str) -> Self {
        let shown = masked(url);
        Self { whole: (shown != url).then(|| url.to_owned()), shown }
    }

    /// What a body means by an address. Sent back exactly as it was shown, it is the one that is kept. In any other a `***`
    /// in a secret's place is a mistake: what is kept was not given for it.
    pub fn given(field: &str, text: &str, kept: Option<Self>, egress: &Egress) -> Result<Self, FieldError> {
        let url = egress.check_url(text).map_err(|error| unreachable(field, &error))?;
        match kept.filter(|kept| kept.shown == url.as_str()) {
            Some(kept) => Ok(kept),
            None if Self::has_mask(url.as_str()) => Err(FieldError::new(field, FieldCode::NeededAnew)),
            None => Ok(Self::of(url.as_str())),
        }
    }

    /// What is secret in a whole address, piece by piece: an answer may repeat it.
    pub fn secrets_in(whole: &str) -> Vec<String> {
        let Ok(url) = Url::parse(whole) else { return Vec::new() };
        let in_query =
            url.query_pairs().filter(|(name, _)| is_hidden(name)).map(|(_, value)| value.into_owned());
        // As it stands in the address, too.
        let raw = url.query().unwrap_or_default().split('&').filter(|pair| masked_pair(pair) != *pair);
        let raw = raw.filter_map(|pair| Some(pair.split_once('=')?.1.to_owned()));
        let masked = masked_path(&url).unwrap_or_default();
        let in_path = masked.strip_suffix(MASKED).and_then(|before| url.path().get(before.len()..));
        let in_path = in_path.unwrap_or_default();
        let parts = in_path.split('/').filter(|part| part.len() >= LONG).chain([in_path]);
        let parts = parts.chain(url.password()).filter(|part| !part.is_empty()).map(str::to_owned);
        in_query.chain(raw).chain(parts).collect()
    }

    /// Whether a secret reads as it would be shown: nobody can call that address.
    pub fn has_mask(address: &str) -> bool {
        let Ok(url) = Url::parse(address) else { return false };
        let is_masked = |(name, value): (Cow<str>, Cow<str>)| is_hidden(&name) && value == MASKED;
        let in_path = || masked_path(&url).is_some_and(|masked| url.path() == masked);
        url.query_pairs().any(is_masked) || url.password() == Some(MASKED) || in_path()
    }
}

/// Why an address is refused when it is saved: the way out would refuse it.
pub fn unreachable(field: &str, error: &EgressError) -> FieldError {
    match error.is_out_of_reach() {
        true => FieldError::new(field, FieldCode::OutOfReach),
        false => FieldError { message: error.to_string(), ..FieldError::new(field, FieldCode::Invalid) },
    }
}

/// Of an address that cannot be read, the query is left out.
fn masked(address: &str) -> String {
    let (place, query) = match address.split_once('?') {
        Some((place, query)) => (place, Some(query)),
        None => (address, None),
    };
    let Ok(url) = Url::parse(address) else { return place.to_owned() };
    let place = masked_place(&url).unwrap_or_else(|| place.to_owned());
    match query {
        Some(query) => format!("{place}?{}", query.split('&').map(masked_pair).collect::<Vec<_>>().join("&")),
        None => place,
    }
}

/// A part of a path that can be told from ordinary words.
const LONG: usize = 12;

/// Services at which whoever knows the path may send: the end of their name, and what stands before the secret.
const KEYS_IN_PATHS: &[(&str, &str)] = &[
    ("api.telegram.org", "/bot"),
    ("chat.googleapis.com", "/messages/"),
    ("discord.com", "/api/webhooks/"),
    ("discordapp.com", "/api/webhooks/"),
    ("hook.eu1.make.com", "/"),
    ("hook.eu2.make.com", "/"),
    ("hook.us1.make.com", "/"),
    ("hook.us2.make.com", "/"),
    ("hooks.slack.com", "/services/"),
    ("hooks.zapier.com", "/hooks/catch/"),
    ("maker.ifttt.com", "/with/key/"),
    ("webhook.office.com", "/webhookb2/"),
];

/// Nothing, where the path is no secret.
fn masked_path(url: &Url) -> Option<String> {
    let host = url.host_str()?;
    let is_there =
        |name: &str| host.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    KEYS_IN_PATHS.iter().filter(|(name, _)| is_there(name)).find_map(|(_, marker)| {
        let (before, secret) = url.path().split_once(marker)?;
        (!secret.is_empty()).then(|| format!("{before}{marker}{MASKED}"))
    })
}

/// What stands before the query; nothing, where that has no secret.
fn masked_place(url: &Url) -> Option<String> {
    let path = masked_path(url);
    if path.is_none() && url.password().is_none() {
        return None;
    }
    let mut url = url.clone();
    url.set_query(None);
    url.set_fragment(None);
    if let Some(path) = path {
        url.set_path(&path);
    }
    if url.password().is_some() {
        // Only an address without a host has no room for one, and it had one.
        let _ = url.set_password(Some(MASKED));
    }
    Some(url.into())
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
            ("https://hooks.slack.com/services/T0/B0/canary", "https://hooks.slack.com/services/***"),
            (
                "https://x.webhook.office.com/webhookb2/canary?a=1",
                "https://x.webhook.office.com/webhookb2/***?a=1",
            ),
            ("https://hook.eu1.make.com/canary", "https://hook.eu1.make.com/***"),
            ("no address?token=canary", "no address"),
        ] {
            let found = Address::of(address);
            assert_eq!((found.shown.as_str(), found.whole.as_deref()), (shown, Some(address)));
            assert_eq!(
                Address::of(shown),
                Address { shown: shown.to_owned(), whole: None },
                "once is enough"
            );
        }
        for address in [
            "https://example.org",
            "https://example.org/token=x",
            "https://EXAMPLE.org/a b?page=1&next_page_token=x&=y&max_tokens=3&token",
            "https://ana@example.org/?",
            "https://nothooks.slack.com/services/x",
            "https://hooks.slack.com/services/",
            "https://hook.eu1.make.com/",
            "no address",
        ] {
            assert_eq!(Address::of(address), Address { shown: address.to_owned(), whole: None });
        }
    }

    #[test]
    fn s16_the_secrets_of_an_address_are_known_one_by_one() {
        let secrets = |address: &str| Address::secrets_in(address).join(" ");
        assert_eq!(secrets("https://u:pass@example.org/?token=a%2Fb&page=2&sig=c"), "a/b c a%2Fb c pass");
        assert_eq!(secrets("https://hooks.slack.com/services/T0/B0/x?y=1"), "T0/B0/x");
        let telegram = "https://api.telegram.org/bot123:abcdefghijk/sendMessage";
        assert_eq!(secrets(telegram), "123:abcdefghijk 123:abcdefghijk/sendMessage");
        assert_eq!(secrets("https://example.org/x?y=1"), "");
    }

    #[test]
    fn s16_an_address_that_was_shown_is_known_by_its_mask() {
        for address in [
            "https://example.org/?x=1&token=***",
            "https://ana:***@example.org/",
            "https://hooks.slack.com/services/***",
            "https://hook.eu1.make.com/***?x=1",
        ] {
            assert!(Address::has_mask(address), "{address}");
        }
        for address in
            ["https://example.org/?token=a***", "https://example.org/?x=***", "https://example.org/***"]
        {
            assert!(!Address::has_mask(address), "{address}");
        }
    }
}
