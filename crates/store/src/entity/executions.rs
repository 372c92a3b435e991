//! Table `executions`.

use crate::Moment;
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, serde::Serialize)]
#[sea_orm(table_name = "executions")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub tenant_id: Uuid,
    pub tool_id: Uuid,
    pub tool_name: String,
    pub tool_version: i64,
    pub agent_id: Option<Uuid>,
    pub conversation_id: Option<String>,
    pub actor_kind: String,
    pub actor_id: Option<Uuid>,
    pub actor_name: String,
    pub status: String,
    pub params: String,
    #[serde(serialize_with = "crate::bulk::bytes")]
    pub sealed_params: Option<Vec<u8>>,
    pub result: Option<String>,
    pub error_code: Option<String>,
    pub error_message: Option<String>,
    pub truncated: bool,
    pub test_mode: bool,
    pub execution_time_ms: Option<i64>,
    pub confirmation_id: Option<Uuid>,
    pub process_id: Option<Uuid>,
    pub executed_at: Moment,
    pub started_at: Option<Moment>,
    pub finished_at: Option<Moment>,
    /// A list of texts, as JSON.
    pub log: Option<String>,
    /// See [`crate::circumstances`].
    pub circumstances: Option<String>,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
