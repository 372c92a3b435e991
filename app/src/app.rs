//! The root: what every page shares, and the page itself.

use crate::{
    components::{Frame, provide_notices},
    form::FirstPage,
    live::provide_live,
    location::provide_location,
    pages::not_found::not_found,
    session::provide_session,
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
    view! { <Frame>{move || location.page().map_or_else(not_found, |page| (page.view)())}</Frame> }.into_any()
}
