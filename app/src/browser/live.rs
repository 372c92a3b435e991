//! The stream of server-sent events, open while somebody looks at the page.

use crate::live::Live;
use leptos::prelude::document;
use std::{cell::RefCell, rc::Rc};
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::{EventSource, EventTarget, VisibilityState};

const ADDRESS: &str = "/events";

/// Opens the stream, closes it while the page is hidden, and catches up when it is seen again.
pub fn listen(live: Live) {
    let stream = Rc::new(RefCell::new(open(live)));
    on(&document(), "visibilitychange", move || {
        let mut stream = stream.borrow_mut();
        if document().visibility_state() == VisibilityState::Hidden {
            if let Some(open) = stream.take() {
                open.close();
            }
        } else if stream.is_none() {
            *stream = open(live);
            live.anything_changed();
        }
    });
}

fn open(live: Live) -> Option<EventSource> {
    let stream = EventSource::new(ADDRESS).ok()?;
    on(&stream, "rights", move || live.rights_changed());
    on(&stream, "tools", move || live.tools_changed());
    on(&stream, "confirmations", move || live.confirmations_changed());
    on(&stream, "executions", move || live.executions_changed());
    let lost = Rc::new(RefCell::new(false));
    let was_lost = lost.clone();
    on(&stream, "error", move || *lost.borrow_mut() = true);
    on(&stream, "open", move || {
        if was_lost.replace(false) {
            live.anything_changed();
        }
    });
    Some(stream)
}

/// The listener lives as long as what it listens to.
pub(super) fn on(target: &EventTarget, name: &str, act: impl FnMut() + 'static) {
    let listener = Closure::<dyn FnMut()>::new(act);
    let _ = target.add_event_listener_with_callback(name, listener.as_ref().unchecked_ref());
    listener.forget();
}
