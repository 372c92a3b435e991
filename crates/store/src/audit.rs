//! The audit log. Entries are added in the transaction of the change that they record, and never changed.

use crate::{Moment, StoreResult, entity::audit_entries};
use ability::{Actor, Caller};
use domain::{AuditId, TenantId};
use sea_orm::{
    ActiveValue::{NotSet, Set},
    ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    sea_query::Query,
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

pub async fn append<'a>(
    tx: &impl ConnectionTrait,
    author: impl Into<Author<'a>>,
    entry: Entry<'_>,
) -> StoreResult<()> {
    let author = author.into();
    let row = audit_entries::ActiveModel {
        seq: NotSet,
        id: Set(AuditId::new().0),
        tenant_id: Set(entry.tenant.map(|tenant| tenant.0)),
        at: Set(Moment::now()),
        actor_kind: Set(author.actor.kind().to_owned()),
        actor_id: Set(author.actor.id()),
        actor_name: Set(author.name.to_owned()),
        action: Set(entry.action.to_owned()),
        subject_kind: Set(entry.subject_kind.to_owned()),
        subject_id: Set(entry.subject_id),
        before: Set(entry.before.map(|value| value.to_string())),
        after: Set(entry.after.map(|value| value.to_string())),
        reason: Set(entry.reason),
    };
    audit_entries::Entity::insert(row).exec_without_returning(tx).await?;
    Ok(())
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
