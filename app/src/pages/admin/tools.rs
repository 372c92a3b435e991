//! The switches for everybody: what is off here stops at once, everywhere.

mod filter;
mod row;

use self::{filter::Filter, row::ToolRow};
use crate::{
    api::admin_tools::{SwitchGlobalTool, list_global_tools},
    components::{empty_state, load_error, loading, page_header},
    form::{Post, error_summary},
    live::use_live,
    texts::{Texts, texts},
};
use domain::global_tool::{GlobalToolOut, ToolCategory};
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;

#[component]
pub fn Tools() -> impl IntoView {
    let t = texts();
    let live = use_live();
    let tools = Resource::new(move || live.tools(), |_| list_global_tools());
    let again = Callback::new(move |()| tools.refetch());
    let refused = Post::to::<SwitchGlobalTool>();
    let query = use_query_map();
    let filter = Memo::new(move |_| query.with(Filter::from_query));
    let shown = move || {
        tools.get().map(|tools| match tools {
            Ok(list) => tool_sections(t, list, filter, again),
            Err(error) => load_error(&error),
        })
    };
    view! {
        {page_header(t.tools_title(), t.tools_lead())}
        {error_summary(refused)}
        {filter::form(t, filter.get_untracked())}
        <Transition fallback=loading>{shown}</Transition>
    }
    .into_any()
}

const SECTIONS: [ToolCategory; 3] = [ToolCategory::User, ToolCategory::Kind, ToolCategory::System];

fn tool_sections(t: Texts, list: Vec<GlobalToolOut>, filter: Memo<Filter>, again: Callback<()>) -> AnyView {
    let sections = SECTIONS.map(|category| {
        let of_category = list
            .iter()
            .filter(|tool| tool.category == category)
            .cloned()
            .collect();
        tool_section(t, category, of_category, filter, again)
    });
    let all = StoredValue::new(list);
    let count = Memo::new(move |_| {
        filter.with(|filter| all.with_value(|all| all.iter().filter(|tool| filter.shows(tool)).count()))
    });
    let total = all.with_value(Vec::len).to_string();
    let nothing = move || {
        (count.get() == 0).then(|| {
            let next = view! { <a class="button" href="/admin/tools">{t.clear()}</a> };
            empty_state("search", t.tools_empty_title(), t.tools_empty_lead(), next)
        })
    };
    view! {
        <p class="result-count" role="status">{move || t.shown_of(&count.get().to_string(), &total)}</p>
        {sections.into_iter().collect_view()}
        {nothing}
    }
    .into_any()
}

fn tool_section(
    t: Texts,
    category: ToolCategory,
    tools: Vec<GlobalToolOut>,
    filter: Memo<Filter>,
    again: Callback<()>,
) -> AnyView {
    let heading = format!("tools-{}", category.as_str());
    let lead = match category {
        ToolCategory::User => t.tools_user_lead(),
        ToolCategory::Kind => t.tools_kind_lead(),
        ToolCategory::System => t.tools_system_lead(),
    };
    let mine = StoredValue::new(tools.clone());
    let is_empty =
        move || filter.with(|filter| mine.with_value(|mine| !mine.iter().any(|tool| filter.shows(tool))));
    let rows = tools
        .into_iter()
        .map(|tool| view! { <ToolRow tool=tool filter=filter again=again/> })
        .collect_view();
    view! {
        <section class="section" aria-labelledby=heading.clone() hidden=is_empty>
            <header class="section-header">
                <h2 id=heading.clone()>{t.category_heading(category)}</h2>
                <p class="section-lead">{lead}</p>
            </header>
            <div class="card card-flush">
                <table class="table table-tools">
                    <caption class="visually-hidden">{t.category_heading(category)}</caption>
                    <thead>
                        <tr>
                            <th scope="col">{t.tool()}</th>
                            <th scope="col">{t.category()}</th>
                            <th scope="col">{t.last_change()}</th>
                            <th scope="col">{t.state()}</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
        </section>
    }
    .into_any()
}
