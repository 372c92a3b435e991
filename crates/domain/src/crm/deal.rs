//! Deals: what a contact may buy, and how far it has come.

use super::{DealStatus, check, patch::given};
use crate::{ContactId, DealId, FieldError, PipelineId, Timestamp, text::parse_line};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DealOut {
    pub id: DealId,
    pub title: String,
    pub contact_id: Option<ContactId>,
    pub pipeline_id: PipelineId,
    /// The slug of a stage of that pipeline.
    pub stage: String,
    pub value_cents: i64,
    pub currency: String,
    pub status: DealStatus,
    pub external_id: Option<String>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Another one after every change; for `If-Match`.
    pub version: i64,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct DealIn {
    #[cfg_attr(feature = "openapi", schema(min_length = 1, max_length = 200))]
    pub title: String,
    pub contact_id: Option<ContactId>,
    pub pipeline_id: PipelineId,
    /// The pipeline's first stage when it is missing.
    pub stage: Option<String>,
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(minimum = 0, maximum = 9_007_199_254_740_991_i64))]
    pub value_cents: i64,
    #[serde(default = "check::real")]
    #[cfg_attr(feature = "openapi", schema(pattern = "^[A-Z]{3}$"))]
    pub currency: String,
    #[serde(default)]
    pub status: DealStatus,
    /// The name that another system has for it; unique in the tenant.
    pub external_id: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct DealPatch {
    #[serde(default, deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, required = false, min_length = 1, max_length = 200))]
    pub title: Option<String>,
    #[serde(default, deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<ContactId>))]
    pub contact_id: Option<Option<ContactId>>,
    #[serde(default, deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = PipelineId, required = false))]
    pub pipeline_id: Option<PipelineId>,
    #[serde(default, deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, required = false))]
    pub stage: Option<String>,
    #[serde(default, deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = i64, required = false, minimum = 0, maximum = 9_007_199_254_740_991_i64))]
    pub value_cents: Option<i64>,
    #[serde(default, deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, required = false, pattern = "^[A-Z]{3}$"))]
    pub currency: Option<String>,
    #[serde(default, deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = DealStatus, required = false))]
    pub status: Option<DealStatus>,
    #[serde(default, deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub external_id: Option<Option<String>>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
#[serde(deny_unknown_fields, default)]
pub struct DealQuery {
    /// 1 to 200; 50 when it is missing.
    #[cfg_attr(feature = "openapi", param(minimum = 1, maximum = 200))]
    pub limit: Option<u64>,
    #[cfg_attr(feature = "openapi", param(format = Uuid))]
    pub cursor: Option<String>,
    pub status: Option<DealStatus>,
    pub contact_id: Option<ContactId>,
    pub pipeline_id: Option<PipelineId>,
    pub stage: Option<String>,
}

impl DealPatch {
    pub fn onto(self, base: DealOut) -> DealIn {
        DealIn {
            title: self.title.unwrap_or(base.title),
            contact_id: self.contact_id.unwrap_or(base.contact_id),
            pipeline_id: self.pipeline_id.unwrap_or(base.pipeline_id),
            stage: Some(self.stage.unwrap_or(base.stage)),
            value_cents: self.value_cents.unwrap_or(base.value_cents),
            currency: self.currency.unwrap_or(base.currency),
            status: self.status.unwrap_or(base.status),
            external_id: self.external_id.unwrap_or(base.external_id),
        }
    }
}

impl DealIn {
    /// Whether contact, pipeline and stage are there is for the service to say.
    pub fn checked(self) -> Result<Self, FieldError> {
        Ok(Self {
            title: parse_line("title", &self.title, 200)?,
            value_cents: check::cents("value_cents", self.value_cents)?,
            currency: check::currency(&self.currency)?,
            external_id: check::external_id(self.external_id.as_deref())?,
            ..self
        })
    }
}
