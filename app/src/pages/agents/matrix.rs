//! Which agent has which tool: all of them as a matrix, or one agent alone. Ticking boxes changes nothing; what would
//! change is shown first.

use super::{
    head::{agent_in, head, missing},
    plan::{Wish, plan},
};
use crate::{
    api::agents::{
        GetAgent,
        assignments::{GetMatrix, MATRIX_TOOLS, Matrix, MatrixAgent, MatrixRow, PlanAssignments, PlanMade},
    },
    components::{
        Can, awaited, badge, empty_state, load_error, loading, page_header, page_of, page_title, pager,
    },
    form::{Answer, Post, PostForm, QueryForm, error_summary, search_input, submit_button},
    load::{Loaded, Question, load},
    location::{Address, use_location},
    pages::tools::no_organisation,
    session::use_session,
    texts::{Texts, texts},
};
use ability::{Action, Subject};
use domain::ErrorCode;
use leptos::prelude::*;
use std::sync::Arc;

impl Question for GetMatrix {
    fn fields(&self) -> Option<Vec<(&'static str, String)>> {
        let mut fields = vec![("page", self.page.to_string())];
        fields.extend(self.search.clone().map(|text| ("search", text)));
        fields.extend(self.who.clone().map(|text| ("who", text)));
        fields.extend(self.agent.clone().map(|agent| ("agent", agent)));
        Some(fields)
    }
}

fn asked(address: &Address, agent: Option<String>) -> GetMatrix {
    let text = |name| address.value(name).filter(|text| !text.trim().is_empty());
    GetMatrix { search: text("q"), who: text("who"), agent, page: page_of(address) }
}

/// All agents.
pub fn matrix() -> AnyView {
    let t = texts();
    let location = use_location();
    let found = load(move || (0, location.with(|address| asked(address, None))));
    view! {
        <p class="trail"><a href="/agents">{t.agents_title()}</a></p>
        {page_header(t.matrix_title(), t.matrix_lead())}
        <QueryForm path="/agents/matrix" class="toolbar" live=true>
            {search_input("q", t.search(), t.tools_search())}
            {search_input("who", t.agent(), t.agent())}
            <button type="submit" class="button only-without-scripts">{t.filter()}</button>
        </QueryForm>
        {boxes(t, found, true)}
    }
    .into_any()
}

/// One agent alone.
pub fn agent_tools() -> AnyView {
    let t = texts();
    page_title(t.agent_tools());
    let location = use_location();
    let detail = load(move || (0, GetAgent { agent: agent_in(location) }));
    let found = load(move || (0, location.with(|address| asked(address, Some(address.part(1))))));
    let top = move || {
        detail.get().map(|answer| match answer {
            Ok(detail) => head(t, &detail.agent),
            Err(error) => missing(t, &error),
        })
    };
    let is_found = move || detail.get().is_some_and(|answer| answer.is_ok());
    view! {
        {awaited(loading, top)}
        {awaited(loading, move || is_found().then(|| one_agent(t, found)))}
    }
    .into_any()
}

fn one_agent(t: Texts, found: Loaded<Matrix>) -> AnyView {
    let path = use_location().with_untracked(|address| address.path.clone());
    view! {
        <form method="get" action=path class="toolbar" role="search">
            {search_input("q", t.search(), t.tools_search())}
            <button type="submit" class="button">{t.search()}</button>
        </form>
        {boxes(t, found, false)}
    }
    .into_any()
}

fn boxes(t: Texts, found: Loaded<Matrix>, is_whole: bool) -> AnyView {
    let shown = move || {
        found.get().map(|answer| match answer {
            Ok(found) => matrix_view(t, found, is_whole),
            Err(error) if error.code() == ErrorCode::TenantRequired => no_organisation(t),
            Err(error) => load_error(&error),
        })
    };
    let reviewed = StoredValue::new(move || found.refetch());
    view! {
        <Can action=Action::Manage subject=Subject::Agent>{plan(t, reviewed.get_value())}</Can>
        {awaited(loading, shown)}
    }
    .into_any()
}

