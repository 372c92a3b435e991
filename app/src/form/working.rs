//! Beside a button whose work may take long: that it is under way, at once, and for how long by now.

use super::Post;
use crate::{components::effect, texts::texts};
use leptos::prelude::*;
use std::time::Duration;

/// What takes no longer needs no clock.
const SHORT: u32 = 2;

/// The word is told to whoever listens, once; the seconds are for the eyes.
pub fn working(post: Post) -> AnyView {
    let t = texts();
    let seconds = RwSignal::new(0_u32);
    effect(move || {
        seconds.try_set(0);
        if !post.is_pending() {
            return;
        }
        let tick = move || {
            seconds.try_update(|seconds| *seconds += 1);
        };
        if let Ok(clock) = set_interval_with_handle(tick, Duration::from_secs(1)) {
            on_cleanup(move || clock.clear());
        }
    });
    let elapsed = move || {
        // The page may be left while this waits for its turn.
        let seconds = seconds.try_get().unwrap_or_default();
        (seconds >= SHORT).then(|| t.elapsed(&seconds.to_string()))
    };
    view! {
        <span class="working">
            <span role="status">{move || post.is_pending().then(|| t.working())}</span>
            <span aria-hidden="true">{elapsed}</span>
        </span>
    }
    .into_any()
}
