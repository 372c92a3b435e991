//! Search and filters of the items. The address holds them: `?q=&kind=&tag=&deleted=&before=`.

use crate::{
    api::items::ListItems,
    form::{QueryForm, filter_select, search_input},
    location::Address,
    texts::Texts,
};
use domain::item::ItemKind;
use leptos::prelude::*;

/// What the address asks for.
pub fn asked(address: &Address) -> ListItems {
    let text = |name| address.value(name).filter(|text| !text.trim().is_empty());
    ListItems {
        search: text("q"),
        kind: text("kind").and_then(|name| name.parse().ok()),
        tag: text("tag"),
        deleted: text("deleted").as_deref() == Some("true"),
        before: text("before"),
    }
}

/// Filters at once while the page is alive, with its button otherwise.
pub fn form(t: Texts) -> AnyView {
    let kinds: Vec<(String, String)> =
        ItemKind::ALL.iter().map(|kind| (kind.to_string(), t.item_kind(*kind).to_owned())).collect();
    let deleted = vec![("true".to_owned(), t.items_deleted().to_owned())];
    view! {
        <QueryForm path="/items" class="toolbar" live=true>
            {search_input("q", t.search(), t.search())}
            {search_input("tag", t.items_tag(), t.items_tag())}
            {filter_select("kind", t.items_kind(), t.items_kind_any(), kinds)}
            {filter_select("deleted", t.state(), t.items_kept(), deleted)}
            <button type="submit" class="button only-without-scripts">{t.filter()}</button>
        </QueryForm>
    }
    .into_any()
}
