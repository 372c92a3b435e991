//! The record: entries with before and after, the state of the chain, a check on demand.

use super::{ApiError, Form};
use domain::Timestamp;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AuditPage {
    pub entries: Vec<AuditRow>,
    pub next_cursor: Option<String>,
    pub chain: ChainView,
    /// What entries can be about, by name and in words.
    pub areas: Vec<super::described::ChoiceOut>,
    /// Who made these entries, each once.
    pub actors: Vec<super::described::ChoiceOut>,
    /// The browser told no zone.
    pub days_in_utc: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AuditRow {
    pub seq: i64,
    pub at: Timestamp,
    /// Nobody's, when the entry was erased.
    pub actor: String,
    /// In words, and as the chain has it.
    pub what: String,
    pub action: String,
    pub subject_id: String,
    pub reason: Option<String>,
    pub changes: Vec<ChangeOut>,
    pub hash: String,
}

/// One field, before and after; nothing where it was not there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangeOut {
    pub field: String,
    pub before: Option<String>,
    pub after: Option<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ChainView {
    pub entries: i64,
    pub signed: i64,
    pub signed_at: Option<Timestamp>,
    pub hash: String,
}

/// How a check ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verified {
    pub holds: bool,
    pub entries: i64,
    pub uncovered: i64,
    pub calls: i64,
    pub missing_calls: i64,
    pub fault_seq: Option<i64>,
    pub fault: Option<String>,
}

/// Days are the reader's own; both are included.
#[server(prefix = "/fn", endpoint = "list_audit_entries", input = Form)]
pub async fn list_audit_entries(
    #[server(default)] area: String,
    #[server(default)] actor: String,
    #[server(default)] subject: String,
    #[server(default)] from: String,
    #[server(default)] to: String,
    #[server(default)] cursor: String,
) -> Result<AuditPage, ApiError> {
    let visitor = crate::request::visitor();
    let (permit, engine) = (visitor.tenant_permit()?, crate::request::backend().engine);
    let days = crate::request::Days::of(&visitor);
    let filter = rows::filter(&days, [area, actor, subject, from, to])?;
    let cursor = (!cursor.is_empty()).then_some(cursor.as_str());
    let list = engine.list_audit_entries(&permit, filter, None, cursor).await?;
    let chain = engine.audit_chain(&permit).await?;
    Ok(rows::page(crate::texts::Texts::of(visitor.language), list, chain, days.are_utc()))
}

#[server(prefix = "/fn", endpoint = "verify_audit_log", input = Form)]
pub async fn verify_audit_log() -> Result<Verified, ApiError> {
    let visitor = crate::request::visitor();
    let answer = crate::request::backend().engine.verify_audit_log(&visitor.tenant_permit()?).await?;
    let count = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    let verified = Verified {
        holds: answer.holds,
        entries: count(answer.entries),
        uncovered: count(answer.uncovered),
        calls: count(answer.calls),
        missing_calls: count(answer.missing_calls),
        fault_seq: answer.fault_seq,
        fault: answer.fault,
    };
    crate::request::leave_flash(&visitor, super::session::Flash::Verified(verified.clone())).await?;
    Ok(verified)
}

#[cfg(feature = "ssr")]
#[path = "audit_rows.rs"]
pub(super) mod rows;
