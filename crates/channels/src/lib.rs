//! The ways to the outside of a tenant, and the loop that delivers on them.
//!
//! One service, [`Channels`]. A tenant sets up its mail server, its WhatsApp number and the addresses that are told
//! things; secrets are sealed and never shown. [`delivery`] sends scheduled messages at their time and confirmation
//! events at once. Everything passes the one guarded way out.

mod address;
mod check;
mod delivery;
mod failure;
mod inbound;
mod mail;
mod secrets;
mod settings;
mod test_message;
mod webhook;
mod whatsapp;

pub use address::{Address, unreachable};
pub use failure::{NextTime, SendFailure};
pub use inbound::Signed;
pub use mail::Mail;

use delivery::Lanes;
use domain::{
    ErrorCode, ServiceError, ServiceResult, TenantId,
    channel::{ChannelKind, ChannelSettings},
};
use egress::Egress;
use secrets::ChannelSecrets;
use std::{sync::Arc, time::Duration};
use store::Database;
use tokio::time::Instant;
use vault::Vault;

/// Cheap to clone.
#[derive(Clone)]
pub struct Channels(Arc<Shared>);

struct Shared {
    db: Database,
    vault: Vault,
    egress: Egress,
    lanes: Lanes,
    /// Where people open what an event is about.
    public_url: String,
}

/// A channel with its secrets open, for as long as it takes to send: the address is whole.
struct Opened {
    settings: ChannelSettings,
    secrets: ChannelSecrets,
}

impl Channels {
    pub fn new(db: Database, vault: Vault, egress: Egress, public_url: &str) -> Self {
        let public_url = public_url.trim_end_matches('/').to_owned();
        Self(Arc::new(Shared { db, vault, egress, lanes: Lanes::default(), public_url }))
    }

    /// Sends by the tenant's mail server; answers with the id of the message.
    pub async fn send_mail(
        &self,
        tenant: TenantId,
        mail: &Mail,
        longest: Duration,
    ) -> Result<String, SendFailure> {
        let deadline = Instant::now() + longest;
        match self.open(tenant, ChannelKind::Email).await {
            Ok(Some(channel)) => self.mail_by(&channel, mail, deadline).await,
            Ok(None) => Err(SendFailure::not_configured(ChannelKind::Email)),
            Err(error) => Err(SendFailure::ours(&error)),
        }
    }

    async fn mail_by(&self, by: &Opened, mail: &Mail, deadline: Instant) -> Result<String, SendFailure> {
        let ChannelSettings::Email(settings) = &by.settings else {
            return Err(SendFailure::not_configured(ChannelKind::Email));
        };
        mail::send(&self.0.egress, settings, by.secrets.password.as_deref(), mail, deadline).await
    }

    async fn open(&self, tenant: TenantId, kind: ChannelKind) -> ServiceResult<Option<Opened>> {
        let reader = self.0.db.reader_of(tenant).await?;
        let Some(channel) = store::channels::find(&reader, tenant, kind).await? else {
            return Ok(None);
        };
        let mut settings = channel.settings;
        let secrets = ChannelSecrets::open(&self.0.vault, tenant, kind, channel.secrets.as_deref())?;
        if let (Some(url), Some(whole)) = (url_of(&mut settings), &secrets.address) {
            url.clone_from(whole);
        }
        Ok(Some(Opened { settings, secrets }))
    }
}

fn url_of(settings: &mut ChannelSettings) -> Option<&mut String> {
    match settings {
        ChannelSettings::Webhook(settings) | ChannelSettings::Events(settings) => Some(&mut settings.url),
        ChannelSettings::Email(_) | ChannelSettings::Whatsapp(_) | ChannelSettings::Inbound(_) => None,
    }
}

fn no_channel() -> ServiceError {
    ServiceError::new(ErrorCode::NotFound, "This channel is not set up.")
}
