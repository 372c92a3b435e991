//! Table `tool_versions`.

use crate::Moment;
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "tool_versions")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tool_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub version: i64,
    pub tenant_id: Uuid,
    pub definition: String,
    pub changed_by: String,
    pub note: Option<String>,
    pub at: Moment,
    pub secrets: Option<Vec<u8>>,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
