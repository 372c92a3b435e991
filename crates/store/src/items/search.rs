//! Full-text search of a person's own items. Whatever they type is taken apart into words first, so nothing of it is
//! an operator.
//!
//! The index gives the newest that fit, and only so many are read: a common word among a million items costs what it
//! costs among a thousand. Of these, those that have the words in their title come first. Items with all the words are
//! wanted; only when there are none, those with any of them.

use super::{Owner, all};
use crate::{
    StoreResult,
    crm::fold::{fold, words},
    entity::items::Entity,
};
use domain::item::{ItemKind, ItemOut};
use sea_orm::{ConnectionTrait, DbBackend, EntityTrait, Statement, Value};

/// As many are looked at to find the best.
const LOOKED_AT: i64 = 200;

/// A text without words finds nothing.
pub async fn search(
    conn: &impl ConnectionTrait,
    owner: Owner,
    text: &str,
    kind: Option<ItemKind>,
    limit: usize,
) -> StoreResult<Vec<ItemOut>> {
    let words = words(text);
    if words.is_empty() {
        return Ok(Vec::new());
    }
    let mut found = matching(conn, owner, &words, true).await?;
    if found.is_empty() && words.len() > 1 {
        found = matching(conn, owner, &words, false).await?;
    }
    found.retain(|item| kind.is_none_or(|kind| item.kind == kind));
    found.sort_by_key(|item| !has_all(&fold(&item.title), &words));
    found.truncate(limit);
    Ok(found)
}

fn has_all(title: &str, words: &[String]) -> bool {
    words.iter().all(|word| title.split(|c: char| !c.is_alphanumeric()).any(|part| part.starts_with(word)))
}

async fn matching(
    conn: &impl ConnectionTrait,
    owner: Owner,
    words: &[String],
    every: bool,
) -> StoreResult<Vec<ItemOut>> {
    let backend = conn.get_database_backend();
    let (sql, values) = match backend {
        DbBackend::Sqlite => sqlite(owner, words, every),
        _ => postgres(owner, words, every),
    };
    let statement = Statement::from_sql_and_values(backend, sql, values);
    all(Entity::find().from_raw_sql(statement).all(conn).await?)
}

/// Every word is a beginning.
fn sqlite(owner: Owner, words: &[String], every: bool) -> (String, Vec<Value>) {
    let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"*")).collect();
    let asked = quoted.join(if every { " AND " } else { " OR " });
    let own = format!("o{}{}", owner.tenant.0.simple(), owner.id.simple());
    let question = format!("owner : {own} AND {{title text}} : ({asked})");
    let sql = "WITH hits AS MATERIALIZED (SELECT rowid AS seq FROM items_words WHERE items_words MATCH ? \
               ORDER BY rowid DESC LIMIT ?) \
               SELECT i.* FROM items i JOIN hits ON hits.seq = i.seq \
               WHERE i.tenant_id = ? AND i.owner_id = ? ORDER BY i.seq DESC";
    (sql.to_owned(), vec![question.into(), LOOKED_AT.into(), owner.tenant.0.into(), owner.id.into()])
}

/// Every word as a beginning, or by its stem.
fn postgres(owner: Owner, words: &[String], every: bool) -> (String, Vec<Value>) {
    let mut values: Vec<Value> =
        vec![format!("{}{}", owner.tenant, owner.id).into(), owner.tenant.0.into(), owner.id.into()];
    let mut parts = Vec::with_capacity(words.len());
    for word in words {
        values.push(format!("'{word}':*").into());
        values.push(format!("'{word}'").into());
        let at = values.len();
        parts.push(format!("(to_tsquery('simple', ${}) || to_tsquery('portuguese', ${at}))", at - 1));
    }
    let question = parts.join(if every { " && " } else { " || " });
    let sql = format!(
        "WITH hits AS MATERIALIZED (SELECT seq FROM items_words WHERE owner = $1 AND words @@ ({question}) \
         ORDER BY seq DESC LIMIT {LOOKED_AT}) \
         SELECT i.* FROM items i JOIN hits ON hits.seq = i.seq \
         WHERE i.tenant_id = $2 AND i.owner_id = $3 ORDER BY i.seq DESC"
    );
    (sql, values)
}
