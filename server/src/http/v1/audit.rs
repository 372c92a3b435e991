//! `/api/v1/audit`: the record of a tenant, whole, to keep and to verify elsewhere (B4).

use super::ReadProblems;
use crate::{
    http::{InTenant, Problem},
    wiring::Services,
};
use ability::ReadAuditLog;
use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use http::header;
use utoipa_axum::{router::OpenApiRouter, routes};

pub fn documented() -> OpenApiRouter<Services> {
    OpenApiRouter::new().routes(routes!(export_audit_log))
}

/// JSON lines: a header, the signed checkpoints, then every entry. `alcada audit verify --file` checks it.
#[utoipa::path(
    get, path = "/api/v1/audit/export", tag = "audit",
    responses((status = 200, body = String, content_type = "application/jsonl"), ReadProblems)
)]
pub async fn export_audit_log(
    InTenant(permit): InTenant<ReadAuditLog>,
    State(services): State<Services>,
) -> Result<Response, Problem> {
    let mut lines = Vec::new();
    services.engine.export_audit_log(Some(permit.tenant()), &mut lines).await?;
    Ok(([(header::CONTENT_TYPE, "application/jsonl")], lines).into_response())
}
