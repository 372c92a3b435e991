//! `enrich_…`: asks those who know more about what somebody saved.

use super::Outcome;
use crate::{Engine, calls::owner_of};
use crm::tools::ToolFailure;
use domain::{TenantId, item::ItemKind};
use serde_json::Value;
use store::executions::Execution;

pub(super) async fn run(engine: &Engine, kind: ItemKind, row: &Execution, params: &Value) -> Outcome {
    let (tenant, owner) = (TenantId(row.tenant_id), owner_of(row));
    match items::enrich::run(&engine.db, &engine.sources, tenant, owner, kind, params).await {
        Ok(result) => Outcome::success(result),
        Err(failure @ ToolFailure::Refused { .. }) => Outcome::failure(failure.code(), failure.to_string()),
        Err(failure) => {
            tracing::warn!(%failure, "what was found about an item was not written down");
            Outcome::failure(failure.code(), "Não foi possível salvar os detalhes agora.")
        }
    }
}
