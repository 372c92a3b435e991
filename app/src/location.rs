//! Where the person is: the address of the page, and moving to another without a full load.
//!
//! The pages are few and flat, and their table says all there is to know: a router library would bring a tenth of
//! the download for what these lines do.

use crate::{browser, route};
use leptos::prelude::*;

/// A path and what follows its question mark.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Address {
    pub path: String,
    pub query: String,
}

impl Address {
    pub fn parse(text: &str) -> Self {
        let text = text.split('#').next().unwrap_or_default();
        let (path, query) = text.split_once('?').unwrap_or((text, ""));
        Self { path: path.to_owned(), query: query.to_owned() }
    }

    /// The last value of a name in the query.
    pub fn value(&self, name: &str) -> Option<String> {
        let pairs = self.query.rsplit('&').filter_map(|pair| pair.split_once('='));
        pairs.into_iter().find(|(given, _)| *given == name).map(|(_, value)| decoded(value))
    }

    /// This address with another value of one name, or without it. The value has to stand in an address as it is. What
    /// the last form left in it does not go on.
    pub fn with_value(&self, name: &str, value: Option<&str>) -> String {
        let is_other =
            |pair: &&str| !pair.is_empty() && !pair.starts_with("__") && pair.split('=').next() != Some(name);
        let mut pairs: Vec<String> = self.query.split('&').filter(is_other).map(str::to_owned).collect();
        pairs.extend(value.map(|value| format!("{name}={value}")));
        if pairs.is_empty() { self.path.clone() } else { format!("{}?{}", self.path, pairs.join("&")) }
    }

    /// A part of the path, from 0: what a colon stands for in the middle of a page's path.
    pub fn part(&self, at: usize) -> String {
        decoded(self.path.trim_start_matches('/').split('/').nth(at).unwrap_or_default())
    }

    /// The last part of the path: what a colon stands for in the table of pages.
    pub fn last_part(&self) -> String {
        decoded(self.path.trim_end_matches('/').rsplit('/').next().unwrap_or_default())
    }
}

/// Text as a browser wrote it into an address; what is not well-formed stays as it is.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let mut ahead = rest.clone();
        match (byte, ahead.next().and_then(hex), ahead.next().and_then(hex)) {
            (b'%', Some(high), Some(low)) => {
                bytes.push(high * 16 + low);
                rest = ahead;
            }
            (b'+', ..) => bytes.push(b' '),
            _ => bytes.push(byte),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

/// The address of the page that is shown, followed as it changes.
#[derive(Clone, Copy)]
pub struct Location {
    address: RwSignal<Address>,
    page: Memo<Option<usize>>,
}

pub fn use_location() -> Location {
    expect_context()
}

pub fn provide_location() -> Location {
    let address = RwSignal::new(Address::parse(&browser::current_address()));
    let page = Memo::new(move |_| address.with(|address| route::position(&address.path)));
    let location = Location { address, page };
    provide_context(location);
    location
}

impl Location {
    pub fn with<T>(self, read: impl FnOnce(&Address) -> T) -> T {
        self.address.with(read)
    }

    pub fn with_untracked<T>(self, read: impl FnOnce(&Address) -> T) -> T {
        self.address.with_untracked(read)
    }

    /// The page at this address; nothing when there is none.
    pub fn page(self) -> Option<&'static route::Page> {
        self.page.get().and_then(|at| route::PAGES.get(at))
    }

    /// Where in the table that page is.
    pub fn page_index(self) -> Option<usize> {
        self.page.get()
    }

    pub fn page_untracked(self) -> Option<usize> {
        self.page.get_untracked()
    }

    /// The browser has moved: the page is shown once its code is here.
    #[cfg(not(feature = "ssr"))]
    pub fn arrived(self, address: &str) {
        self.arrived_and(address, || {});
    }

    fn arrived_and(self, address: &str, then: impl FnOnce() + 'static) {
        let next = Address::parse(address);
        let page = route::find(&next.path);
        let show = move || {
            self.address.set(next);
            then();
        };
        browser::when_ready(page, address, Box::new(show));
    }

    /// Moves to a page of ours. In place of this one, or after it in the browser's history.
    pub fn go(self, address: &str, in_place: bool) {
        self.go_and(address, in_place, || {});
    }

    /// As a link does: what comes is read from its beginning.
    pub fn visit(self, address: &str) {
        self.go_and(address, false, browser::arrive);
    }

    /// As [`Self::go`], and then something, when the page is shown.
    pub fn go_and(self, address: &str, in_place: bool, then: impl FnOnce() + 'static) {
        browser::write_history(address, in_place);
        self.arrived_and(address, then);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_path_and_a_query() {
        let address = Address::parse("/admin/tools?q=caf%C3%A9+preto&state=on&state=off#top");
        assert_eq!(address.path, "/admin/tools");
        assert_eq!(address.value("q").as_deref(), Some("café preto"));
        assert_eq!(address.value("state").as_deref(), Some("off"));
        assert_eq!(address.value("category"), None);
    }

    #[test]
    fn one_value_changes_and_the_others_stay() {
        let address = Address::parse("/audit?area=tool&cursor=9");
        assert_eq!(address.with_value("cursor", Some("5")), "/audit?area=tool&cursor=5");
        assert_eq!(address.with_value("cursor", None), "/audit?area=tool");
        assert_eq!(Address::parse("/audit?cursor=9").with_value("cursor", None), "/audit");
        let refused = Address::parse("/tools?q=caf%C3%A9&page=2&__err=x");
        assert_eq!(refused.with_value("page", Some("3")), "/tools?q=caf%C3%A9&page=3");
    }

    #[test]
    fn what_is_not_well_formed_stays() {
        assert_eq!(decoded("100%"), "100%");
        assert_eq!(decoded("%zz%4"), "%zz%4");
        assert_eq!(decoded("%ff"), "\u{fffd}");
        assert_eq!(decoded("ação"), "ação");
    }

    #[test]
    fn a_token_is_the_last_part() {
        assert_eq!(Address::parse("/invite/a%2Fb/").last_part(), "a/b");
    }

    #[test]
    fn a_part_stands_anywhere_in_the_path() {
        let address = Address::parse("/tools/a%20b/test?page=2");
        assert_eq!(
            (address.part(0), address.part(1), address.part(2)),
            ("tools".into(), "a b".into(), "test".into())
        );
        assert_eq!(address.part(3), "");
    }
}
