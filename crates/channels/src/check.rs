//! What a body says about a channel, checked. The address has to be one that may be reached.

use crate::{Address, secrets::ChannelSecrets, unreachable, url_of};
use domain::{
    Email, FieldCode, FieldError, ServiceError, ServiceResult,
    channel::{
        ChannelIn, ChannelKind, ChannelSettings, EmailSettings, InboundSettings, MailSecurity,
        WebhookSettings, WhatsappSettings,
    },
    secret::MASKED,
    text::{parse_line, parse_optional_line},
};
use egress::{Egress, EgressError};

const WHATSAPP: &str = "https://graph.facebook.com/v23.0";

/// `secrets` are those of the channel as it was before, and get what the new address keeps to itself.
pub(crate) fn settings(
    egress: &Egress,
    kind: ChannelKind,
    input: &ChannelIn,
    before: Option<ChannelSettings>,
    secrets: &mut ChannelSecrets,
) -> ServiceResult<ChannelSettings> {
    refuse_foreign_fields(kind, input)?;
    match kind {
        ChannelKind::Email => email(egress, input).map(ChannelSettings::Email),
        ChannelKind::Whatsapp => whatsapp(egress, input).map(ChannelSettings::Whatsapp),
        ChannelKind::Webhook => webhook(egress, input, before, secrets).map(ChannelSettings::Webhook),
        ChannelKind::Events => webhook(egress, input, before, secrets).map(ChannelSettings::Events),
        ChannelKind::Inbound => Ok(ChannelSettings::Inbound(InboundSettings {})),
    }
}

fn refuse_foreign_fields(kind: ChannelKind, input: &ChannelIn) -> ServiceResult<()> {
    let email = [
        ("host", input.host.is_some()),
        ("port", input.port.is_some()),
        ("security", input.security.is_some()),
        ("username", input.username.is_some()),
        ("password", input.password.is_some()),
        ("from", input.from.is_some()),
        ("from_name", input.from_name.is_some()),
        ("subject", input.subject.is_some()),
    ];
    let whatsapp = [
        ("base_url", input.base_url.is_some()),
        ("phone_number_id", input.phone_number_id.is_some()),
        ("access_token", input.access_token.is_some()),
    ];
    let webhook = [("url", input.url.is_some())];
    let foreign = match kind {
        ChannelKind::Email => [&whatsapp[..], &webhook[..], &[]],
        ChannelKind::Whatsapp => [&email[..], &webhook[..], &[]],
        ChannelKind::Webhook | ChannelKind::Events => [&email[..], &whatsapp[..], &[]],
        ChannelKind::Inbound => [&email[..], &whatsapp[..], &webhook[..]],
    };
    let given = foreign.concat().into_iter().filter(|(_, is_given)| *is_given);
    let errors: Vec<_> = given.map(|(name, _)| FieldError::new(name, FieldCode::Unknown)).collect();
    if errors.is_empty() { Ok(()) } else { Err(ServiceError::fields(errors)) }
}

fn email(egress: &Egress, input: &ChannelIn) -> ServiceResult<EmailSettings> {
    let security = input.security.unwrap_or(MailSecurity::StartTls);
    let host = parse_line("host", required("host", &input.host)?, 253)?;
    let port = input.port.unwrap_or(match security {
        MailSecurity::StartTls => 587,
        MailSecurity::Tls => 465,
        MailSecurity::None => 25,
    });
    if port == 0 {
        return Err(ServiceError::field("port", FieldCode::Invalid));
    }
    egress.check_host(&host, port, security != MailSecurity::None).map_err(|error| match error {
        EgressError::HttpsRequired { .. } => ServiceError::field("security", FieldCode::OutOfReach),
        other => unreachable("host", &other).into(),
    })?;
    Ok(EmailSettings {
        host,
        port,
        security,
        username: parse_optional_line("username", input.username.as_deref(), 254)?,
        from: address("from", required("from", &input.from)?)?,
        from_name: parse_optional_line("from_name", input.from_name.as_deref(), 100)?,
        subject: parse_optional_line("subject", input.subject.as_deref(), 200)?,
    })
}

/// One that both we and the mail library take.
pub(crate) fn address(field: &str, text: &str) -> ServiceResult<String> {
    let email = Email::parse(text).map_err(|error| FieldError::new(field, error.code))?.to_string();
    match email.parse::<lettre::Address>() {
        Ok(_) => Ok(email),
        Err(_) => Err(ServiceError::field(field, FieldCode::Invalid)),
    }
}

fn whatsapp(egress: &Egress, input: &ChannelIn) -> ServiceResult<WhatsappSettings> {
    let base_url = url(egress, "base_url", input.base_url.as_deref().unwrap_or(WHATSAPP))?;
    if base_url.contains('?') {
        return Err(refused("base_url", "must not have a query"));
    }
    let phone_number_id = required("phone_number_id", &input.phone_number_id)?.trim().to_owned();
    if phone_number_id.len() > 32 || !phone_number_id.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(ServiceError::field("phone_number_id", FieldCode::Invalid));
    }
    Ok(WhatsappSettings { base_url: base_url.trim_end_matches('/').to_owned(), phone_number_id })
}

fn webhook(
    egress: &Egress,
    input: &ChannelIn,
    before: Option<ChannelSettings>,
    secrets: &mut ChannelSecrets,
) -> ServiceResult<WebhookSettings> {
    let shown = before.and_then(|mut before| url_of(&mut before).cloned());
    let kept = shown.map(|shown| Address { shown, whole: secrets.address.clone() });
    let Address { shown, whole } = Address::given("url", required("url", &input.url)?, kept, egress)?;
    secrets.address = whole;
    Ok(WebhookSettings { url: shown })
}

fn url(egress: &Egress, field: &str, text: &str) -> ServiceResult<String> {
    egress.check_url(text).map(String::from).map_err(|error| unreachable(field, &error).into())
}

fn required<'a>(field: &str, value: &'a Option<String>) -> ServiceResult<&'a str> {
    let value = value.as_deref().filter(|text| !text.trim().is_empty());
    value.ok_or_else(|| ServiceError::field(field, FieldCode::Required))
}

fn refused(field: &str, message: &str) -> ServiceError {
    let message = message.to_owned();
    FieldError { message, ..FieldError::new(field, FieldCode::Invalid) }.into()
}

/// A secret as a body gives it. `***` is what the caller was shown: the kept one, which `kept` has only while it goes to
/// the same place. Otherwise whoever may change the address could have the secret sent to themselves.
pub(crate) fn secret(
    field: &str,
    given: Option<&str>,
    kept: Option<&String>,
) -> ServiceResult<Option<String>> {
    match given {
        None | Some("") => Ok(None),
        Some(MASKED) => match kept {
            Some(kept) => Ok(Some(kept.clone())),
            None => Err(ServiceError::field(field, FieldCode::Required)),
        },
        Some(text) if text.len() > 4_096 => Err(ServiceError::field(field, FieldCode::TooLong)),
        Some(text) if text.chars().any(char::is_control) => {
            Err(ServiceError::field(field, FieldCode::Invalid))
        }
        Some(text) => Ok(Some(text.to_owned())),
    }
}

pub(crate) fn is_same_place(old: &ChannelSettings, new: &ChannelSettings) -> bool {
    match (old, new) {
        (ChannelSettings::Email(old), ChannelSettings::Email(new)) => {
            (&old.host, old.port, old.security, &old.username)
                == (&new.host, new.port, new.security, &new.username)
        }
        (ChannelSettings::Whatsapp(old), ChannelSettings::Whatsapp(new)) => old.base_url == new.base_url,
        _ => true,
    }
}
