//! `sendEmail`: checked and described here; the engine sends it by the tenant's own server, outside any transaction.

use super::{Kind, SystemTool, ToolCall, ToolFailure, ToolResult, args, planned};
use domain::{Email, FieldCode, FieldError, ToolEffect, crm::check::paragraph, text::parse_line};
use serde::Deserialize;
use serde_json::{Value, json};

pub const TOOL: SystemTool = SystemTool {
    name: "sendEmail",
    display_name: "Enviar e-mail",
    description: "Envia um e-mail de texto simples. Use quando o contato pedir algo por escrito ou quando a resposta \
                  não couber na conversa. Confirme o endereço antes de enviar.",
    effect: ToolEffect::Message,
    kind: Kind::SendEmail,
};

const MOST_RECIPIENTS: usize = 50;

/// An e-mail that can be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmailDraft {
    pub to: Vec<String>,
    pub subject: String,
    pub text: String,
    pub reply_to: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Params {
    to: Vec<String>,
    subject: String,
    text: String,
    reply_to: Option<String>,
}

pub fn parameters() -> Value {
    let address = json!({ "type": "string", "format": "email", "maxLength": 254 });
    let properties = json!({
        "to": {
            "type": "array",
            "items": address,
            "minItems": 1,
            "maxItems": MOST_RECIPIENTS,
            "uniqueItems": true,
            "description": "Destinatários; cada um vê os outros",
        },
        "subject": args::text("Assunto, em uma linha", 200),
        "text": args::text("O texto do e-mail, sem HTML", 50_000),
        "reply_to": {
            "type": "string",
            "format": "email",
            "maxLength": 254,
            "description": "Endereço para as respostas, se for outro",
        },
    });
    args::object(properties, &["to", "subject", "text"])
}

impl EmailDraft {
    /// Addresses in lower case and once each; a subject of one line, so that no header can be smuggled in.
    pub fn from_params(params: &Value) -> Result<Self, ToolFailure> {
        let params: Params = args::parse(params)?;
        let mut to: Vec<String> = Vec::new();
        for text in &params.to {
            let address = address("to", text)?;
            if !to.contains(&address) {
                to.push(address);
            }
        }
        if to.is_empty() {
            return Err(FieldError::new("to", FieldCode::Required).into());
        }
        if to.len() > MOST_RECIPIENTS {
            return Err(FieldError::new("to", FieldCode::TooLong).into());
        }
        Ok(Self {
            to,
            subject: parse_line("subject", &params.subject, 200)?,
            text: paragraph("text", &params.text, 50_000)?,
            reply_to: params.reply_to.map(|text| address("reply_to", &text)).transpose()?,
        })
    }
}

fn address(field: &str, text: &str) -> Result<String, FieldError> {
    let email = Email::parse(text).map_err(|error| FieldError::new(field, error.code))?;
    Ok(email.to_string())
}

pub fn plan(call: &ToolCall<'_>) -> ToolResult {
    let draft = EmailDraft::from_params(call.params)?;
    let summary = format!("Enviar o e-mail {} para {}.", draft.subject, draft.to.join(", "));
    let after = json!({
        "to": draft.to,
        "subject": draft.subject,
        "text": draft.text,
        "reply_to": draft.reply_to,
    });
    Ok(planned(summary, Value::Null, after))
}

pub fn run(call: &ToolCall<'_>) -> ToolResult {
    EmailDraft::from_params(call.params)?;
    Err(ToolFailure::refused("needs_smtp", "O e-mail é enviado pelo servidor de e-mail da organização."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(to: Value, subject: &str) -> Result<EmailDraft, ToolFailure> {
        EmailDraft::from_params(&json!({ "to": to, "subject": subject, "text": "Olá" }))
    }

    #[test]
    fn addresses_are_checked_and_folded() {
        let draft = draft(json!(["Ana@Example.org", "ana@example.org"]), "Oi").expect("a draft");
        assert_eq!(draft.to, ["ana@example.org"]);
    }

    #[test]
    fn s15_no_header_can_be_smuggled_in() {
        let one = json!(["a@example.org"]);
        assert!(draft(one.clone(), "Oi\r\nBcc: x@example.org").is_err());
        for to in [json!([]), json!(["x"]), json!(["a@b.c\r\nBcc: d@e.f"]), json!("a@example.org")] {
            assert_eq!(draft(to, "Oi").map_err(|failure| failure.code()), Err("invalid_params"));
        }
        let many: Vec<String> = (0..51).map(|n| format!("a{n}@example.org")).collect();
        assert!(draft(json!(many), "Oi").is_err());
        let smuggled = json!({ "to": ["a@b.c"], "subject": "x", "text": "y", "bcc": ["d@e.f"] });
        assert!(EmailDraft::from_params(&smuggled).is_err());
    }
}
