//! The bare handler that pages are compared with: the bytes of a file, without work. `bare ADDRESS FILE`

use axum::{Router, response::Html, routing::any};
use std::error::Error;
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let (address, file) = (args.next().ok_or("no address")?, args.next().ok_or("no file")?);
    let page: &'static str = std::fs::read_to_string(file)?.leak();
    let app = Router::new().route("/", any(move || async move { Html(page) }));
    Ok(axum::serve(TcpListener::bind(address).await?, app).await?)
}
