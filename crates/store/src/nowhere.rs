//! A connection that leads nowhere.

use sea_orm::{ConnectionTrait, DbBackend, DbErr, ExecResult, QueryResult, Statement};

/// For work that may need no database: whoever asks it anything is refused, and starts over with a real one.
#[derive(Debug)]
pub struct Nowhere;

fn refused<T>() -> Result<T, DbErr> {
    Err(DbErr::Custom("there is no database here".to_owned()))
}

#[async_trait::async_trait]
impl ConnectionTrait for Nowhere {
    fn get_database_backend(&self) -> DbBackend {
        DbBackend::Sqlite
    }

    async fn execute_raw(&self, _: Statement) -> Result<ExecResult, DbErr> {
        refused()
    }

    async fn execute_unprepared(&self, _: &str) -> Result<ExecResult, DbErr> {
        refused()
    }

    async fn query_one_raw(&self, _: Statement) -> Result<Option<QueryResult>, DbErr> {
        refused()
    }

    async fn query_all_raw(&self, _: Statement) -> Result<Vec<QueryResult>, DbErr> {
        refused()
    }
}