fn matrix_view(t: Texts, found: Matrix, is_whole: bool) -> AnyView {
    if found.agents.is_empty() {
        let next = view! { <a class="button" href="/agents">{t.agents_title()}</a> }.into_any();
        return empty_state("members", t.agents_none_title(), t.matrix_no_agents(), Some(next));
    }
    if found.rows.is_empty() {
        return empty_state("search", t.toolbox_none_title(), t.toolbox_none_lead(), None);
    }
    let shown = i64::try_from(found.agents.len()).unwrap_or(0);
    let more = (found.all_agents > shown).then(
        || view! { <p class="result-count">{t.matrix_more(&t.count(shown), &t.count(found.all_agents))}</p> },
    );
    let count = i64::try_from(found.rows.len()).unwrap_or(0);
    let pager = pager(found.page, MATRIX_TOOLS, count, found.total);
    let may_change = use_session().can(Action::Manage, Subject::Agent);
    let body = if may_change { matrix_form(t, found, is_whole) } else { grid(t, found, is_whole, false) };
    view! { {more} {body} {pager} }.into_any()
}

fn matrix_form(t: Texts, found: Matrix, is_whole: bool) -> AnyView {
    let post = Post::to::<PlanAssignments>();
    let location = use_location();
    let done = move |answer: Answer| {
        if let Some(made) = answer.read::<PlanMade>() {
            location.go(&made.address, true);
        }
    };
    let back = location.with_untracked(|address| format!("{}?{}", address.path, address.query));
    let list = |names: Vec<String>| names.join(",");
    let tools = list(found.rows.iter().map(|row| row.name.clone()).collect());
    let agents = list(found.agents.iter().map(|agent| agent.slug.clone()).collect());
    view! {
        {error_summary(post)}
        <PostForm post=post class="matrix-form" on_done=Arc::new(done)>
            <input type="hidden" name="tools" value=tools/>
            <input type="hidden" name="agents" value=agents/>
            <input type="hidden" name="back" value=back/>
            {grid(t, found, is_whole, true)}
            <div class="form-actions form-end">{submit_button(post, "button button-primary", t.plan_show())}</div>
        </PostForm>
    }
    .into_any()
}

fn grid(t: Texts, found: Matrix, is_whole: bool, may_change: bool) -> AnyView {
    let wish = use_location().with_untracked(Wish::of);
    let agents = found.agents;
    let head = |agent: &MatrixAgent| {
        let (href, name) = (format!("/agents/{}", agent.id), agent.name.clone());
        view! { <th scope="col" class="matrix-agent"><a href=href>{name}</a></th> }.into_any()
    };
    let heads: Vec<AnyView> = agents.iter().map(head).collect();
    let rows: Vec<AnyView> =
        found.rows.iter().map(|row| tool_row(t, row, &agents, &wish, may_change)).collect();
    let class = if is_whole { "matrix" } else { "matrix matrix-one" };
    view! {
        <div class="card card-flush matrix-box" role="region" tabindex="0" aria-label=t.matrix_title()>
            <table class=class>
                <caption class="visually-hidden">{t.matrix_title()}</caption>
                <thead><tr><th scope="col">{t.tool()}</th>{heads}</tr></thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
    .into_any()
}

fn tool_row(t: Texts, row: &MatrixRow, agents: &[MatrixAgent], wish: &Wish, may_change: bool) -> AnyView {
    let cell = |agent: &MatrixAgent| {
        let pair = format!("{}~{}", agent.slug, row.name);
        let is_on = wish.ticks(&pair, row.given.contains(&agent.slug));
        let label = t.matrix_pair(&agent.name, &row.display_name);
        let content = match may_change {
            true => view! { <input type="checkbox" name="on[]" value=pair aria-label=label checked=is_on prop:checked=is_on/> }.into_any(),
            false => view! { <span role="img" aria-label=if is_on { t.yes() } else { t.no() }>{if is_on { "✓" } else { "·" }}</span> }.into_any(),
        };
        view! { <td class="matrix-cell">{content}</td> }.into_any()
    };
    let cells: Vec<AnyView> = agents.iter().map(cell).collect();
    view! {
        <tr>
            <th scope="row">
                <p class="cell-title">
                    {row.display_name.clone()}
                    <code>{row.name.clone()}</code>
                    {badge("quiet", t.tool_effect(row.effect))}
                    {(!row.is_active).then(|| badge("danger", t.off()))}
                </p>
                <p class="cell-detail clamp">{row.description.clone()}</p>
            </th>
            {cells}
        </tr>
    }
    .into_any()
}
