//! What the tools `enrich_…` do: look up what is known about an item, and write it down.
//!
//! Doing it twice does no harm. What cannot be found out now stays in the item as a reason and a next attempt; the
//! loop of the engine comes back to it.

use crate::{
    Owner, address,
    sources::{Again, Found, Missing, NOT_CONFIGURED, Sources},
};
use crm::tools::{ToolFailure, args};
use domain::{
    ItemId, TenantId,
    item::{EnrichmentState, ItemDetails, ItemKind, ItemOut},
};
use sea_orm::ConnectionTrait;
use serde::Deserialize;
use serde_json::{Value, json};
use store::{
    Database, Moment,
    items::{self, Open},
};
use time::Duration;

/// After the first, second, … attempt; the last one repeats.
const PAUSES: [Duration; 5] =
    [Duration::minutes(1), Duration::minutes(5), Duration::minutes(30), Duration::hours(4), Duration::DAY];
/// Two weeks of days: whoever does not answer by then does not.
const MOST_ATTEMPTS: i32 = 18;

#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    pub item_id: ItemId,
    pub tmdb_id: Option<i64>,
}

impl Wanted {
    pub fn parse(params: &Value) -> Result<Self, ToolFailure> {
        args::parse(params)
    }
}

/// `owner` is whoever asks; nobody is the product itself, which may for everybody.
pub async fn run(
    db: &Database,
    sources: &Sources,
    tenant: TenantId,
    owner: Option<Owner>,
    kind: ItemKind,
    params: &Value,
) -> Result<Value, ToolFailure> {
    let wanted = Wanted::parse(params)?;
    let unknown = || ToolFailure::refused("item_not_found", "Não há esse item.");
    let owner = match owner {
        Some(owner) => owner,
        None => items::owner_of(db.reader(), tenant, wanted.item_id).await?.ok_or_else(unknown)?,
    };
    let is_there = |open: &Open| open.item.deleted_at.is_none() && open.item.kind == kind;
    let before = items::open(db.reader(), owner, wanted.item_id).await?.filter(is_there);
    let before = before.ok_or_else(unknown)?;
    let looked = sources.look_up(&before.item, tenant.0.as_u128(), wanted.tmdb_id).await;
    // It took a while: what the person changed meanwhile is theirs, and what they chose meanwhile holds.
    let tx = db.begin_for(tenant).await?;
    let now = items::hold(&tx, owner, wanted.item_id).await?.filter(is_there).ok_or_else(unknown)?;
    if wanted.tmdb_id.is_none() && !now.is_as_before(&before) {
        return Ok(
            json!({ "enriched": false, "item_id": now.item.id, "title": now.item.title, "details": now.item.details }),
        );
    }
    let result = write_down(&tx, owner, &now, looked).await?;
    db.commit(tx, &[]).await?;
    result
}

/// The outer error rolls back; the inner one is written down, and told.
async fn write_down(
    tx: &impl ConnectionTrait,
    owner: Owner,
    now: &Open,
    looked: Result<Found, Missing>,
) -> Result<Result<Value, ToolFailure>, ToolFailure> {
    let id = now.item.id;
    match looked {
        Ok(Found::One { title, details }) => {
            complete(tx, owner, &now.item, found(now, title, details)).await.map(Ok)
        }
        Ok(Found::Several(matches)) => {
            items::choose(tx, owner, id, &matches).await?;
            Ok(Ok(json!({ "enriched": false, "item_id": id, "matches": matches })))
        }
        Err(missing) => {
            match next_attempt(&missing, now.attempts) {
                Next::Never => items::fail(tx, owner, id, missing.code).await?,
                Next::WithKey => items::again(tx, owner, id, None, missing.code).await?,
                Next::At(at) => items::again(tx, owner, id, Some(at), missing.code).await?,
            }
            Ok(Err(ToolFailure::refused(missing.code, in_words(missing.code))))
        }
    }
}

