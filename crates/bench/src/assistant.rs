//! The assistant's menu beside the durable built-in tool, in rounds that take turns: both are durable before they are
//! answered, and both share their commits.

use crate::{
    Figure, Outcome,
    history::fill::own_database,
    load::{Load, Measured},
    median,
    product::Product,
    say,
};

const ROUNDS: usize = 3;

/// The figures of one database.
pub async fn figures(database: &'static str, url: Option<&str>) -> Outcome<Vec<Figure>> {
    // Other parts have set up the server's first database already.
    let own = match url {
        Some(server) => Some(own_database(server, "assistant").await?),
        None => None,
    };
    let product = Product::with_calls(own.as_deref(), "http://127.0.0.1:9/").await?;
    let call = r#"{"tool_name":"createTask","agent_id":"medidor","params":{"title":"medir"}}"#;
    let message = r#"{"text":"Comprar pão"}"#;
    let at = |path: &str| format!("{}/api/v1{path}", product.url);
    let menu = Load::post(&at("/assistant/messages"), &product.key, message)?;
    let tool = Load::post(&at("/tools/execute-for-agent"), &product.key, call)?;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        ours.push(menu.run().await?);
        theirs.push(tool.run().await?);
    }
    let rate = |all: &[Measured]| median(all.iter().map(|one| one.rate).collect());
    let (ours, theirs) = (rate(&ours), rate(&theirs));
    say(&format!("{database}: menu {ours:.0}, createTask {theirs:.0} requests/s"))?;
    let what = format!("{database}: the assistant's menu, of createTask's requests per second");
    Ok(vec![Figure::at_least(what, 100.0 * ours / theirs, 40.0, "%")])
}
