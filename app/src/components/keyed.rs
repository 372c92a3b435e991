//! A list whose items stay themselves: news puts items in and takes them out, and leaves alone what somebody is doing in
//! the others. Without keys the second item would become the first, with what was typed into it.

use leptos::{prelude::*, tachys::view::keyed::keyed};

/// An item, by what tells it from the others. Its view is made once and stays until the key goes.
pub struct Item {
    pub key: String,
    pub view: Box<dyn FnOnce() -> AnyView + Send>,
}

pub fn keyed_list(items: Vec<Item>) -> AnyView {
    keyed(items, |item| item.key.clone(), |_, item| (|_: usize| {}, (item.view)())).into_any()
}
