//! The history stays fast as it grows: a page far back and a narrow search among millions of calls, beside the first
//! page of a short history. Rows are written by SQL, as they would have come in over two months.

pub mod fill;

use crate::{
    Figure, Outcome,
    lists::{Reader, in_turns},
    median, ms,
    product::Product,
    say,
};
use fill::Fill;
use reqwest::Client;
use serde_json::Value;
use std::time::Instant;
use time::{OffsetDateTime, format_description::well_known::Rfc3339};

const FEW: u64 = 10_000;
const MANY: u64 = 5_000_000;
const PAGE: u64 = 50;
const FAR: u64 = 10_000;
const ROUNDS: usize = 200;
const PAGE_ROUNDS: usize = 50;
const TENANTS: u64 = 5;
/// Between two calls.
const STEP_MS: u64 = 1_000;

/// The figures of one database.
pub async fn figures(database: &'static str, server: Option<&str>) -> Outcome<Vec<Figure>> {
    let few = History::of(FEW, server).await?;
    let many = History::of(MANY, server).await?;
    let questions = [few.first_page(), many.far_page(), many.search()?];
    let mut times = [Vec::new(), Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        for (question, times) in questions.iter().zip(&mut times) {
            times.push(ask(question).await?);
        }
    }
    let [first, far, search] = times.map(median);
    say(&format!(
        "{database}: page 1 of few {first:.2} ms, page {FAR} of many {far:.2} ms, search {search:.2} ms"
    ))?;
    let figure = |what: &str, value: f64| {
        let what = format!("{database}: {what} among {MANY} calls, of page 1 among {FEW}");
        Figure::at_most(what, value / first, 2.0, "x")
    };
    let mut figures =
        vec![figure(&format!("page {FAR}"), far), figure("search by status, tool, agent and dates", search)];
    let (few, many) = (Reader::of(few.product).await?, Reader::of(many.product).await?);
    let (short, long) = in_turns(&few, &many, "/executions?status=success", PAGE_ROUNDS).await?;
    say(&format!("{database}: the page of the history {short:.2} ms of few, {long:.2} ms of many"))?;
    let what = format!("{database}: the page of the history with {MANY} calls, of {FEW}");
    figures.push(Figure::at_most(what, long / short, 2.0, "x"));
    Ok(figures)
}

struct Question {
    client: Client,
    url: String,
    key: String,
}

/// How long a full page took, in milliseconds.
async fn ask(question: &Question) -> Outcome<f64> {
    let began = Instant::now();
    let answer = question.client.get(&question.url).bearer_auth(&question.key).send().await?;
    let body = answer.error_for_status()?.bytes().await?;
    let took = ms(began.elapsed());
    let page: Value = serde_json::from_slice(&body)?;
    let rows = page["data"].as_array().map_or(0, Vec::len);
    if rows as u64 != PAGE { Err(format!("{}: {rows} rows", question.url).into()) } else { Ok(took) }
}

/// A tenant's calls, with those of others around them.
struct History {
    product: Product,
    client: Client,
    rows: u64,
    /// When the first call came in, in milliseconds since 1970.
    since: u64,
    tool: String,
}

impl History {
    async fn of(rows: u64, server: Option<&str>) -> Outcome<Self> {
        let url = match server {
            Some(server) => Some(fill::own_database(server, &format!("history_{rows}")).await?),
            None => None,
        };
        let mut product = Product::with_calls(url.as_deref(), "http://127.0.0.1:9/").await?;
        let client = Client::new();
        let get = async |path: &str| -> Outcome<Value> {
            let request = client.get(format!("{}/api/v1{path}", product.url)).bearer_auth(&product.key);
            Ok(request.send().await?.error_for_status()?.json().await?)
        };
        let id = |value: &Value| value["id"].as_str().unwrap_or_default().to_owned();
        let tool = id(&get("/tools?q=createTask").await?["data"][0]);
        let agent = id(&get("/agents/medidor").await?);
        let tenant = product.tenant.clone();
        let now = u64::try_from(OffsetDateTime::now_utc().unix_timestamp())? * 1_000;
        let since = now - rows * STEP_MS;
        let began = Instant::now();
        Fill { since, tenant, tool: tool.clone(), agent }.write(&product.database_url(), rows).await?;
        say(&format!("{rows} calls written in {:.0} s", began.elapsed().as_secs_f64()))?;
        product.restart().await?;
        Ok(Self { product, client, rows, since, tool })
    }

    fn question(&self, query: &str) -> Question {
        let url = format!("{}/api/v1/executions?limit={PAGE}{query}", self.product.url);
        Question { client: self.client.clone(), url, key: self.product.key.clone() }
    }

    fn first_page(&self) -> Question {
        self.question("")
    }

    /// The cursor that the page before it would have given.
    fn far_page(&self) -> Question {
        let passed = PAGE * (FAR - 1) * TENANTS;
        self.question(&format!("&cursor={}", self.id(self.rows - passed)))
    }

    /// Over the middle half of the time.
    fn search(&self) -> Outcome<Question> {
        let at = |quarter: u64| moment(self.since + self.rows * quarter / 4 * STEP_MS);
        let (from, to, tool) = (at(1)?, at(3)?, &self.tool);
        Ok(self.question(&format!("&status=error&tool_id={tool}&agent_id=medidor&from={from}&to={to}")))
    }

    fn id(&self, number: u64) -> uuid::Uuid {
        let milliseconds = u128::from(self.since + number * STEP_MS);
        uuid::Uuid::from_u128(milliseconds << 80 | 0x7000_8000 << 48 | u128::from(number))
    }
}

/// As the API takes it.
fn moment(milliseconds: u64) -> Outcome<String> {
    let at = OffsetDateTime::from_unix_timestamp(i64::try_from(milliseconds / 1_000)?)?;
    Ok(at.format(&Rfc3339)?)
}
