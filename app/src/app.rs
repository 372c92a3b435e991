//! The root: what every page shares, and which page stands at which path.

use crate::{
    components::{Frame, provide_notices},
    form::FirstPage,
    live::provide_live,
    pages::{
        account::Account,
        admin::{explain::Explain, tenants::Tenants, tools::Tools, users::Users},
        home::Home,
        invitation::Invitation,
        login::Login,
        members::Members,
        not_found::NotFound,
        setup::Setup,
    },
    session::provide_session,
};
use leptos::prelude::*;
use leptos_meta::provide_meta_context;
use leptos_router::{
    SsrMode,
    components::{FlatRoutes, Route, Router},
    path,
};

/// Every path here has its line in [`crate::route::PAGES`].
#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();
    provide_context(FirstPage(RwSignal::new(true)));
    provide_notices();
    provide_session(provide_live());
    view! {
        <Router>
            <Frame>
                <FlatRoutes fallback=NotFound>
                    <Route path=path!("/") view=Home ssr=SsrMode::Async/>
                    <Route path=path!("/account") view=Account ssr=SsrMode::Async/>
                    <Route path=path!("/members") view=Members ssr=SsrMode::Async/>
                    <Route path=path!("/admin/tools") view=Tools ssr=SsrMode::Async/>
                    <Route path=path!("/admin/tenants") view=Tenants ssr=SsrMode::Async/>
                    <Route path=path!("/admin/users") view=Users ssr=SsrMode::Async/>
                    <Route path=path!("/admin/explain") view=Explain ssr=SsrMode::Async/>
                    <Route path=path!("/login") view=Login ssr=SsrMode::Async/>
                    <Route path=path!("/invite/:token") view=Invitation ssr=SsrMode::Async/>
                    <Route path=path!("/setup") view=Setup ssr=SsrMode::Async/>
                </FlatRoutes>
            </Frame>
        </Router>
    }
    .into_any()
}
