//! How long is left until a deadline; counts on while the page is open.

use super::effect;
use crate::{
    browser,
    texts::{Texts, texts},
};
use domain::Timestamp;
use leptos::prelude::*;
use std::time::Duration;

const COUNT_EVERY: Duration = Duration::from_secs(10);

/// `seconds` is what the server saw: the first text of both sides.
pub fn time_left(until: Timestamp, seconds: i64) -> AnyView {
    let t = texts();
    let left = RwSignal::new(seconds);
    let moment = until.as_str().to_owned();
    effect({
        let moment = moment.clone();
        move || {
            let moment = moment.clone();
            let look = move || {
                if let Some(now) = browser::seconds_until(&moment) {
                    left.try_set(now);
                }
            };
            look();
            if let Ok(clock) = set_interval_with_handle(look, COUNT_EVERY) {
                on_cleanup(move || clock.clear());
            }
        }
    });
    let is_short = move || left.get() < 300;
    view! {
        <time class="time-left" class:time-left-short=is_short datetime=moment title=until.readable_utc()>
            {move || in_words(t, left.get())}
        </time>
    }
    .into_any()
}

fn in_words(t: Texts, seconds: i64) -> String {
    match seconds {
        ..=0 => t.time_over().to_owned(),
        1..=59 => t.seconds_left(&seconds.to_string()),
        60..=7199 => t.minutes_left(&(seconds / 60).to_string()),
        7200..=172_799 => t.hours_left(&(seconds / 3600).to_string()),
        _ => t.days_left(&(seconds / 86_400).to_string()),
    }
}
