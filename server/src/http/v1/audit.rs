//! `/api/v1/audit`: the record of a tenant: read, checked, and taken away whole to be verified elsewhere (B4).

use super::ReadProblems;
use crate::{
    http::{InTenant, Problem, QueryOf},
    wiring::Services,
};
use ability::ReadAuditLog;
use axum::{
    Json,
    body::Body,
    extract::State,
    response::{IntoResponse, Response},
};
use domain::{ListOut, ServiceError, Timestamp};
use engine::{AuditEntryOut, AuditFilter, ChainOut, VerificationOut};
use http::header;
use serde::Deserialize;
use tokio_stream::{StreamExt, wrappers::ReceiverStream};
use utoipa_axum::{router::OpenApiRouter, routes};

pub fn documented() -> OpenApiRouter<Services> {
    OpenApiRouter::new()
        .routes(routes!(list_audit_entries))
        .routes(routes!(get_audit_chain))
        .routes(routes!(verify_audit_log))
        .routes(routes!(export_audit_log))
}

#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct AuditQuery {
    /// What it is about: `tool`, `agent`, `member`, `execution` and so on.
    subject_kind: Option<String>,
    subject_id: Option<String>,
    /// `area.verb`
    action: Option<String>,
    /// A part of the name of whoever did it.
    actor: Option<String>,
    /// Not before.
    #[param(value_type = Option<String>, format = DateTime)]
    from: Option<Timestamp>,
    /// Before.
    #[param(value_type = Option<String>, format = DateTime)]
    to: Option<Timestamp>,
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u64>,
    #[param(pattern = "^[0-9]{1,18}$")]
    cursor: Option<String>,
}

impl AuditQuery {
    fn filter(&self) -> Result<AuditFilter, ServiceError> {
        Ok(AuditFilter {
            subject_kind: self.subject_kind.clone(),
            subject_id: self.subject_id.clone(),
            action: self.action.clone(),
            actor: self.actor.clone(),
            from: super::moment("from", self.from.clone())?,
            to: super::moment("to", self.to.clone())?,
        })
    }
}

/// Newest first, with before and after.
#[utoipa::path(
    get, path = "/api/v1/audit", tag = "audit", params(AuditQuery),
    responses((status = 200, body = ListOut<AuditEntryOut>), ReadProblems)
)]
pub async fn list_audit_entries(
    InTenant(permit): InTenant<ReadAuditLog>,
    State(services): State<Services>,
    QueryOf(query): QueryOf<AuditQuery>,
) -> Result<Json<ListOut<AuditEntryOut>>, Problem> {
    let (filter, limit, cursor) = (query.filter()?, query.limit, query.cursor.as_deref());
    Ok(Json(services.engine.list_audit_entries(&permit, filter, limit, cursor).await?))
}

/// How far the chain goes, and how far it is signed.
#[utoipa::path(
    get, path = "/api/v1/audit/chain", tag = "audit", responses((status = 200, body = ChainOut), ReadProblems)
)]
pub async fn get_audit_chain(
    InTenant(permit): InTenant<ReadAuditLog>,
    State(services): State<Services>,
) -> Result<Json<ChainOut>, Problem> {
    Ok(Json(services.engine.audit_chain(&permit).await?))
}

/// Checks the whole chain, now. That it does not hold is an answer too: `holds` tells.
#[utoipa::path(
    post, path = "/api/v1/audit/verify", tag = "audit",
    responses((status = 200, body = VerificationOut), ReadProblems)
)]
pub async fn verify_audit_log(
    InTenant(permit): InTenant<ReadAuditLog>,
    State(services): State<Services>,
) -> Result<Json<VerificationOut>, Problem> {
    Ok(Json(services.engine.verify_audit_log(&permit).await?))
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
    // A part that cannot be read breaks the answer off: half a record must not look whole.
    let parts = ReceiverStream::new(services.engine.stream_audit_log(&permit))
        .map(|part| part.map_err(|error| std::io::Error::other(error.detail)));
    let headers = [
        (header::CONTENT_TYPE, "application/jsonl"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"alcada-audit.jsonl\""),
    ];
    Ok((headers, Body::from_stream(parts)).into_response())
}
