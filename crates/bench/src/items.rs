//! `search_items` stays fast as items grow: words that one, a few and all of a person's items have, among a million of
//! theirs, beside the same among a thousand. Rows are written by SQL; the product's own triggers index them.

use crate::{
    Figure, Outcome,
    history::fill::{Words, own_database},
    median, ms,
    product::Product,
    say,
};
use reqwest::Client;
use sea_orm::{ConnectOptions, ConnectionTrait, Database, DbBackend};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const FEW: u64 = 1_000;
const CHUNK: u64 = 50_000;
const ROUNDS: usize = 100;
/// One item has it; a thousandth of them do; all of them do.
const WORDS: [&str; 3] = ["numero777", "grupo77", "comum"];

/// The figures of one database.
pub async fn figures(database: &'static str, server: Option<&str>, many_items: u64) -> Outcome<Vec<Figure>> {
    let few = Shelf::of(FEW, server).await?;
    let many = Shelf::of(many_items, server).await?;
    let mut figures = Vec::new();
    for word in WORDS {
        let (mut short, mut long) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            short.push(few.search(word).await?);
            long.push(many.search(word).await?);
        }
        let (short, long) = (median(short), median(long));
        say(&format!("{database}: {word} among {FEW} {short:.2} ms, among {many_items} {long:.2} ms"))?;
        let what = format!("{database}: search_items for {word} among {many_items} items, of {FEW}");
        figures.push(Figure::at_most(what, long / short, 2.0, "x"));
    }
    Ok(figures)
}

/// A key with so many items.
struct Shelf {
    product: Product,
    client: Client,
    tool: String,
}

impl Shelf {
    async fn of(rows: u64, server: Option<&str>) -> Outcome<Self> {
        let url = match server {
            Some(server) => Some(own_database(server, &format!("items_{rows}")).await?),
            None => None,
        };
        let mut product = Product::with_calls(url.as_deref(), "http://127.0.0.1:9/").await?;
        let client = Client::new();
        let get = async |path: &str| -> Outcome<Value> {
            let request = client.get(format!("{}/api/v1{path}", product.url)).bearer_auth(&product.key);
            Ok(request.send().await?.error_for_status()?.json().await?)
        };
        let id = |value: &Value| value["id"].as_str().unwrap_or_default().to_owned();
        let tool = id(&get("/tools?q=search_items").await?["data"][0]);
        let owner = id(&get("/api-keys").await?["data"][0]);
        let began = Instant::now();
        fill(&product.database_url(), &product.tenant, &owner, rows).await?;
        say(&format!("{rows} items written in {:.0} s", began.elapsed().as_secs_f64()))?;
        product.restart().await?;
        Ok(Self { product, client, tool })
    }

    /// How long a search that found something took, in milliseconds.
    async fn search(&self, word: &str) -> Outcome<f64> {
        let url = format!("{}/api/v1/tools/{}/execute", self.product.url, self.tool);
        let body = json!({ "params": { "query": word } });
        let began = Instant::now();
        let answer = self.client.post(url).bearer_auth(&self.product.key).json(&body).send().await?;
        let answer: Value = answer.error_for_status()?.json().await?;
        let took = ms(began.elapsed());
        match answer["result"]["count"].as_u64() {
            Some(count) if count > 0 => Ok(took),
            _ => Err(format!("{word}: {answer}").into()),
        }
    }
}

async fn fill(url: &str, tenant: &str, owner: &str, rows: u64) -> Outcome<()> {
    let mut options = ConnectOptions::new(url);
    options.max_connections(1).sqlx_logging(false).acquire_timeout(Duration::from_secs(60));
    let sql = Database::connect(options).await?;
    let (before, after) = match sql.get_database_backend() {
        DbBackend::Sqlite => (
            "PRAGMA synchronous = OFF; PRAGMA cache_size = -400000; PRAGMA busy_timeout = 60000",
            "PRAGMA wal_checkpoint(TRUNCATE)",
        ),
        _ => (
            "SET synchronous_commit = off; SET alcada.tenant = '*'",
            "VACUUM ANALYZE items; VACUUM ANALYZE items_words",
        ),
    };
    sql.execute_unprepared(before).await?;
    let words = Words::of(sql.get_database_backend());
    let (id, tenant, owner) =
        ((words.id)("(1700000000000 + i)"), (words.given)(tenant), (words.given)(owner));
    let mut from = 0;
    while from < rows {
        let to = rows.min(from + CHUNK);
        let numbers = (words.numbers)(from, to - 1);
        let statement = format!(
            "INSERT INTO items (id, tenant_id, owner_id, kind, title, text, tags, details, enrichment, attempts, \
             search_title, search_text, created_at, updated_at) {numbers} \
             SELECT {id}, {tenant}, {owner}, 'note', 'Nota ' || i, 'comum grupo' || (i % 1000), '', '{{}}', \
             'not_needed', 0, 'nota numero' || i, 'comum grupo' || (i % 1000), i, i FROM n"
        );
        sql.execute_unprepared(&statement).await?;
        from = to;
    }
    for statement in after.split("; ") {
        sql.execute_unprepared(statement).await?;
    }
    Ok(sql.close().await?)
}
