//! The ways to the outside: mail, WhatsApp, and the addresses that are told things.

use super::{
    ApiError, Form,
    described::FieldOut,
    session::{ShownSecret, TestOutcome},
};
use domain::Timestamp;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One way, set up or not.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ChannelView {
    pub kind: String,
    pub title: String,
    pub lead: String,
    /// Where it leads, when it is set up.
    pub place: Option<String>,
    pub updated_at: Option<Timestamp>,
    /// What it sends is signed: its secret can be changed.
    pub is_signing: bool,
    /// To whom a test goes has to be said, in these words.
    pub test_label: Option<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ChannelForm {
    pub channel: ChannelView,
    /// The one that the fields are made from; 0 where there is none yet.
    pub seen_version: i64,
    pub fields: Vec<FieldOut>,
}

#[server(prefix = "/fn", endpoint = "list_channels", input = Form)]
pub async fn list_channels() -> Result<Vec<ChannelView>, ApiError> {
    let visitor = crate::request::visitor();
    let known = crate::request::backend().channels.list(&visitor.tenant_permit()?).await?;
    Ok(form::views(crate::texts::Texts::of(visitor.language), &known))
}

#[server(prefix = "/fn", endpoint = "get_channel", input = Form)]
pub async fn get_channel(kind: String) -> Result<ChannelForm, ApiError> {
    let visitor = crate::request::visitor();
    let kind = form::kind(&kind)?;
    let known = crate::request::backend().channels.list(&visitor.tenant_permit()?).await?;
    let known = known.into_iter().find(|channel| channel.settings.kind() == kind);
    let mut form = form::described(crate::texts::Texts::of(visitor.language), kind, known.as_ref());
    if let Some((seen, said)) = crate::request::take_draft(&visitor, &draft_of(kind)).await {
        form.seen_version = seen;
        form.fields = super::described::said_before(form.fields, said);
    }
    Ok(form)
}

/// The name of what a refused plain form said.
#[cfg(feature = "ssr")]
fn draft_of(kind: domain::channel::ChannelKind) -> String {
    format!("put_channel/{}", kind.as_str())
}

/// Makes or replaces it. A new one that signs answers with its secret, once. `seen_version` as with records.
#[server(prefix = "/fn", endpoint = "put_channel", input = Form)]
pub async fn put_channel(
    kind: String,
    #[server(default)] seen_version: i64,
    #[server(default)] overwrite: bool,
    fields: BTreeMap<String, String>,
) -> Result<Option<ShownSecret>, ApiError> {
    let visitor = crate::request::visitor();
    let (t, kind) = (crate::texts::Texts::of(visitor.language), form::kind(&kind)?);
    let mut draft = super::described::without_secrets(&form::described(t, kind, None).fields, fields.clone());
    draft.entry("url".to_owned()).and_modify(|url| *url = channels::Address::of(url).shown);
    let put = async {
        let (permit, input) = (visitor.tenant_permit()?, form::read(kind, fields)?);
        let seen = (!overwrite).then_some(seen_version);
        crate::request::backend().channels.put(&permit, kind, &input, seen).await
    };
    let put = put.await;
    let (channel, _) = crate::request::or_keep(&visitor, &draft_of(kind), seen_version, &draft, put).await?;
    let shown = form::secret_of(t, kind, channel);
    match &shown {
        Some(secret) => crate::request::shown_once(&visitor, secret).await?,
        None => crate::request::saved(&visitor).await?,
    }
    Ok(shown)
}

#[server(prefix = "/fn", endpoint = "delete_channel", input = Form)]
pub async fn delete_channel(kind: String) -> Result<(), ApiError> {
    let visitor = crate::request::visitor();
    let (permit, kind) = (visitor.tenant_permit()?, form::kind(&kind)?);
    crate::request::backend().channels.delete(&permit, kind, None).await?;
    crate::request::saved(&visitor).await
}

/// A new signing secret, shown once; the old one signs beside it for a day.
#[server(prefix = "/fn", endpoint = "rotate_channel_secret", input = Form)]
pub async fn rotate_channel_secret(kind: String) -> Result<Option<ShownSecret>, ApiError> {
    let visitor = crate::request::visitor();
    let (permit, kind) = (visitor.tenant_permit()?, form::kind(&kind)?);
    let channel = crate::request::backend().channels.rotate_secret(&permit, kind).await?;
    let shown = form::secret_of(crate::texts::Texts::of(visitor.language), kind, channel);
    if let Some(secret) = &shown {
        crate::request::shown_once(&visitor, secret).await?;
    }
    Ok(shown)
}

/// Sends a test message and tells how that went; a failure of the other side is an answer too.
#[server(prefix = "/fn", endpoint = "test_channel", input = Form)]
pub async fn test_channel(kind: String, to: Option<String>) -> Result<TestOutcome, ApiError> {
    use super::session::Flash;
    let visitor = crate::request::visitor();
    let (permit, kind) = (visitor.tenant_permit()?, form::kind(&kind)?);
    let input = domain::channel::ChannelTestIn { to: to.filter(|to| !to.trim().is_empty()) };
    let answer = crate::request::backend().channels.test(&permit, kind, &input).await?;
    let t = crate::texts::Texts::of(visitor.language);
    let detail = t.recorded(answer.error_code.as_deref(), answer.error_message);
    let outcome = TestOutcome { success: answer.success, detail };
    crate::request::leave_flash(&visitor, Flash::Tested(outcome.clone())).await?;
    Ok(outcome)
}

#[cfg(feature = "ssr")]
#[path = "channel_form.rs"]
mod form;
