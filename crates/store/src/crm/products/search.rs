//! Full-text search. Whatever people type is taken apart into words first, so nothing of it is an operator.
//!
//! Products with all the words come first; only when there are none, those with any of them do: a long question of an
//! agent should still find something.

use crate::{StoreResult, crm::fold::words, entity::products::Entity};
use domain::{TenantId, crm::ProductOut};
use sea_orm::{ConnectionTrait, DbBackend, EntityTrait, Statement, Value};

/// The best first, of those that are for sale, of those that are not, or of all. A text without words finds nothing.
pub async fn search(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    text: &str,
    is_active: Option<bool>,
    limit: u64,
) -> StoreResult<Vec<ProductOut>> {
    let words = words(text);
    if words.is_empty() {
        return Ok(Vec::new());
    }
    let filter = match is_active {
        None => "",
        Some(true) => "AND p.is_active",
        Some(false) => "AND NOT p.is_active",
    };
    let found = matching(conn, tenant, &words, true, limit, filter).await?;
    if found.is_empty() && words.len() > 1 {
        return matching(conn, tenant, &words, false, limit, filter).await;
    }
    Ok(found)
}

async fn matching(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    words: &[String],
    every: bool,
    limit: u64,
    filter: &str,
) -> StoreResult<Vec<ProductOut>> {
    let (sql, question) = match conn.get_database_backend() {
        DbBackend::Sqlite => (sqlite(filter), sqlite_question(words, every)),
        _ => (postgres(filter), postgres_question(words, every)),
    };
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let values: [Value; 3] = [question.into(), tenant.0.into(), limit.into()];
    let statement = Statement::from_sql_and_values(conn.get_database_backend(), sql, values);
    let rows = Entity::find().from_raw_sql(statement).all(conn).await?;
    Ok(rows.into_iter().map(ProductOut::from).collect())
}

const COLUMNS: &str = "p.id, p.tenant_id, p.name, p.sku, p.description, p.price_cents, p.currency, p.is_active, \
                       p.created_at, p.updated_at";

fn sqlite(filter: &str) -> String {
    format!(
        "SELECT {COLUMNS} FROM products_words JOIN products p ON p.seq = products_words.rowid \
         WHERE products_words MATCH ? AND p.tenant_id = ? {filter} \
         ORDER BY bm25(products_words, 10.0, 10.0, 1.0), p.seq LIMIT ?"
    )
}

fn postgres(filter: &str) -> String {
    format!(
        "SELECT {COLUMNS} FROM products p, to_tsquery('simple', $1) question \
         WHERE p.words @@ question AND p.tenant_id = $2 {filter} \
         ORDER BY ts_rank(p.words, question) DESC, p.seq LIMIT $3"
    )
}

/// Every word is a beginning.
fn sqlite_question(words: &[String], every: bool) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"*")).collect();
    quoted.join(if every { " AND " } else { " OR " })
}

fn postgres_question(words: &[String], every: bool) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("'{word}':*")).collect();
    quoted.join(if every { " & " } else { " | " })
}
