//! Between a channel and its form, in the visitor's words.

use super::{ChannelForm, ChannelView};
use crate::{
    api::{
        described::{FieldKind, FieldOut, Given, choice, field},
        session::ShownSecret,
    },
    texts::Texts,
};
use domain::{
    ErrorCode, ServiceError,
    channel::{ChannelIn, ChannelKind, ChannelOut, ChannelSettings, EmailSettings, MailSecurity},
};
use std::collections::BTreeMap;

/// A secret that stays as it is.
const KEPT: &str = "***";
const WHATSAPP: &str = "https://graph.facebook.com/v23.0";

pub fn kind(name: &str) -> Result<ChannelKind, ServiceError> {
    ChannelKind::from_name(name)
        .ok_or_else(|| ServiceError::new(ErrorCode::NotFound, "There is no such channel."))
}

pub fn views(t: Texts, known: &[ChannelOut]) -> Vec<ChannelView> {
    let of = |kind: &ChannelKind| view(t, *kind, known.iter().find(|one| one.settings.kind() == *kind));
    ChannelKind::ALL.iter().map(of).collect()
}

fn view(t: Texts, kind: ChannelKind, known: Option<&ChannelOut>) -> ChannelView {
    let place = |settings: &ChannelSettings| match settings {
        ChannelSettings::Email(mail) => format!("{} · {}:{}", mail.from, mail.host, mail.port),
        ChannelSettings::Whatsapp(number) => number.phone_number_id.clone(),
        ChannelSettings::Webhook(address) | ChannelSettings::Events(address) => address.url.clone(),
        ChannelSettings::Inbound(_) => t.channel_inbound_place().to_owned(),
    };
    let test_label = match kind {
        ChannelKind::Email => Some(t.channel_test_email()),
        ChannelKind::Whatsapp => Some(t.channel_test_phone()),
        ChannelKind::Webhook | ChannelKind::Events | ChannelKind::Inbound => None,
    };
    ChannelView {
        kind: kind.as_str().to_owned(),
        title: t.channel_name(kind).to_owned(),
        lead: t.channel_lead(kind).to_owned(),
        place: known.map(|channel| place(&channel.settings)),
        updated_at: known.map(|channel| channel.updated_at.clone()),
        is_signing: matches!(kind, ChannelKind::Webhook | ChannelKind::Events | ChannelKind::Inbound),
        test_label: test_label.map(str::to_owned),
    }
}

pub fn described(t: Texts, kind: ChannelKind, known: Option<&ChannelOut>) -> ChannelForm {
    let fields = match (kind, known.map(|channel| &channel.settings)) {
        (ChannelKind::Email, Some(ChannelSettings::Email(mail))) => {
            mail_fields(t, Some(mail), known.is_some_and(|channel| channel.password.is_some()))
        }
        (ChannelKind::Email, _) => mail_fields(t, None, false),
        (ChannelKind::Whatsapp, Some(ChannelSettings::Whatsapp(number))) => {
            whatsapp_fields(t, &number.base_url, &number.phone_number_id, true)
        }
        (ChannelKind::Whatsapp, _) => whatsapp_fields(t, WHATSAPP, "", false),
        (_, Some(ChannelSettings::Webhook(address) | ChannelSettings::Events(address))) => {
            webhook_fields(t, &address.url)
        }
        (ChannelKind::Inbound, _) => Vec::new(),
        _ => webhook_fields(t, ""),
    };
    let seen_version = known.map_or(0, |channel| channel.version);
    ChannelForm { channel: view(t, kind, known), seen_version, fields }
}

fn mail_fields(t: Texts, mail: Option<&EmailSettings>, has_password: bool) -> Vec<FieldOut> {
    let text = |of: fn(&EmailSettings) -> Option<String>| mail.and_then(of).unwrap_or_default();
    let security = mail.map_or(MailSecurity::StartTls, |mail| mail.security);
    let securities =
        MailSecurity::ALL.iter().map(|one| choice(one.as_str(), t.mail_security(*one))).collect();
    vec![
        field(FieldKind::Line, "host", t.mail_host(), text(|mail| Some(mail.host.clone()))).required(),
        field(FieldKind::Choice, "security", t.mail_security_label(), security.as_str())
            .required()
            .choices(securities),
        field(FieldKind::Number, "port", t.mail_port(), text(|mail| Some(mail.port.to_string())))
            .hint(t.mail_port_hint()),
        field(FieldKind::Line, "username", t.mail_username(), text(|mail| mail.username.clone())),
        field(FieldKind::Secret, "password", t.mail_password(), "").hint(kept_hint(t, has_password)),
        field(FieldKind::Email, "from", t.mail_from(), text(|mail| Some(mail.from.clone()))).required(),
        field(FieldKind::Line, "from_name", t.mail_from_name(), text(|mail| mail.from_name.clone())),
        field(FieldKind::Line, "subject", t.mail_subject(), text(|mail| mail.subject.clone()))
            .hint(t.mail_subject_hint()),
    ]
}

fn whatsapp_fields(t: Texts, base_url: &str, number: &str, has_token: bool) -> Vec<FieldOut> {
    vec![
        field(FieldKind::Line, "phone_number_id", t.whatsapp_number(), number)
            .required()
            .hint(t.whatsapp_number_hint()),
        field(FieldKind::Secret, "access_token", t.whatsapp_token(), "").hint(kept_hint(t, has_token)),
        field(FieldKind::Address, "base_url", t.whatsapp_address(), base_url),
    ]
}

fn webhook_fields(t: Texts, url: &str) -> Vec<FieldOut> {
    vec![field(FieldKind::Address, "url", t.channel_url(), url).required().hint(t.channel_url_hint())]
}

fn kept_hint(t: Texts, is_kept: bool) -> &'static str {
    if is_kept { t.secret_kept_hint() } else { "" }
}

pub fn read(kind: ChannelKind, fields: BTreeMap<String, String>) -> Result<ChannelIn, ServiceError> {
    let known: &[&str] = match kind {
        ChannelKind::Email => {
            &["host", "security", "port", "username", "password", "from", "from_name", "subject"]
        }
        ChannelKind::Whatsapp => &["phone_number_id", "access_token", "base_url"],
        ChannelKind::Webhook | ChannelKind::Events => &["url"],
        ChannelKind::Inbound => &[],
    };
    let given = Given::parse(fields, known)?;
    let text = |name| given.text(name).map(|text| text.trim().to_owned());
    // A secret that was left empty stays, as long as there is something that it belongs to.
    let secret = |name, is_needed: bool| given.text(name).or_else(|| is_needed.then(|| KEPT.to_owned()));
    Ok(ChannelIn {
        host: text("host"),
        port: given.read("port")?,
        security: text("security").and_then(|name| MailSecurity::from_name(&name)),
        password: secret("password", text("username").is_some()),
        username: text("username"),
        from: text("from"),
        from_name: text("from_name"),
        subject: text("subject"),
        access_token: secret("access_token", kind == ChannelKind::Whatsapp),
        base_url: text("base_url"),
        phone_number_id: text("phone_number_id"),
        url: text("url"),
    })
}

pub fn secret_of(t: Texts, kind: ChannelKind, channel: ChannelOut) -> Option<ShownSecret> {
    let secret = channel.webhook_secret?;
    Some(ShownSecret { name: t.channel_name(kind).to_owned(), secret })
}
