//! Messages that wait for their time.

use super::{Channel, ScheduledStatus, check};
use crate::{ContactId, ExecutionId, FieldError, ScheduledMessageId, Timestamp};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ScheduledMessageOut {
    pub id: ScheduledMessageId,
    pub contact_id: ContactId,
    pub channel: Channel,
    pub text: String,
    pub send_at: Timestamp,
    pub status: ScheduledStatus,
    pub attempts: i32,
    pub last_error: Option<String>,
    /// The call of a tool that made it.
    pub execution_id: Option<ExecutionId>,
    pub sent_at: Option<Timestamp>,
    pub created_at: Timestamp,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ScheduledMessageIn {
    pub contact_id: ContactId,
    pub channel: Channel,
    #[cfg_attr(feature = "openapi", schema(min_length = 1, max_length = 4_000))]
    pub text: String,
    /// In the future, at most one year away.
    pub send_at: Timestamp,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
#[serde(deny_unknown_fields, default)]
pub struct ScheduledMessageQuery {
    /// 1 to 200; 50 when it is missing.
    #[cfg_attr(feature = "openapi", param(minimum = 1, maximum = 200))]
    pub limit: Option<u64>,
    #[cfg_attr(feature = "openapi", param(format = Uuid))]
    pub cursor: Option<String>,
    pub status: Option<ScheduledStatus>,
    pub contact_id: Option<ContactId>,
}

impl ScheduledMessageIn {
    /// The moment and the contact are for the service to check.
    pub fn checked(self) -> Result<Self, FieldError> {
        Ok(Self { text: check::paragraph("text", &self.text, 4_000)?, ..self })
    }
}
