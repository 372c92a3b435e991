//! Table `global_tools`: the flags for everybody.

use crate::{Moment, StoreResult, entity::global_tools};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, sea_query::Expr,
    sea_query::OnConflict,
};
use uuid::Uuid;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flag {
    pub tool_name: String,
    pub enabled: bool,
    pub version: i64,
    pub updated_at: Moment,
}

/// Adds what is missing, enabled; leaves what is there alone (G4).
pub async fn insert_missing(tx: &impl ConnectionTrait, entries: &[(&str, &str)]) -> StoreResult<()> {
    let now = Moment::now();
    let rows = entries.iter().map(|(tool_name, category)| global_tools::ActiveModel {
        id: Set(Uuid::now_v7()),
        tool_name: Set((*tool_name).to_owned()),
        enabled: Set(true),
        category: Set((*category).to_owned()),
        version: Set(0),
        created_at: Set(now),
        updated_at: Set(now),
    });
    let keep = OnConflict::column(global_tools::Column::ToolName).do_nothing().to_owned();
    global_tools::Entity::insert_many(rows).on_conflict(keep).exec_without_returning(tx).await?;
    Ok(())
}

pub async fn all(conn: &impl ConnectionTrait) -> StoreResult<Vec<Flag>> {
    let rows = global_tools::Entity::find().order_by_asc(global_tools::Column::ToolName).all(conn).await?;
    Ok(rows.into_iter().map(Flag::from).collect())
}

pub async fn find(conn: &impl ConnectionTrait, tool_name: &str) -> StoreResult<Option<Flag>> {
    let row =
        global_tools::Entity::find().filter(global_tools::Column::ToolName.eq(tool_name)).one(conn).await?;
    Ok(row.map(Flag::from))
}

/// Sets the flag if it is still at `version`; false when somebody else was faster.
pub async fn set(
    tx: &impl ConnectionTrait,
    tool_name: &str,
    enabled: bool,
    version: i64,
) -> StoreResult<bool> {
    let updated = global_tools::Entity::update_many()
        .col_expr(global_tools::Column::Enabled, Expr::value(enabled))
        .col_expr(global_tools::Column::Version, Expr::value(version + 1))
        .col_expr(global_tools::Column::UpdatedAt, Expr::value(Moment::now().0))
        .filter(global_tools::Column::ToolName.eq(tool_name))
        .filter(global_tools::Column::Version.eq(version))
        .exec(tx)
        .await?;
    Ok(updated.rows_affected == 1)
}

impl From<global_tools::Model> for Flag {
    fn from(row: global_tools::Model) -> Self {
        Self {
            tool_name: row.tool_name,
            enabled: row.enabled,
            version: row.version,
            updated_at: row.updated_at,
        }
    }
}
