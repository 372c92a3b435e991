//! S16: addresses of before they were sealed. Done once, at the first start of a version that seals them: it needs the key,
//! which a migration does not have. All of it happens, or nothing.

use super::secrets::{ToolSecrets, Values, values_of};
use crate::Engine;
use channels::Address;
use domain::{ServiceResult, tool::ToolDefinition};
use store::{WriteTx, tools::Version};

const DONE: &str = "addresses_are_sealed";

impl Engine {
    pub(crate) async fn seal_addresses(&self) -> ServiceResult<()> {
        if store::settings::get(self.db.reader(), DONE).await?.is_some() {
            return Ok(());
        }
        let tx = self.db.begin().await?;
        self.seal_tools(&tx).await?;
        self.seal_versions(&tx).await?;
        self.channels.seal_addresses(&tx).await?;
        store::settings::put(&tx, DONE, "").await?;
        Ok(self.db.commit(tx, &[]).await?)
    }

    async fn seal_tools(&self, tx: &WriteTx) -> ServiceResult<()> {
        for (tenant, tool) in store::tools::webhooks_of_all(tx).await? {
            let mut sealed = tool.clone();
            let Some(whole) = taken_out(&mut sealed.definition) else { continue };
            let mut secrets = ToolSecrets::open(&self.vault, tenant, tool.id, tool.secrets.as_deref())?;
            secrets.values.address = Some(whole);
            sealed.secrets = Some(secrets.seal(&self.vault, tenant, tool.id));
            store::tools::replace(tx, tenant, &tool, &sealed).await?;
        }
        Ok(())
    }

    async fn seal_versions(&self, tx: &WriteTx) -> ServiceResult<()> {
        for (tenant, tool, mut version) in store::tools::webhook_versions_of_all(tx).await? {
            let values = values_of(&self.vault, tenant, tool, &version)?;
            let Some(whole) = taken_out(&mut version.definition) else { continue };
            // Where the values of its headers were not kept, all has to be given anew.
            let values = values.map(|values| Values { address: Some(whole), ..values });
            let seal =
                |values| ToolSecrets::with(values).seal_values(&self.vault, tenant, tool, version.version);
            let secrets = values.and_then(seal);
            store::tools::reseal_version(tx, tenant, tool, &Version { secrets, ..version }).await?;
        }
        Ok(())
    }
}

/// The whole address, when it has a secret; the definition keeps what may be shown.
fn taken_out(definition: &mut ToolDefinition) -> Option<String> {
    let address = Address::of(definition.webhook_url.as_deref()?);
    definition.webhook_url = Some(address.shown);
    address.whole
}
