//! A moment: in UTC as the server knows it, then in the person's own zone.

use super::effect;
use crate::{browser, texts::texts};
use domain::Timestamp;
use leptos::prelude::*;

pub fn when(at: Timestamp) -> AnyView {
    let language = texts().language().tag();
    let utc = at.readable_utc();
    let shown = RwSignal::new(utc.clone());
    let moment = at.as_str().to_owned();
    effect({
        let moment = moment.clone();
        move || {
            if let Some(local) = browser::local_time(&moment, language) {
                shown.set(local);
            }
        }
    });
    view! { <time datetime=moment title=utc>{move || shown.get()}</time> }.into_any()
}
