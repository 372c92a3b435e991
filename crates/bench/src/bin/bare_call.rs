//! What calls of tools are compared with: an axum handler that does one group-committed insert, and, when given an
//! upstream, one call to it before. `bare_call ADDRESS DATABASE_URL [UPSTREAM]`

use axum::{Router, extract::State, http::StatusCode, routing::post};
use bench::{Inserts, Outcome};
use bytes::Bytes;
use tokio::net::TcpListener;

#[derive(Clone)]
struct Bare {
    inserts: Inserts,
    upstream: Option<String>,
    client: reqwest::Client,
}

#[tokio::main]
async fn main() -> Outcome<()> {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let [address, database, ..] = &given[..] else {
        return Err("bare_call ADDRESS DATABASE_URL [UPSTREAM]".into());
    };
    let client = reqwest::Client::builder().no_proxy().build()?;
    let bare = Bare { inserts: Inserts::start(database).await?, upstream: given.get(2).cloned(), client };
    let app = Router::new().route("/", post(call).get(|| async { "up" })).with_state(bare);
    Ok(axum::serve(TcpListener::bind(address).await?, app).await?)
}

async fn call(State(bare): State<Bare>, body: Bytes) -> Result<String, StatusCode> {
    let mut answer = String::from_utf8_lossy(&body).into_owned();
    if let Some(upstream) = &bare.upstream {
        let asked = bare.client.post(upstream).body(body).send().await;
        answer =
            asked.map_err(|_| StatusCode::BAD_GATEWAY)?.text().await.map_err(|_| StatusCode::BAD_GATEWAY)?;
    }
    match bare.inserts.add(answer.clone()).await {
        true => Ok(answer),
        false => Err(StatusCode::INTERNAL_SERVER_ERROR),
    }
}
