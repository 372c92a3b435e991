//! A message that shows whether a channel works, before something depends on it.

use crate::{
    Channels, Mail, Opened, SendFailure, check, no_channel,
    webhook::{self, Parcel},
    whatsapp,
};
use ability::{ManageIntegrations, TenantPermit};
use domain::{
    ErrorCode, FieldCode, ServiceError, ServiceResult, TenantId,
    channel::{ChannelKind, ChannelSettings, ChannelTestIn, ChannelTestOut, WhatsappSettings},
    crm::check::optional_phone,
};
use serde_json::json;
use std::time::Duration;
use store::{
    Moment,
    audit::{self, Entry},
};
use tokio::time::Instant;
use uuid::Uuid;

const LONGEST: Duration = Duration::from_secs(20);
const TEXT: &str = "Mensagem de teste. / Test message.";

impl Channels {
    /// Sends it, and tells how that went; a failure of the other side is an answer, not an error.
    pub async fn test(
        &self,
        permit: &TenantPermit<ManageIntegrations>,
        kind: ChannelKind,
        input: &ChannelTestIn,
    ) -> ServiceResult<ChannelTestOut> {
        let channel = self.open(permit.tenant(), kind).await?.ok_or_else(no_channel)?;
        let sent = self.send_test(permit.tenant(), &channel, input.to.as_deref()).await?;
        let failure = sent.err();
        let outcome = ChannelTestOut {
            success: failure.is_none(),
            error_code: failure.as_ref().map(|failure| failure.code.to_owned()),
            error_message: failure.map(|failure| failure.message),
        };
        self.record_test(permit, kind, &outcome).await?;
        Ok(outcome)
    }

    async fn send_test(
        &self,
        tenant: TenantId,
        channel: &Opened,
        to: Option<&str>,
    ) -> ServiceResult<Result<(), SendFailure>> {
        match &channel.settings {
            ChannelSettings::Email(settings) => {
                let to = to.map(|to| check::address("to", to)).transpose()?;
                let mail = Mail {
                    id: Uuid::now_v7(),
                    to: vec![to.unwrap_or_else(|| settings.from.clone())],
                    subject: "Alçada".to_owned(),
                    text: TEXT.to_owned(),
                    reply_to: None,
                };
                Ok(self.mail_by(channel, &mail, Instant::now() + LONGEST).await.map(|_| ()))
            }
            ChannelSettings::Whatsapp(settings) => self.test_whatsapp(tenant, channel, settings, to).await,
            ChannelSettings::Inbound(_) => {
                Err(ServiceError::new(ErrorCode::Conflict, "Nothing is sent on this channel."))
            }
            ChannelSettings::Webhook(settings) | ChannelSettings::Events(settings) => {
                if to.is_some() {
                    return Err(ServiceError::field("to", FieldCode::Unknown));
                }
                let body =
                    json!({ "type": "channel.test", "sent_at": domain::Timestamp::from(Moment::now()) });
                let parcel = Parcel { tenant, id: Uuid::now_v7(), body: body.to_string().into_bytes() };
                Ok(webhook::post(&self.0.egress, &settings.url, &channel.secrets, parcel).await)
            }
        }
    }

    async fn test_whatsapp(
        &self,
        tenant: TenantId,
        channel: &Opened,
        settings: &WhatsappSettings,
        to: Option<&str>,
    ) -> ServiceResult<Result<(), SendFailure>> {
        let to = optional_phone("to", to)?.ok_or_else(|| ServiceError::field("to", FieldCode::Required))?;
        let token = channel.secrets.access_token.as_deref().unwrap_or_default();
        let text = whatsapp::Text { tenant, to: &to, body: TEXT };
        Ok(whatsapp::send(&self.0.egress, settings, token, text).await.map(|_| ()))
    }

    async fn record_test(
        &self,
        permit: &TenantPermit<ManageIntegrations>,
        kind: ChannelKind,
        outcome: &ChannelTestOut,
    ) -> ServiceResult<()> {
        let tx = self.0.db.begin_for(permit.tenant()).await?;
        let entry = Entry {
            tenant: Some(permit.tenant()),
            action: "channel.test",
            subject_kind: "channel",
            subject_id: kind.as_str().to_owned(),
            before: None,
            after: serde_json::to_value(outcome).ok(),
            reason: None,
        };
        audit::append(&tx, permit.caller(), entry).await?;
        Ok(self.0.db.commit(tx, &[]).await?)
    }
}
