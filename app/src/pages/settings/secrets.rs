//! The secrets of an organisation: names are shown, values never.

use crate::{
    api::secrets::{DeleteSecret, ListSecrets, PutSecret},
    components::{
        Can, Column, Confirm, empty_state, loaded, page_header, row_errors, say_and_reload, settings_tabs,
        table, when,
    },
    form::{Again, Fields, Post, PostForm, TextField, error_summary, submit_button},
    live::use_live,
    load::{Question, load},
    session::use_session,
    texts::{Texts, texts},
};
use ability::{Action, Subject};
use domain::secret::SecretOut;
use leptos::prelude::*;
use std::sync::Arc;

impl Question for ListSecrets {}

pub fn secrets() -> AnyView {
    let t = texts();
    let live = use_live();
    let session = use_session();
    let secrets = load(move || (live.data(), ListSecrets {}));
    let again: Again = Arc::new(move || secrets.refetch());
    let put = Post::to::<PutSecret>();
    let form = {
        let again = again.clone();
        move || new_secret(t, put, &again)
    };
    let shown = move |list: Vec<SecretOut>| {
        if list.is_empty() {
            return empty_state("lock", t.secrets_empty_title(), t.secrets_empty_lead(), None);
        }
        let may_change = session.can(Action::Manage, Subject::Integration);
        let columns = [t.secret_name(), t.secret_used_by(), t.secret_changed()].map(Column::Named);
        let mut columns = Vec::from(columns);
        if may_change {
            columns.push(Column::Heard(t.actions()));
        }
        let rows = list.into_iter().map(|secret| secret_row(t, secret, may_change, &again)).collect();
        table("table", t.secrets_title(), columns, rows)
    };
    view! {
        {page_header(t.secrets_title(), t.secrets_lead())}
        {settings_tabs()}
        {error_summary(Post::to::<DeleteSecret>())}
        <div class="card card-flush">{loaded(secrets, shown)}</div>
        <Can action=Action::Manage subject=Subject::Integration>{form()}</Can>
    }
    .into_any()
}

fn secret_row(t: Texts, secret: SecretOut, may_change: bool, again: &Again) -> AnyView {
    let actions = may_change.then(|| {
        view! { <td class="cell-actions">{replacement(t, &secret, again)}{deletion(t, &secret, again)}</td> }.into_any()
    });
    let users = match secret.used_by.is_empty() {
        true => t.secret_used_by_none().to_owned(),
        false => secret.used_by.join(", "),
    };
    view! {
        <tr>
            <td><p class="cell-title"><code>{secret.name}</code></p></td>
            <td data-label=t.secret_used_by()>{users}</td>
            <td data-label=t.secret_changed()>{when(secret.updated_at)}</td>
            {actions}
        </tr>
    }
    .into_any()
}

fn replacement(t: Texts, secret: &SecretOut, again: &Again) -> AnyView {
    let post = Post::one_of::<PutSecret>();
    row_errors(post);
    let (name, label) = (secret.name.clone(), t.secret_replace_named(&secret.name));
    view! {
        <details class="disclosure">
            <summary aria-label=label.clone()>{t.secret_replace()}</summary>
            <PostForm post=post class="input-group" fields=Fields::Empty on_done=say_and_reload(t.secret_saved(), again)>
                <input type="hidden" name="name" value=name/>
                <textarea class="input input-secret" name="value" rows="1" required=true autocomplete="off" aria-label=label></textarea>
                {submit_button(post, "button", t.save())}
            </PostForm>
        </details>
    }
    .into_any()
}

fn deletion(t: Texts, secret: &SecretOut, again: &Again) -> AnyView {
    let post = Post::one_of::<DeleteSecret>();
    row_errors(post);
    let name = secret.name.clone();
    view! {
        <Confirm
            id=format!("delete-{name}")
            post=post
            ask=t.delete()
            act=t.delete()
            about=name.clone()
            title=t.secret_delete_title(&name)
            lead=t.secret_delete_lead()
            on_done=say_and_reload(t.secret_deleted(), again)
        >
            <input type="hidden" name="name" value=name/>
        </Confirm>
    }
    .into_any()
}

fn new_secret(t: Texts, post: Post, again: &Again) -> AnyView {
    let id = format!("{}-value", post.scope());
    view! {
        <section class="section" aria-labelledby="new-secret">
            <header class="section-header"><h2 id="new-secret">{t.secret_new()}</h2></header>
            <div class="card settings">
                {error_summary(post)}
                <PostForm post=post class="form" fields=Fields::Empty on_done=say_and_reload(t.secret_saved(), again)>
                    <TextField post=post name="name" label=t.secret_name() hint=t.secret_name_hint()/>
                    <div class="field">
                        <label class="field-label" r#for=id.clone()>{t.secret_value()}</label>
                        <textarea class="input input-secret" id=id name="value" rows="2" required=true autocomplete="off" spellcheck="false"></textarea>
                    </div>
                    <div class="form-actions">{submit_button(post, "button button-primary", t.secret_submit())}</div>
                </PostForm>
            </div>
        </section>
    }
    .into_any()
}
