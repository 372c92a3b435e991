//! Links and the back button: a link to a page of ours changes the page without a full load.

use super::live::on;
use crate::{
    location::Location,
    route::{self, Page},
};
use leptos::prelude::{document, window};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{Element, HtmlAnchorElement, HtmlElement, MouseEvent};

/// Path and query of the page that the browser shows.
pub fn current_address() -> String {
    let location = window().location();
    location.pathname().unwrap_or_default() + &location.search().unwrap_or_default()
}

pub fn write_history(address: &str, in_place: bool) {
    let Ok(history) = window().history() else { return };
    let _ = if in_place {
        history.replace_state_with_url(&JsValue::NULL, "", Some(address))
    } else {
        history.push_state_with_url(&JsValue::NULL, "", Some(address))
    };
}

/// Listens for as long as the page lives.
pub fn follow_links(location: Location) {
    let click = Closure::<dyn FnMut(MouseEvent)>::new(move |event: MouseEvent| {
        if let Some(address) = address_of(&event) {
            event.prevent_default();
            location.go(&address, false);
            arrive();
        }
    });
    let _ = document().add_event_listener_with_callback("click", click.as_ref().unchecked_ref());
    click.forget();
    on(&window(), "popstate", move || location.arrived(&current_address()));
}

/// Where a plain click on a link leads, when that is a page inside.
fn address_of(event: &MouseEvent) -> Option<String> {
    let is_plain = event.button() == 0
        && !(event.ctrl_key() || event.meta_key() || event.shift_key() || event.alt_key())
        && !event.default_prevented();
    let target: Element = event.target().filter(|_| is_plain)?.dyn_into().ok()?;
    let link: HtmlAnchorElement = target.closest("a[href]:not([rel=external])").ok()??.dyn_into().ok()?;
    let is_here = link.origin() == window().location().origin().unwrap_or_default();
    let is_inside = route::find(&link.pathname()).is_some_and(Page::is_inside);
    (is_here && is_inside && link.target().is_empty()).then(|| link.pathname() + &link.search())
}

/// As after a full load: at the top, menus closed, focus on the content.
fn arrive() {
    window().scroll_to_with_x_and_y(0.0, 0.0);
    if let Ok(Some(open)) = document().query_selector(":popover-open") {
        let _ = open.unchecked_into::<HtmlElement>().hide_popover();
    }
    if let Some(content) = document().get_element_by_id("content") {
        let _ = content.unchecked_into::<HtmlElement>().focus();
    }
}
