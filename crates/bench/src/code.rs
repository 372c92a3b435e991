//! Code tools, beside a bare handler that runs the same function in a process of its own: throughput, waiting, what
//! they do to others, memory, and what is left behind.

use crate::{
    Figure, Outcome,
    load::{Bare, Load},
    median,
    paced::Request,
    product::Product,
    say,
};
use serde_json::json;
use std::time::Duration;

const ROUNDS: usize = 3;
const CONNECTIONS: usize = 16;
const CALLS: usize = 10_000;
const LOOPS: usize = 8;
const LASTING: Duration = Duration::from_secs(5);
/// Of another tenant's calls while the loops run: well below what the machine can.
const OTHERS_PER_SECOND: f64 = 100.0;

pub async fn figures(database: &'static str, url: Option<&str>) -> Outcome<Vec<Figure>> {
    let upstream = Bare::serve("{}".to_owned()).await?;
    let product = Product::with_calls(url, &upstream.url).await?;
    let tool = json!({ "name": "computed", "description": "computed", "code": bench::TOOL });
    let endless = json!({
        "name": "endless", "description": "endless", "code": "export default () => { while (true) {} }",
        "timeout_ms": 60_000
    });
    product.give_agent(&[tool, endless], &["createTask", "computed", "endless"]).await?;
    let mut figures = throughput(database, &product).await?;
    figures.push(neighbours(database, &product).await?);
    figures.extend(left_behind(database, &product).await?);
    Ok(figures)
}

fn call(tool: &str) -> String {
    json!({ "tool_name": tool, "agent_id": "medidor", "params": { "title": "medir" } }).to_string()
}

fn request(product: &Product, key: &str, tool: &str) -> Request {
    Request::new(format!("{}/api/v1/tools/execute-for-agent", product.url), key, call(tool))
}

/// At the heaviest load, and at half of it.
async fn throughput(database: &'static str, product: &Product) -> Outcome<Vec<Figure>> {
    let bare = Bare::code(&product.bare_database()?).await?;
    let address = format!("{}/api/v1/tools/execute-for-agent", product.url);
    let ours = Load::post(&address, &product.key, &call("computed"))?.over(CONNECTIONS);
    let theirs = Load::post(&bare.url, "", &call("computed"))?.over(CONNECTIONS);
    let (mut a, mut b) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        a.push(ours.run().await?.rate);
        b.push(theirs.run().await?.rate);
    }
    let (ours, theirs) = (median(a), median(b));
    say(&format!("{database}, code tool: {ours:.0} of {theirs:.0} requests/s"))?;
    let start = product.histogram_median_ms("alcada_code_worker_start_seconds").await?;
    let p99 = request(product, &product.key, "computed").p99_at(ours / 2.0, LASTING).await?;
    Ok(vec![
        Figure::at_least(
            format!("{database}: code tool, of a bare process per call and insert"),
            100.0 * ours / theirs,
            25.0,
            "%",
        ),
        Figure::at_most(
            format!("{database}: start of a worker, half of them (upper bound)"),
            start,
            3.0,
            "ms",
        ),
        Figure::at_most(format!("{database}: its slowest hundredth at half of that load"), p99, 50.0, "ms"),
    ])
}

/// The slowest hundredth of another tenant's internal calls, with and without endless loops beside them.
async fn neighbours(database: &'static str, product: &Product) -> Outcome<Figure> {
    let key = product.another_tenant("outra").await?;
    let other = request(product, &key, "createTask");
    let (mut alone, mut beside) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        alone.push(other.p99_at(OTHERS_PER_SECOND, LASTING).await?);
        let endless = request(product, &product.key, "endless");
        let loops: Vec<_> = (0..LOOPS)
            .map(|_| {
                let endless = endless.clone();
                tokio::spawn(async move { endless.send().await.map_err(|error| error.to_string()) })
            })
            .collect();
        product.until_gauge("alcada_code_calls_running", LOOPS).await?;
        beside.push(other.p99_at(OTHERS_PER_SECOND, LASTING).await?);
        product.cancel_running().await?;
        for call in loops {
            call.await??;
        }
    }
    let (alone, beside) = (median(alone), median(beside));
    say(&format!(
        "{database}, createTask of another tenant: {alone:.1} ms alone, {beside:.1} ms beside {LOOPS} loops"
    ))?;
    let what = format!("{database}: another tenant's slowest hundredth beside {LOOPS} endless loops");
    Ok(Figure::at_most(what, beside / alone, 2.0, "x"))
}

/// After many calls. The first ones fill caches that stay.
async fn left_behind(database: &'static str, product: &Product) -> Outcome<Vec<Figure>> {
    let calls = std::env::var("ALCADA_BENCH_CALLS").ok().and_then(|text| text.parse().ok()).unwrap_or(CALLS);
    let computed = request(product, &product.key, "computed");
    computed.repeat(calls / 10, CONNECTIONS).await?;
    let before = product.resident_mib()?;
    computed.repeat(calls, CONNECTIONS).await?;
    let grown = product.resident_mib()? - before;
    let zombies = product.zombies_below()? as f64;
    Ok(vec![
        Figure::at_most(format!("{database}: memory more after {calls} calls"), grown, 5.0, "MiB"),
        Figure::at_most(format!("{database}: zombies after them"), zombies, 0.0, ""),
    ])
}
