//! What comes in: a gateway signs its messages with the secret that it was shown once.

use crate::Channels;
use domain::{ErrorCode, ServiceError, ServiceResult, TenantId, channel::ChannelKind};
use egress::signature;
use store::Moment;

/// A message with the headers of Standard Webhooks.
#[derive(Clone, Copy)]
pub struct Signed<'a> {
    pub id: &'a str,
    pub timestamp: &'a str,
    pub signature: &'a str,
    pub body: &'a [u8],
}

const LONGEST_ID: usize = 200;

impl Channels {
    /// S18: from whom it says, and recent. That it is new is for the receiver to remember. Whatever is wrong, the answer
    /// is the same.
    pub async fn verify_inbound(&self, tenant: TenantId, signed: &Signed<'_>) -> ServiceResult<()> {
        let channel = self.open(tenant, ChannelKind::Inbound).await?;
        let secrets = channel.map(|channel| channel.secrets.signing()).unwrap_or_default();
        let timestamp = signed.timestamp.parse::<i64>().ok();
        let is_id = signed.id.len() <= LONGEST_ID && signed.id.bytes().all(|byte| byte.is_ascii_graphic());
        let is_right = timestamp.filter(|_| is_id).is_some_and(|timestamp| {
            let (secrets, now): (Vec<_>, _) = (secrets.iter().collect(), Moment::now().seconds());
            signature::verify(&secrets, signed.id, timestamp, signed.signature, signed.body, now).is_ok()
        });
        let refused =
            || ServiceError::new(ErrorCode::Unauthenticated, "The signature does not fit the message.");
        if is_right { Ok(()) } else { Err(refused()) }
    }
}
