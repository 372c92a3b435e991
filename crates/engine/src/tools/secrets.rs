//! What a tool keeps to itself: the secrets that sign its calls, and the values of its headers. Sealed at rest, bound
//! to tenant and tool, and never shown again.

use crate::schema::MASKED;
use domain::{ErrorCode, FieldCode, FieldError, ServiceError, ServiceResult, TenantId, ToolId};
use egress::{rotation::Rotation, signature::Secret};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use store::Moment;
use vault::Vault;

const PURPOSE: &str = "tool_secrets";
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct ToolSecrets {
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    #[serde(flatten)]
    rotation: Rotation,
}

impl ToolSecrets {
    pub fn open(vault: &Vault, tenant: TenantId, tool: ToolId, sealed: Option<&[u8]>) -> ServiceResult<Self> {
        let Some(sealed) = sealed else { return Ok(Self::default()) };
        let lost = |error: String| {
            tracing::error!(%tool, error, "the secrets of a tool cannot be opened");
            ServiceError::new(ErrorCode::Internal, "The secrets of this tool cannot be opened.")
        };
        let plain =
            vault.open(PURPOSE, &[tenant.0, tool.0], sealed).map_err(|error| lost(error.to_string()))?;
        serde_json::from_slice(&plain).map_err(|error| lost(error.to_string()))
    }

    pub fn seal(&self, vault: &Vault, tenant: TenantId, tool: ToolId) -> Vec<u8> {
        let plain = serde_json::to_vec(self).unwrap_or_default();
        vault.seal(PURPOSE, &[tenant.0, tool.0], &plain).into_bytes()
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
