//! A row of the history as the answer to whoever called.

use domain::{
    ConfirmationId, ExecutionId, ServiceResult,
    execution::{ExecutionAnswer, ExecutionStatus},
};
use store::executions::Execution;

pub(crate) fn answer_of(row: &Execution) -> ServiceResult<ExecutionAnswer> {
    let status = store::executions::status_of(row)?;
    let result = row.result.as_deref().and_then(|text| serde_json::from_str(text).ok());
    Ok(ExecutionAnswer {
        execution_id: ExecutionId(row.id),
        status,
        success: status == ExecutionStatus::Success,
        result,
        error_message: row.error_message.clone(),
        truncated: row.truncated,
        execution_time_ms: row.execution_time_ms.unwrap_or_default(),
        error_code: row.error_code.clone(),
        log: store::executions::log_of(row).filter(|_| row.test_mode),
        confirmation_id: row
            .confirmation_id
            .map(ConfirmationId)
            .filter(|_| status == ExecutionStatus::Pending),
        expires_at: None,
    })
}
