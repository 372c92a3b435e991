//! Mail over SMTP. The host is looked at like every other address, and connected to where it was found; its certificate
//! has to be for its name.

use crate::{NextTime, SendFailure};
use domain::channel::{EmailSettings, MailSecurity};
use egress::{Authorities, Egress, EgressError};
use lettre::{
    Message,
    message::{Mailbox, header::ContentType},
    transport::smtp::{
        Error,
        authentication::{Credentials, Mechanism},
        client::{AsyncSmtpConnection, Certificate, CertificateStore, TlsParameters},
        extension::ClientId,
    },
};
use std::{sync::LazyLock, time::Duration};
use tokio::time::{Instant, timeout, timeout_at};
use uuid::Uuid;

/// How long we wait for a server to say goodbye.
const GOODBYE: Duration = Duration::from_secs(2);

/// What is to be sent; its id becomes the `Message-ID`, so that a repeat can be recognised.
#[derive(Clone, Debug)]
pub struct Mail {
    pub id: Uuid,
    pub to: Vec<String>,
    pub subject: String,
    pub text: String,
    pub reply_to: Option<String>,
}

/// Answers with the `Message-ID`.
pub(crate) async fn send(
    egress: &Egress,
    settings: &EmailSettings,
    password: Option<&str>,
    mail: &Mail,
    deadline: Instant,
) -> Result<String, SendFailure> {
    let message_id = message_id(settings, mail.id);
    let message = compose(settings, mail, &message_id)?;
    let late = |message, next_time| SendFailure::new("timed_out", message, next_time);
    let connected = timeout_at(deadline, connect(egress, settings, password)).await;
    let no_answer = "The mail server did not answer in time.";
    let mut connection = connected.map_err(|_| late(no_answer, NextTime::MayWork))??;
    let sent = timeout_at(deadline, connection.send(message.envelope(), &message.formatted())).await;
    let no_answer = "The mail server did not answer in time; whether the mail was sent is not known.";
    sent.map_err(|_| late(no_answer, NextTime::MayRepeat))?.map_err(|error| while_sending(&error))?;
    // It was taken; how the conversation ends changes nothing.
    let _ = timeout(GOODBYE, connection.quit()).await;
    Ok(message_id)
}

fn message_id(settings: &EmailSettings, id: Uuid) -> String {
    let domain = settings.from.rsplit_once('@').map_or("localhost", |(_, domain)| domain);
    format!("<{id}@{domain}>")
}

fn compose(settings: &EmailSettings, mail: &Mail, message_id: &str) -> Result<Message, SendFailure> {
    let invalid = || SendFailure::new("invalid_address", "An address cannot be used.", NextTime::FailsAgain);
    let mailbox = |name: Option<String>, text: &str| {
        text.parse().map(|address| Mailbox::new(name, address)).map_err(|_| invalid())
    };
    let mut builder = Message::builder()
        .from(mailbox(settings.from_name.clone(), &settings.from)?)
        .subject(&mail.subject)
        .message_id(Some(message_id.to_owned()))
        .header(ContentType::TEXT_PLAIN);
    for to in &mail.to {
        builder = builder.to(mailbox(None, to)?);
    }
    if let Some(reply_to) = &mail.reply_to {
        builder = builder.reply_to(mailbox(None, reply_to)?);
    }
    builder.body(mail.text.clone()).map_err(|_| invalid())
}

/// Connected, encrypted as the settings ask, and signed in.
async fn connect(
    egress: &Egress,
    settings: &EmailSettings,
    password: Option<&str>,
) -> Result<AsyncSmtpConnection, SendFailure> {
    let is_encrypted = settings.security != MailSecurity::None;
    let address =
        egress.vetted_address(&settings.host, settings.port, is_encrypted).await.map_err(not_reachable)?;
    let hello = ClientId::default();
    let tls = || tls(&settings.host, egress.authorities());
    let at_once = (settings.security == MailSecurity::Tls).then(tls).transpose()?;
    let connected = AsyncSmtpConnection::connect_tokio1(address, None, &hello, at_once, None).await;
    let mut connection = connected.map_err(|error| before_sending(&error))?;
    if settings.security == MailSecurity::StartTls {
        connection.starttls(tls()?, &hello).await.map_err(|error| before_sending(&error))?;
    }
    if let (Some(username), Some(password)) = (&settings.username, password) {
        let credentials = Credentials::new(username.clone(), password.to_owned());
        let ways = [Mechanism::Plain, Mechanism::Login];
        connection.auth(&ways, &credentials).await.map_err(|error| before_sending(&error))?;
    }
    Ok(connection)
}

/// Whether the machine has authorities. Read once: they are files.
static HAS_OWN: LazyLock<bool> = LazyLock::new(|| !rustls_native_certs::load_native_certs().certs.is_empty());

/// As `egress` trusts: the machine's authorities; where it has none, those of browsers; and the operator's own.
fn tls(host: &str, authorities: &Authorities) -> Result<TlsParameters, SendFailure> {
    let store = if *HAS_OWN { CertificateStore::Default } else { CertificateStore::WebpkiRoots };
    let mut builder = TlsParameters::builder(host.to_owned()).certificate_store(store);
    for authority in authorities.iter() {
        let certificate =
            Certificate::from_der(authority.to_vec()).map_err(|error| before_sending(&error))?;
        builder = builder.add_root_certificate(certificate);
    }
    builder.build_rustls().map_err(|error| before_sending(&error))
}

fn not_reachable(error: EgressError) -> SendFailure {
    match error {
        EgressError::HttpsRequired { host } => {
            let message = format!("{host} can only be reached with TLS");
            SendFailure::new("tls_required", message, NextTime::FailsAgain)
        }
        other => other.into(),
    }
}

fn before_sending(error: &Error) -> SendFailure {
    let next_time = match error {
        _ if error.is_permanent() || error.is_tls() || error.is_client() => NextTime::FailsAgain,
        _ => NextTime::MayWork,
    };
    SendFailure::new("smtp_error", described(NOT_SENT, error), next_time)
}

/// Only an answer of the server is certain: without one, the mail may be on its way.
fn while_sending(error: &Error) -> SendFailure {
    let (next_time, came_of_it) = match error {
        _ if error.is_permanent() || error.is_client() => (NextTime::FailsAgain, NOT_SENT),
        _ if error.is_transient() => (NextTime::MayWork, NOT_SENT),
        _ => (NextTime::MayRepeat, "Whether the mail was sent is not known: the mail server broke off"),
    };
    SendFailure::new("smtp_error", described(came_of_it, error), next_time)
}

const NOT_SENT: &str = "The mail could not be sent";

/// The server's own words tell what to do; they are short, and one line.
fn described(came_of_it: &str, error: &Error) -> String {
    let text = error.to_string();
    let line = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    format!("{came_of_it}: {}", line.take(300).collect::<String>())
}
