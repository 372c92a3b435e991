//! What a tool keeps to itself: the secrets that sign its calls, and the values of its headers. Sealed at rest, bound
//! to tenant and tool, and never shown again.

use crate::schema::MASKED;
use domain::{ErrorCode, FieldCode, FieldError, ServiceError, ServiceResult, TenantId, ToolId};
use egress::{rotation::Rotation, signature::Secret};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::collections::BTreeMap;
use store::{Moment, tools::Version};
use vault::Vault;

const PURPOSE: &str = "tool_secrets";

/// The values of a tool's headers, by their names.
pub type Values = BTreeMap<String, String>;

#[derive(Clone, Default, Serialize, Deserialize)]
pub struct ToolSecrets {
    #[serde(default)]
    pub headers: Values,
    #[serde(flatten)]
    rotation: Rotation,
}

impl ToolSecrets {
    pub fn open(vault: &Vault, tenant: TenantId, tool: ToolId, sealed: Option<&[u8]>) -> ServiceResult<Self> {
        let Some(sealed) = sealed else { return Ok(Self::default()) };
        opened(vault, PURPOSE, tenant, tool, sealed)
    }

    pub fn seal(&self, vault: &Vault, tenant: TenantId, tool: ToolId) -> Vec<u8> {
        let plain = serde_json::to_vec(self).unwrap_or_default();
        vault.seal(PURPOSE, &[tenant.0, tool.0], &plain).into_bytes()
    }

    /// What a version keeps: the values of its headers, bound to it. Never what signs: an old secret must not come back.
    pub fn seal_values(
        &self,
        vault: &Vault,
        tenant: TenantId,
        tool: ToolId,
        version: i64,
    ) -> Option<Vec<u8>> {
        let plain = serde_json::to_vec(&self.headers).unwrap_or_default();
        let seal = || vault.seal(&purpose_of(version), &[tenant.0, tool.0], &plain).into_bytes();
        (!self.headers.is_empty()).then(seal)
    }

    /// A value that reads `***` is one that the caller was shown: it stays. Where none was, it is a mistake. True when
    /// something is different now.
    pub fn set_headers(&mut self, given: &BTreeMap<String, String>) -> Result<bool, FieldError> {
        let mut headers = BTreeMap::new();
        for (name, value) in given {
            let lower = name.to_ascii_lowercase();
            let value = if value == MASKED { self.headers.get(&lower) } else { Some(value) };
            let unknown = || FieldError::new(&format!("webhook_headers.{name}"), FieldCode::Invalid);
            headers.insert(lower, value.ok_or_else(unknown)?.clone());
        }
        let differs = headers != self.headers;
        self.headers = headers;
        Ok(differs)
    }

    /// Values go where they were given for. Whoever moves the tool to another origin gives them anew or takes the headers
    /// away: otherwise whoever may change the address could have the values sent to themselves.
    pub fn stay_here(&self, given: Option<&BTreeMap<String, String>>) -> Result<(), FieldError> {
        let is_kept = |name: &str| {
            given.is_none_or(|given| {
                given.iter().any(|(known, value)| known.eq_ignore_ascii_case(name) && value == MASKED)
            })
        };
        let names: Vec<&str> = self.headers.keys().map(String::as_str).filter(|name| is_kept(name)).collect();
        if names.is_empty() {
            return Ok(());
        }
        let why = "the address has another origin: give the values of these headers anew, or remove them";
        let message = format!("{why}: {}", names.join(", "));
        Err(FieldError { message, ..FieldError::new("webhook_headers", FieldCode::NeededAnew) })
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

/// The values that a version had; nothing where it has headers and their values were not kept yet.
pub fn values_of(
    vault: &Vault,
    tenant: TenantId,
    tool: ToolId,
    version: &Version,
) -> ServiceResult<Option<Values>> {
    match &version.secrets {
        _ if version.definition.webhook_headers.is_empty() => Ok(Some(Values::new())),
        Some(sealed) => {
            let mut values: Values = opened(vault, &purpose_of(version.version), tenant, tool, sealed)?;
            values.retain(|name, _| version.definition.webhook_headers.contains_key(name));
            Ok(Some(values))
        }
        None => Ok(None),
    }
}

fn purpose_of(version: i64) -> String {
    format!("tool_version_values/{version}")
}

fn opened<T: DeserializeOwned>(
    vault: &Vault,
    purpose: &str,
    tenant: TenantId,
    tool: ToolId,
    sealed: &[u8],
) -> ServiceResult<T> {
    let lost = |error: String| {
        tracing::error!(%tool, error, "the secrets of a tool cannot be opened");
        ServiceError::new(ErrorCode::Internal, "The secrets of this tool cannot be opened.")
    };
    let plain = vault.open(purpose, &[tenant.0, tool.0], sealed).map_err(|error| lost(error.to_string()))?;
    serde_json::from_slice(&plain).map_err(|error| lost(error.to_string()))
}
