//! What stands around a page: navigation for those inside, nothing for those at the door.

use super::{
    flash_message,
    guard::{follow_moves, guard_routes},
    notices_view,
    sidebar::sidebar,
};
use crate::{
    live::{listen_while_signed_in, use_live},
    route,
    texts::texts,
};
use leptos::prelude::*;
use leptos_router::hooks::use_location;

#[component]
pub fn Frame(children: Children) -> impl IntoView {
    guard_routes();
    follow_moves();
    listen_while_signed_in(use_live());
    let path = use_location().pathname;
    let is_inside = Memo::new(move |_| route::find(&path.get()).is_some_and(route::Page::is_inside));
    view! {
        <a class="skip-link" href="#content" rel="external">{texts().skip_to_content()}</a>
        <div class=move || if is_inside.get() { "frame" } else { "frame frame-bare" }>
            {move || is_inside.get().then(sidebar)}
            <main id="content" class="content" tabindex="-1">
                {flash_message()}
                {children()}
            </main>
        </div>
        {notices_view()}
    }
    .into_any()
}
