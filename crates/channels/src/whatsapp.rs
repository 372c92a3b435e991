//! The WhatsApp Cloud API. It knows no key against repeats: what may have arrived is not sent again.

use crate::{NextTime, SendFailure};
use domain::{TenantId, channel::WhatsappSettings};
use egress::{Egress, Outgoing, Retry, Url};
use http::{HeaderMap, HeaderValue, Method, header};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::Instant;

const LONGEST: Duration = Duration::from_secs(30);
const MOST_ANSWER: usize = 16 * 1_024;

pub(crate) struct Text<'a> {
    pub tenant: TenantId,
    /// A phone number, with or without a plus sign.
    pub to: &'a str,
    pub body: &'a str,
}

/// Answers with WhatsApp's own id of the message, where it gives one.
pub(crate) async fn send(
    egress: &Egress,
    settings: &WhatsappSettings,
    token: &str,
    text: Text<'_>,
) -> Result<Option<String>, SendFailure> {
    let unusable = || SendFailure::new("invalid_url", "The address cannot be used.", NextTime::FailsAgain);
    let url = format!("{}/{}/messages", settings.base_url, settings.phone_number_id);
    let mut bearer = HeaderValue::from_str(&format!("Bearer {token}")).map_err(|_| unusable())?;
    bearer.set_sensitive(true);
    let mut headers = HeaderMap::new();
    headers.insert(header::AUTHORIZATION, bearer);
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    let body = json!({
        "messaging_product": "whatsapp",
        "to": text.to.trim_start_matches('+'),
        "type": "text",
        "text": { "body": text.body },
    });
    let answer = egress
        .send(Outgoing {
            owner: text.tenant.0.as_u128(),
            method: Method::POST,
            url: url.parse::<Url>().map_err(|_| unusable())?,
            headers,
            body: Some(body.to_string().into_bytes().into()),
            deadline: Instant::now() + LONGEST,
            max_body: MOST_ANSWER,
            retry: Retry::Never,
        })
        .await?;
    let said: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
    match answer.status {
        200..=299 => Ok(said["messages"][0]["id"].as_str().map(ToOwned::to_owned)),
        status => Err(refused(status, &said)),
    }
}

/// A refusal is certain below 500, and where it says "later"; any other failure may come after the sending.
fn refused(status: u16, said: &Value) -> SendFailure {
    let next_time = match status {
        429 | 503 => NextTime::MayWork,
        500.. => NextTime::MayRepeat,
        _ => NextTime::FailsAgain,
    };
    let message = match said["error"]["code"].as_i64() {
        Some(code) => format!("WhatsApp answered {status} (error {code})."),
        None => format!("WhatsApp answered {status}."),
    };
    SendFailure::new("whatsapp_error", message, next_time)
}
