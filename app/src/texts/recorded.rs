//! Why a call failed, in the reader's language. The record keeps one sentence, as the caller got it, and that is English; what
//! an upstream, a mail server or a script said itself stays as it is.

use super::Texts;
use domain::{FieldCode, Language};

/// The code, the record's words and what they are in Portuguese: `{}` stands for names and numbers, in the same order.
const IN_PORTUGUESE: &[(&str, &str, &str)] = &[
    ("unknown_host", "{} was not found", "{} não foi encontrado"),
    ("connection_failed", "no connection to {}", "não foi possível conectar a {}"),
    (
        "tls_failed",
        "{} has no valid certificate, or does not speak TLS",
        "{} não tem um certificado válido ou não usa TLS",
    ),
    ("timed_out", "{} did not answer in time", "{} não respondeu a tempo"),
    ("timed_out", "The mail server did not answer in time.", "O servidor de e-mail não respondeu a tempo."),
    (
        "closed_early",
        "{} closed the connection before the answer was complete",
        "{} fechou a conexão antes do fim da resposta",
    ),
    ("bad_answer", "{} sent something that is not HTTP", "{} enviou algo que não é HTTP"),
    (
        "circuit_open",
        "{} failed repeatedly; calls resume in {} s",
        "{} falhou várias vezes seguidas; as chamadas voltam em {} s",
    ),
    (
        "redirected",
        "The address answered {}: redirects are not followed.",
        "O endereço respondeu {}: redirecionamentos não são seguidos.",
    ),
    ("upstream_error", "The address answered {}.", "O endereço respondeu {}."),
    (
        "invalid_tool",
        "The address or the headers of this tool cannot be used.",
        "O endereço ou os cabeçalhos desta ferramenta não podem ser usados.",
    ),
    ("secret_missing", "There is no secret {} any more.", "O segredo {} não existe mais."),
    ("not_runnable", "A test of this tool sends nothing.", "Um teste desta ferramenta não envia nada."),
    (
        "email_not_configured",
        "No mail server is configured for this organisation.",
        "Esta organização não tem um servidor de e-mail configurado.",
    ),
    ("smtp_error", "The mail could not be sent: {}", "Não foi possível enviar o e-mail: {}"),
    (
        "smtp_error",
        "Whether the mail was sent is not known: the mail server broke off: {}",
        "Não se sabe se o e-mail foi enviado: o servidor interrompeu a conexão: {}",
    ),
    (
        "internal",
        "The call broke off inside the server; whether it took effect is not known.",
        "A chamada foi interrompida dentro do servidor; não se sabe se teve efeito.",
    ),
    ("timeout", "the script ran longer than it may", "o código passou do tempo permitido"),
    ("output", "the result is larger than {} bytes", "o resultado passa de {} bytes"),
    ("bad_result", "the result is not JSON", "o resultado não é JSON"),
    ("bad_result", "the result is nested too deeply", "o resultado tem níveis demais"),
    ("no_room", "no worker became free in time", "nenhum processo ficou livre a tempo"),
    ("", "The call was cancelled.", "A chamada foi cancelada."),
];

impl Texts {
    /// What the operator can change is said in the person's words, in both languages.
    pub fn recorded(self, code: Option<&str>, message: Option<String>) -> Option<String> {
        if let Some("blocked_address" | "https_required") = code {
            return Some(self.field_code(FieldCode::OutOfReach).to_owned());
        }
        let message = message?;
        let known = match self.language {
            Language::En => None,
            Language::PtBr => in_portuguese(code.unwrap_or_default(), &message),
        };
        Some(known.unwrap_or(message))
    }
}

fn in_portuguese(code: &str, message: &str) -> Option<String> {
    let with_code = IN_PORTUGUESE.iter().filter(|(of, ..)| *of == code);
    with_code.filter_map(|(_, words, ours)| Some(filled(ours, &parts(words, message)?))).next()
}

/// What stands where the pattern has `{}`; nothing when the text is another one.
fn parts<'a>(pattern: &str, text: &'a str) -> Option<Vec<&'a str>> {
    let mut fixed = pattern.split("{}");
    let mut rest = text.strip_prefix(fixed.next()?)?;
    let mut parts = Vec::new();
    for words in fixed {
        // At the end of the text when nothing follows.
        let at = if words.is_empty() { rest.len() } else { rest.find(words)? };
        parts.push(&rest[..at]);
        rest = &rest[at + words.len()..];
    }
    rest.is_empty().then_some(parts)
}

fn filled(pattern: &str, parts: &[&str]) -> String {
    let mut parts = parts.iter();
    let mut text = String::new();
    for (at, words) in pattern.split("{}").enumerate() {
        text.push_str(if at > 0 { parts.next().copied().unwrap_or_default() } else { "" });
        text.push_str(words);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(language: Language, code: &str, message: &str) -> String {
        Texts::of(language).recorded(Some(code), Some(message.to_owned())).unwrap()
    }

    #[test]
    fn t10_why_a_call_failed_is_told_in_the_language_of_whoever_reads() {
        let pt = |code, message| told(Language::PtBr, code, message);
        assert_eq!(
            pt("timed_out", "api.example.org did not answer in time"),
            "api.example.org não respondeu a tempo"
        );
        assert_eq!(pt("upstream_error", "The address answered 503."), "O endereço respondeu 503.");
        assert_eq!(
            pt("circuit_open", "a.example failed repeatedly; calls resume in 7 s"),
            "a.example falhou várias vezes seguidas; as chamadas voltam em 7 s"
        );
        assert_eq!(
            pt("smtp_error", "The mail could not be sent: 550 no"),
            "Não foi possível enviar o e-mail: 550 no"
        );
        let en = "a.example did not answer in time";
        assert_eq!(told(Language::En, "timed_out", en), en);
    }

    #[test]
    fn t10_what_others_said_stays_as_it_is() {
        for (code, message) in
            [("script_error", "boom (line 3)"), ("upstream_error", "The address was odd."), ("", "")]
        {
            assert_eq!(told(Language::PtBr, code, message), message);
        }
    }

    #[test]
    fn t10_every_pattern_has_as_many_places_in_both_languages() {
        for (_, words, ours) in IN_PORTUGUESE {
            assert_eq!(words.matches("{}").count(), ours.matches("{}").count(), "{words}");
        }
    }

    /// The words of the record are those that the patterns know.
    #[test]
    fn t10_what_egress_says_is_known() {
        let host = || "a.example".to_owned();
        let all = [
            egress::EgressError::UnknownHost { host: host() },
            egress::EgressError::ConnectionFailed { host: host() },
            egress::EgressError::TlsFailed { host: host() },
            egress::EgressError::TimedOut { host: host() },
            egress::EgressError::ClosedEarly { host: host() },
            egress::EgressError::BadAnswer { host: host() },
            egress::EgressError::CircuitOpen { host: host(), retry_after: std::time::Duration::from_secs(7) },
        ];
        for error in all {
            let told = in_portuguese(error.code(), &error.to_string());
            assert!(told.is_some_and(|text| text.contains("a.example")), "{error}");
        }
    }
}
