//! SQLite on the thread that asks. sqlx has a thread for each connection, and every statement goes there and back: for a
//! batch of calls that took longer than the statements (ADR 0027).

use super::{Field, Part, text};
use crate::epochs::{Basis, Held, READ};
use rusqlite::{
    Connection, ErrorCode, ToSql, Transaction, TransactionBehavior,
    types::{ToSqlOutput, ValueRef},
};
use std::{path::Path, time::Duration};

/// Each table that is written in batches has one text.
const STATEMENTS: usize = 32;
/// Whoever has the turn meets nobody but a transaction that is just being undone, and other programs. For those the long
/// way has more patience, and blocks no thread.
const BUSY_TIMEOUT: Duration = Duration::from_millis(100);

/// A connection that writes whole transactions. Whoever uses it has the turn to write (`turns.rs`).
pub(crate) struct Direct(Connection);

impl Direct {
    /// `pragmas` are those of every other connection.
    pub(crate) fn open(file: &Path, pragmas: &str) -> rusqlite::Result<Self> {
        let connection = Connection::open(file)?;
        connection.busy_timeout(BUSY_TIMEOUT)?;
        connection.execute_batch(pragmas)?;
        connection.set_prepared_statement_cache_capacity(STATEMENTS);
        Ok(Self(connection))
    }

    /// False when nothing was written: something is not as expected, or the database refused. Whoever asked goes the long
    /// way then, and learns what it was.
    pub(in crate::bulk) fn commit(&mut self, parts: &[Part<'_>], basis: Option<Basis>) -> bool {
        self.try_commit(parts, basis).unwrap_or_else(|error| {
            match error.sqlite_error_code() {
                Some(ErrorCode::DatabaseBusy | ErrorCode::ConstraintViolation) => {}
                _ => tracing::warn!(%error, "calls were not written at once"),
            }
            false
        })
    }

    fn try_commit(&mut self, parts: &[Part<'_>], basis: Option<Basis>) -> rusqlite::Result<bool> {
        // Undone when it is dropped.
        let tx = self.0.transaction_with_behavior(TransactionBehavior::Immediate)?;
        if let Some(basis) = basis
            && !basis.is_still_so(held(&tx)?)
        {
            return Ok(false);
        }
        for part in parts {
            if !write(&tx, part)? {
                return Ok(false);
            }
        }
        tx.commit()?;
        Ok(true)
    }
}

fn held(tx: &Transaction<'_>) -> rusqlite::Result<Held> {
    tx.prepare_cached(READ)?.query_row([], |row| Ok(Held::new(row.get(0)?, row.get(1)?)))
}

/// Row by row: a text for many rows would be another one for each number of them.
fn write(tx: &Transaction<'_>, part: &Part<'_>) -> rusqlite::Result<bool> {
    let mut statement = tx.prepare_cached(&text(part, 1))?;
    for row in part.rows() {
        for (at, field) in row.iter().enumerate() {
            statement.raw_bind_parameter(at + 1, field)?;
        }
        if statement.raw_execute()? != 1 && part.way.is_certain() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// As sqlx writes them.
impl ToSql for Field<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let value = match self {
            Field::Uuid(Some(id)) => ValueRef::Blob(id.as_bytes()),
            Field::Text(Some(text)) => ValueRef::Text(text.as_bytes()),
            Field::Number(Some(number)) => ValueRef::Integer(*number),
            Field::Flag(flag) => ValueRef::Integer((*flag).into()),
            Field::Bytes(Some(bytes)) => ValueRef::Blob(bytes),
            Field::Uuid(None) | Field::Text(None) | Field::Number(None) | Field::Bytes(None) => {
                ValueRef::Null
            }
        };
        Ok(ToSqlOutput::Borrowed(value))
    }
}
