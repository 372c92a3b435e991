//! Small charts: bars in an SVG that the server draws too, with the same numbers as a table for whoever does not see them.

use leptos::prelude::*;

/// One bar: what is below it, and how much of it is bad.
pub struct Bar {
    pub label: String,
    pub value: i64,
    pub bad: i64,
}

const WIDTH: i64 = 480;
const HEIGHT: i64 = 96;
const GAP: i64 = 4;

/// `heads` name the columns of the table: the label, the value, the bad part.
pub fn bar_chart(caption: String, heads: [&'static str; 3], bars: Vec<Bar>) -> AnyView {
    let most = bars.iter().map(|bar| bar.value).max().unwrap_or(0).max(1);
    let count = i64::try_from(bars.len()).unwrap_or(1).max(1);
    let step = WIDTH / count;
    let drawn: Vec<AnyView> =
        (0..).zip(&bars).map(|(at, bar)| column(at * step, step - GAP, bar, most)).collect();
    let rows: Vec<AnyView> = bars.iter().map(row).collect();
    let (first, last) = (bars.first().map(|bar| bar.label.clone()), bars.last().map(|bar| bar.label.clone()));
    view! {
        <figure class="spark">
            <svg viewBox=format!("0 0 {WIDTH} {HEIGHT}") preserveAspectRatio="none" aria-hidden="true">{drawn}</svg>
            <div class="spark-axis" aria-hidden="true"><span>{first}</span><span>{last}</span></div>
            <figcaption class="visually-hidden">{caption.clone()}</figcaption>
            // Around the table: one by itself keeps the width of its words.
            <div class="visually-hidden"><table>
                <caption>{caption}</caption>
                <thead><tr>{Vec::from(heads.map(|head| view! { <th scope="col">{head}</th> }.into_any()))}</tr></thead>
                <tbody>{rows}</tbody>
            </table></div>
        </figure>
    }
    .into_any()
}

/// The bad part stands at the foot of its column. What is not nothing is seen, however little it is.
fn column(x: i64, width: i64, bar: &Bar, most: i64) -> AnyView {
    let height = |part: i64| if part == 0 { 0 } else { (part * HEIGHT / most).max(2) };
    let (whole, bad) = (height(bar.value), height(bar.bad));
    view! {
        <rect class="spark-bar" x=x y=HEIGHT - whole width=width height=whole></rect>
        <rect class="spark-bad" x=x y=HEIGHT - bad width=width height=bad></rect>
    }
    .into_any()
}

fn row(bar: &Bar) -> AnyView {
    view! { <tr><th scope="row">{bar.label.clone()}</th><td>{bar.value}</td><td>{bar.bad}</td></tr> }
        .into_any()
}
