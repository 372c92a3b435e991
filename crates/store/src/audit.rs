//! The audit log: a chain per tenant. Entries are added in the transaction of the change that they record, and never
//! changed.

mod chain;
mod heads;
mod reading;

pub use chain::{chains, checkpoints, entries_after, last_checkpoint, put_checkpoint, signed_up_to};
pub use reading::{Filter, asked_to_stop, list};

use crate::{Moment, StoreError, StoreResult, bulk, entity::audit_entries};
use ability::{Actor, Caller};
use domain::{AuditId, TenantId};
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, sea_query::Query,
};
use std::collections::{BTreeMap, HashMap};

/// Who did it, as the entry names them.
#[derive(Clone, Copy)]
pub struct Author<'a> {
    pub actor: Actor,
    pub name: &'a str,
}

impl<'a> From<&'a Caller> for Author<'a> {
    fn from(caller: &'a Caller) -> Self {
        Self { actor: caller.actor, name: &caller.name }
    }
}

/// What is being recorded.
pub struct Entry<'a> {
    pub tenant: Option<TenantId>,
    /// `area.verb`, such as `global_tool.switch`.
    pub action: &'a str,
    pub subject_kind: &'a str,
    pub subject_id: String,
    pub before: Option<serde_json::Value>,
    pub after: Option<serde_json::Value>,
    pub reason: Option<String>,
}

/// An entry as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    pub seq: i64,
    pub at: Moment,
    pub actor_name: String,
    pub action: String,
    pub subject_id: String,
    pub before: Option<String>,
    pub after: Option<String>,
    pub reason: Option<String>,
}

/// Adds one entry to its chain.
pub async fn append<'a>(
    tx: &impl ConnectionTrait,
    author: impl Into<Author<'a>>,
    entry: Entry<'_>,
) -> StoreResult<()> {
    append_all(tx, vec![NewEntry::new(author.into(), entry)]).await
}

/// An entry that is about to be linked into its chain.
#[derive(Clone)]
pub struct NewEntry {
    tenant: Option<TenantId>,
    entry: ledger::Entry,
}

impl NewEntry {
    pub fn new(author: Author<'_>, entry: Entry<'_>) -> Self {
        let texts = ledger::Texts {
            salt: ledger::Salt::random(),
            actor_name: author.name.to_owned(),
            before: entry.before.map(|value| value.to_string()),
            after: entry.after.map(|value| value.to_string()),
            reason: entry.reason,
        };
        let linked = ledger::Entry {
            tenant: entry.tenant.map(|tenant| tenant.0),
            seq: 0,
            id: AuditId::new().0,
            at: Moment::now().0,
            actor_kind: author.actor.kind().to_owned(),
            actor_id: author.actor.id(),
            action: entry.action.to_owned(),
            subject_kind: entry.subject_kind.to_owned(),
            subject_id: entry.subject_id,
            content: ledger::Content::Kept(texts),
        };
        Self { tenant: entry.tenant, entry: linked }
    }

    /// For what is recorded with every call: written as text at once, without a `Value` between.
    pub fn after(mut self, value: &impl serde::Serialize) -> StoreResult<Self> {
        let text = serde_json::to_string(value).map_err(|error| StoreError::Corrupt(error.to_string()))?;
        if let ledger::Content::Kept(texts) = &mut self.entry.content {
            texts.after = Some(text);
        }
        Ok(self)
    }
}

/// B4, S19: links entries into the chains of their tenants, all in a few statements. The heads are locked in order:
/// two processes never wait for each other.
pub async fn append_all(tx: &impl ConnectionTrait, entries: Vec<NewEntry>) -> StoreResult<()> {
    let mut chains: BTreeMap<Option<TenantId>, Vec<ledger::Entry>> = BTreeMap::new();
    for NewEntry { tenant, entry } in entries {
        chains.entry(tenant).or_default().push(entry);
    }
    let mut rows = Vec::new();
    for (tenant, entries) in chains {
        let mut head = heads::lock(tx, tenant).await?;
        for mut entry in entries {
            entry.seq = head.seq + 1;
            head = head.link(&entry).map_err(|error| StoreError::Corrupt(error.to_string()))?;
            rows.push(row_of(entry, head.hash));
        }
        heads::advance(tx, tenant, &head).await?;
    }
    bulk::insert::<audit_entries::Entity>(tx, rows, "").await
}

fn row_of(entry: ledger::Entry, hash: ledger::Hash) -> audit_entries::Model {
    let (salt, actor_name, before, after, reason) = match entry.content {
        ledger::Content::Kept(texts) => {
            (Some(texts.salt.0.to_vec()), texts.actor_name, texts.before, texts.after, texts.reason)
        }
        ledger::Content::Erased(digests) => {
            let hex = |hash: ledger::Hash| hash.to_string();
            (
                None,
                hex(digests.actor_name),
                digests.before.map(hex),
                digests.after.map(hex),
                digests.reason.map(hex),
            )
        }
    };
    audit_entries::Model {
        // Counted by the database.
        seq: 0,
        id: entry.id,
        tenant_id: entry.tenant,
        at: Moment(entry.at),
        actor_kind: entry.actor_kind,
        actor_id: entry.actor_id,
        actor_name,
        action: entry.action,
        subject_kind: entry.subject_kind,
        subject_id: entry.subject_id,
        before,
        after,
        reason,
        chain_seq: Some(entry.seq),
        hash: Some(hash.0.to_vec()),
        salt,
    }
}

/// The newest entry about each thing of a kind, by the thing's id.
pub async fn latest_by_subject(
    conn: &impl ConnectionTrait,
    kind: &str,
) -> StoreResult<HashMap<String, Recorded>> {
    let newest = Query::select()
        .expr(audit_entries::Column::Seq.max())
        .from(audit_entries::Entity)
        .and_where(audit_entries::Column::SubjectKind.eq(kind))
        .group_by_col(audit_entries::Column::SubjectId)
        .to_owned();
    let rows = audit_entries::Entity::find()
        .filter(audit_entries::Column::Seq.in_subquery(newest))
        .all(conn)
        .await?;
    Ok(rows.into_iter().map(|row| (row.subject_id.clone(), row.into())).collect())
}

/// The newest entries about one thing, newest first.
pub async fn about(
    conn: &impl ConnectionTrait,
    kind: &str,
    id: &str,
    limit: u64,
) -> StoreResult<Vec<Recorded>> {
    let rows = audit_entries::Entity::find()
        .filter(audit_entries::Column::SubjectKind.eq(kind))
        .filter(audit_entries::Column::SubjectId.eq(id))
        .order_by_desc(audit_entries::Column::Seq)
        .limit(limit)
        .all(conn)
        .await?;
    Ok(rows.into_iter().map(Recorded::from).collect())
}

impl From<audit_entries::Model> for Recorded {
    fn from(row: audit_entries::Model) -> Self {
        Self {
            seq: row.seq,
            at: row.at,
            actor_name: row.actor_name,
            action: row.action,
            subject_id: row.subject_id,
            before: row.before,
            after: row.after,
            reason: row.reason,
        }
    }
}
