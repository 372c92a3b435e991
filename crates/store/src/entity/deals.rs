//! Table `deals`.

use crate::Moment;
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "deals")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub tenant_id: Uuid,
    pub title: String,
    pub contact_id: Option<Uuid>,
    pub pipeline_id: Uuid,
    pub stage: String,
    pub value_cents: i64,
    pub currency: String,
    pub status: String,
    pub external_id: Option<String>,
    pub created_at: Moment,
    pub updated_at: Moment,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
