//! Table `assistant_conversations`.

use crate::Moment;
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "assistant_conversations")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub tenant_id: Uuid,
    pub owner_id: Uuid,
    pub state: String,
    pub version: i64,
    pub memory: String,
    pub expires_at: Moment,
    pub created_at: Moment,
    pub updated_at: Moment,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

crate::bulk::row!(
    Model,
    "assistant_conversations",
    [id, tenant_id, owner_id, state, version, memory, expires_at, created_at, updated_at,]
);
