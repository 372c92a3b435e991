//! API keys: `alc_…`, shown once.

use crate::{Accounts, secret};
use ability::{ManageAdminPanel, Permit};
use domain::{ServiceResult, text::parse_line};
use serde_json::json;
use store::{
    api_keys::{KeyScope, NewApiKey},
    audit::{self, Entry},
};

/// The key, for whoever made it and never again.
pub struct NewKey {
    pub key: String,
}

const PREFIX: &str = "alc_";
/// As much of a key as lists show.
const SHOWN: usize = 12;

impl Accounts {
    pub async fn create_api_key(
        &self,
        permit: &Permit<ManageAdminPanel>,
        name: &str,
        scope: KeyScope,
    ) -> ServiceResult<NewKey> {
        let name = parse_line("name", name, 100)?;
        let key = format!("{PREFIX}{}", secret::random_token());
        let prefix = &key[..SHOWN];
        let tx = self.db.begin().await?;
        let new = NewApiKey { name: &name, prefix, key_hash: &secret::hash(&key), scope };
        let id = store::api_keys::insert(&tx, new).await?;
        let tenant = match scope {
            KeyScope::PlatformAdmin => None,
            KeyScope::Tenant(tenant, _) => Some(tenant),
        };
        let entry = Entry {
            tenant,
            action: "api_key.create",
            subject_kind: "api_key",
            subject_id: id.to_string(),
            before: None,
            after: Some(json!({ "name": name, "prefix": prefix })),
            reason: None,
        };
        audit::append(&tx, permit.caller(), entry).await?;
        self.db.commit(tx, &[]).await?;
        Ok(NewKey { key })
    }
}
