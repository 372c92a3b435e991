//! How often, how fast, how well. The period and whose calls they are, are the address.

use crate::{
    api::analytics::{AnalyticsOut, CountRow, FactOut, GetAnalytics, StepRow},
    components::{Column, chart, empty_state, loaded, page_header, table, when},
    live::use_live,
    load::{Question, load},
    location::{Address, Location, use_location},
    texts::{Texts, texts},
};
use leptos::prelude::*;

impl Question for GetAnalytics {
    fn fields(&self) -> Option<Vec<(&'static str, String)>> {
        let fields = [("range", &self.range), ("tool", &self.tool), ("agent", &self.agent)];
        Some(fields.map(|(name, value)| (name, value.clone())).into())
    }
}

fn asked(address: &Address) -> GetAnalytics {
    let value = |name| address.value(name).unwrap_or_default();
    GetAnalytics { range: value("range"), tool: value("tool"), agent: value("agent") }
}

pub fn analytics() -> AnyView {
    let t = texts();
    let (live, location) = (use_live(), use_location());
    let counts = load(move || (live.data(), location.with(asked)));
    view! {
        {page_header(t.analytics_title(), t.analytics_lead())}
        {move || ranges(t, &location.with(Address::clone))}
        {loaded(counts, move |out| shown(t, out, location))}
    }
    .into_any()
}

/// Links, so that each period is an address.
fn ranges(t: Texts, address: &Address) -> AnyView {
    let chosen = address.value("range").filter(|range| !range.is_empty()).unwrap_or_else(|| "24h".to_owned());
    let links = [
        ("24h", t.analytics_24h()),
        ("7d", t.analytics_7d()),
        ("30d", t.analytics_30d()),
        ("90d", t.analytics_90d()),
    ]
    .map(|(range, label)| {
        let is_chosen = (chosen == range).then_some("page");
        view! { <a class="tab" href=address.with_value("range", Some(range)) aria-current=is_chosen>{label}</a> }.into_any()
    });
    view! { <nav class="tabs" aria-label=t.analytics_range()>{Vec::from(links)}</nav> }.into_any()
}

fn shown(t: Texts, out: AnalyticsOut, location: Location) -> AnyView {
    let address = &location.with_untracked(Address::clone);
    let about = out.about.map(|name| {
        // Of the period that is being asked for, also while the one before is still shown.
        let of_all =
            |address: &Address| Address::parse(&address.with_value("tool", None)).with_value("agent", None);
        let all = move || location.with(of_all);
        view! { <p class="alert">{t.analytics_only(&name)} " " <a href=all>{t.analytics_all()}</a></p> }
            .into_any()
    });
    let facts: Vec<AnyView> = out.totals.into_iter().map(fact).collect();
    if out.tools.is_empty() {
        let empty = empty_state("chart", t.analytics_empty_title(), t.analytics_empty_lead(), None);
        return view! { {about} {empty} }.into_any();
    }
    let charts: Vec<AnyView> = ["chart-calls", "chart-latency"]
        .into_iter()
        .zip(out.charts)
        .map(|(id, one)| chart(id, one))
        .collect();
    view! {
        {about}
        <dl class="totals">{facts}</dl>
        <div class="charts">{charts}</div>
        <details class="disclosure section">
            <summary>{t.analytics_table()}</summary>
            <div class="card card-flush">{step_table(t, out.steps, &out.columns)}</div>
        </details>
        {count_section(t.analytics_by_tool(), t.tool(), "tool", out.tools, &out.columns, address)}
        {count_section(t.analytics_by_agent(), t.analytics_agent(), "agent", out.agents, &out.columns, address)}
    }
    .into_any()
}

fn fact(fact: FactOut) -> AnyView {
    view! { <div class="total"><dt>{fact.label}</dt><dd>{fact.value}</dd></div> }.into_any()
}

fn heads(first: &'static str, columns: &[String]) -> Vec<Column> {
    let named = columns.iter().map(|name| Column::Counted(name.clone()));
    std::iter::once(Column::Named(first)).chain(named).collect()
}

fn cells(cells: Vec<String>, columns: &[String]) -> Vec<AnyView> {
    let cell = |(text, label): (String, &String)| {
        view! { <td class="cell-number" data-label=label.clone()>{text}</td> }.into_any()
    };
    cells.into_iter().zip(columns).map(cell).collect()
}

fn step_table(t: Texts, steps: Vec<StepRow>, columns: &[String]) -> AnyView {
    let is_day = steps.first().is_some_and(|step| step.day.is_some());
    let first = if is_day { t.analytics_day() } else { t.analytics_step() };
    let row = |step: StepRow| {
        let moment = step.day.map_or_else(|| when(step.at), IntoAny::into_any);
        view! { <tr><td>{moment}</td>{cells(step.cells, columns)}</tr> }.into_any()
    };
    let rows = steps.into_iter().map(row).collect();
    table("table table-dense", t.analytics_table(), heads(first, columns), rows)
}

fn count_section(
    title: &'static str,
    first: &'static str,
    name: &'static str,
    rows: Vec<CountRow>,
    columns: &[String],
    address: &Address,
) -> AnyView {
    if rows.is_empty() {
        return ().into_any();
    }
    let other = if name == "tool" { "agent" } else { "tool" };
    let here = Address::parse(&address.with_value(other, None));
    let row = |row: CountRow| {
        let href = here.with_value(name, Some(&row.id));
        view! { <tr><td><p class="cell-title"><a href=href>{row.name}</a></p></td>{cells(row.cells, columns)}</tr> }.into_any()
    };
    let rows = rows.into_iter().map(row).collect();
    view! {
        <section class="section" aria-labelledby=format!("by-{name}")>
            <header class="section-header"><h2 id=format!("by-{name}")>{title}</h2></header>
            <div class="card card-flush">{table("table table-dense", title, heads(first, columns), rows)}</div>
        </section>
    }
    .into_any()
}
