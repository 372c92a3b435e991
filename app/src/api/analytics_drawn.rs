//! Counts become shapes and words.

use super::{
    AnalyticsOut, BarOut, ChartOut, CountRow, FactOut, HeightOut, LegendOut, LineOut, MarkKind, MomentOut,
    StepRow,
};
use crate::texts::Texts;
use domain::{FieldCode, Language, ServiceError};
use engine::{AgentStatisticsOut, CountsOf, HourOut, Span, StatisticsOut, ToolStatisticsOut};

pub struct Asked {
    pub of: CountsOf,
    pub span: Span,
    /// Hours.
    pub step: u8,
}

impl Asked {
    pub fn parse(range: &str, tool: &str, agent: &str) -> Result<Self, ServiceError> {
        let (steps, step) = match range {
            "" | "24h" => (24, 1),
            "7d" => (28, 6),
            "30d" => (30, 24),
            "90d" => (90, 24),
            _ => return Err(ServiceError::field("range", FieldCode::Unknown)),
        };
        let of = match (tool, agent) {
            ("", "") => CountsOf::All,
            (id, "") => {
                CountsOf::Tool(id.parse().map_err(|_| ServiceError::field("tool", FieldCode::Unknown))?)
            }
            (_, name) => CountsOf::Agent(name.to_owned()),
        };
        Ok(Self { of, span: Span::last(steps, step), step })
    }
}

pub fn view(
    t: Texts,
    asked: &Asked,
    steps: Vec<HourOut>,
    tools: Vec<ToolStatisticsOut>,
    agents: Vec<AgentStatisticsOut>,
) -> AnalyticsOut {
    let about = match &asked.of {
        CountsOf::All => None,
        CountsOf::Tool(id) => tools.iter().find(|row| row.tool_id == *id).map(|row| row.tool_name.clone()),
        CountsOf::Agent(name) => {
            let of = |row: &&AgentStatisticsOut| row.agent_id.to_string() == *name;
            Some(agents.iter().find(of).map_or_else(|| name.clone(), |row| row.agent_name.clone()))
        }
    };
    let marks = match asked.step {
        1 => MarkKind::Hour,
        24 => MarkKind::WholeDay,
        // Several steps make a day: their hours would repeat.
        _ => MarkKind::Day,
    };
    let is_day = marks == MarkKind::WholeDay;
    let row =
        |id: String, name: String, counts: &StatisticsOut| CountRow { id, name, cells: cells(t, counts) };
    AnalyticsOut {
        about,
        totals: totals(t, &steps),
        charts: vec![calls_chart(t, &steps, marks), latency_chart(t, &steps, marks)],
        columns: [t.analytics_calls(), t.analytics_errors(), t.analytics_error_rate(), "p50", "p95", "p99"]
            .map(str::to_owned)
            .into(),
        tools: tools
            .iter()
            .map(|one| row(one.tool_id.to_string(), one.tool_name.clone(), &one.counts))
            .collect(),
        agents: agents
            .iter()
            .map(|one| row(one.agent_id.to_string(), one.agent_name.clone(), &one.counts))
            .collect(),
        steps: steps.into_iter().map(|step| step_row(t, step, is_day)).collect(),
    }
}

fn step_row(t: Texts, step: HourOut, is_day: bool) -> StepRow {
    let day = is_day.then(|| day_of(t, step.hour.as_str()));
    StepRow { day, cells: cells(t, &step.counts), at: step.hour }
}

fn cells(t: Texts, counts: &StatisticsOut) -> Vec<String> {
    let time = |ms: f64| if counts.executions == 0 { "–".to_owned() } else { duration(t, ms) };
    vec![
        number(t, counts.executions),
        number(t, counts.errors),
        percent(t, counts.error_rate),
        time(counts.p50_ms),
        time(counts.p95_ms),
        time(counts.p99_ms),
    ]
}

fn totals(t: Texts, steps: &[HourOut]) -> Vec<FactOut> {
    let calls: i64 = steps.iter().map(|step| step.counts.executions).sum();
    let errors: i64 = steps.iter().map(|step| step.counts.errors).sum();
    let rate = if calls == 0 { 0.0 } else { errors as f64 / calls as f64 };
    let fact = |label: &str, value| FactOut { label: label.to_owned(), value };
    vec![
        fact(t.analytics_calls(), number(t, calls)),
        fact(t.analytics_errors(), number(t, errors)),
        fact(t.analytics_error_rate(), percent(t, rate)),
    ]
}

const LEFT: f64 = 88.0;
const RIGHT: f64 = 712.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 188.0;
const MOST_LABELS: usize = 8;

