//! The audit log: a chain per tenant. Entries are added in the transaction of the change that they record, and never
//! changed.

mod calls;
mod chain;
mod heads;
mod reading;
mod remembered;

pub use calls::{Beside, beside, calls_that_are_there, kept_calls, kept_questions, questions_of};
pub use chain::{
    chains, checkpoints, entries_after, last_checkpoint, put_checkpoint, remove_checkpoint, unsigned_chains,
};
pub use reading::{Filter, asked_to_stop, list};
pub use remembered::RememberedHeads;

use crate::{Moment, StoreError, StoreResult, WriteTx, bulk::Writes, entity::audit_entries};
use ability::{Actor, Caller};
use domain::{AuditId, TenantId};
use heads::Heads;
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, sea_query::Query,
};
use std::collections::HashMap;

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
pub async fn append<'a>(tx: &WriteTx, author: impl Into<Author<'a>>, entry: Entry<'_>) -> StoreResult<()> {
    append_all(tx, vec![NewEntry::new(author.into(), entry)]).await
}

/// An entry that is about to be linked into its chain.
#[derive(Clone)]
pub struct NewEntry {
    tenant: Option<TenantId>,
    entry: ledger::Entry,
}

impl NewEntry {
    pub fn tenant(&self) -> Option<TenantId> {
        self.tenant
    }

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

    /// For what is recorded with every call: a text already, without a `Value` between.
    pub fn after(mut self, text: String) -> Self {
        if let ledger::Content::Kept(texts) = &mut self.entry.content {
            texts.after = Some(text);
        }
        self
    }
}

/// Entries that have their places in their chains, and are not written yet.
#[derive(Default)]
pub struct Linked {
    pub(crate) rows: Vec<audit_entries::Model>,
    pub(crate) heads: Vec<heads::Moved>,
    /// The place of each entry in its chain, in the order in which they were given.
    pub places: Vec<i64>,
}

impl Linked {
    pub(crate) fn add_to<'a>(&'a self, writes: &mut Writes<'a>) {
        self.add_entries(writes);
        writes.add(self.heads.iter().map(heads::Put));
    }

    pub(crate) fn add_entries<'a>(&'a self, writes: &mut Writes<'a>) {
        writes.add(&self.rows);
    }

    /// For heads that are not held: they have to be where they are believed to be.
    pub(crate) fn move_heads<'a>(&'a self, writes: &mut Writes<'a>) {
        writes.add(self.heads.iter().map(heads::Move));
    }
}

/// B4, S19: links entries into the chains of their tenants. Nobody else adds to these until the transaction ends.
pub async fn link_all(tx: &WriteTx, entries: Vec<NewEntry>) -> StoreResult<Linked> {
    if entries.is_empty() {
        return Ok(Linked::default());
    }
    let heads = heads::lock_all(tx, entries.iter().map(|entry| entry.tenant).collect()).await?;
    link(heads, entries)
}

/// The chains of all these entries are among the heads.
fn link(mut heads: Heads, entries: Vec<NewEntry>) -> StoreResult<Linked> {
    let before: Vec<ledger::Head> = heads.values().copied().collect();
    let mut linked = Linked::default();
    for NewEntry { tenant, mut entry } in entries {
        let unknown = || StoreError::Corrupt("a chain without a head".to_owned());
        let head = heads.get_mut(&tenant).ok_or_else(unknown)?;
        entry.seq = head.seq + 1;
        *head = head.link(&entry).map_err(|error| StoreError::Corrupt(error.to_string()))?;
        linked.places.push(entry.seq);
        linked.rows.push(row_of(entry, head.hash));
    }
    linked.heads =
        before.iter().zip(heads.values()).map(|(old, head)| heads::Moved::new(old, head)).collect();
    Ok(linked)
}

/// Links and writes them.
pub async fn append_all(tx: &WriteTx, entries: Vec<NewEntry>) -> StoreResult<()> {
    let linked = link_all(tx, entries).await?;
    let mut writes = Writes::default();
    linked.add_to(&mut writes);
    writes.run(tx).await
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

/// The entry at that place of a tenant's chain.
pub async fn at(conn: &impl ConnectionTrait, tenant: TenantId, place: i64) -> StoreResult<Option<Recorded>> {
    let of_tenant = audit_entries::Entity::find().filter(audit_entries::Column::TenantId.eq(tenant.0));
    Ok(of_tenant.filter(audit_entries::Column::ChainSeq.eq(place)).one(conn).await?.map(Recorded::from))
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
