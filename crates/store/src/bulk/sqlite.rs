//! SQLite gets rows as `VALUES`.

pub(super) mod direct;

use super::{Field, Part, Way, unwritable};
use crate::{StoreResult, transaction::refused};
use sea_orm::sqlx::{
    self, Arguments, AssertSqlSafe, Sqlite, Transaction, error::BoxDynError, sqlite::SqliteArguments,
};

/// Few tables are written this way: see the size of the cache in `database.rs`.
const MOST_ROWS: usize = 32;

/// False when a row that has to be there is not.
pub(super) async fn write(tx: &mut Transaction<'static, Sqlite>, parts: &[Part<'_>]) -> StoreResult<bool> {
    for part in parts {
        for fields in part.fields.chunks(MOST_ROWS * part.columns.len()) {
            let rows = fields.len() / part.columns.len();
            let mut values = SqliteArguments::default();
            values.reserve(fields.len(), 0);
            fields.iter().try_for_each(|field| put(&mut values, *field)).map_err(unwritable)?;
            let text = AssertSqlSafe(text(part, rows));
            let done = sqlx::query_with(text, values).execute(&mut **tx).await.map_err(refused)?;
            if part.way.is_certain() && done.rows_affected() != rows as u64 {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

fn text(part: &Part<'_>, rows: usize) -> String {
    let place = format!("({})", vec!["?"; part.columns.len()].join(", "));
    let places = vec![place.as_str(); rows].join(", ");
    match part.way {
        Way::Insert { conflict } => format!("{} VALUES {places} {conflict}", part.insert()),
        Way::Change { set, of } => {
            let columns = part.columns.join("\", \"");
            format!("WITH new (\"{columns}\") AS (VALUES {places}) {}", part.change(set, of, "new"))
        }
        Way::Remove { .. } => {
            let same: Vec<String> = part.columns.iter().map(|column| format!("\"{column}\" = ?")).collect();
            let one = format!("({})", same.join(" AND "));
            format!("DELETE FROM {} WHERE {}", part.table, vec![one.as_str(); rows].join(" OR "))
        }
    }
}

fn put(values: &mut SqliteArguments, field: Field<'_>) -> Result<(), BoxDynError> {
    match field {
        Field::Uuid(id) => values.add(id),
        Field::Text(text) => values.add(text),
        Field::Number(number) => values.add(number),
        Field::Flag(flag) => values.add(flag),
        Field::Bytes(bytes) => values.add(bytes),
    }
}
