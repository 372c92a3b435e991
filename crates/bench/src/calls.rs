//! Calls of tools, beside a bare handler with the same durability: throughput, the slowest hundredth, memory.

use crate::{
    Figure, Outcome,
    load::{Bare, Load, Measured},
    median,
    product::Product,
    say,
};

const ROUNDS: usize = 3;

/// What is called, and what it is compared with.
struct Contest {
    name: &'static str,
    tool: &'static str,
    params: &'static str,
    has_upstream: bool,
}

const CONTESTS: [Contest; 2] = [
    Contest {
        name: "createTask, of one bare group-committed insert",
        tool: "createTask",
        params: r#"{"title":"medir"}"#,
        has_upstream: false,
    },
    Contest {
        name: "webhook tool, of one bare upstream call and insert",
        tool: "measured",
        params: r#"{"title":"medir"}"#,
        has_upstream: true,
    },
];

/// The figures of one database.
pub async fn figures(database: &'static str, url: Option<&str>) -> Outcome<Vec<Figure>> {
    let upstream = Bare::serve("{\"ok\":true}".to_owned()).await?;
    let product = Product::with_calls(url, &upstream.url).await?;
    let mut figures = Vec::new();
    for contest in &CONTESTS {
        let bare_upstream = contest.has_upstream.then_some(upstream.url.as_str());
        let bare = Bare::calls(&product.bare_database()?, bare_upstream).await?;
        let (ours, theirs) = rounds(&product, &bare, contest).await?;
        let ratio = 100.0 * ours.rate / theirs.rate;
        say(&format!(
            "{database}, {}: {:.0} of {:.0} requests/s; slowest hundredth {:.1} of {:.1} ms",
            contest.name, ours.rate, theirs.rate, ours.p99_ms, theirs.p99_ms
        ))?;
        figures.push(Figure::at_least(format!("{database}: {}", contest.name), ratio, 40.0, "%"));
        let slower = ours.p99_ms / theirs.p99_ms;
        figures.push(Figure::at_most(
            format!("{database}: its slowest hundredth, of the bare one's"),
            slower,
            4.0,
            "x",
        ));
    }
    figures.push(Figure::at_most(
        format!("{database}: memory under that load"),
        product.resident_mib()?,
        150.0,
        "MiB",
    ));
    Ok(figures)
}

/// Medians of rounds that take turns.
async fn rounds(product: &Product, bare: &Bare, contest: &Contest) -> Outcome<(Measured, Measured)> {
    let body =
        format!(r#"{{"tool_name":"{}","agent_id":"medidor","params":{}}}"#, contest.tool, contest.params);
    let ours = Load::post(&format!("{}/api/v1/tools/execute-for-agent", product.url), &product.key, &body)?;
    let theirs = Load::post(&bare.url, "", &body)?;
    let (mut a, mut b) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        a.push(ours.run().await?);
        b.push(theirs.run().await?);
    }
    Ok((middle(&a), middle(&b)))
}

fn middle(all: &[Measured]) -> Measured {
    Measured {
        rate: median(all.iter().map(|one| one.rate).collect()),
        p99_ms: median(all.iter().map(|one| one.p99_ms).collect()),
    }
}
