//! B4: the record as its readers see it: entries with before and after, the state of the chain, a check on demand.

use crate::{
    Engine,
    audit::{self, Verified},
};
use ability::{ReadAuditLog, TenantPermit};
use domain::{FieldCode, ListOut, Page, ServiceError, ServiceResult, Timestamp};
use ledger::{Content, Recorded, Unverified};
use serde::Serialize;
use serde_json::Value;
use store::{
    Moment,
    audit::{Filter, list},
};
use uuid::Uuid;

#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct AuditEntryOut {
    /// The number in the chain, from 1.
    pub seq: i64,
    pub id: Uuid,
    pub at: Timestamp,
    /// `user`, `api_key` or `operator`.
    pub actor_kind: String,
    pub actor_id: Option<Uuid>,
    /// Null when the entry was erased.
    pub actor_name: Option<String>,
    /// `area.verb`
    pub action: String,
    pub subject_kind: String,
    pub subject_id: String,
    #[schema(value_type = Option<Object>)]
    pub before: Option<Value>,
    #[schema(value_type = Option<Object>)]
    pub after: Option<Value>,
    pub reason: Option<String>,
    /// Its texts are gone; the chain still holds.
    pub is_erased: bool,
    pub hash: String,
}

/// How far the chain goes, and how far it is signed.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct ChainOut {
    pub entries: i64,
    /// Of the last entry.
    pub hash: String,
    pub last_checkpoint: Option<CheckpointOut>,
    /// Entries after the last checkpoint.
    pub uncovered: i64,
    pub public_key: String,
}

#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct CheckpointOut {
    pub seq: i64,
    pub at: Timestamp,
    pub key_id: String,
}

#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct VerificationOut {
    pub holds: bool,
    /// Those that were checked.
    pub entries: u64,
    /// Of these, the ones whose texts are gone.
    pub erased: u64,
    pub uncovered: u64,
    /// Calls whose rows in the history are as the record tells them.
    pub calls: u64,
    /// Recorded calls that the history has no more. Only its oldest may go: one from its middle is a fault.
    pub missing_calls: u64,
    /// The first bad entry, and what is wrong with it.
    pub fault_seq: Option<i64>,
    pub fault: Option<String>,
    pub verified_at: Timestamp,
}

/// Which entries are wanted.
#[derive(Clone, Debug, Default)]
pub struct AuditFilter {
    pub subject_kind: Option<String>,
    pub subject_id: Option<String>,
    pub action: Option<String>,
    pub actor: Option<String>,
    pub from: Option<Moment>,
    pub to: Option<Moment>,
}

impl AuditFilter {
    /// No text in a database has a zero in it.
    fn check(&self) -> ServiceResult<()> {
        let texts = [
            ("subject_kind", &self.subject_kind),
            ("subject_id", &self.subject_id),
            ("action", &self.action),
            ("actor", &self.actor),
        ];
        let wrong = texts.iter().find(|(_, text)| text.as_ref().is_some_and(|text| text.contains('\0')));
        wrong.map_or(Ok(()), |(field, _)| Err(ServiceError::field(field, FieldCode::Invalid)))
    }
}

impl Engine {
    /// Newest first.
    pub async fn list_audit_entries(
        &self,
        permit: &TenantPermit<ReadAuditLog>,
        wanted: AuditFilter,
        limit: Option<u64>,
        cursor: Option<&str>,
    ) -> ServiceResult<ListOut<AuditEntryOut>> {
        let limit = Page::parse(limit, None)?.limit;
        let wrong = |_| ServiceError::field("cursor", FieldCode::Invalid);
        let before = cursor.map(|text| text.parse::<i64>().map_err(wrong)).transpose()?;
        wanted.check()?;
        let AuditFilter { subject_kind, subject_id, action, actor, from, to } = wanted;
        let reader = self.db.reader_of(permit.tenant()).await?;
        let call = subject_id.as_ref().and_then(|id| id.parse().ok());
        let covered_by = match call {
            Some(id) => {
                store::executions::find(&reader, permit.tenant(), id).await?.and_then(|row| row.audit_seq)
            }
            None => None,
        };
        let filter = Filter { subject_kind, subject_id, covered_by, action, actor, from, to };
        let mut rows = list(&reader, permit.tenant(), &filter, before, limit + 1).await?;
        let has_more = u64::try_from(rows.len()).is_ok_and(|count| count > limit);
        rows.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        let next_cursor = rows.last().filter(|_| has_more).map(|row| row.entry.seq.to_string());
        Ok(ListOut { data: rows.into_iter().map(view).collect(), next_cursor })
    }

