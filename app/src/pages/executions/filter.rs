//! The filter of the history. The address holds it: `?status=&tool=&agent=&from=&to=&cursor=`.

use crate::{
    api::{executions::ListExecutions, suggestions::SuggestNames},
    form::{AGENT_NAMES, Choice, DAYS_NOTE, QueryForm, TOOL_NAMES, suggested_names},
    load::load,
    location::{Address, use_location},
    texts::Texts,
};
use domain::status::ExecutionStatus;
use leptos::prelude::*;

pub struct Wish {
    status: Option<ExecutionStatus>,
    texts: [Option<String>; 4],
    cursor: Option<String>,
}

const TEXTS: [&str; 4] = ["tool", "agent", "from", "to"];

impl Wish {
    pub fn of(address: &Address) -> Self {
        let read = |name: &str| address.value(name).filter(|text| !text.trim().is_empty());
        Self {
            status: read("status").and_then(|name| ExecutionStatus::from_name(&name)),
            texts: TEXTS.map(read),
            cursor: read("cursor"),
        }
    }

    pub fn question(self) -> ListExecutions {
        let [tool, agent, from, to] = self.texts;
        ListExecutions { status: self.status, tool, agent, from, to, cursor: self.cursor }
    }

    fn text(&self, at: usize) -> String {
        self.texts.get(at).cloned().flatten().unwrap_or_default()
    }
}

pub fn form(t: Texts) -> AnyView {
    let location = use_location();
    let names = load(|| (0, SuggestNames {}));
    let wish = location.with_untracked(Wish::of);
    let mut states = vec![Choice::new("", t.status_any(), wish.status.is_none())];
    let known = ExecutionStatus::ALL.iter();
    states.extend(
        known.map(|one| Choice::new(one.as_str(), t.execution_status(*one), wish.status == Some(*one))),
    );
    let status_now = move || {
        location.with(|address| Wish::of(address).status.map(ExecutionStatus::as_str).unwrap_or_default())
    };
    view! {
        <QueryForm path="/executions" class="toolbar toolbar-labelled">
            <div class="field">
                <label class="field-label" r#for="filter-status">{t.state()}</label>
                <select class="select" id="filter-status" name="status" prop:value=status_now>
                    {Choice::options(states)}
                </select>
            </div>
            {text_field(0, "text", t.filter_tool(), &wish, Some(TOOL_NAMES))}
            {text_field(1, "text", t.filter_agent(), &wish, Some(AGENT_NAMES))}
            {text_field(2, "date", t.filter_from(), &wish, None)}
            {text_field(3, "date", t.filter_to(), &wish, None)}
            {suggested_names(names)}
            <button type="submit" class="button">{t.filter()}</button>
            <a class="button button-quiet" href="/executions">{t.clear()}</a>
        </QueryForm>
    }
    .into_any()
}

fn text_field(
    at: usize,
    kind: &'static str,
    label: &'static str,
    wish: &Wish,
    list: Option<&'static str>,
) -> AnyView {
    let location = use_location();
    let name = TEXTS[at];
    let id = format!("filter-{name}");
    let now = move || location.with(|address| Wish::of(address).text(at));
    let describes = (kind == "date").then_some(DAYS_NOTE);
    view! {
        <div class="field">
            <label class="field-label" r#for=id.clone()>{label}</label>
            <input
                class="input"
                type=kind
                id=id
                name=name
                list=list
                aria-describedby=describes
                value=wish.text(at)
                prop:value=now
                autocomplete="off"
                spellcheck="false"
            />
        </div>
    }
    .into_any()
}
