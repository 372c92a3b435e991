//! Scheduled messages. One is taken (durably), sent, and its end recorded. Whoever stops between taking and recording
//! leaves it `sending`: a webhook is then tried again, because its receiver knows repeats by their id; mail and WhatsApp
//! are not, because nobody could tell.

use crate::{
    Channels, Mail, NextTime, Opened, SendFailure,
    webhook::{self, Parcel},
    whatsapp,
};
use domain::{
    ServiceResult, TenantId,
    channel::{ChannelKind, ChannelSettings, EmailSettings},
    crm::{Channel, ContactOut},
};
use futures::{StreamExt, stream};
use serde_json::{Value, json};
use std::time::Duration;
use store::{
    Moment, StoreError, StoreResult,
    audit::{self, Entry},
    crm::{
        Hold, contacts,
        scheduled_messages::{self, Claim, Due, Outcome},
    },
};
use tokio::time::Instant;
use uuid::Uuid;

const AT_ONCE: u64 = 20;
const SIDE_BY_SIDE: usize = 4;
/// Before the second, third and fourth attempt; there is no fifth.
const PAUSES: [time::Duration; 3] =
    [time::Duration::minutes(1), time::Duration::minutes(5), time::Duration::minutes(30)];
const LONGEST_MAIL: Duration = Duration::from_secs(30);

/// How an attempt went: what the channel says of it, or why it failed.
type Sent = Result<Option<String>, SendFailure>;

impl Channels {
    pub(super) async fn send_due_messages(&self, tenant: TenantId, process: Uuid) -> ServiceResult<()> {
        while !self.0.lanes.is_closed() {
            let reader = self.0.db.reader_of(tenant).await?;
            let due = scheduled_messages::due(&reader, tenant, Moment::now(), AT_ONCE).await?;
            drop(reader);
            if due.is_empty() {
                break;
            }
            let ended: Vec<ServiceResult<()>> = stream::iter(due)
                .map(|due| self.send_message(due, process))
                .buffer_unordered(SIDE_BY_SIDE)
                .collect()
                .await;
            ended.into_iter().collect::<ServiceResult<()>>()?;
        }
        Ok(())
    }

    async fn send_message(&self, due: Due, process: Uuid) -> ServiceResult<()> {
        let channel = self.channel_for(due.tenant, due.message.channel).await?;
        let via = channel.as_ref().map(|channel| channel.settings.kind());
        let tx = self.0.db.begin_for(due.tenant).await?;
        let Some(claim) = scheduled_messages::claim(&tx, &due, via, process).await? else {
            return Ok(());
        };
        self.0.db.commit(tx, &[]).await?;
        let sent = match &channel {
            Some(channel) => self.send_by(channel, &due).await,
            None => Err(SendFailure::not_configured(ChannelKind::Webhook)),
        };
        let (outcome, proof) = match sent {
            Ok(proof) => (Outcome::Sent, proof),
            Err(failure) => (after_failure(via, claim.attempt, &failure), None),
        };
        self.record(&Due { via, ..due }, claim, &outcome, proof).await;
        Ok(())
    }

    /// Its own channel, or the webhook for everything without one.
    async fn channel_for(&self, tenant: TenantId, channel: Channel) -> ServiceResult<Option<Opened>> {
        let own = match channel {
            Channel::Whatsapp => Some(ChannelKind::Whatsapp),
            Channel::Email => Some(ChannelKind::Email),
            Channel::Web | Channel::Other => None,
        };
        if let Some(kind) = own
            && let Some(found) = self.open(tenant, kind).await?
        {
            return Ok(Some(found));
        }
        self.open(tenant, ChannelKind::Webhook).await
    }

    async fn send_by(&self, channel: &Opened, due: &Due) -> Sent {
        let (tenant, message) = (due.tenant, &due.message);
        let ours = |error: StoreError| SendFailure::ours(&error.into());
        let reader = self.0.db.reader_of(tenant).await.map_err(ours)?;
        let contact = contacts::find(&reader, tenant, message.contact_id, Hold::Free).await;
        // Sending takes long, and needs no connection.
        drop(reader);
        let contact = contact.map_err(ours)?.ok_or_else(unreachable)?;
        match &channel.settings {
            ChannelSettings::Email(settings) => {
                let mail = mail_of(settings, due, contact.email.ok_or_else(unreachable)?);
                self.mail_by(channel, &mail, Instant::now() + LONGEST_MAIL).await.map(Some)
            }
            ChannelSettings::Whatsapp(settings) => {
                let to = contact.phone.ok_or_else(unreachable)?;
                let text = whatsapp::Text { tenant, to: &to, body: &message.text };
                let token = channel.secrets.access_token.as_deref().unwrap_or_default();
                whatsapp::send(&self.0.egress, settings, token, text).await
            }
            ChannelSettings::Inbound(_) => Err(SendFailure::not_configured(ChannelKind::Inbound)),
            ChannelSettings::Webhook(settings) | ChannelSettings::Events(settings) => {
                let body = body_of(due, &contact).to_string().into_bytes();
                let parcel = Parcel { tenant, id: message.id.0, body };
                webhook::post(&self.0.egress, &settings.url, &channel.secrets, parcel).await.map(|()| None)
            }
        }
    }

