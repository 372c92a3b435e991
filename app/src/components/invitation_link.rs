//! A link that is shown once, ready to be copied.

use crate::{browser, texts::texts};
use domain::tenant::InvitationLink;
use leptos::prelude::*;

pub fn invitation_link(link: InvitationLink) -> AnyView {
    let t = texts();
    let copied = RwSignal::new(false);
    let url = link.url.clone();
    let copy = move |_| {
        browser::copy(&url);
        copied.set(true);
    };
    view! {
        <section class="alert alert-done invitation-link" role="status">
            <p><strong>{t.invite_ready(link.email.as_str())}</strong></p>
            <p>{t.invite_ready_lead()}</p>
            <div class="input-group">
                <input class="input mono" type="text" readonly=true aria-label=t.invite_link() value=link.url/>
                <button type="button" class="button only-with-scripts" on:click=copy>
                    {move || if copied.get() { t.copied() } else { t.copy() }}
                </button>
            </div>
        </section>
    }
    .into_any()
}
