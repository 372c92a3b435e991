//! Table `confirmations`.

use crate::Moment;
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "confirmations")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub tenant_id: Uuid,
    pub execution_id: Uuid,
    pub tool_id: Uuid,
    pub tool_name: String,
    pub agent_id: Option<Uuid>,
    pub status: String,
    pub binding: String,
    pub params: String,
    pub edited_params: Option<String>,
    pub plan: Option<String>,
    pub reason: String,
    pub requested_by_kind: String,
    pub requested_by_id: Option<Uuid>,
    pub requested_by: String,
    pub second_person: bool,
    pub decided_by: Option<String>,
    pub decided_at: Option<Moment>,
    pub note: Option<String>,
    pub expires_at: Moment,
    pub created_at: Moment,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
