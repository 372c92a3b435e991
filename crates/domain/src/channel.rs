//! The ways to the outside of a tenant: its mail server, its WhatsApp number, and the addresses that are told things.

use crate::{Timestamp, tool_words::words};
use serde::{Deserialize, Serialize};

words! {
    ChannelKind {
        /// A mail server (SMTP).
        Email = "email",
        /// The WhatsApp Cloud API.
        Whatsapp = "whatsapp",
        /// Where scheduled messages go that have no channel of their own.
        Webhook = "webhook",
        /// Who is told that a confirmation appeared or was decided.
        Events = "events",
        /// From where a gateway passes messages on to the assistant.
        Inbound = "inbound",
    }
}

words! {
    /// How the connection to a mail server is protected.
    MailSecurity {
        /// Begins in clear and changes to TLS before anything is said; usually port 587.
        StartTls = "starttls",
        /// TLS from the first byte; usually port 465.
        Tls = "tls",
        /// Not at all: only to what the operator lists in `ALCADA_EGRESS_ALLOW`.
        None = "none",
    }
}

impl std::str::FromStr for ChannelKind {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::from_name(text).ok_or(())
    }
}

/// What is not secret about a channel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ChannelSettings {
    Email(EmailSettings),
    Whatsapp(WhatsappSettings),
    Webhook(WebhookSettings),
    Events(WebhookSettings),
    Inbound(InboundSettings),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct EmailSettings {
    pub host: String,
    pub port: u16,
    pub security: MailSecurity,
    pub username: Option<String>,
    /// The address that mail comes from.
    pub from: String,
    pub from_name: Option<String>,
    /// Of scheduled messages, which have none of their own.
    pub subject: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WhatsappSettings {
    pub base_url: String,
    pub phone_number_id: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WebhookSettings {
    pub url: String,
}

/// Nothing but its secret, which the gateway signs with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct InboundSettings {}

impl ChannelSettings {
    pub fn kind(&self) -> ChannelKind {
        match self {
            Self::Email(_) => ChannelKind::Email,
            Self::Whatsapp(_) => ChannelKind::Whatsapp,
            Self::Webhook(_) => ChannelKind::Webhook,
            Self::Events(_) => ChannelKind::Events,
            Self::Inbound(_) => ChannelKind::Inbound,
        }
    }
}

/// The whole channel; each kind has its own fields, and refuses those of others. A secret that reads `***` stays as it
/// is, as long as it goes to the same place.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ChannelIn {
    /// `email`
    pub host: Option<String>,
    /// `email`; 587 for `starttls`, 465 for `tls` and 25 for `none` when it is missing.
    pub port: Option<u16>,
    /// `email`; `starttls` when it is missing.
    pub security: Option<MailSecurity>,
    /// `email`
    pub username: Option<String>,
    /// `email`; never shown.
    pub password: Option<String>,
    /// `email`: the address that mail comes from.
    pub from: Option<String>,
    /// `email`
    pub from_name: Option<String>,
    /// `email`: the subject of scheduled messages.
    pub subject: Option<String>,
    /// `whatsapp`; `https://graph.facebook.com/v23.0` when it is missing.
    pub base_url: Option<String>,
    /// `whatsapp`
    pub phone_number_id: Option<String>,
    /// `whatsapp`; never shown.
    pub access_token: Option<String>,
    /// `webhook` and `events`
    pub url: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChannelOut {
    #[serde(flatten)]
    pub settings: ChannelSettings,
    /// `***` when there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub password: Option<String>,
    /// `***` when there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub access_token: Option<String>,
    /// Once, when it was made: the secret that signs what is sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub webhook_secret: Option<String>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Another one after every change; for `If-Match`.
    pub version: i64,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ChannelTestIn {
    /// An address for `email` (the sender's own when it is missing), a phone number for `whatsapp`.
    pub to: Option<String>,
}

/// How a test ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChannelTestOut {
    pub success: bool,
    pub error_code: Option<String>,
    pub error_message: Option<String>,
}
