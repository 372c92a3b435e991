//! `search_items` (G14)

use super::{ItemCall, ToolResult};
use crm::tools::{ToolFailure, args, planned};
use domain::item::ItemKind;
use sea_orm::ConnectionTrait;
use serde::Deserialize;
use serde_json::{Value, json};
use store::items::{self, Among};

const MOST: u64 = 50;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Params {
    query: String,
    kind: Option<ItemKind>,
    limit: Option<u64>,
}

pub fn parameters() -> Value {
    let kinds = ItemKind::ALL.iter().map(|kind| kind.as_str());
    let properties = json!({
        "query": args::text("O que procurar, por exemplo receita de pão", 500),
        "kind": args::one_of(kinds, "Só este tipo"),
        "limit": args::count("Quantos itens, no máximo", MOST, 10),
    });
    args::object(properties, &["query"])
}

fn prepare(call: &ItemCall<'_>) -> Result<(Params, usize), ToolFailure> {
    let params: Params = args::parse(call.params)?;
    let limit = args::counted("limit", params.limit, MOST, 10)?;
    Ok((params, usize::try_from(limit).unwrap_or(10)))
}

pub fn plan(call: &ItemCall<'_>) -> ToolResult {
    let (params, limit) = prepare(call)?;
    Ok(planned(format!("Buscar itens (no máximo {limit}): {}.", params.query), Value::Null, Value::Null))
}

pub async fn run(conn: &impl ConnectionTrait, call: &ItemCall<'_>) -> ToolResult {
    let (params, limit) = prepare(call)?;
    let found = items::search(conn, call.owner, &params.query, &Among::of(params.kind), limit).await?;
    Ok(json!({ "count": found.len(), "items": found }))
}
