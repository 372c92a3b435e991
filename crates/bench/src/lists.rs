//! Pages open as fast with many rows behind them as with few: the list of tools here, the history in `history`.
//! A page that was just shown is kept while nothing changes, so each look has an address of its own.

use crate::{
    Figure, Outcome,
    history::fill::{Words, own_database},
    median, ms,
    product::Product,
    say,
};
use reqwest::{Client, header};
use sea_orm::{ConnectOptions, ConnectionTrait, Database, DbBackend};
use std::time::Instant;

const FEW: u64 = 60;
const MANY: u64 = 10_000;
const ROUNDS: usize = 50;

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

async fn toolbox(tools: u64, server: Option<&str>) -> Outcome<Reader> {
    let url = match server {
        Some(server) => Some(own_database(server, &format!("tools_{tools}")).await?),
        None => None,
    };
    let mut product = Product::with_calls(url.as_deref(), "http://127.0.0.1:9/").await?;
    let began = Instant::now();
    fill(&product.database_url(), tools).await?;
    product.restart().await?;
    say(&format!("{tools} tools made in {:.0} s", began.elapsed().as_secs_f64()))?;
    Reader::of(product).await
}

/// Copies of the one webhook tool that there is.
async fn fill(url: &str, tools: u64) -> Outcome<()> {
    let mut options = ConnectOptions::new(url);
    options.max_connections(1).sqlx_logging(false);
    let sql = Database::connect(options).await?;
    let is_postgres = sql.get_database_backend() == DbBackend::Postgres;
    if is_postgres {
        sql.execute_unprepared("SET alcada.tenant = '*'").await?;
    }
    let words = Words::of(sql.get_database_backend());
    let (numbers, id) = ((words.numbers)(1, tools), (words.id)("(1700000000000 + i)"));
    let statement = format!(
        "INSERT INTO tools (id, tenant_id, name, kind, execution_type, definition, secrets, version, is_active, is_system, \
         created_at, updated_at) {numbers} SELECT {id}, t.tenant_id, 'medida_5_' || i, t.kind, t.execution_type, \
         replace(t.definition, 'measured', 'medida_5_' || i), t.secrets, 1, t.is_active, t.is_system, t.created_at, \
         t.updated_at FROM n, tools t WHERE t.name = 'measured'"
    );
    sql.execute_unprepared(&statement).await?;
    if is_postgres {
        sql.execute_unprepared("VACUUM ANALYZE tools").await?;
    }
    Ok(sql.close().await?)
}
