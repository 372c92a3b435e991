//! What a tool keeps to itself: the secrets that sign its calls, the values of its headers, and its address where that has a
//! secret in it. Sealed at rest, bound to tenant and tool, and never shown again.

use crate::schema::MASKED;
use channels::Address;
use domain::{
    ErrorCode, FieldCode, FieldError, ServiceError, ServiceResult, TenantId, ToolId,
    secret::names::is_secret, tool::ToolDefinition,
};
use egress::{rotation::Rotation, signature::Secret};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::collections::BTreeMap;
use store::{Moment, tools::Version};
use vault::Vault;

const PURPOSE: &str = "tool_secrets";

/// What a definition has as `***`.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Values {
    /// The whole address, where what is shown of it has a mask. No header has a name like this.
    #[serde(default, rename = ":address", skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// By the names of the headers.
    #[serde(flatten)]
    pub headers: BTreeMap<String, String>,
}

#[derive(Clone, Default, Serialize, Deserialize)]
pub struct ToolSecrets {
    #[serde(default, rename = "headers")]
    pub values: Values,
    #[serde(flatten)]
    rotation: Rotation,
}

impl ToolSecrets {
    pub fn with(values: Values) -> Self {
        Self { values, rotation: Rotation::default() }
    }

    pub fn open(vault: &Vault, tenant: TenantId, tool: ToolId, sealed: Option<&[u8]>) -> ServiceResult<Self> {
        let Some(sealed) = sealed else { return Ok(Self::default()) };
        opened(vault, PURPOSE, tenant, tool, sealed)
    }

    pub fn seal(&self, vault: &Vault, tenant: TenantId, tool: ToolId) -> Vec<u8> {
        let plain = serde_json::to_vec(self).unwrap_or_default();
        vault.seal(PURPOSE, &[tenant.0, tool.0], &plain).into_bytes()
    }

    /// What a version keeps, bound to it. Never what signs: an old secret must not come back.
    pub fn seal_values(
        &self,
        vault: &Vault,
        tenant: TenantId,
        tool: ToolId,
        version: i64,
    ) -> Option<Vec<u8>> {
        let plain = serde_json::to_vec(&self.values).unwrap_or_default();
        let seal = || vault.seal(&purpose_of(version), &[tenant.0, tool.0], &plain).into_bytes();
        (self.values != Values::default()).then(seal)
    }

    /// A value that reads `***` is one that the caller was shown: it stays. Where none was, it is a mistake.
    pub fn set_headers(&mut self, given: &BTreeMap<String, String>) -> Result<(), FieldError> {
        let mut headers = BTreeMap::new();
        for (name, value) in given {
            let lower = name.to_ascii_lowercase();
            let value = if value == MASKED { self.values.headers.get(&lower) } else { Some(value) };
            let unknown = || FieldError::new(&format!("webhook_headers.{name}"), FieldCode::Invalid);
            headers.insert(lower, value.ok_or_else(unknown)?.clone());
        }
        self.values.headers = headers;
        Ok(())
    }

    /// Values go where they were given for. Whoever moves the tool to another origin gives them anew or takes the headers
    /// away: otherwise whoever may change the address could have the values sent to themselves.
    pub fn stay_here(&self, given: Option<&BTreeMap<String, String>>) -> Result<(), FieldError> {
        let is_kept = |name: &str| {
            given.is_none_or(|given| {
                given.iter().any(|(known, value)| known.eq_ignore_ascii_case(name) && value == MASKED)
            })
        };
        let names: Vec<&str> =
            self.values.headers.keys().map(String::as_str).filter(|name| is_kept(name)).collect();
        if names.is_empty() {
            return Ok(());
        }
        let why = "the address has another origin: give the values of these headers anew, or remove them";
        let message = format!("{why}: {}", names.join(", "));
        Err(FieldError { message, ..FieldError::new("webhook_headers", FieldCode::NeededAnew) })
    }

    /// Where calls go.
    pub fn address_of<'a>(&'a self, definition: &'a ToolDefinition) -> Option<&'a str> {
        self.values.address.as_deref().or(definition.webhook_url.as_deref())
    }

    /// What is not to be kept when an answer repeats it. Every value of a header is sealed; only those that can be told from
    /// ordinary words are looked for: `x-env: prod` must not hide a part of every product.
    pub fn hidden(&self) -> Vec<String> {
        let looks_secret = |name: &str, value: &str| {
            !is_about(name) && (identifies(name) || (!is_ordinary(name) && is_no_word(value)))
        };
        let headers = self.values.headers.iter().filter(|(name, value)| looks_secret(name, value));
        // `Bearer …` and the like: answers repeat the second word alone.
        let headers =
            headers.flat_map(|(_, value)| [Some(value.as_str()), value.split_once(' ').map(|it| it.1)]);
        let address = self.values.address.as_deref().map(Address::secrets_in).unwrap_or_default();
        headers.flatten().map(|value| value.trim().to_owned()).chain(address).collect()
    }

