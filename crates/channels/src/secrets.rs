//! What a channel keeps to itself. Sealed at rest, bound to tenant and kind, and never shown again.

use domain::{ErrorCode, ServiceError, ServiceResult, TenantId, channel::ChannelKind};
use egress::signature::Secret;
use serde::{Deserialize, Serialize};
use store::Moment;
use time::Duration;
use vault::Vault;

/// How long the secret before a rotation still signs.
const OVERLAP: Duration = Duration::DAY;

#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct ChannelSecrets {
    #[serde(default)]
    pub password: Option<String>,
    #[serde(default)]
    pub access_token: Option<String>,
    #[serde(default)]
    current: Option<String>,
    #[serde(default)]
    previous: Option<(String, i64)>,
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
        let new = Secret::generate().expose();
        let until = Moment::now().plus(OVERLAP).0;
        self.previous = self.current.take().map(|old| (old, until));
        self.current = Some(new.clone());
        new
    }

    /// Those that sign now, the newest first.
    pub fn signing(&self) -> Vec<Secret> {
        let now = Moment::now().0;
        let previous = self.previous.as_ref().filter(|(_, until)| *until > now).map(|(text, _)| text);
        self.current.iter().chain(previous).filter_map(|text| Secret::parse(text).ok()).collect()
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

    #[test]
    fn two_secrets_sign_after_a_rotation() {
        let mut secrets = ChannelSecrets::default();
        assert!(secrets.signing().is_empty());
        let first = secrets.rotate();
        let second = secrets.rotate();
        let signing: Vec<_> = secrets.signing().iter().map(Secret::expose).collect();
        assert_eq!(signing, [second, first]);
    }
}
