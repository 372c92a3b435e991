//! What a tenant allows itself, beside the limits of single tools and agents.

use crate::tool::RateLimit;
use serde::{Deserialize, Serialize};

/// As it is kept and shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct TenantLimits {
    /// Of all calls of all tools together.
    pub rate_limit: Option<RateLimit>,
    /// How long a call waits for a person before it expires.
    pub confirmation_lifetime_seconds: u32,
    /// How many calls of one tool are at the outside at once, in each process.
    pub concurrent_calls_per_tool: u32,
    /// The same, of all tools together.
    pub concurrent_calls_per_tenant: u32,
}

impl Default for TenantLimits {
    fn default() -> Self {
        Self {
            rate_limit: None,
            confirmation_lifetime_seconds: 3_600,
            concurrent_calls_per_tool: 64,
            concurrent_calls_per_tenant: 128,
        }
    }
}

/// What is absent stays as it is; null brings back the usual.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct TenantLimitsIn {
    #[serde(default, deserialize_with = "crate::crm::given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<RateLimit>))]
    pub rate_limit: Option<Option<RateLimit>>,
    /// 60 (a minute) to 604800 (a week); 3600 when nobody says.
    #[serde(default, deserialize_with = "crate::crm::given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<u32>, minimum = 60, maximum = 604_800))]
    pub confirmation_lifetime_seconds: Option<Option<u32>>,
    /// At least 1, and at most what the operator allows; 64 when nobody says.
    #[serde(default, deserialize_with = "crate::crm::given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<u32>, minimum = 1))]
    pub concurrent_calls_per_tool: Option<Option<u32>>,
    /// At least 1, and at most what the operator allows; 128 when nobody says.
    #[serde(default, deserialize_with = "crate::crm::given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<u32>, minimum = 1))]
    pub concurrent_calls_per_tenant: Option<Option<u32>>,
}
