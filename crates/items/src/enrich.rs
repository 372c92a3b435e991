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
use serde::Deserialize;
use serde_json::{Value, json};
use store::{Database, Moment, items};
use time::Duration;

/// After the first, second, … attempt; the last one repeats.
const PAUSES: [Duration; 5] =
    [Duration::minutes(1), Duration::minutes(5), Duration::minutes(30), Duration::hours(4), Duration::DAY];
/// Two weeks of days: whoever does not answer by then does not.
const MOST_ATTEMPTS: i32 = 18;
/// A key may be set any day.
pub const WITHOUT_KEY: Duration = Duration::HOUR;

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
    let (item, attempts) =
        items::find_with_attempts(db.reader(), owner, wanted.item_id).await?.ok_or_else(unknown)?;
    if item.deleted_at.is_some() || item.kind != kind {
        return Err(unknown());
    }
    let looked = sources.look_up(&item, tenant.0.as_u128(), wanted.tmdb_id).await;
    write_down(db, owner, &item, attempts, looked).await
}

async fn write_down(
    db: &Database,
    owner: Owner,
    item: &ItemOut,
    attempts: i32,
    looked: Result<Found, Missing>,
) -> Result<Value, ToolFailure> {
    let tx = db.begin_for(owner.tenant).await?;
    let result = match looked {
        Ok(Found::One { title, details }) => {
            let found = complete(item, title, details);
            let same = match &found.same_as {
                Some(same_as) => {
                    items::find_same(&tx, owner, same_as).await?.filter(|same| same.id != item.id)
                }
                None => None,
            };
            match same {
                // It turned out to be what was there already.
                Some(same) => {
                    items::set_deleted(&tx, owner, item.id, Some(Moment::now())).await?;
                    Ok(json!({ "enriched": false, "duplicate_of": same.id, "title": same.title }))
                }
                None => {
                    items::found(&tx, owner, item, &found).await?;
                    Ok(
                        json!({ "enriched": true, "item_id": item.id, "title": found.title, "details": found.details }),
                    )
                }
            }
        }
        Ok(Found::Several(matches)) => {
            items::choose(&tx, owner, item.id, &matches).await?;
            Ok(json!({ "enriched": false, "item_id": item.id, "matches": matches }))
        }
        Err(missing) => {
            match next_attempt(&missing, attempts) {
                Some(at) => items::again(&tx, owner, item.id, at, missing.code).await?,
                None => items::fail(&tx, owner, item.id, missing.code).await?,
            }
            Err(ToolFailure::refused(missing.code, in_words(missing.code)))
        }
    };
    db.commit(tx, &[]).await?;
    result
}

/// What a person typed as a title gives way to what is its title; a note's or an edited one would not come here.
fn complete(item: &ItemOut, title: Option<String>, details: ItemDetails) -> items::Found {
    let same_as = match (item.kind, details.tmdb_id) {
        (ItemKind::Movie | ItemKind::TvShow, Some(id)) => Some(same_title(item.kind, id)),
        _ => None,
    };
    items::Found { title: title.unwrap_or_else(|| item.title.clone()), details, same_as }
}

/// What makes two films or series the same.
pub fn same_title(kind: ItemKind, tmdb_id: i64) -> String {
    format!("tmdb:{kind}:{tmdb_id}")
}

pub(crate) fn same_address(url: &egress::Url) -> String {
    address::same_as(url)
}

fn next_attempt(missing: &Missing, attempts: i32) -> Option<Moment> {
    let now = Moment::now();
    match missing.again {
        Again::Never => None,
        _ if missing.code == NOT_CONFIGURED => Some(now.plus(WITHOUT_KEY)),
        _ if attempts >= MOST_ATTEMPTS => None,
        Again::After(wait) => Some(now.plus(Duration::try_from(wait).unwrap_or(Duration::DAY))),
        Again::Later => {
            let at = usize::try_from(attempts.saturating_sub(1)).unwrap_or(0).min(PAUSES.len() - 1);
            Some(now.plus(PAUSES.get(at).copied().unwrap_or(Duration::DAY)))
        }
    }
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
        assert!(later(1) < later(2) && later(5).is_some());
        assert_eq!(later(MOST_ATTEMPTS), None);
        let told =
            Missing { code: "rate_limited", again: Again::After(std::time::Duration::from_secs(3_600)) };
        let told = next_attempt(&told, 1);
        assert!(told > Some(Moment::now().plus(Duration::minutes(59))), "as long as they asked for");
        assert_eq!(next_attempt(&Missing { code: "not_found", again: Again::Never }, 1), None);
        let no_key = Missing { code: NOT_CONFIGURED, again: Again::Later };
        assert!(next_attempt(&no_key, 10_000).is_some(), "a key may come any day");
    }
}
