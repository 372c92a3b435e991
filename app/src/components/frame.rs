//! What stands around a page: navigation for those inside, nothing for those at the door.

use super::{
    flash_message,
    guard::{follow_moves, guard_routes},
    notices_view, palette_place,
    sidebar::sidebar,
};
use crate::{
    live::{listen_while_signed_in, use_live},
    location::use_location,
    route::Page,
    texts::texts,
};
use leptos::prelude::*;

#[component]
pub fn Frame(children: Children) -> impl IntoView {
    guard_routes();
    follow_moves();
    listen_while_signed_in(use_live());
    // Before the navigation, which has its button.
    let palette = palette_place();
    let location = use_location();
    let is_inside = move || location.page().is_some_and(Page::is_inside);
    view! {
        <a class="skip-link" href="#content" rel="external">{texts().skip_to_content()}</a>
        <div class=move || if is_inside() { "frame" } else { "frame frame-bare" }>
            {move || is_inside().then(sidebar)}
            <main id="content" class="content" tabindex="-1">
                {flash_message()}
                {children()}
            </main>
        </div>
        {palette}
        {notices_view()}
    }
    .into_any()
}