    pub async fn audit_chain(&self, permit: &TenantPermit<ReadAuditLog>) -> ServiceResult<ChainOut> {
        let tenant = Some(Some(permit.tenant()));
        let reader = self.db.reader_of(permit.tenant()).await?;
        let heads = store::audit::chains(&reader, tenant).await?;
        let head = heads.into_iter().next().unwrap_or_else(|| ledger::Head::start(Some(permit.tenant().0)));
        let signed = store::audit::last_checkpoint(&reader, Some(permit.tenant())).await?;
        Ok(ChainOut {
            entries: head.seq,
            hash: head.hash.to_string(),
            uncovered: head.seq - signed.as_ref().map_or(0, |signed| signed.seq),
            last_checkpoint: signed.map(|signed| CheckpointOut {
                seq: signed.seq,
                at: Moment(signed.at).into(),
                key_id: signed.key_id.to_string(),
            }),
            public_key: audit::signer(&self.vault).public_key().to_string(),
        })
    }

    /// Walks the whole chain. That it does not hold is an answer, not an error.
    pub async fn verify_audit_log(
        &self,
        permit: &TenantPermit<ReadAuditLog>,
    ) -> ServiceResult<VerificationOut> {
        let nothing = VerificationOut {
            holds: true,
            entries: 0,
            erased: 0,
            uncovered: 0,
            calls: 0,
            missing_calls: 0,
            fault_seq: None,
            fault: None,
            verified_at: Moment::now().into(),
        };
        // It is never closed.
        let _turn = self.verifying.acquire().await;
        match audit::verify(&self.db, &self.vault, Some(Some(permit.tenant())), &[]).await {
            Ok(Verified { report, calls, missing_calls }) => Ok(VerificationOut {
                calls,
                missing_calls,
                entries: report.chains.iter().map(|chain| chain.entries).sum(),
                erased: report.chains.iter().map(|chain| chain.erased).sum(),
                uncovered: report.chains.iter().map(|chain| chain.uncovered).sum(),
                ..nothing
            }),
            Err(Unverified::Fault(fault)) => Ok(VerificationOut {
                holds: false,
                fault_seq: Some(fault.seq),
                fault: Some(fault.wrong.to_string()),
                ..nothing
            }),
            Err(Unverified::Unreadable(error)) => Err(error.into()),
        }
    }
}

fn view(recorded: Recorded) -> AuditEntryOut {
    let entry = recorded.entry;
    // What is not JSON any more was changed behind the product's back: shown as it stands, and `verify` tells.
    let json = |text: String| serde_json::from_str(&text).unwrap_or(Value::String(text));
    let (actor_name, before, after, reason, is_erased) = match entry.content {
        Content::Kept(texts) => {
            (Some(texts.actor_name), texts.before.map(json), texts.after.map(json), texts.reason, false)
        }
        Content::Erased(_) => (None, None, None, None, true),
    };
    AuditEntryOut {
        seq: entry.seq,
        id: entry.id,
        at: Moment(entry.at).into(),
        actor_kind: entry.actor_kind,
        actor_id: entry.actor_id,
        actor_name,
        action: entry.action,
        subject_kind: entry.subject_kind,
        subject_id: entry.subject_id,
        before,
        after,
        reason,
        is_erased,
        hash: recorded.hash.to_string(),
    }
}
