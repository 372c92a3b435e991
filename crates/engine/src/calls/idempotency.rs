//! B3: the same request twice is one call. Another body under the same key is a mistake, and says so.

use super::{Call, Called, CalledTool, answer_of};
use crate::{Engine, audit::digest};
use domain::{ErrorCode, ExecutionId, FieldCode, ServiceError, ServiceResult};
use serde_json::{Value, json};
use store::idempotency::{Key, Used};
use uuid::Uuid;

impl Engine {
    /// The answer of the request that used this key before.
    pub(super) async fn replay(&self, call: &Call) -> ServiceResult<Option<Called>> {
        let Some((key, _)) = self.key_of(call, ExecutionId(Uuid::nil()))? else { return Ok(None) };
        match store::idempotency::find(&self.db.reader_of(key.tenant).await?, &key).await? {
            Some(used) => self.replay_of(call, used).await.map(Some),
            None => Ok(None),
        }
    }

    pub(super) async fn replay_of(&self, call: &Call, used: Used) -> ServiceResult<Called> {
        if !self.is_same_request(&used, call) {
            let detail = "This idempotency key was used for another request.";
            return Err(ServiceError::new(ErrorCode::IdempotencyMismatch, detail));
        }
        let tenant = call.permit.tenant();
        let row = store::executions::find(&self.db.reader_of(tenant).await?, tenant, used.execution).await?;
        match row {
            Some(row) if row.status != "running" => {
                Ok(Called { answer: self.with_deadline(answer_of(&row)?, &row).await?, is_replay: true })
            }
            _ => {
                let detail = "The request with this key is still running.";
                Err(ServiceError {
                    retry_after: Some(1),
                    ..ServiceError::new(ErrorCode::IdempotencyInProgress, detail)
                })
            }
        }
    }

    pub(super) fn key_of(&self, call: &Call, execution: ExecutionId) -> ServiceResult<Option<(Key, Used)>> {
        let Some(text) = &call.idempotency_key else { return Ok(None) };
        let is_visible = text.bytes().all(|byte| byte.is_ascii_graphic());
        if !is_visible || text.is_empty() || text.len() > 255 {
            return Err(ServiceError::field("Idempotency-Key", FieldCode::Invalid));
        }
        let actor = call.permit.caller().actor.id().unwrap_or(Uuid::nil());
        let key = Key { tenant: call.permit.tenant(), actor, key: text.clone() };
        Ok(Some((key, Used { request_hash: self.request_hash(call), execution })))
    }

    /// Of everything, the arguments with their secrets.
    fn request_hash(&self, call: &Call) -> String {
        self.vault.fingerprint("request", whole(call).as_bytes())
    }

    /// Processes of an earlier version kept a hash that needs no key. Only compared, and for a day after an upgrade.
    fn is_same_request(&self, used: &Used, call: &Call) -> bool {
        used.request_hash == self.request_hash(call)
            || used.request_hash == digest::of_text(whole(call)).to_string()
    }
}

fn whole(call: &Call) -> String {
    let tool = match &call.tool {
        CalledTool::Id(id) => id.to_string(),
        CalledTool::Name(name) => name.clone(),
    };
    let mut whole = vec![
        json!(tool),
        json!(call.agent),
        json!(call.conversation),
        json!(call.params),
        json!(call.test_mode),
    ];
    // Without one, the hash is what it was before there were any.
    whole.extend(call.message.as_ref().map(|message| json!(message)));
    Value::Array(whole).to_string()
}
