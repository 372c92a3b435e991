//! Table `processes`: who is running. What a process that is gone left behind is picked up by another.

use crate::{Moment, StoreResult, entity::processes};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DbBackend, EntityTrait, IntoActiveModel, QueryFilter,
    Statement, sea_query::OnConflict,
};
use uuid::Uuid;

pub type Process = processes::Model;

/// Announces this process, or that it is still there.
pub async fn see(tx: &impl ConnectionTrait, process: Process) -> StoreResult<()> {
    let mut row = process.into_active_model();
    row.seen_at = Set(clock(tx).await?);
    let again = OnConflict::column(processes::Column::Id).update_column(processes::Column::SeenAt).to_owned();
    processes::Entity::insert(row).on_conflict(again).exec_without_returning(tx).await?;
    Ok(())
}

pub async fn others(conn: &impl ConnectionTrait, me: Uuid) -> StoreResult<Vec<Process>> {
    Ok(processes::Entity::find().filter(processes::Column::Id.ne(me)).all(conn).await?)
}

/// What the database's clock says: processes of several machines have no other in common.
pub async fn clock(conn: &impl ConnectionTrait) -> StoreResult<Moment> {
    if conn.get_database_backend() != DbBackend::Postgres {
        return Ok(Moment::now());
    }
    let question = "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint";
    let row = conn.query_one_raw(Statement::from_string(DbBackend::Postgres, question)).await?;
    row.map_or_else(|| Ok(Moment::now()), |row| Ok(Moment(row.try_get_by_index(0)?)))
}

/// True for the one who removed it: that one picks up what it left.
pub async fn bury(tx: &impl ConnectionTrait, process: &Process) -> StoreResult<bool> {
    let deleted = processes::Entity::delete_many()
        .filter(processes::Column::Id.eq(process.id))
        .filter(processes::Column::SeenAt.eq(process.seen_at))
        .exec(tx)
        .await?;
    Ok(deleted.rows_affected == 1)
}
