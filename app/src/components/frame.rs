//! What stands around a page: navigation for those inside, nothing for those at the door.

use super::{Flash, sidebar::Sidebar};
use crate::{route, texts::texts};
use leptos::prelude::*;
use leptos_router::hooks::use_location;

#[component]
pub fn Frame(children: Children) -> impl IntoView {
    let path = use_location().pathname;
    let is_inside = Memo::new(move |_| route::find(&path.get()).is_some_and(route::Page::is_inside));
    view! {
        <a class="skip-link" href="#content" rel="external">{texts().skip_to_content()}</a>
        <div class="frame" class:frame-bare=move || !is_inside.get()>
            {move || is_inside.get().then(|| view! { <Sidebar/> })}
            <main id="content" class="content" tabindex="-1">
                <Flash/>
                {children()}
            </main>
        </div>
    }
    .into_any()
}
