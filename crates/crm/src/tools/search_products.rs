//! `searchProducts`

use super::{Kind, SystemTool, ToolCall, ToolFailure, ToolResult, args, planned};
use domain::{ToolEffect, crm::ProductOut};
use sea_orm::ConnectionTrait;
use serde::Deserialize;
use serde_json::{Value, json};
use store::crm::products;

pub const TOOL: SystemTool = SystemTool {
    name: "searchProducts",
    display_name: "Buscar produtos",
    description: "Busca produtos à venda pelo nome, código ou descrição, com preços. Use antes de falar de preço ou de \
                  disponibilidade; nunca invente um produto. Acentos e maiúsculas não importam.",
    effect: ToolEffect::Read,
    kind: Kind::SearchProducts,
};

const MOST: u64 = 20;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Params {
    query: String,
    limit: Option<u64>,
}

pub fn parameters() -> Value {
    let properties = json!({
        "query": args::text("O que procurar, por exemplo bolo de chocolate", 200),
        "limit": args::count("Quantos produtos, no máximo", MOST, 10),
    });
    args::object(properties, &["query"])
}

fn prepare(call: &ToolCall<'_>) -> Result<(String, u64), ToolFailure> {
    let params: Params = args::parse(call.params)?;
    let limit = args::counted("limit", params.limit, MOST, 10)?;
    Ok((params.query, limit))
}

pub fn plan(call: &ToolCall<'_>) -> ToolResult {
    let (query, limit) = prepare(call)?;
    Ok(planned(format!("Buscar produtos (no máximo {limit}): {query}."), Value::Null, Value::Null))
}

pub async fn run(tx: &impl ConnectionTrait, call: &ToolCall<'_>) -> ToolResult {
    let (query, limit) = prepare(call)?;
    let found = products::search(tx, call.tenant, &query, Some(true), limit).await?;
    let list: Vec<Value> = found.iter().map(shown).collect();
    Ok(json!({ "count": list.len(), "products": list }))
}

fn shown(product: &ProductOut) -> Value {
    json!({
        "id": product.id,
        "name": product.name,
        "sku": product.sku,
        "description": product.description,
        "price_cents": product.price_cents,
        "currency": product.currency,
    })
}
