//! Table `executions`.

use crate::Moment;
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
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
    /// The entry of the audit log that covers its end.
    pub audit_seq: Option<i64>,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

crate::bulk::row!(
    Model,
    "executions",
    [
        id,
        tenant_id,
        tool_id,
        tool_name,
        tool_version,
        agent_id,
        conversation_id,
        actor_kind,
        actor_id,
        actor_name,
        status,
        params,
        sealed_params,
        result,
        error_code,
        error_message,
        truncated,
        test_mode,
        execution_time_ms,
        confirmation_id,
        process_id,
        executed_at,
        started_at,
        finished_at,
        log,
        circumstances,
        audit_seq,
    ],
    crate::calls::OUTCOME
);
