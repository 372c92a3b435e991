//! What needs the person, and how the day went: each figure leads to where it is handled.

use crate::{
    api::home::{DayOut, GetOverview, OffOut, OverviewOut, ToolCount},
    browser,
    components::{Bar, bar_chart, loaded},
    live::use_live,
    load::{Question, load},
    texts::{Texts, texts},
};
use leptos::prelude::*;

impl Question for GetOverview {}

pub fn overview() -> AnyView {
    let t = texts();
    let live = use_live();
    let news = move || live.confirmations() + live.executions() + live.tools() + live.data();
    let overview = load(move || (news(), GetOverview {}));
    loaded(overview, move |overview: OverviewOut| {
        let (waiting, day, off) = (overview.waiting, overview.day, overview.off);
        view! {
            {waiting.map(|count| needs_you(t, count))}
            {day.map(|day| last_day(t, day))}
            {off.map(|off| switched_off(t, off))}
        }
        .into_any()
    })
}

fn section(id: &'static str, title: &'static str, body: AnyView) -> AnyView {
    view! {
        <section class="section" aria-labelledby=id>
            <header class="section-header"><h2 id=id>{title}</h2></header>
            {body}
        </section>
    }
    .into_any()
}

fn needs_you(t: Texts, count: u64) -> AnyView {
    let body = if count == 0 {
        view! { <p class="cell-detail">{t.home_waiting_none()}</p> }.into_any()
    } else {
        let count = if count < 100 { count.to_string() } else { "99+".to_owned() };
        view! { <a class="needs-you" href="/confirmations">{t.home_waiting(&count)}</a> }.into_any()
    };
    section("needs-you", t.home_needs_you(), body)
}

fn last_day(t: Texts, day: DayOut) -> AnyView {
    if day.calls == 0 {
        let quiet = view! { <p class="cell-detail">{t.home_quiet()}</p> }.into_any();
        return section("last-day", t.home_last_day(), quiet);
    }
    let caption = t.home_chart(&day.calls.to_string(), &day.errors.to_string());
    let last = day.hours.len().saturating_sub(1);
    let bar = |(at, hour): (usize, &crate::api::home::HourCount)| Bar {
        label: if at == last { t.this_hour().to_owned() } else { t.hours_ago(&(last - at).to_string()) },
        value: hour.calls,
        bad: hour.errors,
    };
    let bars = day.hours.iter().enumerate().map(bar).collect();
    let body = view! {
        <div class="overview">
            <div class="card overview-chart">
                <ul class="figures">
                    {figure("/executions", t.home_calls(), day.calls)}
                    {figure("/executions?status=error", t.home_errors(), day.errors)}
                </ul>
                {bar_chart(caption, [t.hour(), t.home_calls(), t.home_errors()], bars)}
            </div>
            {ranking(t.home_busiest(), day.busiest, move |count| t.home_calls_value(&count.to_string()))}
            {ranking(t.home_slowest(), day.slowest, move |ms| t.home_slowest_value(&ms.to_string()))}
        </div>
    };
    section("last-day", t.home_last_day(), body.into_any())
}

fn figure(href: &'static str, label: &'static str, value: i64) -> AnyView {
    view! {
        <li><a class="figure" href=href><span class="figure-value">{value}</span> <span class="figure-label">{label}</span></a></li>
    }
    .into_any()
}

fn ranking(title: &'static str, tools: Vec<ToolCount>, value: impl Fn(i64) -> String) -> AnyView {
    let row = |tool: ToolCount| {
        let href = format!("/executions?tool={}", browser::encoded(&tool.tool_name));
        view! {
            <li>
                <a href=href>{tool.tool_name}</a>
                <span class="ranking-value">{value(tool.value)}</span>
            </li>
        }
        .into_any()
    };
    let rows: Vec<AnyView> = tools.into_iter().map(row).collect();
    view! { <div class="card"><h3>{title}</h3><ol class="ranking">{rows}</ol></div> }.into_any()
}

fn switched_off(t: Texts, off: OffOut) -> AnyView {
    if off.count == 0 {
        let none = view! { <p class="cell-detail">{t.home_off_none()}</p> }.into_any();
        return section("tools-off", t.home_off(), none);
    }
    let more = off.count.saturating_sub(u64::try_from(off.names.len()).unwrap_or(0));
    let more = (more > 0).then(|| view! { <li>{t.home_off_more(&more.to_string())}</li> }.into_any());
    let name = |name: String| {
        let href = format!("/executions?tool={}", browser::encoded(&name));
        view! { <li><a href=href><code>{name}</code></a></li> }.into_any()
    };
    let names: Vec<AnyView> = off.names.into_iter().map(name).collect();
    section("tools-off", t.home_off(), view! { <ul class="tools-off">{names}{more}</ul> }.into_any())
}
