//! A chart: shapes that the server has drawn, with its marks and its legend. The page has the same numbers in a table.

use super::effect;
use crate::{
    api::analytics::{BarOut, ChartOut, HeightOut, LegendOut, LineOut, MarkKind, MomentOut},
    browser,
    texts::texts,
};
use leptos::prelude::*;

pub fn chart(id: &'static str, drawn: ChartOut) -> AnyView {
    let heights: Vec<AnyView> = drawn.heights.into_iter().map(height).collect();
    let moments: Vec<AnyView> = drawn.moments.into_iter().map(moment).collect();
    let bars: Vec<AnyView> = drawn.bars.into_iter().map(bar).collect();
    let lines: Vec<AnyView> = drawn.lines.into_iter().map(line).collect();
    let legend: Vec<AnyView> = drawn.legend.into_iter().map(legend).collect();
    view! {
        <figure class="card chart" aria-labelledby=id>
            <figcaption><h2 id=id>{drawn.title.clone()}</h2></figcaption>
            <ul class="chart-legend">{legend}</ul>
            <svg viewBox="0 0 720 220" role="img" aria-label=drawn.title>
                {heights}
                {moments}
                {bars}
                {lines}
            </svg>
        </figure>
    }
    .into_any()
}

fn height(mark: HeightOut) -> AnyView {
    view! {
        <g class="chart-mark">
            <line x1="88" x2="712" y1=mark.y y2=mark.y></line>
            <text x="82" y=mark.y + 4 text-anchor="end">{mark.label}</text>
        </g>
    }
    .into_any()
}

fn moment(mark: MomentOut) -> AnyView {
    let shown = RwSignal::new(mark.label);
    let language = texts().language().tag();
    effect(move || {
        let local = match mark.kind {
            MarkKind::Hour => browser::local_hour(mark.at.as_str(), language),
            MarkKind::Day => browser::local_day(mark.at.as_str(), language),
            MarkKind::WholeDay => None,
        };
        if let Some(local) = local {
            shown.set(local);
        }
    });
    view! { <text class="chart-moment" x=mark.x y="208" text-anchor="middle">{move || shown.get()}</text> }
        .into_any()
}

fn bar(bar: BarOut) -> AnyView {
    let class = format!("chart-bar tone-{}", bar.tone);
    view! { <rect class=class x=bar.x y=bar.y width=bar.width height=bar.height></rect> }.into_any()
}

/// With a dot at each end of a step: a lonely one would be no line.
fn line(line: LineOut) -> AnyView {
    let class = format!("chart-line tone-{}", line.tone);
    let dot = |point: &str| {
        let (x, y) = point.split_once(',').unwrap_or_default();
        let (x, y) = (x.to_owned(), y.to_owned());
        view! { <circle cx=x cy=y r="2.5"></circle> }.into_any()
    };
    let dots: Vec<AnyView> = line.points.split(' ').map(dot).collect();
    view! { <g class=class><polyline points=line.points></polyline>{dots}</g> }.into_any()
}

fn legend(entry: LegendOut) -> AnyView {
    view! { <li><span class=format!("chart-swatch tone-{}", entry.tone)></span>{entry.label}</li> }.into_any()
}
