//! A signed POST, as Standard Webhooks asks. The id is the same on every attempt, so that a receiver can drop repeats.

use crate::{NextTime, SendFailure, secrets::ChannelSecrets};
use domain::TenantId;
use egress::{Egress, Outgoing, Retry, Url, signature};
use http::{HeaderMap, HeaderValue, Method, header};
use std::time::Duration;
use store::Moment;
use tokio::time::Instant;
use uuid::Uuid;

const LONGEST: Duration = Duration::from_secs(15);
/// The answer says whether it was taken; what else it says is not read.
const MOST_ANSWER: usize = 1_024;

pub(crate) struct Parcel {
    pub tenant: TenantId,
    pub id: Uuid,
    pub body: Vec<u8>,
}

pub(crate) async fn post(
    egress: &Egress,
    url: &str,
    secrets: &ChannelSecrets,
    parcel: Parcel,
) -> Result<(), SendFailure> {
    let unusable = |_| SendFailure::new("invalid_url", "The address cannot be used.", NextTime::FailsAgain);
    let outgoing = Outgoing {
        owner: parcel.tenant.0.as_u128(),
        method: Method::POST,
        url: url.parse::<Url>().map_err(unusable)?,
        headers: headers(secrets, &parcel),
        body: Some(parcel.body.into()),
        deadline: Instant::now() + LONGEST,
        max_body: MOST_ANSWER,
        retry: Retry::Never,
    };
    match egress.send(outgoing).await?.status {
        200..=299 => Ok(()),
        410 => Err(answered(410, NextTime::FailsAgain)),
        status => Err(answered(status, NextTime::MayWork)),
    }
}

fn answered(status: u16, next_time: NextTime) -> SendFailure {
    SendFailure::new("upstream_error", format!("The address answered {status}."), next_time)
}

fn headers(secrets: &ChannelSecrets, parcel: &Parcel) -> HeaderMap {
    let (id, now) = (parcel.id.to_string(), Moment::now().seconds());
    let signing = secrets.signing();
    let signature = signature::sign(&signing.iter().collect::<Vec<_>>(), &id, now, &parcel.body);
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(signature::TIMESTAMP, HeaderValue::from(now));
    for (name, value) in [(signature::ID, &id), (signature::SIGNATURE, &signature), ("idempotency-key", &id)]
    {
        // Hexadecimal and base64 are always good values.
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.insert(name, value);
        }
    }
    headers
}
