//! What the organisation allows itself.

use crate::{
    api::{
        described::FieldOut,
        limits::{GetLimits, SetLimits},
    },
    components::{loaded, page_header, say_and_reload, settings_tabs},
    form::{Again, DraftForm, Post, described_facts, described_fields, error_summary_with, submit_button},
    live::use_live,
    load::{Question, load},
    session::use_session,
    texts::texts,
};
use ability::{Action, Subject};
use leptos::prelude::*;
use std::sync::Arc;

impl Question for GetLimits {}

pub fn limits() -> AnyView {
    let t = texts();
    let live = use_live();
    let session = use_session();
    let limits = load(move || (live.data(), GetLimits {}));
    let again: Again = Arc::new(move || limits.refetch());
    let post = Post::to::<SetLimits>();
    let shown = move |fields: Vec<FieldOut>| {
        if !session.can(Action::Update, Subject::ToolManagement) {
            return described_facts(fields);
        }
        let labels = fields.iter().map(|field| (field.name.clone(), field.label.clone())).collect();
        view! {
            {error_summary_with(post, labels)}
            <DraftForm post=post class="form" on_done=say_and_reload(t.saved(), &again)>
                {described_fields(post, fields)}
                <div class="form-actions">{submit_button(post, "button button-primary", t.save())}</div>
            </DraftForm>
        }
        .into_any()
    };
    view! {
        {page_header(t.limits_title(), t.limits_lead())}
        {settings_tabs()}
        <div class="card settings">{loaded(limits, shown)}</div>
    }
    .into_any()
}
