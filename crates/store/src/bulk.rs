//! Many rows in one statement, sent as one JSON text.
//!
//! A statement with a place for every value has another text for every number of rows, and the database reads each
//! anew: with dozens of calls in a commit that took longer than writing the rows. This text is always the same.

use crate::{StoreError, StoreResult};
use sea_orm::{
    ColumnTrait, ColumnType, ConnectionTrait, DbBackend, EntityTrait, IdenStatic, Iterable,
    PrimaryKeyToColumn, PrimaryKeyTrait, Statement,
};
use serde::{Serialize, Serializer};

/// Texts grow no longer than this by much; what is left goes into another statement.
const ENOUGH: usize = 4 * 1024 * 1024;

/// Inserts the rows in their order. `conflict` is what stands behind `INSERT … SELECT …`, or nothing.
pub(crate) async fn insert<E>(
    tx: &impl ConnectionTrait,
    rows: impl IntoIterator<Item = E::Model>,
    conflict: &str,
) -> StoreResult<()>
where
    E: EntityTrait,
    E::Model: Serialize,
{
    let mut rows = rows.into_iter().peekable();
    while rows.peek().is_some() {
        let text = some_rows(&mut rows)?;
        let backend = tx.get_database_backend();
        let statement = statement::<E>(backend, conflict);
        tx.execute_raw(Statement::from_sql_and_values(backend, statement, [text.into()])).await?;
    }
    Ok(())
}

fn some_rows(rows: &mut impl Iterator<Item = impl Serialize>) -> StoreResult<String> {
    let corrupt = |error: String| StoreError::Corrupt(error);
    let mut text = Vec::with_capacity(4096);
    while text.len() < ENOUGH
        && let Some(row) = rows.next()
    {
        text.push(if text.is_empty() { b'[' } else { b',' });
        serde_json::to_writer(&mut text, &row).map_err(|error| corrupt(error.to_string()))?;
    }
    text.push(b']');
    String::from_utf8(text).map_err(|error| corrupt(error.to_string()))
}

/// A column that the database counts by itself is left to it.
fn columns<E: EntityTrait>() -> impl Iterator<Item = E::Column> {
    let counted: Vec<&str> = match E::PrimaryKey::auto_increment() {
        true => E::PrimaryKey::iter().map(|key| key.into_column().as_str()).collect(),
        false => Vec::new(),
    };
    E::Column::iter().filter(move |column| !counted.contains(&column.as_str()))
}

fn statement<E: EntityTrait>(backend: DbBackend, conflict: &str) -> String {
    let entity = E::default();
    let table = entity.table_name();
    let names: Vec<String> = columns::<E>().map(|column| format!("\"{}\"", column.as_str())).collect();
    let names = names.join(", ");
    if backend == DbBackend::Postgres {
        return format!(
            "INSERT INTO {table} ({names}) SELECT {names} FROM json_populate_recordset(NULL::{table}, $1::json) {conflict}"
        );
    }
    let values: Vec<String> = columns::<E>().map(|column| sqlite_value(&column)).collect();
    // Without a condition SQLite takes the ON of ON CONFLICT for a join's.
    format!(
        "INSERT INTO {table} ({names}) SELECT {} FROM json_each(?1) WHERE true {conflict}",
        values.join(", ")
    )
}

/// Ids and bytes are kept as they are, and travel as digits.
fn sqlite_value(column: &impl ColumnTrait) -> String {
    let name = column.as_str();
    match column.def().get_column_type() {
        ColumnType::Uuid => format!("unhex(value->>'{name}', '-')"),
        ColumnType::Blob | ColumnType::VarBinary(_) | ColumnType::Binary(_) => {
            format!("unhex(value->>'{name}', '\\x')")
        }
        _ => format!("value->>'{name}'"),
    }
}

/// Bytes as PostgreSQL reads them.
pub(crate) fn bytes<S: Serializer>(bytes: &Option<Vec<u8>>, to: S) -> Result<S::Ok, S::Error> {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let Some(bytes) = bytes else { return to.serialize_none() };
    let mut text = String::with_capacity(2 + 2 * bytes.len());
    text.push_str("\\x");
    for byte in bytes {
        text.push(char::from(DIGITS[usize::from(byte >> 4)]));
        text.push(char::from(DIGITS[usize::from(byte & 15)]));
    }
    to.serialize_str(&text)
}
