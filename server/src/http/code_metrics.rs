//! Figures of code tools, as the sandbox counts them: written here, because it keeps its own counters.

use sandbox::{Histogram, Metrics};
use std::fmt::Write;

/// Nothing but the one figure where code tools do not run.
pub fn render(metrics: Option<&Metrics>) -> String {
    let mut text = String::new();
    one(&mut text, "alcada_code_available", "gauge", u64::from(metrics.is_some()));
    let Some(metrics) = metrics else { return text };
    one(&mut text, "alcada_code_workers_waiting", "gauge", metrics.pool);
    one(&mut text, "alcada_code_calls_running", "gauge", metrics.running);
    one(&mut text, "alcada_code_calls_queued", "gauge", metrics.queued);
    one(&mut text, "alcada_code_worker_starts_total", "counter", metrics.starts);
    one(&mut text, "alcada_code_zygote_starts_total", "counter", metrics.zygote_starts);
    let ended = metrics.faults.iter().map(|(kind, count)| (kind.code(), *count));
    let ended = [("success", metrics.succeeded), ("cancelled", metrics.cancelled)].into_iter().chain(ended);
    line(&mut text, format_args!("# TYPE alcada_code_calls_total counter"));
    for (end, count) in ended {
        line(&mut text, format_args!("alcada_code_calls_total{{end=\"{end}\"}} {count}"));
    }
    histogram(&mut text, "alcada_code_wait_seconds", &metrics.waiting);
    histogram(&mut text, "alcada_code_worker_start_seconds", &metrics.starting);
    text
}

fn one(text: &mut String, name: &str, kind: &str, value: u64) {
    line(text, format_args!("# TYPE {name} {kind}\n{name} {value}"));
}

/// Prometheus counts each bucket with all that are below it.
fn histogram(text: &mut String, name: &str, figures: &Histogram) {
    line(text, format_args!("# TYPE {name} histogram"));
    let mut below = 0;
    for (bound, count) in &figures.buckets {
        below += count;
        match bound {
            Some(bound) => {
                let bound = bound.as_secs_f64();
                line(text, format_args!("{name}_bucket{{le=\"{bound}\"}} {below}"));
            }
            None => line(text, format_args!("{name}_bucket{{le=\"+Inf\"}} {below}")),
        }
    }
    let sum = figures.sum.as_secs_f64();
    line(text, format_args!("{name}_sum {sum}\n{name}_count {}", figures.count));
}

fn line(text: &mut String, line: std::fmt::Arguments<'_>) {
    // Writing to a text does not fail.
    let _ = writeln!(text, "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn buckets_hold_what_is_below_them() {
        let waiting = Histogram {
            count: 3,
            sum: Duration::from_millis(12),
            max: Duration::from_millis(9),
            buckets: vec![(Some(Duration::from_millis(2)), 2), (None, 1)],
        };
        let text = render(Some(&Metrics { pool: 8, waiting, ..Metrics::default() }));
        assert!(text.contains("alcada_code_workers_waiting 8\n"), "{text}");
        assert!(text.contains("alcada_code_wait_seconds_bucket{le=\"0.002\"} 2\n"), "{text}");
        assert!(text.contains("alcada_code_wait_seconds_bucket{le=\"+Inf\"} 3\n"), "{text}");
        assert!(text.contains("alcada_code_wait_seconds_sum 0.012\n"), "{text}");
        assert_eq!(render(None), "# TYPE alcada_code_available gauge\nalcada_code_available 0\n");
    }
}
