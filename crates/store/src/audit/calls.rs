//! The history beside the record: what `verify` compares.

use crate::{StoreResult, entity::executions};
use domain::{TenantId, execution::ExecutionStatus};
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, FromQueryResult, PaginatorTrait, QueryFilter, QuerySelect,
};
use uuid::Uuid;

/// Of a call as the history has it, what the record tells too.
#[derive(Clone, Debug, FromQueryResult)]
pub struct KeptCall {
    pub id: Uuid,
    pub tool_id: Uuid,
    pub tool_version: i64,
    pub agent_id: Option<Uuid>,
    pub status: String,
    pub params: String,
    pub result: Option<String>,
    pub error_code: Option<String>,
    pub test_mode: bool,
    pub execution_time_ms: Option<i64>,
}

/// Those of these calls that the history has.
pub async fn kept_calls(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    ids: &[Uuid],
) -> StoreResult<Vec<KeptCall>> {
    use executions::Column as C;
    let query = executions::Entity::find()
        .filter(C::TenantId.eq(tenant.0))
        .filter(C::Id.is_in(ids.iter().copied()))
        .select_only()
        .columns([
            C::Id,
            C::ToolId,
            C::ToolVersion,
            C::AgentId,
            C::Status,
            C::Params,
            C::Result,
            C::ErrorCode,
            C::TestMode,
            C::ExecutionTimeMs,
        ]);
    Ok(query.into_model::<KeptCall>().all(conn).await?)
}

/// How many calls of the history have come to an end.
pub async fn count_ended(conn: &impl ConnectionTrait, tenant: TenantId) -> StoreResult<u64> {
    use executions::Column as C;
    let open = [ExecutionStatus::Pending.as_str(), ExecutionStatus::Running.as_str()];
    let ended = executions::Entity::find().filter(C::TenantId.eq(tenant.0)).filter(C::Status.is_not_in(open));
    Ok(ended.count(conn).await?)
}
