//! Links and the back button: a link to a page of ours changes the page without a full load.

use super::live::on;
use crate::{
    chunk,
    location::Location,
    route::{self, Page},
};
use leptos::{
    prelude::{document, window},
    task::spawn_local,
};
use std::{
    cell::Cell,
    task::{Context, Poll, Waker},
};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{Element, Event, HtmlAnchorElement, HtmlElement, MouseEvent};

thread_local! {
    /// Counts moves: a page whose code comes late does not push away the one that was asked for since.
    static MOVES: Cell<u32> = const { Cell::new(0) };
}

/// Goes on once the code of a page is here: at once when it is. What cannot be brought is asked for with a full load.
pub fn when_ready(page: Option<&'static Page>, address: &str, go_on: Box<dyn FnOnce()>) {
    let this = MOVES.get() + 1;
    MOVES.set(this);
    let Some(page) = page else { return go_on() };
    let mut fetching = chunk::fetch(page.path);
    if fetching.as_mut().poll(&mut Context::from_waker(Waker::noop())) == Poll::Ready(true) {
        return go_on();
    }
    let address = address.to_owned();
    spawn_local(async move {
        let is_here = chunk::fetch(page.path).await;
        match MOVES.get() == this {
            true if is_here => go_on(),
            true => drop(window().location().assign(&address)),
            false => {}
        }
    });
}

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

/// Waits for the code of the page that the browser shows; false when it does not come.
pub async fn is_ready() -> bool {
    let address = current_address();
    match route::find(address.split('?').next().unwrap_or_default()) {
        Some(page) => chunk::fetch(page.path).await,
        None => true,
    }
}

/// Listens for as long as the page lives.
pub fn follow_links(location: Location) {
    let click = Closure::<dyn FnMut(MouseEvent)>::new(move |event: MouseEvent| {
        if let Some(address) = address_of(&event) {
            event.prevent_default();
            location.visit(&address);
        }
    });
    let _ = document().add_event_listener_with_callback("click", click.as_ref().unchecked_ref());
    click.forget();
    fetch_ahead();
    on(&window(), "popstate", move || location.arrived(&current_address()));
}

/// Whoever points at a link or steps onto it is likely to follow it: the code of its page comes meanwhile.
fn fetch_ahead() {
    let point = Closure::<dyn FnMut(Event)>::new(move |event: Event| {
        if let Some((_, page)) = link_of(&event) {
            spawn_local(async move {
                chunk::fetch(page.path).await;
            });
        }
    });
    for name in ["pointerover", "focusin"] {
        let _ = document().add_event_listener_with_callback(name, point.as_ref().unchecked_ref());
    }
    point.forget();
}

/// Where a plain click on a link leads, when that is a page inside.
fn address_of(event: &MouseEvent) -> Option<String> {
    let is_plain = event.button() == 0
        && !(event.ctrl_key() || event.meta_key() || event.shift_key() || event.alt_key())
        && !event.default_prevented();
    link_of(event).filter(|_| is_plain).map(|(link, _)| link.pathname() + &link.search())
}

/// The link that an event is on, when it leads to a page inside.
fn link_of(event: &Event) -> Option<(HtmlAnchorElement, &'static Page)> {
    let target: Element = event.target()?.dyn_into().ok()?;
    let link: HtmlAnchorElement = target.closest("a[href]:not([rel=external])").ok()??.dyn_into().ok()?;
    let is_here = link.origin() == window().location().origin().unwrap_or_default();
    let page = route::find(&link.pathname()).filter(|page| page.is_inside())?;
    (is_here && link.target().is_empty()).then_some((link, page))
}

/// As after a full load: at the top, menus closed, focus on the content.
pub fn arrive() {
    window().scroll_to_with_x_and_y(0.0, 0.0);
    if let Ok(Some(open)) = document().query_selector(":popover-open") {
        let _ = open.unchecked_into::<HtmlElement>().hide_popover();
    }
    if let Some(content) = document().get_element_by_id("content") {
        let _ = content.unchecked_into::<HtmlElement>().focus();
    }
}
