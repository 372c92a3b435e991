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

/// Whoever points at it or touches it learns the exact moment, with its zone; so does whoever comes to its row with the
/// keyboard. It is no stop on their way: a table has hundreds.
fn when_of(moment: &str, short: String) -> AnyView {
    let shown = local(moment, short, browser::local_time);
    let exact = local(moment, utc(moment, 19), browser::local_exact);
    view! { <time datetime=moment.to_owned() title=exact tabindex="-1">{shown}</time> }.into_any()
}

/// The exact moment itself, where there is room for it: nobody has to point at anything.
pub fn when_exactly(moment: &str) -> AnyView {
    let exact = local(moment, utc(moment, 19), browser::local_exact);
    view! { <time datetime=moment.to_owned()>{exact}</time> }.into_any()
}

/// First as the server says it, then as the browser does.
fn local(moment: &str, first: String, read: fn(&str, &str) -> Option<String>) -> RwSignal<String> {
    let language = texts().language().tag();
    let (shown, moment) = (RwSignal::new(first), moment.to_owned());
    effect(move || {
        if let Some(local) = read(&moment, language) {
            shown.set(local);
        }
    });
    shown
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
