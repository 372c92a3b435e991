//! Details of what people saved come later: this loop looks for those that wait and calls `enrich_…` for each, as the
//! product itself, through the gate and into the history like any other call. The rows are the queue (ADR 0016): a
//! restart loses nothing, and of two processes one takes a row.

use crate::{Call, CallPermit, Called, CalledTool, Engine};
use ability::Caller;
use domain::{ErrorCode, ItemId, ServiceResult, TenantId, item::ItemKind};
use futures::{StreamExt, stream};
use items::{RESTORABLE, sources::NOT_CONFIGURED, tools::ItemTool};
use serde_json::json;
use store::{
    Moment,
    items::{Due, Owner},
};
use time::Duration;
use tokio::time::Instant;

const EVERY: std::time::Duration = std::time::Duration::from_millis(500);
const AT_ONCE: usize = 8;
const MOST: u64 = 64;
/// Longer than a look takes: whoever has not finished by then has stopped.
const LEASE: Duration = Duration::minutes(2);
/// Until the gate is asked again, after it said no.
const REFUSED: Duration = Duration::hours(1);
/// Another process may have no key, and saves what this one can complete.
const WAKE_EVERY: std::time::Duration = std::time::Duration::from_secs(60);
/// Whoever has a key would have taken it by then.
const OVERDUE: Duration = Duration::minutes(10);
const CLEAN_EVERY: std::time::Duration = std::time::Duration::from_secs(600);
/// A conversation that nobody goes on with is forgotten.
const CONVERSATIONS: Duration = Duration::days(90);
/// Twice as long as a signature is accepted, and more.
const ARRIVALS: Duration = Duration::DAY;

impl Engine {
    pub(crate) async fn keep_enriching(self) {
        let (mut woken, mut cleaned) = (None::<Instant>, None::<Instant>);
        loop {
            if woken.is_none_or(|at| at.elapsed() > WAKE_EVERY) {
                woken = Some(Instant::now());
                if let Err(error) = self.wake_sleepers().await {
                    tracing::warn!(%error, "items that wait for a key were not woken");
                }
            }
            if let Err(error) = self.enrich_due().await {
                tracing::warn!(%error, "looking for items without details failed; trying again");
            }
            if cleaned.is_none_or(|at| at.elapsed() > CLEAN_EVERY) {
                cleaned = Some(Instant::now());
                if let Err(error) = self.clean_items().await {
                    tracing::warn!(%error, "what was deleted long ago is still there");
                }
            }
            tokio::time::sleep(EVERY).await;
        }
    }

    /// The operator may have set the key that they wait for, or taken it away.
    async fn wake_sleepers(&self) -> ServiceResult<()> {
        let (known, unknown): (Vec<_>, Vec<_>) =
            ItemKind::ALL.iter().partition(|kind| self.sources.lacks(**kind).is_none());
        let tx = self.db.begin().await?;
        store::items::wake(&tx, &known, NOT_CONFIGURED).await?;
        store::items::await_key(&tx, &unknown, NOT_CONFIGURED, OVERDUE).await?;
        Ok(self.db.commit(tx, &[]).await?)
    }

    async fn clean_items(&self) -> ServiceResult<()> {
        let tx = self.db.begin().await?;
        store::items::purge(&tx, RESTORABLE).await?;
        store::assistant::delete_old(&tx, CONVERSATIONS).await?;
        store::assistant::forget_arrivals(&tx, ARRIVALS).await?;
        Ok(self.db.commit(tx, &[]).await?)
    }

    async fn enrich_due(&self) -> ServiceResult<()> {
        // Without anybody to ask there is no call to make: the history is not filled with what cannot work.
        let kinds: Vec<ItemKind> =
            ItemKind::ALL.iter().copied().filter(|kind| self.sources.lacks(*kind).is_none()).collect();
        let due = store::items::due(self.db.reader(), Moment::now(), &kinds, MOST).await?;
        let one = |due: Due| async move {
            let caller = product(due.owner.tenant);
            match self.enrich(caller, &due, None).await {
                Err(error) if error.code.http_status() == 403 => self.rest(&due, error.code).await,
                done => done.map(|_| ()),
            }
        };
        let mut all = stream::iter(due).map(one).buffer_unordered(AT_ONCE);
        while let Some(done) = all.next().await {
            if let Err(error) = done {
                tracing::debug!(%error, "an item stays without details for now");
            }
        }
        Ok(())
    }

    /// The gate says no. Asked every two minutes, it would fill the record with that.
    async fn rest(&self, due: &Due, refused: ErrorCode) -> ServiceResult<()> {
        let tx = self.db.begin_for(due.owner.tenant).await?;
        let later = Moment::now().plus(REFUSED);
        store::items::again(&tx, due.owner, due.id, Some(later), refused.as_str()).await?;
        Ok(self.db.commit(tx, &[]).await?)
    }

    /// Right after it was saved, for whoever saved it. Nothing, when there is nobody to ask or somebody asks already.
    pub async fn enrich_now(
        &self,
        permit: CallPermit,
        item: ItemId,
        kind: ItemKind,
    ) -> ServiceResult<Option<Called>> {
        if self.sources.lacks(kind).is_some() {
            return Ok(None);
        }
        let Some(id) = permit.caller().actor.id() else { return Ok(None) };
        let owner = Owner { tenant: permit.tenant(), id };
        self.enrich(permit, &Due { owner, id: item, kind, attempts: 0 }, None).await
    }

    /// The person chose one of several.
    pub async fn enrich_as(
        &self,
        permit: CallPermit,
        item: ItemId,
        kind: ItemKind,
        tmdb_id: i64,
        key: Option<String>,
    ) -> ServiceResult<Called> {
        let params = json!({ "item_id": item, "tmdb_id": tmdb_id });
        self.call(enrich_call(permit, kind, params, key)?).await
    }

    async fn enrich(
        &self,
        permit: CallPermit,
        due: &Due,
        key: Option<String>,
    ) -> ServiceResult<Option<Called>> {
        let tx = self.db.begin_for(due.owner.tenant).await?;
        if !store::items::claim(&tx, due, Moment::now().plus(LEASE)).await? {
            return Ok(None);
        }
        self.db.commit(tx, &[]).await?;
        let params = json!({ "item_id": due.id });
        self.call(enrich_call(permit, due.kind, params, key)?).await.map(Some)
    }
}

fn enrich_call(
    permit: CallPermit,
    kind: ItemKind,
    params: serde_json::Value,
    idempotency_key: Option<String>,
) -> ServiceResult<Call> {
    let tool = ItemTool::that_enriches(kind).ok_or_else(crate::tools::no_tool)?;
    Ok(Call {
        permit,
        tool: CalledTool::Name(tool.name.to_owned()),
        agent: None,
        conversation: None,
        message: None,
        params,
        test_mode: false,
        idempotency_key,
    })
}

fn product(tenant: TenantId) -> CallPermit {
    CallPermit::of(the_product(tenant), tenant)
}

/// The product itself, in one tenant.
pub(crate) fn the_product(tenant: TenantId) -> Caller {
    Caller { tenant: Some(tenant), name: "Alçada".to_owned(), ..Caller::operator() }
}
