//! Table `conversations`.

use crate::Moment;
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "conversations")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub tenant_id: Uuid,
    pub contact_id: Option<Uuid>,
    pub channel: String,
    pub status: String,
    pub assigned_to: Option<Uuid>,
    pub subject: Option<String>,
    pub agent_id: Option<Uuid>,
    pub resolution: Option<String>,
    pub external_id: Option<String>,
    pub closed_at: Option<Moment>,
    pub created_at: Moment,
    pub updated_at: Moment,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
