//! The switches for everybody: what is off here stops at once, everywhere.

mod filter;
mod row;

use self::{filter::Filter, row::tool_row};
use crate::{
    api::admin_tools::{ListGlobalTools, SwitchGlobalTool},
    components::{Column, empty_state, loaded, page_header, table},
    form::{Again, Post, error_summary},
    live::use_live,
    load::{Question, load},
    texts::{Texts, texts},
};
use domain::global_tool::{GlobalToolOut, ToolCategory};
use leptos::prelude::*;
use std::sync::Arc;

impl Question for ListGlobalTools {}

pub fn tools() -> AnyView {
    let t = texts();
    let live = use_live();
    let tools = load(move || (live.tools(), ListGlobalTools {}));
    let again: Again = Arc::new(move || tools.refetch());
    view! {
        {page_header(t.tools_title(), t.tools_lead())}
        {error_summary(Post::to::<SwitchGlobalTool>())}
        {filter::form(t)}
        {loaded(tools, move |list| tool_sections(t, list, &again))}
    }
    .into_any()
}

const SECTIONS: [ToolCategory; 3] = [ToolCategory::User, ToolCategory::Kind, ToolCategory::System];

fn tool_sections(t: Texts, list: Vec<GlobalToolOut>, again: &Again) -> AnyView {
    let sections = SECTIONS.map(|category| {
        let of_category = list.iter().filter(|tool| tool.category == category).cloned().collect();
        tool_section(t, category, of_category, again)
    });
    let total = list.len();
    let filter = Filter::of_page();
    let list = Arc::new(list);
    let shown = move || filter.count(&list);
    let shown_too = shown.clone();
    view! {
        <p class="result-count" role="status">
            {move || t.shown_of(&shown().to_string(), &total.to_string())}
        </p>
        {Vec::from(sections)}
        {move || (shown_too() == 0).then(|| nothing_matches(t))}
    }
    .into_any()
}

fn nothing_matches(t: Texts) -> AnyView {
    let next = view! { <a class="button" href="/admin/tools">{t.clear()}</a> }.into_any();
    empty_state("search", t.tools_empty_title(), t.tools_empty_lead(), Some(next))
}

fn tool_section(t: Texts, category: ToolCategory, tools: Vec<GlobalToolOut>, again: &Again) -> AnyView {
    let (heading, labelled_by) =
        (format!("tools-{}", category.as_str()), format!("tools-{}", category.as_str()));
    let lead = match category {
        ToolCategory::User => t.tools_user_lead(),
        ToolCategory::Kind => t.tools_kind_lead(),
        ToolCategory::System => t.tools_system_lead(),
    };
    let columns = [t.tool(), t.category(), t.last_change(), t.state()].map(Column::Named);
    let rows = tools.iter().map(|tool| tool_row(t, tool.clone(), again)).collect();
    let filter = Filter::of_page();
    view! {
        <section class="section" aria-labelledby=labelled_by hidden=move || filter.count(&tools) == 0>
            <header class="section-header">
                <h2 id=heading>{t.category_heading(category)}</h2>
                <p class="section-lead">{lead}</p>
            </header>
            <div class="card card-flush">
                {table("table table-tools", t.category_heading(category), columns.into(), rows)}
            </div>
        </section>
    }
    .into_any()
}