async fn complete(
    tx: &impl ConnectionTrait,
    owner: Owner,
    item: &ItemOut,
    found: items::Found,
) -> Result<Value, ToolFailure> {
    let same = match &found.same_as {
        Some(same_as) => items::find_same(tx, owner, same_as).await?.filter(|same| same.id != item.id),
        None => None,
    };
    // It turned out to be what was there already.
    if let Some(same) = same {
        items::set_deleted(tx, owner, item.id, Some(Moment::now())).await?;
        return Ok(json!({ "enriched": false, "duplicate_of": same.id, "title": same.title }));
    }
    items::found(tx, owner, item, &found).await?;
    Ok(json!({ "enriched": true, "item_id": item.id, "title": found.title, "details": found.details }))
}

/// What a person typed to find a film gives way to its title; the name that they gave it does not.
fn found(now: &Open, title: Option<String>, details: ItemDetails) -> items::Found {
    let item = &now.item;
    let same_as = match (item.kind, details.tmdb_id) {
        (ItemKind::Movie | ItemKind::TvShow, Some(id)) => Some(same_title(item.kind, id)),
        _ => None,
    };
    let title = title.filter(|_| !now.has_own_title).unwrap_or_else(|| item.title.clone());
    items::Found { title, details, same_as }
}

/// What makes two films or series the same.
pub fn same_title(kind: ItemKind, tmdb_id: i64) -> String {
    format!("tmdb:{kind}:{tmdb_id}")
}

pub(crate) fn same_address(url: &egress::Url) -> String {
    address::same_as(url)
}

#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
enum Next {
    Never,
    /// Any day: whoever has the key tries it.
    WithKey,
    At(Moment),
}

/// Never before the other side wants it, and never sooner than after the pause that is due.
fn next_attempt(missing: &Missing, attempts: i32) -> Next {
    let at = usize::try_from(attempts.saturating_sub(1)).unwrap_or(0).min(PAUSES.len() - 1);
    let pause = PAUSES.get(at).copied().unwrap_or(Duration::DAY);
    let wait = match missing.again {
        Again::Never => return Next::Never,
        _ if missing.code == NOT_CONFIGURED => return Next::WithKey,
        _ if attempts >= MOST_ATTEMPTS => return Next::Never,
        Again::After(wait) => Duration::try_from(wait).unwrap_or(Duration::DAY).max(pause),
        Again::Later => pause,
    };
    Next::At(Moment::now().plus(wait))
}

/// Whether there is something left to find out.
pub fn is_open(item: &ItemOut) -> bool {
    matches!(item.enrichment.state, EnrichmentState::Waiting | EnrichmentState::Several)
}

fn in_words(code: &str) -> &'static str {
    match code {
        NOT_CONFIGURED => "Os detalhes vêm do TMDB, e este servidor ainda não tem a chave dele.",
        "not_found" => "Ninguém conhece isto por lá.",
        "unauthorized" => "A chave do TMDB foi recusada.",
        "rate_limited" => "O serviço pediu para esperar; será tentado de novo.",
        "blocked_address" => "O endereço não é público: nada foi buscado.",
        "https_required" => "O endereço não usa https: nada foi buscado.",
        "private" => "O conteúdo é privado.",
        "no_preview" | "not_a_page" => "O endereço não tem prévia.",
        _ => "O serviço não respondeu como devia; será tentado de novo.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g13_tries_come_again_and_end() {
        let later = |attempts| next_attempt(&Missing { code: "timed_out", again: Again::Later }, attempts);
        assert!(later(1) < later(2) && later(4) < later(5) && later(1) != Next::Never);
        assert_eq!(later(MOST_ATTEMPTS), Next::Never);
        let told = |seconds| {
            let again = Again::After(std::time::Duration::from_secs(seconds));
            next_attempt(&Missing { code: "rate_limited", again }, 1)
        };
        assert!(
            told(3_600) > Next::At(Moment::now().plus(Duration::minutes(59))),
            "as long as they asked for"
        );
        assert!(told(1) > Next::At(Moment::now().plus(Duration::seconds(50))), "and not in a hurry");
        assert_eq!(next_attempt(&Missing { code: "not_found", again: Again::Never }, 1), Next::Never);
        let no_key = Missing { code: NOT_CONFIGURED, again: Again::Later };
        assert_eq!(next_attempt(&no_key, 10_000), Next::WithKey, "a key may come any day");
    }
}
