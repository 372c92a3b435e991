//! The tools of the organisation: found by words, type, state or agent, with how each is doing, and switched in place.

mod editor;
mod facts;
mod filter;
mod form;
mod head;
mod new;
mod params;
mod row;
mod tool;
mod trial;
mod usage;
mod versions;

pub use self::{new::new_tool, tool::tool, trial::trial, versions::versions};

use self::{filter::asked, row::tool_row};
use crate::{
    api::tools::{ListTools, TOOLS_PER_PAGE, ToggleTool, ToolList},
    components::{Can, Column, awaited, empty_state, load_error, loading, page_header, pager, table},
    form::{Again, Post, error_summary},
    live::use_live,
    load::{Question, load},
    location::use_location,
    session::use_session,
    texts::{Texts, texts},
};
use ability::{Action, Subject};
use domain::ErrorCode;
use leptos::prelude::*;
use std::sync::Arc;

impl Question for ListTools {
    fn fields(&self) -> Option<Vec<(&'static str, String)>> {
        let mut fields = vec![("page", self.page.to_string())];
        fields.extend(self.search.clone().map(|text| ("search", text)));
        fields.extend(self.kind.map(|kind| ("kind", kind.as_str().to_owned())));
        fields.extend(self.is_active.map(|active| ("is_active", active.to_string())));
        fields.extend(self.agent.clone().map(|agent| ("agent", agent)));
        Some(fields)
    }
}

pub fn tools() -> AnyView {
    let t = texts();
    let (live, location) = (use_live(), use_location());
    let list = load(move || (live.tools() + live.data(), location.with(asked)));
    let again: Again = Arc::new(move || list.refetch());
    let shown = move || {
        list.get().map(|answer| match answer {
            Ok(found) => tool_list(t, found, &again),
            Err(error) if error.code() == ErrorCode::TenantRequired => no_organisation(t),
            Err(error) => load_error(&error),
        })
    };
    view! {
        <div class="page-top">
            {page_header(t.toolbox_title(), t.toolbox_lead())}
            <Can action=Action::Create subject=Subject::ToolManagement>
                <a class="button button-primary" href="/tools/new">{t.toolbox_new()}</a>
            </Can>
        </div>
        {error_summary(Post::to::<ToggleTool>())}
        {filter::form(t)}
        {awaited(loading, shown)}
    }
    .into_any()
}

/// Whoever works in no organisation has nothing here.
pub fn no_organisation(t: Texts) -> AnyView {
    empty_state("tenants", t.no_organisation(), t.choose_organisation_lead(), None)
}

fn tool_list(t: Texts, found: ToolList, again: &Again) -> AnyView {
    let count = i64::try_from(found.rows.len()).unwrap_or(0);
    if found.rows.is_empty() {
        let next = view! { <a class="button" href="/tools">{t.clear()}</a> }.into_any();
        return empty_state("search", t.toolbox_none_title(), t.toolbox_none_lead(), Some(next));
    }
    let may_switch = use_session().can(Action::Update, Subject::ToolManagement);
    let rows = found.rows.into_iter().map(|tool| tool_row(t, tool, may_switch, again)).collect();
    let columns =
        [t.tool(), t.tool_type(), t.tool_agents(), t.tool_calls(), t.tool_errors(), t.tool_mean(), t.state()];
    let table =
        table("table table-dense table-toolbox", t.toolbox_title(), columns.map(Column::Named).into(), rows);
    view! {
        <div class="card card-flush">{table}</div>
        {pager(found.page, TOOLS_PER_PAGE, count, found.total)}
    }
    .into_any()
}
