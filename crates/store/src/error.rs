//! What can go wrong with the database, sorted by what the caller can do about it.

use domain::{ErrorCode, ServiceError};
use sea_orm::{DbErr, RuntimeErr, SqlErr, SqlxError};

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// It does not answer, is locked, read-only or full: later it may.
    #[error("the database is not available: {0}")]
    Unavailable(DbErr),
    /// Somebody else holds what it needs, or both waited for each other: in a moment it may work. Only this was undone.
    #[error("somebody else is changing the same: {0}")]
    Busy(DbErr),
    /// Another row has that unique value.
    #[error("a row with that value is there already")]
    Duplicate,
    /// What the row refers to was removed.
    #[error("what the row refers to is gone")]
    Gone,
    /// The schema was made by a newer version of the program.
    #[error("the database was made by a newer version of Alçada ({0}); start that version instead")]
    Newer(String),
    #[error("the database does not understand: {0}")]
    Unexpected(DbErr),
    /// A row holds what no version ever wrote.
    #[error("a row cannot be read: {0}")]
    Corrupt(String),
}

pub type StoreResult<T> = Result<T, StoreError>;

impl From<DbErr> for StoreError {
    fn from(error: DbErr) -> Self {
        match error.sql_err() {
            Some(SqlErr::UniqueConstraintViolation(_)) => return Self::Duplicate,
            Some(SqlErr::ForeignKeyConstraintViolation(_)) => return Self::Gone,
            _ => {}
        }
        match cause(&error) {
            _ if matches!(error, DbErr::ConnectionAcquire(_)) => Self::Unavailable(error),
            Some(cause) if is_busy(cause) => Self::Busy(error),
            Some(cause) if is_unavailable(cause) => Self::Unavailable(error),
            _ => Self::Unexpected(error),
        }
    }
}

fn cause(error: &DbErr) -> Option<&SqlxError> {
    match error {
        DbErr::Conn(RuntimeErr::SqlxError(inner))
        | DbErr::Exec(RuntimeErr::SqlxError(inner))
        | DbErr::Query(RuntimeErr::SqlxError(inner)) => Some(inner),
        _ => None,
    }
}

fn is_busy(error: &SqlxError) -> bool {
    matches!(error, SqlxError::Database(inner) if inner.code().is_some_and(|code| code_is_busy(&code)))
}

/// PostgreSQL: deadlocks and the like, and a lock that was not given up in time. On SQLite whoever writes takes turns.
fn code_is_busy(code: &str) -> bool {
    code.len() == 5 && (code.starts_with("40") || code == "55P03")
}

fn is_unavailable(error: &SqlxError) -> bool {
    match error {
        SqlxError::Io(_) | SqlxError::Tls(_) | SqlxError::PoolTimedOut | SqlxError::PoolClosed => true,
        SqlxError::WorkerCrashed | SqlxError::Protocol(_) => true,
        SqlxError::Database(inner) => inner.code().is_some_and(|code| code_is_unavailable(&code)),
        _ => false,
    }
}

/// SQLite: busy, locked, read-only, input/output, full, cannot open (extended codes keep these in the low byte).
/// PostgreSQL: connection exceptions, insufficient resources, operator intervention, read-only transaction.
fn code_is_unavailable(code: &str) -> bool {
    if code.len() == 5 {
        return ["08", "53", "57"].iter().any(|class| code.starts_with(class)) || code == "25006";
    }
    code.parse::<u32>().is_ok_and(|code| matches!(code & 0xff, 5 | 6 | 8 | 10 | 13 | 14))
}

/// Logged once, here; the caller learns only what they can act on.
impl From<StoreError> for ServiceError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unavailable(cause) => {
                tracing::warn!(%cause, "the database is not available");
                let detail = "The database does not answer. Nothing was changed; try again shortly.";
                Self { retry_after: Some(5), ..Self::new(ErrorCode::Unavailable, detail) }
            }
            StoreError::Busy(cause) => {
                tracing::warn!(%cause, "somebody else was changing the same");
                let detail = "Somebody else is changing the same right now. Nothing was changed; try again.";
                Self { retry_after: Some(1), ..Self::new(ErrorCode::Busy, detail) }
            }
            StoreError::Duplicate => {
                Self::new(ErrorCode::AlreadyExists, "Something with that name is there already.")
            }
            StoreError::Gone => {
                Self::new(ErrorCode::Conflict, "Something that this refers to was removed in the meantime.")
            }
            other => {
                tracing::error!(error = %other, "an unexpected failure of the database");
                Self::new(ErrorCode::Internal, "Something went wrong on the server.")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_passing_faults_are_unavailable() {
        for code in ["5", "261", "8", "1032", "13", "14", "08006", "57P01", "53300", "25006"] {
            assert!(code_is_unavailable(code), "{code}");
        }
        for code in ["1", "19", "2067", "23505", "42P01", "40P01", "55P03"] {
            assert!(!code_is_unavailable(code), "{code}");
        }
        for (code, is_so) in
            [("40P01", true), ("40001", true), ("55P03", true), ("40", false), ("57P01", false)]
        {
            assert_eq!(code_is_busy(code), is_so, "{code}");
        }
    }
}
