//! A list whose items stay themselves: news puts items in and takes them out, and leaves alone what somebody is doing in
//! the others. Without keys the second item would become the first, with what was typed into it.

use leptos::{
    prelude::*,
    tachys::{reactive_graph::OwnedView, view::keyed::keyed},
};

/// An item, by what tells it from the others. Its view is made once and stays until the key goes.
pub struct Item {
    pub key: String,
    pub view: Box<dyn FnOnce() -> AnyView + Send>,
}

/// Call it where the list is brought anew. What an item knows lives as long as the item, not until the next news: its forms
/// go on to say that they are under way, and what came of them.
pub fn keyed_list(items: Vec<Item>) -> AnyView {
    let around = Owner::current().map(|now| now.parent().unwrap_or(now)).unwrap_or_default();
    let shown = move |_, item: Item| {
        let owner = around.with(Owner::new);
        let view = owner.with(item.view);
        (|_: usize| {}, OwnedView::new_with_owner(view, owner))
    };
    keyed(items, |item| item.key.clone(), shown).into_any()
}
