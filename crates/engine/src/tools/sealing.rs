//! S16: addresses of before they were sealed. Done once, at the first start of a version that seals them: it needs the key,
//! which a migration does not have.

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
        let are_sealed = [
            self.seal_tools(&tx).await?,
            self.seal_versions(&tx).await?,
            self.channels.seal_addresses(&tx).await?,
        ];
        if are_sealed == [true; 3] {
            store::settings::put(&tx, DONE, "").await?;
        }
        Ok(self.db.commit(tx, &[]).await?)
    }

    /// False, when one could not be opened, or was changed meanwhile: the next start tries again.
    async fn seal_tools(&self, tx: &WriteTx) -> ServiceResult<bool> {
        let mut all = true;
        for (tenant, tool) in store::tools::webhooks_of_all(tx).await? {
            let mut sealed = tool.clone();
            let Some(whole) = taken_out(&mut sealed.definition) else { continue };
            // What cannot be opened is told there.
            let opened = ToolSecrets::open(&self.vault, tenant, tool.id, tool.secrets.as_deref());
            let Ok(mut secrets) = opened else {
                all = false;
                continue;
            };
            secrets.values.address = Some(whole);
            sealed.secrets = Some(secrets.seal(&self.vault, tenant, tool.id));
            all &= store::tools::replace(tx, tenant, &tool, &sealed).await?;
        }
        Ok(all)
    }

    async fn seal_versions(&self, tx: &WriteTx) -> ServiceResult<bool> {
        let (mut all, tools) = (true, store::tools::ids_of_all(tx).await?);
        for (tenant, tool, mut version) in store::tools::webhook_versions_of_all(tx).await? {
            let Ok(values) = values_of(&self.vault, tenant, tool, &version) else {
                all = false;
                continue;
            };
            // Versions outlive their tool; what they kept secret does not.
            let values = values.filter(|_| tools.contains(&tool));
            let Some(whole) = taken_out(&mut version.definition) else { continue };
            // Where the values of its headers were not kept, all has to be given anew.
            let values = values.map(|values| Values { address: Some(whole), ..values });
            let seal =
                |values| ToolSecrets::with(values).seal_values(&self.vault, tenant, tool, version.version);
            let secrets = values.and_then(seal);
            store::tools::reseal_version(tx, tenant, tool, &Version { secrets, ..version }).await?;
        }
        Ok(all)
    }
}

/// The whole address, when it has a secret; the definition keeps what may be shown.
fn taken_out(definition: &mut ToolDefinition) -> Option<String> {
    let address = Address::of(definition.webhook_url.as_deref()?);
    definition.webhook_url = Some(address.shown);
    address.whole
}
