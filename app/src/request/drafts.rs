//! What a refused plain form said, for the page that comes next: nothing that was typed is lost (D6). It stands in the
//! session's row, so never with a secret in it.
//!
//! A session may end while somebody types. Then the form itself tells whom its page was made for ([`made_for`], sealed by
//! the server), and what it said is kept in a session of nobody: briefly, and not more than a form usually says. Who signs
//! in there next gets it back when it is theirs, and makes it go when it is not.

use super::{SESSION_TENANT, Visitor, backend, has_flash, is_plain_form, session_failed};
use crate::api::{ApiError, session::Flash};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use domain::{ServiceResult, TenantId, UserId};
use http::request::Parts;
use leptos::prelude::use_context;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use tower_sessions::{Expiry, cookie::time::Duration};
use vault::Vault;

const DRAFT: &str = "draft";
/// The part of a form's address that names its person.
const MADE_FOR: &str = "for=";
const PURPOSE: &str = "draft_owner";
/// What is kept for somebody who is not here.
const LONGEST_WITHOUT_SESSION: usize = 256 * 1024;
const LIFE_WITHOUT_SESSION: Duration = Duration::minutes(30);
/// Days; no page is older than the longest session and a week.
const OLDEST_PAGE: i64 = 37;

/// A draft belongs to one person, in one organisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Owner {
    user: UserId,
    tenant: Option<TenantId>,
}

#[derive(Serialize, Deserialize)]
struct Draft<T> {
    owner: Owner,
    form: String,
    /// The version that the form was made from.
    seen_version: i64,
    fields: T,
}

/// The same, whatever form it was.
#[derive(Deserialize)]
struct Owned {
    owner: Owner,
}

impl Owner {
    fn of(visitor: &Visitor) -> Option<Self> {
        let me = visitor.me.as_ref()?;
        Some(Self { user: me.id, tenant: me.tenant.as_ref().map(|tenant| tenant.id) })
    }

    fn seal(self, vault: &Vault, day: i64) -> String {
        let sealed = vault.seal(PURPOSE, &[], &serde_json::to_vec(&(self, day)).unwrap_or_default());
        BASE64_URL_SAFE_NO_PAD.encode(sealed.into_bytes())
    }

    /// Nothing, when we did not seal it, or long ago.
    fn open(vault: &Vault, sealed: &str, today: i64) -> Option<Self> {
        let sealed = BASE64_URL_SAFE_NO_PAD.decode(sealed).ok()?;
        let (owner, day): (Self, i64) =
            serde_json::from_slice(&vault.open(PURPOSE, &[], &sealed).ok()?).ok()?;
        (day..=day + OLDEST_PAGE).contains(&today).then_some(owner)
    }
}

/// Where a long form goes that a browser sends by itself: its address tells whom the page was made for.
pub fn made_for(url: &str) -> String {
    let owner = use_context::<Visitor>().as_ref().and_then(Owner::of);
    match owner {
        Some(owner) => format!("{url}?{MADE_FOR}{}", owner.seal(&backend().vault, accounts::today())),
        None => url.to_owned(),
    }
}

fn named_by_the_form() -> Option<Owner> {
    let query = use_context::<Parts>()?.uri.query()?.to_owned();
    Owner::open(&backend().vault, query.strip_prefix(MADE_FOR)?, accounts::today())
}

/// What came of a form; refused, what it said is kept for the next page. `fields` has no secret.
pub async fn or_keep<T, F: Serialize + Sync>(
    visitor: &Visitor,
    form: &str,
    seen_version: i64,
    fields: &F,
    outcome: ServiceResult<T>,
) -> Result<T, ApiError> {
    if outcome.is_err() && is_plain_form() {
        keep(visitor, form, seen_version, fields).await;
    }
    Ok(outcome?)
}

async fn keep<F: Serialize + Sync>(visitor: &Visitor, form: &str, seen_version: i64, fields: &F) {
    let is_here = visitor.me.is_some();
    let Some(owner) = Owner::of(visitor).or_else(named_by_the_form) else { return };
    let draft = Draft { owner, form: form.to_owned(), seen_version, fields };
    let Ok(draft) = serde_json::to_value(draft) else { return };
    if !is_here {
        if draft.to_string().len() > LONGEST_WITHOUT_SESSION {
            return;
        }
        visitor.session.set_expiry(Some(Expiry::OnInactivity(LIFE_WITHOUT_SESSION)));
    }
    if let Err(error) = visitor.session.insert(DRAFT, draft).await {
        tracing::warn!(%error, "a draft could not be kept");
    }
}

/// For the page that shows the refusal, or that follows the sign-in, once; with the version that the form was made from.
pub async fn take_draft<T: DeserializeOwned + Send>(visitor: &Visitor, form: &str) -> Option<(i64, T)> {
    let is_refused = use_context::<Parts>()?.uri.query().is_some_and(|query| query.contains("__err="));
    if !is_refused && !has_flash(&Flash::Kept) {
        return None;
    }
    let draft: Draft<T> = visitor.session.get(DRAFT).await.ok()??;
    if draft.form != form || Some(draft.owner) != Owner::of(visitor) {
        return None;
    }
    visitor.session.remove_value(DRAFT).await.ok()?;
    Some((draft.seen_version, draft.fields))
}

/// Somebody signs in: a draft that is theirs waits for them, where they wrote it; another's goes.
pub(super) async fn claim_draft(visitor: &Visitor, user: UserId) -> Result<bool, ApiError> {
    let session = &visitor.session;
    // One that cannot be read, an older version wrote.
    let Some(draft) = session.get_value(DRAFT).await.map_err(session_failed)? else { return Ok(false) };
    let owner = serde_json::from_value::<Owned>(draft).ok().map(|draft| draft.owner);
    let Some(owner) = owner.filter(|owner| owner.user == user) else {
        session.remove_value(DRAFT).await.map_err(session_failed)?;
        return Ok(false);
    };
    if let Some(tenant) = owner.tenant {
        session.insert(SESSION_TENANT, tenant.to_string()).await.map_err(session_failed)?;
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d6_only_what_the_server_sealed_names_the_person_of_a_form() {
        let vault = |byte: &str| Vault::new(vault::MasterKey::parse(&byte.repeat(32)).unwrap(), Vec::new());
        let owner = Owner { user: UserId::new(), tenant: Some(TenantId::new()) };
        let ours = vault("07");
        let sealed = owner.seal(&ours, 100);
        for (today, expected) in [(100, true), (137, true), (138, false), (99, false)] {
            assert_eq!(Owner::open(&ours, &sealed, today).is_some(), expected, "{today}");
        }
        assert_eq!(Owner::open(&ours, &sealed, 100), Some(owner));
        assert_eq!(Owner::open(&vault("08"), &sealed, 100), None);
        assert_eq!(Owner::open(&ours, &sealed[1..], 100), None);
        assert_eq!(Owner::open(&ours, "", 100), None);
    }
}
