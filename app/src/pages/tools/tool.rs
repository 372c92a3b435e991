//! One tool: its definition to read or to change, what models and agents see of it, and the way to delete it.

use super::{
    facts::facts,
    form::tool_parts,
    head::head,
    usage::{danger, model_view, users},
};
use crate::{
    api::{
        session::ShownSecret,
        tools::edit::{BreakingOut, GetTool, GetToolUse, ToolChanged, ToolDetail, UpdateTool},
    },
    browser,
    components::{awaited, breaking_change, loading, shown_secret, use_notices},
    form::{Again, Answer, DraftForm, Group, Post, conflict, not_a_conflict, submit_button},
    live::use_live,
    load::{Question, load},
    location::{Location, use_location},
    session::use_session,
    texts::{Texts, texts},
};
use ability::{Action, Subject};
use leptos::prelude::*;
use std::sync::Arc;

impl Question for GetTool {
    fn fields(&self) -> Option<Vec<(&'static str, String)>> {
        Some(vec![("tool_id", self.tool_id.clone())])
    }
}

impl Question for GetToolUse {
    fn fields(&self) -> Option<Vec<(&'static str, String)>> {
        Some(vec![("tool_id", self.tool_id.clone())])
    }
}

/// The id in the address of a tool's pages.
pub fn tool_id(location: Location) -> String {
    location.with(|address| address.part(1))
}

/// What a page of a tool knows beside what it loaded: it outlives a new rendering.
#[derive(Clone, Copy)]
pub struct Known {
    /// The version that the person's own last change made.
    pub saved: RwSignal<Option<(String, i64)>>,
    pub breaking: RwSignal<Option<BreakingOut>>,
    pub secret: RwSignal<Option<ShownSecret>>,
}

impl Known {
    fn new() -> Self {
        Self { saved: RwSignal::new(None), breaking: RwSignal::new(None), secret: RwSignal::new(None) }
    }

    fn version_of(self, id: &str, seen: i64) -> i64 {
        self.saved.with(|saved| match saved {
            Some((of, version)) if of == id => seen.max(*version),
            _ => seen,
        })
    }
}

pub fn tool() -> AnyView {
    let t = texts();
    let (live, location) = (use_live(), use_location());
    // Asked once: what somebody is typing is not replaced by news.
    let detail = load(move || (0, GetTool { tool_id: tool_id(location) }));
    let now = load(move || (live.tools() + live.data(), GetToolUse { tool_id: tool_id(location) }));
    let again: Again = Arc::new(move || now.refetch());
    let known = Known::new();
    let (again_after, again_below) = (again.clone(), again.clone());
    let form = move || {
        let detail = detail.get()?.ok()?;
        Some(match use_session().can(Action::Update, Subject::ToolManagement) {
            true => edit_form(t, known, detail, again_after.clone()),
            false => facts(t, detail.fields),
        })
    };
    view! {
        {head(t, now, again)}
        {move || known.secret.get().map(shown_secret)}
        {move || known.breaking.get().map(breaking_change)}
        {awaited(loading, form)}
        {awaited(loading, move || Some(model_view(t, now.get()?.ok()?)))}
        {awaited(loading, move || Some(users(t, now.get()?.ok()?)))}
        {awaited(loading, move || Some(danger(t, known, now.get()?.ok()?, again_below.clone())))}
    }
    .into_any()
}

fn edit_form(t: Texts, known: Known, detail: ToolDetail, again: Again) -> AnyView {
    let post = Post::to::<UpdateTool>();
    let group = Group { post, prefix: "tool" };
    let notices = use_notices();
    let (id, seen) = (detail.tool.id.to_string(), detail.seen_version);
    let (of, versioned) = (id.clone(), id.clone());
    let done = move |answer: Answer| {
        let Some(changed) = answer.read::<ToolChanged>() else { return };
        known.saved.set(Some((of.clone(), changed.version)));
        known.breaking.set(changed.breaking);
        notices.done(t.tool_saved(&changed.version.to_string()));
        // It was the reason of this change, not of the next one.
        browser::set_field_text(&group.id("note"), "");
        again();
    };
    let version = move || known.version_of(&versioned, seen).to_string();
    view! {
        {not_a_conflict(post, Vec::new())}
        <DraftForm post=post class="tool-form" on_done=Arc::new(done)>
            {conflict(post, format!("/tools/{id}/versions"))}
            <input type="hidden" name="tool_id" value=id/>
            <input type="hidden" name="seen_version" value=version/>
            {tool_parts(t, group, detail.fields, detail.params, detail.limits)}
            <div class="form-actions form-end">{submit_button(post, "button button-primary", t.save())}</div>
        </DraftForm>
    }
    .into_any()
}
