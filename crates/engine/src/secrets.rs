//! The secrets of an organisation, for its code tools. Sealed at rest, bound to tenant and name; only a running script
//! that names one gets its value.

use crate::Engine;
use ability::{ManageIntegrations, ReadIntegrations, TenantPermit};
use domain::{
    ErrorCode, ServiceError, ServiceResult, TenantId,
    secret::{SecretIn, SecretOut, parse_name},
    tool::ExecutionType,
};
use serde_json::json;
use std::collections::BTreeMap;
use store::{
    Moment, StoreError, WriteTx,
    audit::{self, Entry},
    tenant_secrets::{self, TenantSecret},
};

/// Names are in every tool's definition and in memory: a tenant has dozens, not thousands.
const MOST: usize = 200;

/// Why a tool does not get what it names.
pub(crate) enum NoSecret {
    Missing(String),
    Failed(ServiceError),
}

impl Engine {
    pub async fn list_secrets(
        &self,
        permit: &TenantPermit<ReadIntegrations>,
    ) -> ServiceResult<Vec<SecretOut>> {
        let rows = tenant_secrets::all(&self.db.reader_of(permit.tenant()).await?, permit.tenant()).await?;
        let uses = self.uses_of_secrets(permit.tenant()).await?;
        Ok(rows.into_iter().map(|row| view(row, &uses)).collect())
    }

    pub async fn get_secret(
        &self,
        permit: &TenantPermit<ReadIntegrations>,
        name: &str,
    ) -> ServiceResult<SecretOut> {
        let names = [known_name(name)?];
        let reader = self.db.reader_of(permit.tenant()).await?;
        let mut rows = tenant_secrets::named(&reader, permit.tenant(), &names).await?;
        drop(reader);
        let row = rows.pop().ok_or_else(no_secret)?;
        Ok(view(row, &self.uses_of_secrets(permit.tenant()).await?))
    }

    /// Makes or replaces it; says whether it is new.
    pub async fn put_secret(
        &self,
        permit: &TenantPermit<ManageIntegrations>,
        name: &str,
        input: SecretIn,
    ) -> ServiceResult<(SecretOut, bool)> {
        let tenant = permit.tenant();
        let name = parse_name("name", name)?;
        let value = input.checked()?;
        let uses = self.uses_of_secrets(tenant).await?;
        let tx = self.db.begin_for(tenant).await?;
        let old = tenant_secrets::hold(&tx, tenant, &name).await?;
        if old.is_none() && tenant_secrets::all(&tx, tenant).await?.len() >= MOST {
            return Err(ServiceError::new(ErrorCode::Conflict, "There are too many secrets already."));
        }
        let now = Moment::now();
        let secret = TenantSecret {
            tenant_id: tenant.0,
            value: self.vault.seal(&purpose(&name), &[tenant.0], value.as_bytes()).into_bytes(),
            created_at: old.as_ref().map_or(now, |old| old.created_at),
            updated_at: now,
            name,
        };
        tenant_secrets::put(&tx, secret.clone()).await?;
        let action = if old.is_some() { "secret.update" } else { "secret.create" };
        record(&tx, permit, action, &secret.name).await?;
        self.db.commit(tx, &[]).await?;
        Ok((view(secret, &uses), old.is_none()))
    }

    /// Also while tools name it: whoever takes a secret back does not wait. Their calls fail from then on.
    pub async fn delete_secret(
        &self,
        permit: &TenantPermit<ManageIntegrations>,
        name: &str,
    ) -> ServiceResult<()> {
        let name = known_name(name)?;
        let tx = self.db.begin_for(permit.tenant()).await?;
        if !tenant_secrets::delete(&tx, permit.tenant(), &name).await? {
            return Err(no_secret());
        }
        record(&tx, permit, "secret.delete", &name).await?;
        Ok(self.db.commit(tx, &[]).await?)
    }

    /// Name to value, all of them or the reason.
    pub(crate) async fn open_secrets(
        &self,
        tenant: TenantId,
        names: &[String],
    ) -> Result<BTreeMap<String, String>, NoSecret> {
        if names.is_empty() {
            return Ok(BTreeMap::new());
        }
        let failed = |error: StoreError| NoSecret::Failed(error.into());
        let reader = self.db.reader_of(tenant).await.map_err(failed)?;
        let rows = tenant_secrets::named(&reader, tenant, names).await.map_err(failed)?;
        let opened: Result<BTreeMap<_, _>, _> = rows.into_iter().map(|row| self.open_secret(row)).collect();
        let opened = opened.map_err(NoSecret::Failed)?;
        match names.iter().find(|name| !opened.contains_key(*name)) {
            Some(name) => Err(NoSecret::Missing(name.clone())),
            None => Ok(opened),
        }
    }

    fn open_secret(&self, row: TenantSecret) -> ServiceResult<(String, String)> {
        let lost = |error: String| {
            tracing::error!(tenant = %row.tenant_id, name = row.name, error, "a secret cannot be opened");
            ServiceError::new(ErrorCode::Internal, "A secret of this organisation cannot be opened.")
        };
        let plain = self.vault.open(&purpose(&row.name), &[row.tenant_id], &row.value);
        let plain = plain.map_err(|error| lost(error.to_string()))?;
        let value = String::from_utf8(plain).map_err(|_| lost("it is not text".to_owned()))?;
        Ok((row.name, value))
    }

    /// Which tools name which secret.
    async fn uses_of_secrets(&self, tenant: TenantId) -> ServiceResult<BTreeMap<String, Vec<String>>> {
        let mut uses: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for known in self.catalogue(tenant).await?.tools() {
            let definition = &known.tool.definition;
            let is_code = definition.execution_type == ExecutionType::Code;
            for name in definition.secret_names.iter().filter(|_| is_code) {
                uses.entry(name.clone()).or_default().push(definition.name.to_string());
            }
        }
        Ok(uses)
    }
}

fn view(row: TenantSecret, uses: &BTreeMap<String, Vec<String>>) -> SecretOut {
    SecretOut {
        used_by: uses.get(&row.name).cloned().unwrap_or_default(),
        name: row.name,
        created_at: row.created_at.into(),
        updated_at: row.updated_at.into(),
    }
}

fn purpose(name: &str) -> String {
    format!("tenant_secret/{name}")
}

/// What cannot be the name of a secret is the name of none; the database is not asked about it.
fn known_name(name: &str) -> ServiceResult<String> {
    parse_name("name", name).map_err(|_| no_secret())
}

fn no_secret() -> ServiceError {
    ServiceError::new(ErrorCode::NotFound, "There is no such secret.")
}

/// That it changed, never what it is.
async fn record(
    tx: &WriteTx,
    permit: &TenantPermit<ManageIntegrations>,
    action: &str,
    name: &str,
) -> ServiceResult<()> {
    let shown = || Some(json!({ "name": name }));
    let entry = Entry {
        tenant: Some(permit.tenant()),
        action,
        subject_kind: "secret",
        subject_id: name.to_owned(),
        before: (action != "secret.create").then(shown).flatten(),
        after: (action != "secret.delete").then(shown).flatten(),
        reason: None,
    };
    Ok(audit::append(tx, permit.caller(), entry).await?)
}
