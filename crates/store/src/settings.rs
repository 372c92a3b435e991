//! Settings of the installation that belong to the data, not to the machine.

use crate::{StoreResult, entity::settings};
use sea_orm::{ActiveValue::Set, ConnectionTrait, EntityTrait, sea_query::OnConflict};

pub async fn get(conn: &impl ConnectionTrait, name: &str) -> StoreResult<Option<String>> {
    Ok(settings::Entity::find_by_id(name).one(conn).await?.map(|row| row.value))
}

pub async fn put(conn: &impl ConnectionTrait, name: &str, value: &str) -> StoreResult<()> {
    let row = settings::ActiveModel { name: Set(name.to_owned()), value: Set(value.to_owned()) };
    let overwrite =
        OnConflict::column(settings::Column::Name).update_column(settings::Column::Value).to_owned();
    settings::Entity::insert(row).on_conflict(overwrite).exec_without_returning(conn).await?;
    Ok(())
}

/// False when it was not there: of two that remove the same setting at once, one gets to.
pub async fn remove(conn: &impl ConnectionTrait, name: &str) -> StoreResult<bool> {
    Ok(settings::Entity::delete_by_id(name).exec(conn).await?.rows_affected == 1)
}
