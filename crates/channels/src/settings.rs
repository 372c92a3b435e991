//! Channels as a tenant's managers set them up.

use crate::{Address, Channels, check, no_channel, secrets::ChannelSecrets, url_of};
use ability::{ManageIntegrations, ReadIntegrations, TenantPermit};
use domain::{
    ErrorCode, FieldCode, ServiceError, ServiceResult, TenantId,
    channel::{ChannelIn, ChannelKind, ChannelOut, ChannelSettings},
    secret::MASKED,
    version::{changed_meanwhile, is_current},
};
use store::{
    Moment, WriteTx,
    audit::{self, Entry},
    channels::{self, Channel},
};

/// What a change did, for the record.
struct Change<'a> {
    action: &'a str,
    kind: ChannelKind,
    before: Option<&'a ChannelOut>,
    after: Option<&'a ChannelOut>,
}

impl Channels {
    pub async fn list(&self, permit: &TenantPermit<ReadIntegrations>) -> ServiceResult<Vec<ChannelOut>> {
        let all = channels::all(&self.0.db.reader_of(permit.tenant()).await?, permit.tenant()).await?;
        all.iter().map(|channel| self.view(permit.tenant(), channel)).collect()
    }

    pub async fn get(
        &self,
        permit: &TenantPermit<ReadIntegrations>,
        kind: ChannelKind,
    ) -> ServiceResult<ChannelOut> {
        let found =
            channels::find(&self.0.db.reader_of(permit.tenant()).await?, permit.tenant(), kind).await?;
        self.view(permit.tenant(), &found.ok_or_else(no_channel)?)
    }

    /// Makes or replaces it; says whether it is new. A new one that signs answers with its secret, once. `seen` is the
    /// version that the change was made from, 0 where there was none; another by now is a `conflict`.
    pub async fn put(
        &self,
        permit: &TenantPermit<ManageIntegrations>,
        kind: ChannelKind,
        input: &ChannelIn,
        seen: Option<i64>,
    ) -> ServiceResult<(ChannelOut, bool)> {
        let tenant = permit.tenant();
        let tx = self.0.db.begin_for(permit.tenant()).await?;
        let old = channels::hold(&tx, tenant, kind).await?;
        let mut secrets = self.secrets_of(tenant, kind, old.as_ref())?;
        let before = old.as_ref().map(|old| old.settings.clone());
        let settings = check::settings(&self.0.egress, kind, input, before, &mut secrets)?;
        let version = old.as_ref().map(|old| old.updated_at);
        is_current(seen, version.map_or(0, |version| version.0))?;
        let is_same = old.as_ref().is_some_and(|old| check::is_same_place(&old.settings, &settings));
        replace_secrets(&mut secrets, &settings, input, is_same)?;
        let signs = has_signatures(kind);
        let shown_once = (signs && old.is_none()).then(|| secrets.rotate());
        let now = Moment::now();
        let channel = Channel {
            settings,
            secrets: Some(secrets.seal(&self.0.vault, tenant, kind)),
            created_at: old.as_ref().map_or(now, |old| old.created_at),
            updated_at: version.map_or(now, Moment::next),
        };
        if !channels::put(&tx, tenant, &channel, version).await? {
            return Err(changed_meanwhile());
        }
        let before = old.as_ref().map(|old| self.view(tenant, old)).transpose()?;
        let after = self.view(tenant, &channel)?;
        let action = if before.is_some() { "channel.update" } else { "channel.create" };
        record(&tx, permit, Change { action, kind, before: before.as_ref(), after: Some(&after) }).await?;
        self.0.db.commit(tx, &[]).await?;
        Ok((ChannelOut { webhook_secret: shown_once, ..after }, before.is_none()))
    }

    pub async fn delete(
        &self,
        permit: &TenantPermit<ManageIntegrations>,
        kind: ChannelKind,
        seen: Option<i64>,
    ) -> ServiceResult<()> {
        let (tx, tenant) = (self.0.db.begin_for(permit.tenant()).await?, permit.tenant());
        let old = channels::hold(&tx, tenant, kind).await?.ok_or_else(no_channel)?;
        is_current(seen, old.updated_at.0)?;
        let before = self.view(tenant, &old)?;
        channels::delete(&tx, tenant, kind).await?;
        let change = Change { action: "channel.delete", kind, before: Some(&before), after: None };
        record(&tx, permit, change).await?;
        Ok(self.0.db.commit(tx, &[]).await?)
    }

