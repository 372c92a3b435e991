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
    when_of(moment, utc(moment, 16))
}

/// `2026-11-16 12:30 UTC`, with as much of the time as the length says.
fn utc(moment: &str, length: usize) -> String {
    match (moment.get(..10), moment.get(11..length)) {
        (Some(day), Some(time)) => format!("{day} {time} UTC"),
        _ => moment.to_owned(),
    }
}

/// Whoever points at it learns the exact moment, with its zone.
fn when_of(moment: &str, short: String) -> AnyView {
    let language = texts().language().tag();
    let (shown, exact) = (RwSignal::new(short), RwSignal::new(utc(moment, 19)));
    let moment = moment.to_owned();
    effect({
        let moment = moment.clone();
        move || {
            if let Some(local) = browser::local_time(&moment, language) {
                shown.set(local);
            }
            if let Some(local) = browser::local_exact(&moment, language) {
                exact.set(local);
            }
        }
    });
    view! { <time datetime=moment title=exact>{shown}</time> }.into_any()
}

#[cfg(test)]
mod tests {
    use super::utc;

    #[test]
    fn d6_the_exact_time_has_seconds_and_its_zone() {
        assert_eq!(utc("2026-11-16T12:30:45.123Z", 19), "2026-11-16 12:30:45 UTC");
        assert_eq!(utc("2026-11-16T12:30:45Z", 16), "2026-11-16 12:30 UTC");
        assert_eq!(utc("soon", 19), "soon");
    }
}
