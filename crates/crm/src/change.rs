//! The record of a change, written in its transaction.

use ability::{Right, TenantPermit};
use domain::ServiceResult;
use serde::Serialize;
use serde_json::Value;
use std::fmt::Display;
use store::{
    WriteTx,
    audit::{self, Entry},
};

/// What was there and what is there now; one of them is missing when it was made or removed.
pub(crate) struct Change<'a, T> {
    /// `kind.verb`, such as `contact.update`.
    pub action: &'static str,
    pub before: Option<&'a T>,
    pub after: Option<&'a T>,
}

pub(crate) async fn record<R: Right, T: Serialize>(
    tx: &WriteTx,
    permit: &TenantPermit<R>,
    id: impl Display,
    change: Change<'_, T>,
) -> ServiceResult<()> {
    let (kind, _) = change.action.split_once('.').unwrap_or((change.action, ""));
    let entry = Entry {
        tenant: Some(permit.tenant()),
        action: change.action,
        subject_kind: kind,
        subject_id: id.to_string(),
        before: change.before.and_then(shown),
        after: change.after.and_then(shown),
        reason: None,
    };
    Ok(audit::append(tx, permit.caller(), entry).await?)
}

fn shown<T: Serialize>(thing: &T) -> Option<Value> {
    serde_json::to_value(thing).ok()
}
