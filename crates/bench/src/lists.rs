//! Pages open as fast with many rows behind them as with few: the list of tools here, the history in `history`.
//! A page that was just shown is kept while nothing changes, so each look has an address of its own.

use crate::{Figure, Outcome, history::fill::own_database, median, ms, product::Product, say};
use reqwest::{Client, header};
use serde_json::json;
use std::time::Instant;
use tokio::task::JoinSet;

const FEW: usize = 60;
const MANY: usize = 10_000;
const ROUNDS: usize = 50;
/// How many tools are made at once.
const HANDS: usize = 16;

/// The figures of one database.
pub async fn figures(database: &'static str, server: Option<&str>) -> Outcome<Vec<Figure>> {
    let (few, many) = (toolbox(FEW, server).await?, toolbox(MANY, server).await?);
    let mut figures = Vec::new();
    for (what, path) in [("the list of tools", "/tools?page=1"), ("a search in it", "/tools?q=medida_5")] {
        let (short, long) = in_turns(&few, &many, path, ROUNDS).await?;
        say(&format!("{database}: {what} {short:.2} ms of {FEW}, {long:.2} ms of {MANY}"))?;
        let what = format!("{database}: {what} with {MANY} tools, of {FEW}");
        figures.push(Figure::at_most(what, long / short, 2.0, "x"));
    }
    Ok(figures)
}

/// Somebody who looks at pages of a product.
pub struct Reader {
    pub product: Product,
    pub cookie: String,
    client: Client,
}

impl Reader {
    pub async fn of(product: Product) -> Outcome<Self> {
        let cookie = product.signed_in().await?;
        Ok(Self { product, cookie, client: Client::new() })
    }

    /// How long the page took, in milliseconds.
    async fn open(&self, path: &str) -> Outcome<f64> {
        let began = Instant::now();
        let request = self.client.get(format!("{}{path}", self.product.url));
        let answer = request.header(header::COOKIE, &self.cookie).send().await?.error_for_status()?;
        let page = answer.text().await?;
        let took = ms(began.elapsed());
        let rows = page.matches("<tr").count();
        if rows < 40 { Err(format!("{path}: {rows} rows").into()) } else { Ok(took) }
    }
}

/// The medians of both.
pub async fn in_turns(few: &Reader, many: &Reader, path: &str, rounds: usize) -> Outcome<(f64, f64)> {
    let (mut short, mut long) = (Vec::new(), Vec::new());
    for round in 0..rounds {
        let path = format!("{path}&look={round}");
        short.push(few.open(&path).await?);
        long.push(many.open(&path).await?);
    }
    Ok((median(short), median(long)))
}

async fn toolbox(tools: usize, server: Option<&str>) -> Outcome<Reader> {
    let url = match server {
        Some(server) => Some(own_database(server, &format!("tools_{tools}")).await?),
        None => None,
    };
    let product = Product::with_calls(url.as_deref(), "http://127.0.0.1:9/").await?;
    let began = Instant::now();
    let mut hands = JoinSet::new();
    for hand in 0..HANDS {
        let (client, key) = (Client::new(), product.key.clone());
        let address = format!("{}/api/v1/tools", product.url);
        hands.spawn(async move {
            for number in (hand..tools).step_by(HANDS) {
                let tool = json!({ "name": format!("medida_5_{number}"), "description": "Mede", "execution_type": "webhook",
                    "webhook_url": "https://example.org/" });
                let made = client.post(&address).bearer_auth(&key).json(&tool).send().await;
                made.and_then(reqwest::Response::error_for_status).map_err(|error| error.to_string())?;
            }
            Ok::<(), String>(())
        });
    }
    hands.join_all().await.into_iter().collect::<Result<(), String>>()?;
    say(&format!("{tools} tools made in {:.0} s", began.elapsed().as_secs_f64()))?;
    Reader::of(product).await
}
