//! A long form that loses nothing: what is typed stays in this tab until it is saved, given up, or its person signs out.

use super::{Answer, Done, Fields, Post, PostForm};
use crate::{browser, components::effect, location::use_location, session::use_session, texts::texts};
use leptos::prelude::*;
use std::sync::Arc;

/// A [`PostForm`] with a draft. Render it together with its fields: they are filled when it appears.
#[component]
pub fn DraftForm(
    post: Post,
    #[prop(optional)] class: &'static str,
    on_done: Done,
    children: Children,
) -> impl IntoView {
    let key = StoredValue::new(String::new());
    let is_restored = RwSignal::new(false);
    let scope = post.scope();
    let done: Done = Arc::new(move |answer: Answer| {
        key.try_with_value(|key| browser::forget_draft(key));
        is_restored.try_set(false);
        on_done(answer);
    });
    let keep = move |_| {
        key.with_value(|key| {
            if !key.is_empty() {
                browser::keep_draft(scope, key);
            }
        });
    };
    let give_up = move |event: leptos::ev::MouseEvent| {
        if browser::is_cancel(&event) {
            key.with_value(|key| browser::forget_draft(key));
        }
    };
    let form = view! {
        {move || is_restored.get().then(|| restored(key))}
        <PostForm post=post id=scope class=class fields=Fields::Keep is_long=true on_done=done>
            {children()}
        </PostForm>
    };
    // After the fields, whose own effects come first.
    restore_once(scope, key, is_restored);
    view! { <div class="draft" on:input=keep on:click=give_up>{form}</div> }.into_any()
}

/// A draft belongs to one person, in one organisation, on one page.
fn restore_once(scope: &'static str, key: StoredValue<String>, is_restored: RwSignal<bool>) {
    let (session, location) = (use_session(), use_location());
    effect(move || {
        let Some(me) = session.known().and_then(|state| state.me) else { return };
        if !key.with_value(String::is_empty) {
            return;
        }
        let here = location.with_untracked(|address| address.with_value("", None));
        let tenant = me.tenant.map(|tenant| tenant.id.to_string()).unwrap_or_default();
        key.set_value(format!("{} {tenant} {here} {scope}", me.id));
        browser::after_rendering(move || {
            let found = key.try_with_value(|key| browser::restore_draft(scope, key));
            is_restored.try_set(found.unwrap_or_default());
        });
    });
}

/// Where the words come from, and the way back to what is saved.
fn restored(key: StoredValue<String>) -> AnyView {
    let t = texts();
    let discard = move |_| {
        key.with_value(|key| browser::forget_draft(key));
        browser::reload();
    };
    view! {
        <div class="alert alert-note undo" role="status">
            <p>{t.draft_restored()}</p>
            <button type="button" class="button" on:click=discard>{t.draft_discard()}</button>
        </div>
    }
    .into_any()
}
