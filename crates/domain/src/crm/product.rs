//! Products: what a tenant sells.

use super::{
    check,
    patch::{given, onto},
};
use crate::{
    FieldError, ProductId, Timestamp,
    text::{parse_line, parse_optional_line},
};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ProductOut {
    pub id: ProductId,
    pub name: String,
    pub sku: Option<String>,
    pub description: Option<String>,
    pub price_cents: i64,
    pub currency: String,
    pub is_active: bool,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Another one after every change; for `If-Match`.
    pub version: i64,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ProductIn {
    #[cfg_attr(feature = "openapi", schema(min_length = 1, max_length = 200))]
    pub name: String,
    /// Unique in the tenant.
    pub sku: Option<String>,
    pub description: Option<String>,
    #[cfg_attr(feature = "openapi", schema(minimum = 0, maximum = 9_007_199_254_740_991_i64))]
    pub price_cents: i64,
    #[serde(default = "check::real")]
    #[cfg_attr(feature = "openapi", schema(pattern = "^[A-Z]{3}$"))]
    pub currency: String,
    #[serde(default = "check::yes")]
    pub is_active: bool,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ProductPatch {
    #[serde(default, deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, required = false, min_length = 1, max_length = 200))]
    pub name: Option<String>,
    #[serde(default, deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub sku: Option<Option<String>>,
    #[serde(default, deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub description: Option<Option<String>>,
    #[serde(default, deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = i64, required = false, minimum = 0, maximum = 9_007_199_254_740_991_i64))]
    pub price_cents: Option<i64>,
    #[serde(default, deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, required = false, pattern = "^[A-Z]{3}$"))]
    pub currency: Option<String>,
    #[serde(default, deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = bool, required = false))]
    pub is_active: Option<bool>,
}

onto!(ProductPatch, ProductOut, ProductIn { name, sku, description, price_cents, currency, is_active });

#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
#[serde(deny_unknown_fields, default)]
pub struct ProductQuery {
    /// 1 to 200; 50 when it is missing.
    #[cfg_attr(feature = "openapi", param(minimum = 1, maximum = 200))]
    pub limit: Option<u64>,
    #[cfg_attr(feature = "openapi", param(format = Uuid))]
    pub cursor: Option<String>,
    pub is_active: Option<bool>,
    /// Words of the name, the SKU or the description. The best come first, on one page: no `cursor` then.
    pub q: Option<String>,
}

impl ProductIn {
    pub fn checked(self) -> Result<Self, FieldError> {
        Ok(Self {
            name: parse_line("name", &self.name, 200)?,
            sku: parse_optional_line("sku", self.sku.as_deref(), 64)?,
            description: check::optional_paragraph("description", self.description.as_deref(), 5_000)?,
            price_cents: check::cents("price_cents", self.price_cents)?,
            currency: check::currency(&self.currency)?,
            is_active: self.is_active,
        })
    }
}
