//! The invited person's side: what they join, and the account they join with.

use crate::{
    api::invitation::{AcceptInvitation, GetInvitation},
    components::{awaited, entry_page, loading},
    form::{NativeForm, Post, TextField, error_summary, submit_button},
    load::{Question, load},
    location::{Address, use_location},
    texts::{Texts, texts},
};
use domain::{ErrorCode, tenant::InvitationPreview};
use leptos::prelude::*;

pub fn invitation() -> AnyView {
    let t = texts();
    let post = Post::to::<AcceptInvitation>();
    let token = use_location().with_untracked(Address::last_part);
    let asked = token.clone();
    let preview = load(move || (0, GetInvitation { token: asked.clone() }));
    awaited(loading, move || {
        preview.get().map(|preview| match preview {
            Ok(preview) => invited(t, post, token.clone(), preview),
            Err(error) => refused(t, error.code(), t.error(&error.0)),
        })
    })
}

impl Question for GetInvitation {
    fn fields(&self) -> Option<Vec<(&'static str, String)>> {
        Some(vec![("token", self.token.clone())])
    }
}

fn invited(t: Texts, post: Post, token: String, preview: InvitationPreview) -> AnyView {
    let lead = t.invitation_lead(&preview.tenant_name, t.tenant_role(preview.role));
    let (what_to_do, autocomplete, hint) = if preview.has_account {
        (t.invitation_existing(), "current-password", "")
    } else {
        (t.invitation_new(), "new-password", t.password_hint())
    };
    let name = (!preview.has_account).then(|| {
        view! { <TextField post=post name="name" label=t.your_name() autocomplete="name"/> }.into_any()
    });
    let email = preview.email.as_str().to_owned();
    let body = view! {
        <p class="entry-fact"><span>{t.invitation_for()}</span> " " <strong>{email.clone()}</strong></p>
        <p>{what_to_do}</p>
        {error_summary(post)}
        <NativeForm post=post class="form" keep=&["name"]>
            <input type="hidden" name="token" value=token/>
            // Tells password managers whose password this is.
            <input class="visually-hidden" type="text" autocomplete="username" value=email readonly=true tabindex="-1" aria-hidden="true"/>
            {name}
            <TextField post=post name="password" label=t.password() kind="password" autocomplete=autocomplete hint=hint/>
            {submit_button(post, "button button-primary button-wide", t.invitation_accept())}
        </NativeForm>
    };
    entry_page(t.invitation_title(), lead, body.into_any())
}

fn refused(t: Texts, code: ErrorCode, sentence: String) -> AnyView {
    let title =
        if code == ErrorCode::InvitationInvalid { t.invitation_invalid_title() } else { t.load_failed() };
    let body = view! { <a class="button" href="/login">{t.go_to_sign_in()}</a> };
    entry_page(title, sentence, body.into_any())
}
