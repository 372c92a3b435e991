//! Events of confirmations: delivered at least once, in their order as long as nothing fails.

use crate::{
    Channels, SendFailure,
    webhook::{self, Parcel},
};
use domain::{
    ServiceResult, TenantId,
    channel::{ChannelKind, ChannelSettings},
};
use serde_json::{Value, json};
use store::{
    Moment,
    audit::{self, Entry},
    outbox::{self, Event},
};
use time::Duration;

const AT_ONCE: u64 = 50;
/// Longer than an attempt takes: whoever has not finished by then has stopped.
const LEASE: Duration = Duration::minutes(1);
/// After the first, second, … attempt; the last one repeats.
const PAUSES: [Duration; 5] = [
    Duration::seconds(10),
    Duration::minutes(1),
    Duration::minutes(5),
    Duration::minutes(30),
    Duration::HOUR,
];
/// News that is older than this is of no use to anybody.
const LONGEST: Duration = Duration::DAY;

impl Channels {
    pub(super) async fn send_due_events(&self, tenant: TenantId) -> ServiceResult<()> {
        while !self.0.lanes.is_closed() {
            let reader = self.0.db.reader_of(tenant).await?;
            let due = outbox::due(&reader, tenant, Moment::now(), AT_ONCE).await?;
            drop(reader);
            if due.is_empty() {
                break;
            }
            for event in due {
                if self.0.lanes.is_closed() {
                    break;
                }
                self.send_event(tenant, event).await?;
            }
        }
        Ok(())
    }

    async fn send_event(&self, tenant: TenantId, event: Event) -> ServiceResult<()> {
        let tx = self.0.db.begin_for(tenant).await?;
        if !outbox::claim(&tx, &event, Moment::now().plus(LEASE)).await? {
            return Ok(());
        }
        self.0.db.commit(tx, &[]).await?;
        let sent = self.post_event(tenant, &event).await;
        let tx = self.0.db.begin_for(tenant).await?;
        match sent {
            // Delivered, or nobody wants to know any more.
            Ok(()) => outbox::delete(&tx, event.id).await?,
            Err(failure) if event.created_at.plus(LONGEST).is_past() => {
                outbox::delete(&tx, event.id).await?;
                let entry = dropped(tenant, &event, &failure);
                audit::append(&tx, &ability::Caller::operator(), entry).await?;
            }
            Err(failure) => {
                let error = format!("{}: {}", failure.code, failure.message);
                outbox::again(&tx, &event, Moment::now().plus(pause_after(event.attempts)), &error).await?;
            }
        }
        Ok(self.0.db.commit(tx, &[]).await?)
    }

    async fn post_event(&self, tenant: TenantId, event: &Event) -> Result<(), SendFailure> {
        let channel = self.open(tenant, ChannelKind::Events).await;
        let Some(channel) = channel.map_err(|error| SendFailure::ours(&error))? else { return Ok(()) };
        let ChannelSettings::Events(settings) = &channel.settings else { return Ok(()) };
        let body = with_link(&event.body, &self.0.public_url);
        let parcel = Parcel { tenant, id: event.id, body: body.into_bytes() };
        webhook::post(&self.0.egress, &settings.url, &channel.secrets, parcel).await
    }
}

/// The page of the confirmation, for whoever passes the event on to people.
fn with_link(body: &str, public_url: &str) -> String {
    let linked = || {
        let mut event: Value = serde_json::from_str(body).ok()?;
        let id = event["confirmation"]["id"].as_str()?.to_owned();
        event.as_object_mut()?.insert("url".to_owned(), json!(format!("{public_url}/confirmations/{id}")));
        Some(event.to_string())
    };
    linked().unwrap_or_else(|| body.to_owned())
}

fn pause_after(attempts_before: i32) -> Duration {
    let at = usize::try_from(attempts_before).unwrap_or(0).min(PAUSES.len() - 1);
    PAUSES.get(at).copied().unwrap_or(Duration::HOUR)
}

fn dropped<'a>(tenant: TenantId, event: &Event, failure: &SendFailure) -> Entry<'a> {
    Entry {
        tenant: Some(tenant),
        action: "event.drop",
        subject_kind: "event",
        subject_id: event.id.to_string(),
        before: None,
        after: Some(json!({ "attempts": event.attempts + 1, "error": failure.message })),
        reason: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn b1_an_event_links_to_what_it_is_about() {
        let event: Value =
            serde_json::from_str(&with_link(r#"{"confirmation":{"id":"7"}}"#, "https://a.example")).unwrap();
        assert_eq!(event["url"], "https://a.example/confirmations/7");
        assert_eq!(event["confirmation"]["id"], "7");
        assert_eq!(with_link("{}", "https://a.example"), "{}");
    }

    #[test]
    fn pauses_grow_and_stay_at_an_hour() {
        let pauses: Vec<i64> = (0..7).map(|attempts| pause_after(attempts).whole_seconds()).collect();
        assert_eq!(pauses, [10, 60, 300, 1_800, 3_600, 3_600, 3_600]);
    }
}