fn calls_chart(t: Texts, steps: &[HourOut], marks: MarkKind) -> ChartOut {
    let most = steps.iter().map(|step| step.counts.executions).max().unwrap_or(0) as f64;
    // Calls come whole: no mark between them.
    let top = round_up(most).max(4.0);
    let width = (RIGHT - LEFT) / steps.len().max(1) as f64;
    let bar = |at: usize, tone: &str, count: i64| {
        let y = height(count as f64, top);
        BarOut {
            tone: tone.to_owned(),
            x: (LEFT + width * at as f64 + width * 0.15).round() as i64,
            y: y.round() as i64,
            width: (width * 0.7).round().max(1.0) as i64,
            height: (BOTTOM - y).round() as i64,
        }
    };
    let mut bars = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        let counts = &step.counts;
        let both = [("calls", counts.executions), ("errors", counts.errors)];
        bars.extend(
            both.into_iter().filter(|(_, count)| *count > 0).map(|(tone, count)| bar(at, tone, count)),
        );
    }
    ChartOut {
        title: t.analytics_chart_calls().to_owned(),
        legend: legend(&[("calls", t.analytics_calls()), ("errors", t.analytics_errors())]),
        bars,
        lines: Vec::new(),
        heights: heights(top, |value| number(t, value.round() as i64)),
        moments: moments(t, steps, marks),
    }
}

fn latency_chart(t: Texts, steps: &[HourOut], marks: MarkKind) -> ChartOut {
    let most = steps.iter().map(|step| step.counts.p99_ms).fold(0.0, f64::max);
    let top = round_up(most).max(4.0);
    let width = (RIGHT - LEFT) / steps.len().max(1) as f64;
    let line = |tone: &str, of: fn(&StatisticsOut) -> f64| {
        let called = steps.iter().enumerate().filter(|(_, step)| step.counts.executions > 0);
        let point = |(at, step): (usize, &HourOut)| {
            let x = LEFT + width * (at as f64 + 0.5);
            format!("{x:.0},{:.0}", height(of(&step.counts), top))
        };
        LineOut { tone: tone.to_owned(), points: called.map(point).collect::<Vec<_>>().join(" ") }
    };
    let lines = vec![
        line("p50", |counts| counts.p50_ms),
        line("p95", |counts| counts.p95_ms),
        line("p99", |counts| counts.p99_ms),
    ];
    ChartOut {
        title: t.analytics_chart_latency().to_owned(),
        legend: legend(&[("p50", "p50"), ("p95", "p95"), ("p99", "p99")]),
        bars: Vec::new(),
        lines: lines.into_iter().filter(|line| !line.points.is_empty()).collect(),
        heights: heights(top, |value| duration(t, value)),
        moments: moments(t, steps, marks),
    }
}

fn legend(entries: &[(&str, &str)]) -> Vec<LegendOut> {
    let one =
        |(tone, label): &(&str, &str)| LegendOut { tone: (*tone).to_owned(), label: (*label).to_owned() };
    entries.iter().map(one).collect()
}

fn height(value: f64, top: f64) -> f64 {
    BOTTOM - (BOTTOM - TOP) * (value / top).clamp(0.0, 1.0)
}

/// 1, 2, 4 or 8 and noughts: four marks divide it well.
fn round_up(most: f64) -> f64 {
    if most <= 0.0 {
        return 0.0;
    }
    let power = 10_f64.powf(most.log10().floor());
    let steps = [1.0, 2.0, 4.0, 8.0, 10.0];
    steps.into_iter().map(|step| step * power).find(|step| *step >= most).unwrap_or(most)
}

fn heights(top: f64, label: impl Fn(f64) -> String) -> Vec<HeightOut> {
    let mark = |quarter: i32| {
        let value = top * f64::from(quarter) / 4.0;
        HeightOut { y: height(value, top).round() as i64, label: label(value) }
    };
    (0..=4).map(mark).collect()
}

fn moments(t: Texts, steps: &[HourOut], kind: MarkKind) -> Vec<MomentOut> {
    let width = (RIGHT - LEFT) / steps.len().max(1) as f64;
    let every = steps.len().div_ceil(MOST_LABELS).max(1);
    let mark = |(at, step): (usize, &HourOut)| {
        let text = step.hour.as_str();
        let label = match kind {
            MarkKind::Hour => text.get(11..16).unwrap_or_default().to_owned(),
            MarkKind::Day | MarkKind::WholeDay => day_of(t, text),
        };
        MomentOut { x: (LEFT + width * (at as f64 + 0.5)).round() as i64, at: step.hour.clone(), label, kind }
    };
    steps.iter().enumerate().step_by(every).map(mark).collect()
}

