//! What stands at the top of every page of one tool: its name, how it is doing, its switch, and the other pages.

use super::{
    no_organisation,
    row::{state, switch},
};
use crate::{
    api::{
        ApiError,
        tools::{ToolRow, edit::ToolUse},
    },
    components::{Can, awaited, badge, heading, load_error, loading, page_title},
    form::Again,
    load::Loaded,
    location::use_location,
    session::use_session,
    texts::Texts,
};
use ability::{Action, Subject};
use domain::ErrorCode;
use leptos::prelude::*;

pub fn head(t: Texts, now: Loaded<ToolUse>, again: Again) -> AnyView {
    page_title(t.tool());
    awaited(loading, move || {
        now.get().map(|answer| match answer {
            Ok(now) => of_tool(t, &now.tool, &again),
            Err(error) => missing(t, &error),
        })
    })
}

/// In place of a tool that is not there, or not for this person.
pub fn missing(t: Texts, error: &ApiError) -> AnyView {
    let why = match error.code() {
        ErrorCode::TenantRequired => no_organisation(t),
        _ => load_error(error),
    };
    view! { {trail(t)} {heading(t.tool(), "")} {why} }.into_any()
}

pub fn trail(t: Texts) -> AnyView {
    view! { <p class="trail"><a href="/tools">{t.toolbox_title()}</a></p> }.into_any()
}

fn of_tool(t: Texts, tool: &ToolRow, again: &Again) -> AnyView {
    let may_switch = use_session().can(Action::Update, Subject::ToolManagement);
    let state = if may_switch { switch(t, tool, again) } else { state(t, tool.is_active) };
    let mean = t.milliseconds(&t.count(tool.mean_ms));
    view! {
        {trail(t)}
        <div class="page-top">
            {heading(tool.display_name.clone(), tool.description.clone())}
            {state}
        </div>
        <p class="badges tool-badges">
            <code>{tool.name.clone()}</code>
            {badge("plain", t.type_of_tool(tool.r#type))}
            {badge("quiet", t.runs_as(tool.execution_type))}
            {badge("quiet", t.tool_effect(tool.effect))}
            {badge("quiet", t.tool_version(&tool.version.to_string()))}
            {badge("quiet", t.calls_in_short(&t.count(tool.calls), &t.count(tool.errors), &mean))}
        </p>
        {tabs(t, &tool.id.to_string())}
    }
    .into_any()
}

pub fn tabs(t: Texts, id: &str) -> AnyView {
    let here = use_location().with_untracked(|address| address.part(2));
    let link = |part: &'static str, label: &'static str| {
        let href = if part.is_empty() { format!("/tools/{id}") } else { format!("/tools/{id}/{part}") };
        let current = (here == part).then_some("page");
        view! { <a class="tab" href=href aria-current=current>{label}</a> }.into_any()
    };
    let (definition, test) = (link("", t.tab_definition()), StoredValue::new(Some(id.to_owned())));
    let is_test = here == "test";
    let versions = link("versions", t.tab_versions());
    let test = move || {
        let id = test.get_value().unwrap_or_default();
        let current = is_test.then_some("page");
        view! { <a class="tab" href=format!("/tools/{id}/test") aria-current=current>{t.tab_test()}</a> }
    };
    view! {
        <nav class="tabs" aria-label=t.tool_pages()>
            {definition}
            <Can action=Action::Execute subject=Subject::ToolManagement>{test()}</Can>
            {versions}
        </nav>
    }
    .into_any()
}
