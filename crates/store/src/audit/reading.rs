//! The record as people read it: newest first, by what they look for.

use super::chain::recorded;
use crate::{Moment, StoreResult, entity::audit_entries};
use domain::{ExecutionId, TenantId};
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Select,
    sea_query::{Expr, ExprTrait, Func, LikeExpr},
};

/// Which entries are wanted.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    pub subject_kind: Option<String>,
    pub subject_id: Option<String>,
    /// An entry that is about this subject among others, by its place.
    pub covered_by: Option<i64>,
    pub action: Option<String>,
    /// A part of the name of whoever did it.
    pub actor: Option<String>,
    pub from: Option<Moment>,
    pub to: Option<Moment>,
}

/// An entry gets its moment a little before its place in the chain. A clock that goes back by more entries than this can hide
/// some from a filter by time, never from the list, an export or the verification.
const SLACK: i64 = 1_000;

/// Entries of a tenant's chain before one of them, newest first.
pub async fn list(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    filter: &Filter,
    before: Option<i64>,
    limit: u64,
) -> StoreResult<Vec<ledger::Recorded>> {
    use audit_entries::Column as C;
    let mut query = of(tenant);
    if let Some(from) = filter.from {
        let first = place_of(conn, tenant, from).await?.saturating_sub(SLACK);
        query = query.filter(C::ChainSeq.gte(first)).filter(C::At.gte(from));
    }
    if let Some(to) = filter.to {
        let end = place_of(conn, tenant, to).await?.saturating_add(SLACK);
        query = query.filter(C::ChainSeq.lt(end)).filter(C::At.lt(to));
    }
    if let Some(before) = before {
        query = query.filter(C::ChainSeq.lt(before));
    }
    let rows = narrowed(query, filter).order_by_desc(C::ChainSeq).limit(limit).all(conn).await?;
    rows.into_iter().map(recorded).collect()
}

/// Those of these calls that somebody wanted to stop.
pub async fn asked_to_stop(
    conn: &impl ConnectionTrait,
    calls: &[ExecutionId],
) -> StoreResult<Vec<ExecutionId>> {
    use audit_entries::Column as C;
    let ids = audit_entries::Entity::find()
        .filter(C::SubjectKind.eq("execution"))
        .filter(C::SubjectId.is_in(calls.iter().map(ToString::to_string)))
        .filter(C::Action.eq("execution.cancel"))
        .select_only()
        .column(C::SubjectId);
    let ids: Vec<String> = ids.into_tuple().all(conn).await?;
    Ok(ids.iter().filter_map(|id| id.parse().ok()).collect())
}

fn of(tenant: TenantId) -> Select<audit_entries::Entity> {
    audit_entries::Entity::find().filter(audit_entries::Column::TenantId.eq(tenant.0))
}

fn narrowed(mut query: Select<audit_entries::Entity>, filter: &Filter) -> Select<audit_entries::Entity> {
    use audit_entries::Column as C;
    if let Some(kind) = &filter.subject_kind {
        query = query.filter(C::SubjectKind.eq(kind));
        // As the index says it: that is how the databases know that it has them all.
        if kind != "execution" {
            query = query.filter(Expr::cust("subject_kind <> 'execution'"));
        }
    }
    if let Some(id) = &filter.subject_id {
        let its_own = C::SubjectId.eq(id);
        query = match filter.covered_by {
            Some(place) => query.filter(its_own.or(C::ChainSeq.eq(place))),
            None => query.filter(its_own),
        };
    }
    if let Some(action) = &filter.action {
        query = query.filter(C::Action.eq(action));
    }
    if let Some(part) = &filter.actor {
        let escaped = part.to_lowercase().replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
        let pattern = LikeExpr::new(format!("%{escaped}%")).escape('\\');
        // An erased entry has a digest there.
        query = query
            .filter(Expr::from(Func::lower(Expr::col(C::ActorName))).like(pattern))
            .filter(C::Salt.is_not_null());
    }
    query
}

/// The place of the first entry that is not before that moment. Moments grow along the chain: some twenty looks at its
/// index find it among millions.
async fn place_of(conn: &impl ConnectionTrait, tenant: TenantId, at: Moment) -> StoreResult<i64> {
    use audit_entries::Column as C;
    let last = of(tenant).order_by_desc(C::ChainSeq).one(conn).await?;
    let (mut low, mut high) = (1, last.and_then(|row| row.chain_seq).unwrap_or(0) + 1);
    while low < high {
        let middle = low + (high - low) / 2;
        let row = of(tenant).filter(C::ChainSeq.eq(middle)).one(conn).await?;
        if row.is_some_and(|row| row.at < at) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    Ok(low)
}
