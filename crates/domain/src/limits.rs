//! What a tenant allows itself, beside the limits of single tools and agents.

use crate::tool::RateLimit;
use serde::{Deserialize, Serialize};

/// As it is kept and shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct TenantLimits {
    /// Of all calls of all tools together.
    pub rate_limit: Option<RateLimit>,
}

/// What is absent stays as it is; null brings back the usual.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct TenantLimitsIn {
    #[serde(default, deserialize_with = "crate::crm::given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<RateLimit>))]
    pub rate_limit: Option<Option<RateLimit>>,
}
