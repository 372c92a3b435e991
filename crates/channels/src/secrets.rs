//! What a channel keeps to itself. Sealed at rest, bound to tenant and kind, and never shown again.

use domain::{ErrorCode, ServiceError, ServiceResult, TenantId, channel::ChannelKind};
use egress::{rotation::Rotation, signature::Secret};
use serde::{Deserialize, Serialize};
use store::Moment;
use vault::Vault;

#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct ChannelSecrets {
    #[serde(default)]
    pub password: Option<String>,
    #[serde(default)]
    pub access_token: Option<String>,
    /// The whole address, where what is shown of it has a mask.
    #[serde(default)]
    pub address: Option<String>,
    #[serde(flatten)]
    rotation: Rotation,
}

impl ChannelSecrets {
    pub fn open(
        vault: &Vault,
        tenant: TenantId,
        kind: ChannelKind,
        sealed: Option<&[u8]>,
    ) -> ServiceResult<Self> {
        let Some(sealed) = sealed else { return Ok(Self::default()) };
        let lost = |error: String| {
            tracing::error!(%tenant, kind = kind.as_str(), error, "the secrets of a channel cannot be opened");
            ServiceError::new(ErrorCode::Internal, "The secrets of this channel cannot be opened.")
        };
        let plain =
            vault.open(&purpose(kind), &[tenant.0], sealed).map_err(|error| lost(error.to_string()))?;
        serde_json::from_slice(&plain).map_err(|error| lost(error.to_string()))
    }

    pub fn seal(&self, vault: &Vault, tenant: TenantId, kind: ChannelKind) -> Vec<u8> {
        let plain = serde_json::to_vec(self).unwrap_or_default();
        vault.seal(&purpose(kind), &[tenant.0], &plain).into_bytes()
    }

    /// A new secret; the one before it signs too, for a day. Answers with the new one, once.
    pub fn rotate(&mut self) -> String {
        self.rotation.rotate(Moment::now().seconds())
    }

    /// Those that sign now, the newest first.
    pub fn signing(&self) -> Vec<Secret> {
        self.rotation.signing(Moment::now().seconds())
    }
}

fn purpose(kind: ChannelKind) -> String {
    format!("channel_secrets/{}", kind.as_str())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn vault() -> Vault {
        Vault::new(vault::MasterKey::parse(&"07".repeat(32)).unwrap(), Vec::new())
    }

    #[test]
    fn s16_a_sealed_secret_opens_only_where_it_belongs() {
        let (vault, tenant) = (vault(), TenantId::new());
        let secrets = ChannelSecrets { password: Some("hunter2".to_owned()), ..ChannelSecrets::default() };
        let sealed = secrets.seal(&vault, tenant, ChannelKind::Email);
        assert!(!sealed.windows(7).any(|bytes| bytes == b"hunter2"));
        let open = |tenant, kind| ChannelSecrets::open(&vault, tenant, kind, Some(&sealed));
        assert_eq!(open(tenant, ChannelKind::Email).unwrap().password.as_deref(), Some("hunter2"));
        assert!(open(TenantId::new(), ChannelKind::Email).is_err());
        assert!(open(tenant, ChannelKind::Webhook).is_err());
    }
}
