//! Conversations with contacts, and the messages in them.

use super::{
    Channel, ConversationStatus, Direction, check,
    patch::{given, onto},
};
use crate::{
    AgentId, ContactId, ConversationId, FieldError, MessageId, Timestamp, UserId, text::parse_optional_line,
};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ConversationOut {
    pub id: ConversationId,
    pub contact_id: Option<ContactId>,
    pub channel: Channel,
    pub status: ConversationStatus,
    pub assigned_to: Option<UserId>,
    pub subject: Option<String>,
    pub agent_id: Option<AgentId>,
    pub resolution: Option<String>,
    pub external_id: Option<String>,
    pub opened_at: Timestamp,
    /// Set while it is resolved.
    pub closed_at: Option<Timestamp>,
    pub updated_at: Timestamp,
    /// Another one after every change; for `If-Match`.
    pub version: i64,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ConversationIn {
    pub contact_id: Option<ContactId>,
    pub channel: Channel,
    #[serde(default)]
    pub status: ConversationStatus,
    /// A member of the tenant.
    pub assigned_to: Option<UserId>,
    pub subject: Option<String>,
    /// Id or slug.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub agent_id: Option<AgentName>,
    pub resolution: Option<String>,
    /// The name that another system has for it; unique in the tenant.
    pub external_id: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ConversationPatch {
    #[serde(default, deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<ContactId>))]
    pub contact_id: Option<Option<ContactId>>,
    #[serde(default, deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Channel, required = false))]
    pub channel: Option<Channel>,
    #[serde(default, deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = ConversationStatus, required = false))]
    pub status: Option<ConversationStatus>,
    #[serde(default, deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<UserId>))]
    pub assigned_to: Option<Option<UserId>>,
    #[serde(default, deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub subject: Option<Option<String>>,
    #[serde(default, deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub agent_id: Option<Option<AgentName>>,
    #[serde(default, deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub resolution: Option<Option<String>>,
    #[serde(default, deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub external_id: Option<Option<String>>,
}

onto!(
    ConversationPatch,
    ConversationOut,
    ConversationIn { contact_id, channel, status, assigned_to, subject, resolution, external_id },
    agent_id: AgentName::Id
);

/// An agent as it stands in a body.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum AgentName {
    Id(AgentId),
    Slug(String),
}

#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
#[serde(deny_unknown_fields, default)]
pub struct ConversationQuery {
    /// 1 to 200; 50 when it is missing.
    #[cfg_attr(feature = "openapi", param(minimum = 1, maximum = 200))]
    pub limit: Option<u64>,
    #[cfg_attr(feature = "openapi", param(format = Uuid))]
    pub cursor: Option<String>,
    pub status: Option<ConversationStatus>,
    pub channel: Option<Channel>,
    pub contact_id: Option<ContactId>,
    pub assigned_to: Option<UserId>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MessageOut {
    pub id: MessageId,
    pub conversation_id: ConversationId,
    pub direction: Direction,
    pub author: String,
    pub text: String,
    pub sent_at: Timestamp,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct MessageIn {
    pub direction: Direction,
    /// The caller's name when it is missing.
    pub author: Option<String>,
    #[cfg_attr(feature = "openapi", schema(min_length = 1, max_length = 10_000))]
    pub text: String,
    /// Now, when it is missing.
    pub sent_at: Option<Timestamp>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
#[serde(deny_unknown_fields, default)]
pub struct MessageQuery {
    /// 1 to 200; 50 when it is missing.
    #[cfg_attr(feature = "openapi", param(minimum = 1, maximum = 200))]
    pub limit: Option<u64>,
    #[cfg_attr(feature = "openapi", param(format = Uuid))]
    pub cursor: Option<String>,
}

impl ConversationIn {
    /// What it refers to is for the service to check.
    pub fn checked(self) -> Result<Self, FieldError> {
        Ok(Self {
            subject: parse_optional_line("subject", self.subject.as_deref(), 200)?,
            resolution: check::optional_paragraph("resolution", self.resolution.as_deref(), 2_000)?,
            external_id: check::external_id(self.external_id.as_deref())?,
            ..self
        })
    }
}

impl MessageIn {
    pub fn checked(self) -> Result<Self, FieldError> {
        Ok(Self {
            author: parse_optional_line("author", self.author.as_deref(), 200)?,
            text: check::paragraph("text", &self.text, 10_000)?,
            ..self
        })
    }
}