/// Day and month, in the order of the language.
fn day_of(t: Texts, moment: &str) -> String {
    let (month, day) = (moment.get(5..7).unwrap_or_default(), moment.get(8..10).unwrap_or_default());
    match t.language() {
        Language::PtBr => format!("{day}/{month}"),
        Language::En => format!("{month}/{day}"),
    }
}

fn number(t: Texts, value: i64) -> String {
    let digits = value.unsigned_abs().to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| str::from_utf8(group).ok()).collect();
    let separator = if t.language() == Language::PtBr { "." } else { "," };
    let sign = if value < 0 { "-" } else { "" };
    format!("{sign}{}", groups.join(separator))
}

fn decimal(t: Texts, value: f64) -> String {
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text).to_owned();
    if t.language() == Language::PtBr { text.replace('.', ",") } else { text }
}

fn percent(t: Texts, share: f64) -> String {
    format!("{}%", decimal(t, share * 100.0))
}

fn duration(t: Texts, ms: f64) -> String {
    if ms >= 1_000.0 { format!("{} s", decimal(t, ms / 1_000.0)) } else { format!("{} ms", decimal(t, ms)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(hour: usize, calls: i64, errors: i64) -> HourOut {
        let hour = serde_json::from_value(serde_json::json!(format!("2026-11-16T{hour:02}:00:00Z"))).unwrap();
        let counts = StatisticsOut {
            executions: calls,
            errors,
            error_rate: 0.0,
            mean_ms: 0.0,
            p50_ms: 10.0,
            p95_ms: 20.0,
            p99_ms: 1_500.0,
            last_executed_at: None,
        };
        HourOut { hour, counts }
    }

    #[test]
    fn t18_bars_stand_on_the_ground_and_errors_inside_calls() {
        let t = Texts::of(Language::PtBr);
        let steps: Vec<HourOut> = (0..24).map(|hour| step(hour, if hour == 3 { 8 } else { 0 }, 2)).collect();
        let chart = calls_chart(t, &steps, MarkKind::Hour);
        let of = |tone: &str| chart.bars.iter().find(|bar| bar.tone == tone).unwrap();
        assert_eq!((of("calls").y, of("calls").height), (12, 176), "the busiest hour reaches the top");
        assert_eq!(of("errors").y + of("errors").height, 188);
        assert_eq!(
            chart.heights.iter().map(|mark| mark.label.as_str()).collect::<Vec<_>>(),
            ["0", "2", "4", "6", "8"]
        );
        assert_eq!(chart.moments.len(), MOST_LABELS);
    }

    #[test]
    fn t18_a_line_passes_over_steps_without_a_call() {
        let chart = latency_chart(
            Texts::of(Language::En),
            &[step(0, 1, 0), step(1, 0, 0), step(2, 1, 0)],
            MarkKind::Hour,
        );
        assert!(chart.lines.iter().all(|line| line.points.split(' ').count() == 2));
        assert!(latency_chart(Texts::of(Language::En), &[step(0, 0, 0)], MarkKind::Hour).lines.is_empty());
    }

    #[test]
    fn t18_the_marks_of_a_week_name_its_days_once() {
        let steps: Vec<HourOut> = (0..28)
            .map(|at| {
                let hour = format!("2026-11-{:02}T{:02}:00:00Z", 10 + at / 4, at % 4 * 6);
                HourOut { hour: serde_json::from_value(serde_json::json!(hour)).unwrap(), ..step(0, 1, 0) }
            })
            .collect();
        let marks = moments(Texts::of(Language::PtBr), &steps, MarkKind::Day);
        let labels: Vec<&str> = marks.iter().map(|mark| mark.label.as_str()).collect();
        assert_eq!(labels, ["10/11", "11/11", "12/11", "13/11", "14/11", "15/11", "16/11"]);
    }

    #[test]
    fn numbers_are_written_as_people_read_them() {
        let (pt, en) = (Texts::of(Language::PtBr), Texts::of(Language::En));
        assert_eq!((number(pt, 1_234_567), number(en, 1_234_567)), ("1.234.567".into(), "1,234,567".into()));
        assert_eq!((duration(pt, 1_550.0), duration(en, 12.0)), ("1,6 s".into(), "12 ms".into()));
        assert_eq!(percent(pt, 0.125), "12,5%");
        assert_eq!(
            (day_of(pt, "2026-11-16T00:00:00Z"), day_of(en, "2026-11-16T00:00:00Z")),
            ("16/11".into(), "11/16".into())
        );
        assert_eq!((round_up(0.0), round_up(7.0), round_up(90.0), round_up(0.3)), (0.0, 8.0, 100.0, 0.4));
    }
}
