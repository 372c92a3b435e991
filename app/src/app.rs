//! The root: what every page shares, and the page itself.

use crate::{
    components::{Frame, provide_notices},
    form::FirstPage,
    live::provide_live,
    location::provide_location,
    pages::not_found::not_found,
    session::{provide_session, use_session},
};
use leptos::prelude::*;

#[component]
pub fn App() -> impl IntoView {
    #[cfg(feature = "ssr")]
    leptos_meta::provide_meta_context();
    let location = provide_location();
    provide_context(FirstPage(RwSignal::new(true)));
    provide_notices();
    provide_session(provide_live());
    let session = use_session();
    // A memo: an answer that changes nothing here must not begin the page anew.
    let is_admitted = Memo::new(move |_| location.page().is_none_or(|page| session.admits(page)));
    let page = move || match location.page() {
        None => not_found(),
        // Nothing is begun, and nothing asked for, on the way out: `guard_routes` leads it.
        Some(_) if !is_admitted.get() => ().into_any(),
        Some(page) => (page.view)(),
    };
    view! { <Frame>{page}</Frame> }.into_any()
}
