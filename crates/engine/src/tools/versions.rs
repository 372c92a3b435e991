//! T4: every definition that a tool had, what each changed, and the way back to one. Each keeps what it has as `***`, sealed:
//! it is never shown, and comes back with its definition.

use super::{
    ToolSecrets, becomes_webhook, breaking_change,
    difference::{difference, replaced_values},
    is_current, no_tool,
    secrets::values_of,
    seen_tool, shown,
};
use crate::Engine;
use ability::{ReadTools, TenantPermit, UpdateTools};
use domain::{
    ErrorCode, FieldCode, FieldError, ServiceError, ServiceResult, TenantId, ToolId,
    tool::{FieldChange, ToolOut, ToolVersionOut},
};
use store::{
    Moment, WriteTx,
    tools::{Tool, Version},
};

impl Engine {
    /// Newest first, each with what it changed.
    pub async fn tool_versions(
        &self,
        permit: &TenantPermit<ReadTools>,
        id: ToolId,
    ) -> ServiceResult<Vec<ToolVersionOut>> {
        if permit.caller().agent.is_some() {
            seen_tool(&*self.catalogue(permit.tenant()).await?, permit.caller(), id)?;
        }
        let versions =
            store::tools::versions(&self.db.reader_of(permit.tenant()).await?, permit.tenant(), id).await?;
        if versions.is_empty() {
            return Err(no_tool());
        }
        let olds = versions.iter().skip(1).map(Some).chain([None]);
        let changes: Vec<_> =
            versions.iter().zip(olds).map(|(new, old)| self.changes(permit.tenant(), id, old, new)).collect();
        Ok(versions
            .into_iter()
            .zip(changes)
            .map(|(version, changes)| ToolVersionOut {
                version: version.version,
                definition: shown(&version.definition),
                changes,
                changed_by: version.changed_by,
                note: version.note,
                at: version.at.into(),
            })
            .collect())
    }

    fn changes(
        &self,
        tenant: TenantId,
        id: ToolId,
        old: Option<&Version>,
        new: &Version,
    ) -> Vec<FieldChange> {
        let before = old.map(|old| shown(&old.definition));
        let mut changes = difference(before.as_ref(), &shown(&new.definition));
        // What cannot be opened cannot be compared; the rest is still worth showing.
        let values = |version: &Version| values_of(&self.vault, tenant, id, version).ok().flatten();
        let address = |version: &Version| version.definition.webhook_url.clone();
        if let (Some(before), Some(after)) = (old.and_then(values), values(new)) {
            let shown = old.and_then(address).zip(address(new));
            let shown = shown.as_ref().map(|(old, new)| (old.as_str(), new.as_str()));
            changes.extend(replaced_values(&before, &after, shown));
        }
        changes
    }

    /// An old definition becomes the newest version; history is only ever added to.
    pub async fn restore_tool(
        &self,
        permit: &TenantPermit<UpdateTools>,
        id: ToolId,
        version: i64,
        expected_version: Option<i64>,
    ) -> ServiceResult<ToolOut> {
        let tenant = permit.tenant();
        let catalogue = self.catalogue(tenant).await?;
        let before = &catalogue.tool(id).ok_or_else(no_tool)?.tool;
        is_current(expected_version, before.version)?;
        if before.is_system {
            return Err(ServiceError::new(ErrorCode::SystemTool, "Built-in tools come with the product."));
        }
        let versions = store::tools::versions(&self.db.reader_of(tenant).await?, tenant, id).await?;
        let old = versions.into_iter().find(|known| known.version == version);
        let old = old.ok_or_else(|| ServiceError::new(ErrorCode::NotFound, "There is no such version."))?;
        let mut after = before.clone();
        let mut secrets = self.with_values_of(tenant, before, &old)?;
        let becomes_webhook = becomes_webhook(before, old.definition.execution_type);
        let shown = becomes_webhook.then(|| secrets.begin_to_sign()).flatten();
        after.secrets = Some(secrets.seal(&self.vault, tenant, before.id));
        after.definition = old.definition;
        after.version = before.version + 1;
        after.updated_at = Moment::now();
        self.check_code(tenant, Some(&before.definition), &after.definition).await?;
        let note = Some(format!("version {version} restored"));
        self.replace_tool(permit.caller(), tenant, before, &after, None, note).await?;
        let breaking_change = breaking_change(&catalogue, before, &after);
        Ok(ToolOut { breaking_change, webhook_secret: shown, ..self.tool_view(tenant, id).await? })
    }

    /// The address and the headers come back with the values that they had there; what signs stays. A version of before
    /// values were kept cannot come back with others.
    fn with_values_of(&self, tenant: TenantId, tool: &Tool, old: &Version) -> ServiceResult<ToolSecrets> {
        let mut secrets = ToolSecrets::open(&self.vault, tenant, tool.id, tool.secrets.as_deref())?;
        let values = values_of(&self.vault, tenant, tool.id, old)?;
        secrets.values = values.ok_or_else(|| {
            let names: Vec<&str> = old.definition.webhook_headers.keys().map(String::as_str).collect();
            let field = if names.is_empty() { "webhook_url" } else { "webhook_headers" };
            let names = if names.is_empty() { field.to_owned() } else { names.join(", ") };
            let why = "the values of this version were not kept: change the tool, and give them anew";
            FieldError { message: format!("{why}: {names}"), ..FieldError::new(field, FieldCode::NeededAnew) }
        })?;
        Ok(secrets)
    }

    /// The one before it gets its values too, where it is of before they were kept: this is the last moment to know them.
    pub(super) async fn add_version(
        &self,
        tx: &WriteTx,
        tenant: TenantId,
        before: Option<&Tool>,
        after: &Tool,
        by: &str,
        note: Option<String>,
    ) -> ServiceResult<()> {
        let values = |tool: &Tool| {
            let secrets = ToolSecrets::open(&self.vault, tenant, tool.id, tool.secrets.as_deref())?;
            Ok::<_, ServiceError>(secrets.seal_values(&self.vault, tenant, tool.id, tool.version))
        };
        if let Some(before) = before
            && let Some(values) = values(before)?
        {
            store::tools::add_version_secrets(tx, tenant, (before.id, before.version), values).await?;
        }
        Ok(store::tools::add_version(tx, tenant, after, values(after)?, by, note).await?)
    }
}