    /// A new secret; the one before it signs too, for a day. Answers with the new one, once.
    pub fn rotate(&mut self) -> String {
        self.rotation.rotate(Moment::now().seconds())
    }

    /// T15: nothing is sent unsigned. A tool that never signed gets a secret, told once.
    pub fn begin_to_sign(&mut self) -> Option<String> {
        self.signing().is_empty().then(|| self.rotate())
    }

    /// Those that sign now, the newest first.
    pub fn signing(&self) -> Vec<Secret> {
        self.rotation.signing(Moment::now().seconds())
    }
}

/// The values that a version had; nothing where it has some and they were not kept yet.
pub fn values_of(
    vault: &Vault,
    tenant: TenantId,
    tool: ToolId,
    version: &Version,
) -> ServiceResult<Option<Values>> {
    let names = &version.definition.webhook_headers;
    match &version.secrets {
        Some(sealed) => {
            let mut values: Values = opened(vault, &purpose_of(version.version), tenant, tool, sealed)?;
            values.headers.retain(|name, _| names.contains_key(name));
            Ok(Some(values))
        }
        None => Ok((names.is_empty() && !has_mask(&version.definition)).then(Values::default)),
    }
}

/// What says how something is done, even how somebody is identified (`x-auth-type`), has a word of every day as its value.
fn is_about(name: &str) -> bool {
    let ways = ["algorithm", "encoding", "method", "provider", "scheme", "type", "version"];
    ends_in(name, &ways) || ends_in(name, &["charset", "date", "language"])
}

/// Names whose values answers repeat for good reasons, however long they are. An id may still be that of a session.
fn is_ordinary(name: &str) -> bool {
    let repeats_us = ["origin", "referer"].contains(&name) || name.starts_with("accept");
    repeats_us || ends_in(name, &["id", "agent"])
}

fn ends_in(name: &str, ends: &[&str]) -> bool {
    words_of(name).last().is_some_and(|last| ends.contains(&last))
}

/// Whoever has such a header is taken for somebody.
fn identifies(name: &str) -> bool {
    let words = ["auth", "cookie", "credential", "credentials", "session", "sig", "signature"];
    is_secret(name) || words_of(name).any(|word| words.contains(&word))
}

fn words_of(name: &str) -> impl Iterator<Item = &str> {
    name.split(['-', '_'])
}

/// Long, and not of letters alone: no answer has it by chance.
fn is_no_word(value: &str) -> bool {
    value.len() >= 12 && value.chars().any(|c| !c.is_alphabetic() && c != ' ')
}

fn has_mask(definition: &ToolDefinition) -> bool {
    definition.webhook_url.as_deref().is_some_and(Address::has_mask)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s16_what_an_answer_may_not_repeat_is_told_by_name_or_by_looks() {
        // What the mask leaves of an answer that repeats the value.
        let repeated = |name: &str, value: &str, answer: &str| {
            let headers = BTreeMap::from([(name.to_owned(), value.to_owned())]);
            let hidden = ToolSecrets::with(Values { address: None, headers }).hidden();
            sandbox::Mask::of(hidden.iter().map(String::as_str)).text(answer.to_owned())
        };
        for (name, value) in [
            ("cookie", "sid=balcao"),
            ("x-auth", "padaria"),
            ("x-auth-user", "padaria"),
            ("x-signature", "abcd"),
            ("x-session-id", "a1b2c3"),
            ("x_session_id", "a1b2c3"),
            ("x-credential", "balcao"),
            ("x-api", "canto-do-balcao"),
            ("x-place", "a1b2c3d4e5f6"),
            ("x-origin-key", "https://loja.example.com"),
        ] {
            assert_eq!(repeated(name, value, value), MASKED, "{name}");
        }
        assert_eq!(repeated("authorization", "Bearer balcao", "balcao"), MASKED);
        for (name, value) in [
            ("x-env", "prod"),
            ("x-place", "supermercado central"),
            ("accept", "application/json; q=0.9"),
            ("x-auth-type", "basic"),
            ("x_auth_type", "basic"),
            ("x-auth-version", "2024"),
            ("x-authorization-scheme", "bearer"),
            ("x-credential-provider", "padaria"),
            ("x-session-language", "português"),
            ("x-signature-method", "hmac-sha256-hex"),
            ("x-request-id", "a1b2c3d4e5f6"),
            ("origin", "https://loja.example.com"),
            ("referer", "https://loja.example.com"),
        ] {
            assert_eq!(repeated(name, value, value), value, "{name}");
        }
    }
}
