//! A moment: in UTC as the server knows it, then in the person's own zone.

use super::effect;
use crate::{browser, texts::texts};
use domain::Timestamp;
use leptos::prelude::*;

pub fn when(at: Timestamp) -> AnyView {
    when_of(at.as_str(), at.readable_utc())
}

/// For a moment that is among other values of a form.
pub fn when_text(moment: &str) -> AnyView {
    let utc = match (moment.get(..10), moment.get(11..16)) {
        (Some(day), Some(time)) => format!("{day} {time} UTC"),
        _ => moment.to_owned(),
    };
    when_of(moment, utc)
}

fn when_of(moment: &str, utc: String) -> AnyView {
    let language = texts().language().tag();
    let shown = RwSignal::new(utc.clone());
    let moment = moment.to_owned();
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
