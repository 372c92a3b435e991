//! `make bench`: the figures of `docs/figures.md`, measured on this machine, in one run. `scripts/bench PART…` measures
//! only the parts that are named: `page`, `calls`, `code`, `history`, `lists`, `assistant`, `items`, `parser`. With `--small` the
//! parser and the items get little to do: to see that it works, not how fast.
//!
//! Machines differ and are noisy: throughput is compared with a bare handler that runs beside it, in rounds that take
//! turns, and the medians are compared.

mod assistant;
mod calls;
mod code;
mod history;
mod items;
mod lists;
mod load;
mod paced;
mod parser;
mod product;

use load::{Bare, Load};
use product::Product;
use std::{error::Error, io::Write, time::Duration};

const ROUNDS: usize = 5;
const STARTS: usize = 11;

/// How much there is to do.
#[derive(Clone, Copy)]
struct Scale {
    items: u64,
    parsed_bytes: usize,
}

const WHOLE: Scale = Scale { items: 1_000_000, parsed_bytes: 64 << 20 };
const SMALL: Scale = Scale { items: 10_000, parsed_bytes: 1 << 20 };

type Outcome<T> = Result<T, Box<dyn Error>>;

#[tokio::main]
async fn main() -> Outcome<()> {
    let (options, named): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.starts_with("--"));
    let scale = if options.iter().any(|option| option == "--small") { SMALL } else { WHOLE };
    let wanted = |part: &str| named.is_empty() || named.iter().any(|name| name == part);
    let postgres = std::env::var("ALCADA_TEST_DATABASE_URL").ok();
    if postgres.is_none() {
        say("no PostgreSQL given (scripts/bench starts one): its figures are left out")?;
    }
    let mut figures = Vec::new();
    if wanted("parser") {
        figures.extend(parser::figures(scale.parsed_bytes)?);
    }
    if wanted("page") {
        figures.extend(page().await?);
    }
    for (database, url) in [("SQLite", None), ("PostgreSQL", postgres.as_deref())] {
        if database == "PostgreSQL" && url.is_none() {
            continue;
        }
        if wanted("calls") {
            figures.extend(calls::figures(database, url).await?);
        }
        if wanted("code") && database == "SQLite" {
            figures.extend(code::figures(database, url).await?);
        }
        if wanted("assistant") {
            figures.extend(assistant::figures(database, url).await?);
        }
        if wanted("items") {
            figures.extend(items::figures(database, url, scale.items).await?);
        }
        if wanted("lists") {
            figures.extend(lists::figures(database, url).await?);
        }
        if wanted("history") {
            figures.extend(history::figures(database, url).await?);
        }
    }
    report(&figures)
}

/// Starting, resting, and serving one page.
async fn page() -> Outcome<Vec<Figure>> {
    let mut figures = Vec::new();
    let mut product = Product::set_up().await?;

    let starts = start_times(&mut product).await?;
    figures.push(Figure::at_most(
        "ready after the process starts, on an existing database",
        ms(starts),
        500.0,
        "ms",
    ));

    let idle = product.resident_mib()?;
    figures.push(Figure::at_most("memory when idle", idle, 60.0, "MiB"));

    let (ours, bare, bytes) = admin_tools_throughput(&product).await?;
    say(&format!(
        "/admin/tools: {ours:.0} requests/s; bare handler with the same {bytes} bytes: {bare:.0} requests/s"
    ))?;
    figures.push(Figure::at_least(
        "/admin/tools, of the bare handler's requests per second",
        100.0 * ours / bare,
        25.0,
        "%",
    ));
    let busy = product.resident_mib()?;
    figures.push(Figure::at_most(
        "memory after that load (no limit set; for comparison)",
        busy,
        f64::INFINITY,
        "MiB",
    ));
    Ok(figures)
}

async fn start_times(product: &mut Product) -> Outcome<Duration> {
    let mut times = Vec::new();
    for _ in 0..STARTS {
        times.push(product.restart().await?);
    }
    times.sort();
    Ok(times[STARTS / 2])
}

/// Medians of rounds that take turns: ours, theirs, ours, theirs …
async fn admin_tools_throughput(product: &Product) -> Outcome<(f64, f64, usize)> {
    let page = product.page("/admin/tools").await?;
    let bare = Bare::serve(page.clone()).await?;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        ours.push(Load::get(&format!("{}/admin/tools", product.url), &product.cookie)?.run().await?.rate);
        theirs.push(Load::get(&bare.url, "")?.run().await?.rate);
    }
    Ok((median(ours), median(theirs), page.len()))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn ms(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

struct Figure {
    what: String,
    value: f64,
    limit: f64,
    unit: &'static str,
    holds: bool,
}

impl Figure {
    fn at_most(what: impl Into<String>, value: f64, limit: f64, unit: &'static str) -> Self {
        Self { what: what.into(), value, limit, unit, holds: value <= limit }
    }

    fn at_least(what: impl Into<String>, value: f64, limit: f64, unit: &'static str) -> Self {
        Self { what: what.into(), value, limit, unit, holds: value >= limit }
    }
}

fn report(figures: &[Figure]) -> Outcome<()> {
    for Figure { what, value, limit, unit, holds } in figures {
        let verdict = if *holds { "holds" } else { "MISSED" };
        say(&format!("{verdict:6}  {value:8.1} {unit:4} (limit {limit:5.1})  {what}"))?;
    }
    if figures.iter().all(|figure| figure.holds) { Ok(()) } else { Err("a figure was missed".into()) }
}

fn say(line: &str) -> Outcome<()> {
    Ok(writeln!(std::io::stdout(), "{line}")?)
}