    /// A new signing secret, shown once; the old one signs beside it for a day.
    pub async fn rotate_secret(
        &self,
        permit: &TenantPermit<ManageIntegrations>,
        kind: ChannelKind,
    ) -> ServiceResult<ChannelOut> {
        let (tx, tenant) = (self.0.db.begin_for(permit.tenant()).await?, permit.tenant());
        let mut channel = channels::hold(&tx, tenant, kind).await?.ok_or_else(no_channel)?;
        if !has_signatures(kind) {
            return Err(ServiceError::new(ErrorCode::Conflict, "This channel signs nothing."));
        }
        let mut secrets = self.secrets_of(tenant, kind, Some(&channel))?;
        let new = secrets.rotate();
        channel.secrets = Some(secrets.seal(&self.0.vault, tenant, kind));
        let version = channel.updated_at;
        channel.updated_at = version.next();
        if !channels::put(&tx, tenant, &channel, Some(version)).await? {
            return Err(changed_meanwhile());
        }
        let after = self.view(tenant, &channel)?;
        let change = Change { action: "channel.rotate_secret", kind, before: None, after: Some(&after) };
        record(&tx, permit, change).await?;
        self.0.db.commit(tx, &[]).await?;
        Ok(ChannelOut { webhook_secret: Some(new), ..after })
    }

    /// S16: addresses of before they were sealed.
    /// False, when one could not be sealed.
    pub async fn seal_addresses(&self, tx: &WriteTx) -> ServiceResult<bool> {
        let mut all = true;
        for (tenant, mut channel) in channels::webhooks_of_all(tx).await? {
            let (version, kind) = (channel.updated_at, channel.settings.kind());
            let Ok(mut secrets) = self.secrets_of(tenant, kind, Some(&channel)) else {
                all = false;
                continue;
            };
            let Some(url) = url_of(&mut channel.settings) else { continue };
            let Address { shown, whole: Some(whole) } = Address::of(url) else { continue };
            *url = shown;
            secrets.address = Some(whole);
            channel.secrets = Some(secrets.seal(&self.0.vault, tenant, kind));
            all &= channels::put(tx, tenant, &channel, Some(version)).await?;
        }
        Ok(all)
    }

    fn secrets_of(
        &self,
        tenant: TenantId,
        kind: ChannelKind,
        channel: Option<&Channel>,
    ) -> ServiceResult<ChannelSecrets> {
        let sealed = channel.and_then(|channel| channel.secrets.as_deref());
        ChannelSecrets::open(&self.0.vault, tenant, kind, sealed)
    }

    fn view(&self, tenant: TenantId, channel: &Channel) -> ServiceResult<ChannelOut> {
        let secrets = self.secrets_of(tenant, channel.settings.kind(), Some(channel))?;
        let masked = |secret: &Option<String>| secret.as_ref().map(|_| MASKED.to_owned());
        let mut settings = channel.settings.clone();
        if let Some(url) = url_of(&mut settings) {
            *url = Address::of(url).shown;
        }
        Ok(ChannelOut {
            settings,
            password: masked(&secrets.password),
            access_token: masked(&secrets.access_token),
            webhook_secret: None,
            created_at: channel.created_at.into(),
            updated_at: channel.updated_at.into(),
            version: channel.updated_at.0,
        })
    }
}

/// We sign what leaves, or they sign what comes.
fn has_signatures(kind: ChannelKind) -> bool {
    matches!(kind, ChannelKind::Webhook | ChannelKind::Events | ChannelKind::Inbound)
}

fn replace_secrets(
    secrets: &mut ChannelSecrets,
    settings: &ChannelSettings,
    input: &ChannelIn,
    is_same_place: bool,
) -> ServiceResult<()> {
    let kept = |secret: &Option<String>| secret.clone().filter(|_| is_same_place);
    let required = |field| ServiceError::field(field, FieldCode::Required);
    match settings {
        ChannelSettings::Email(settings) => {
            let kept = kept(&secrets.password);
            secrets.password = check::secret("password", input.password.as_deref(), kept.as_ref())?;
            match (&settings.username, &secrets.password) {
                (Some(_), None) => return Err(required("password")),
                (None, Some(_)) => return Err(required("username")),
                _ => {}
            }
        }
        ChannelSettings::Whatsapp(_) => {
            let kept = kept(&secrets.access_token);
            let token = check::secret("access_token", input.access_token.as_deref(), kept.as_ref())?;
            let token = token.ok_or_else(|| required("access_token"))?;
            if !token.bytes().all(|byte| byte.is_ascii_graphic()) {
                return Err(ServiceError::field("access_token", FieldCode::Invalid));
            }
            secrets.access_token = Some(token);
        }
        ChannelSettings::Webhook(_) | ChannelSettings::Events(_) | ChannelSettings::Inbound(_) => {}
    }
    Ok(())
}

async fn record(
    tx: &WriteTx,
    permit: &TenantPermit<ManageIntegrations>,
    change: Change<'_>,
) -> ServiceResult<()> {
    let shown = |view: Option<&ChannelOut>| view.and_then(|view| serde_json::to_value(view).ok());
    let entry = Entry {
        tenant: Some(permit.tenant()),
        action: change.action,
        subject_kind: "channel",
        subject_id: change.kind.as_str().to_owned(),
        before: shown(change.before),
        after: shown(change.after),
        reason: None,
    };
    Ok(audit::append(tx, permit.caller(), entry).await?)
}