    /// The message has left, or not: an outage is waited out, so that the record of it is not lost. Until then the row
    /// says that this process has it.
    async fn record(&self, due: &Due, claim: Claim, outcome: &Outcome, proof: Option<String>) {
        let mut pause = Duration::from_millis(50);
        while let Err(error) = self.try_record(due, claim, outcome, proof.as_deref()).await {
            tracing::warn!(%error, message = %claim.id, "the end of a delivery was not recorded; trying again");
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(Duration::from_secs(10));
        }
    }

    async fn try_record(
        &self,
        due: &Due,
        claim: Claim,
        outcome: &Outcome,
        proof: Option<&str>,
    ) -> StoreResult<()> {
        let tx = self.0.db.begin_for(due.tenant).await?;
        if !scheduled_messages::finish(&tx, claim, outcome).await? {
            return Ok(());
        }
        let (status, error) = match outcome {
            Outcome::Sent => ("sent", None),
            Outcome::Again { error, .. } => ("scheduled", Some(error)),
            Outcome::Failed { error } => ("failed", Some(error)),
        };
        let after = json!({
            "status": status,
            "via": due.via.map(ChannelKind::as_str),
            "attempt": claim.attempt,
            "error": error,
            "channel_message_id": proof,
        });
        let entry = Entry {
            tenant: Some(due.tenant),
            action: "scheduled_message.deliver",
            subject_kind: "scheduled_message",
            subject_id: claim.id.to_string(),
            before: None,
            after: Some(after),
            reason: None,
        };
        audit::append(&tx, &ability::Caller::operator(), entry).await?;
        self.0.db.commit(tx, &[]).await
    }

    /// S21: what a process that is gone was sending.
    pub(super) async fn close_interrupted(&self, process: Uuid) -> ServiceResult<()> {
        let left = scheduled_messages::interrupted(self.0.db.reader(), process, AT_ONCE).await?;
        for due in left {
            let message = "The process ended while this was being sent; it may have arrived.";
            let failure = SendFailure::new("interrupted", message, NextTime::MayRepeat);
            let claim = Claim { id: due.message.id, attempt: due.message.attempts };
            let outcome = match after_failure(due.via, claim.attempt, &failure) {
                // Nobody refused it: there is nothing to wait for.
                Outcome::Again { error, .. } => Outcome::Again { at: Moment::now(), error },
                other => other,
            };
            self.try_record(&due, claim, &outcome, None).await?;
        }
        Ok(())
    }
}

/// Another attempt, where it does no harm and there is one left.
fn after_failure(via: Option<ChannelKind>, attempt: i32, failure: &SendFailure) -> Outcome {
    let knows_repeats = via == Some(ChannelKind::Webhook);
    let is_worth_it = match failure.next_time {
        NextTime::MayWork => true,
        NextTime::FailsAgain => false,
        NextTime::MayRepeat => knows_repeats,
    };
    let pause = usize::try_from(attempt - 1).ok().and_then(|attempt| PAUSES.get(attempt));
    let error = format!("{}: {}", failure.code, failure.message);
    match pause {
        Some(pause) if is_worth_it => Outcome::Again { at: Moment::now().plus(*pause), error },
        _ => Outcome::Failed { error },
    }
}

fn unreachable() -> SendFailure {
    let message = "The contact cannot be reached on this channel any more.";
    SendFailure::new("contact_unreachable", message, NextTime::FailsAgain)
}

fn mail_of(settings: &EmailSettings, due: &Due, to: String) -> Mail {
    let subject = settings.subject.as_ref().or(settings.from_name.as_ref());
    Mail {
        id: due.message.id.0,
        to: vec![to],
        subject: subject.unwrap_or(&settings.from).clone(),
        text: due.message.text.clone(),
        reply_to: None,
    }
}

/// The same bytes on every attempt, as long as the contact stays the same.
fn body_of(due: &Due, contact: &ContactOut) -> Value {
    let message = &due.message;
    json!({
        "type": "message.scheduled",
        "message_id": message.id,
        "contact": {
            "id": contact.id,
            "name": contact.name,
            "email": contact.email,
            "phone": contact.phone,
            "external_id": contact.external_id,
        },
        "channel": message.channel,
        "text": message.text,
        "send_at": message.send_at,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_have_arrived_is_repeated_only_where_repeats_are_known() {
        let failure = |next_time| SendFailure::new("x", "y", next_time);
        let is_again = |via, attempt, next_time| {
            matches!(after_failure(via, attempt, &failure(next_time)), Outcome::Again { .. })
        };
        let (webhook, whatsapp) = (Some(ChannelKind::Webhook), Some(ChannelKind::Whatsapp));
        assert!(is_again(webhook, 1, NextTime::MayRepeat));
        assert!(!is_again(whatsapp, 1, NextTime::MayRepeat));
        assert!(!is_again(Some(ChannelKind::Email), 1, NextTime::MayRepeat));
        assert!(!is_again(None, 1, NextTime::MayRepeat), "nobody knows which way it went");
        assert!(is_again(whatsapp, 3, NextTime::MayWork) && !is_again(whatsapp, 4, NextTime::MayWork));
        assert!(!is_again(webhook, 1, NextTime::FailsAgain));
    }
}
