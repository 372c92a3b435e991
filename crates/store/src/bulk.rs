//! Many rows in one statement, with a text that the database has read before.
//!
//! A statement with a place for every value has another text for every number of rows. Reading these took longer than
//! writing the rows. PostgreSQL gets the rows as one JSON text; SQLite, which is slow at that, gets at most so many
//! rows at once that all texts fit into the cache of statements.

use crate::{StoreError, StoreResult};
use sea_orm::{
    ConnectionTrait, DbBackend, EntityTrait, IdenStatic, Iterable, ModelTrait, PrimaryKeyToColumn,
    PrimaryKeyTrait, Statement,
};
use serde::{Serialize, Serializer};

/// For SQLite. Three tables are written this way: see the size of the cache in `database.rs`.
const MOST_ROWS: usize = 32;
/// For PostgreSQL: a text grows no longer than this by much.
const MOST_BYTES: usize = 4 * 1024 * 1024;

/// Inserts the rows in their order. `conflict` is the clause behind the rows, or nothing.
pub(crate) async fn insert<E>(
    tx: &impl ConnectionTrait,
    rows: Vec<E::Model>,
    conflict: &str,
) -> StoreResult<()>
where
    E: EntityTrait,
    E::Model: Serialize,
{
    if tx.get_database_backend() == DbBackend::Postgres {
        insert_json::<E>(tx, &rows, conflict).await
    } else {
        insert_values::<E>(tx, &rows, conflict).await
    }
}

async fn insert_json<E>(tx: &impl ConnectionTrait, rows: &[E::Model], conflict: &str) -> StoreResult<()>
where
    E: EntityTrait,
    E::Model: Serialize,
{
    let (entity, names) = (E::default(), names::<E>());
    let table = entity.table_name();
    let text = format!(
        "INSERT INTO {table} ({names}) SELECT {names} FROM json_populate_recordset(NULL::{table}, $1::json) {conflict}"
    );
    let mut rows = rows.iter().peekable();
    while rows.peek().is_some() {
        let values = [json_of(&mut rows)?.into()];
        tx.execute_raw(Statement::from_sql_and_values(DbBackend::Postgres, &text, values)).await?;
    }
    Ok(())
}

async fn insert_values<E: EntityTrait>(
    tx: &impl ConnectionTrait,
    rows: &[E::Model],
    conflict: &str,
) -> StoreResult<()> {
    let into = format!("INSERT INTO {} ({})", E::default().table_name(), names::<E>());
    let columns: Vec<E::Column> = columns::<E>().collect();
    for rows in rows.chunks(MOST_ROWS) {
        let places = places(columns.len(), rows.len());
        let text = format!("{into} VALUES {places} {conflict}");
        let values = rows.iter().flat_map(|row| columns.iter().map(|column| row.get(*column)));
        tx.execute_raw(Statement::from_sql_and_values(DbBackend::Sqlite, text, values)).await?;
    }
    Ok(())
}

fn names<E: EntityTrait>() -> String {
    columns::<E>().map(|column| format!("\"{}\"", column.as_str())).collect::<Vec<_>>().join(", ")
}

/// A column that the database counts by itself is left to it.
fn columns<E: EntityTrait>() -> impl Iterator<Item = E::Column> {
    let counted: Vec<&str> = match E::PrimaryKey::auto_increment() {
        true => E::PrimaryKey::iter().map(|key| key.into_column().as_str()).collect(),
        false => Vec::new(),
    };
    E::Column::iter().filter(move |column| !counted.contains(&column.as_str()))
}

/// `(?, ?), (?, ?)`
fn places(columns: usize, rows: usize) -> String {
    let row = format!("({})", ["?"].repeat(columns).join(", "));
    vec![row; rows].join(", ")
}

fn json_of(rows: &mut impl Iterator<Item = impl Serialize>) -> StoreResult<String> {
    let corrupt = |error: String| StoreError::Corrupt(error);
    let mut text = Vec::with_capacity(4096);
    while text.len() < MOST_BYTES
        && let Some(row) = rows.next()
    {
        text.push(if text.is_empty() { b'[' } else { b',' });
        serde_json::to_writer(&mut text, &row).map_err(|error| corrupt(error.to_string()))?;
    }
    text.push(b']');
    String::from_utf8(text).map_err(|error| corrupt(error.to_string()))
}

/// Bytes as PostgreSQL reads them.
pub(crate) fn bytes<S: Serializer>(bytes: &Option<Vec<u8>>, to: S) -> Result<S::Ok, S::Error> {
    match bytes {
        Some(bytes) => to.serialize_str(&format!("\\x{}", hex::encode(bytes))),
        None => to.serialize_none(),
    }
}
