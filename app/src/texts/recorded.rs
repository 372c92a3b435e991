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
    (
        "timed_out",
        "The mail server did not answer in time; whether the mail was sent is not known.",
        "O servidor de e-mail não respondeu a tempo; não se sabe se o e-mail foi enviado.",
    ),
    ("timed_out", "The other side did not answer in time.", "O outro lado não respondeu a tempo."),
    ("invalid_url", "The address cannot be used.", "O endereço não pode ser usado."),
    ("invalid_url", "the address is not valid: it is too long", "o endereço não é válido: é longo demais"),
    (
        "invalid_url",
        "the address is not valid: it has blanks or control characters",
        "o endereço não é válido: tem espaços ou caracteres de controle",
    ),
    (
        "invalid_url",
        "the address is not valid: it cannot be read",
        "o endereço não é válido: não dá para ler",
    ),
    (
        "invalid_url",
        "the address is not valid: it must begin with https://",
        "o endereço não é válido: precisa começar com https://",
    ),
    (
        "invalid_url",
        "the address is not valid: it must not hold a user name or a password",
        "o endereço não é válido: não pode conter usuário nem senha",
    ),
    ("invalid_url", "the address is not valid: it has no host", "o endereço não é válido: não tem servidor"),
    (
        "invalid_url",
        "the address is not valid: it has no valid port",
        "o endereço não é válido: não tem uma porta válida",
    ),
    (
        "invalid_url",
        "the address is not valid: the host cannot be read",
        "o endereço não é válido: não dá para ler o servidor",
    ),
    ("invalid_method", "the method {} cannot be sent", "o método {} não pode ser enviado"),
    ("tls_required", "{} can only be reached with TLS", "só é possível conectar a {} com TLS"),
    ("invalid_address", "An address cannot be used.", "Um dos endereços não pode ser usado."),
    ("whatsapp_error", "WhatsApp answered {} (error {}).", "O WhatsApp respondeu {} (erro {})."),
    ("whatsapp_error", "WhatsApp answered {}.", "O WhatsApp respondeu {}."),
    (
        "channel_not_configured",
        "No channel is configured that could deliver this.",
        "Nenhum canal configurado pode fazer esta entrega.",
    ),
    (
        "contact_unreachable",
        "The contact cannot be reached on this channel any more.",
        "Não é mais possível falar com o contato por este canal.",
    ),
    (
        "interrupted",
        "The process ended while this was being sent; it may have arrived.",
        "O processo terminou durante o envio; a mensagem pode ter chegado.",
    ),
    ("invalid_tool", "This tool has no code.", "Esta ferramenta não tem código."),
    ("not_runnable", "Nothing here runs tools of this kind.", "Nada aqui executa ferramentas deste tipo."),
    (
        "code_unavailable",
        "code tools cannot run here: {}",
        "ferramentas de código não podem ser executadas aqui: {}",
    ),
    (
        "secrets_unavailable",
        "A secret of this organisation cannot be opened.",
        "Não foi possível abrir um segredo desta organização.",
    ),
    (
        "secrets_unavailable",
        "The database does not answer. Nothing was changed; try again shortly.",
        "O banco de dados não responde. Nada foi alterado; tente de novo daqui a pouco.",
    ),
    (
        "secrets_unavailable",
        "Somebody else is changing the same right now. Nothing was changed; try again.",
        "Outra pessoa está alterando a mesma coisa agora. Nada foi alterado; tente de novo.",
    ),
    ("secrets_unavailable", "Something went wrong on the server.", "Algo deu errado no servidor."),
    (
        "unavailable",
        "The database does not answer. Nothing was changed; try again shortly.",
        "O banco de dados não responde. Nada foi alterado; tente de novo daqui a pouco.",
    ),
    (
        "busy",
        "Somebody else is changing the same right now. Nothing was changed; try again.",
        "Outra pessoa está alterando a mesma coisa agora. Nada foi alterado; tente de novo.",
    ),
    (
        "internal",
        "The secrets of this channel cannot be opened.",
        "Não foi possível abrir os segredos deste canal.",
    ),
    ("internal", "Something went wrong on the server.", "Algo deu errado no servidor."),
    (
        "syntax",
        "the code has a character that no code can have",
        "o código tem um caractere que nenhum código pode ter",
    ),
    (
        "no_function",
        "the module must have a default export that is a function: export default (params, ctx) => …",
        "o módulo precisa exportar uma função como padrão: export default (params, ctx) => …",
    ),
    (
        "never_settled",
        "the script waits for a promise that nothing can settle any more",
        "o código espera por uma promessa que nada mais pode cumprir",
    ),
    (
        "never_settled",
        "the module waits for a promise that nothing can settle any more",
        "o módulo espera por uma promessa que nada mais pode cumprir",
    ),
    (
        "memory",
        "the script needs more memory than it may use",
        "o código precisa de mais memória do que pode usar",
    ),
    (
        "too_large",
        "code, parameters and secrets are too large together",
        "o código, os parâmetros e os segredos são grandes demais juntos",
    ),
    (
        "forbidden",
        "the worker asked the kernel for something that no script needs, and was stopped",
        "o processo pediu ao sistema algo de que nenhum código precisa e foi interrompido",
    ),
    (
        "crashed",
        "the worker said something that makes no sense, and was stopped",
        "o processo disse algo sem sentido e foi interrompido",
    ),
    (
        "crashed",
        "the worker was killed from outside, as happens when the machine has no memory left",
        "o processo foi encerrado de fora, como acontece quando a máquina fica sem memória",
    ),
    ("crashed", "the worker crashed (signal {})", "o processo falhou (sinal {})"),
    (
        "crashed",
        "the worker ended before the script did (status {})",
        "o processo terminou antes do código (status {})",
    ),
    ("crashed", "the worker ended before the script did", "o processo terminou antes do código"),
    ("crashed", "the worker ended before the script began", "o processo terminou antes de o código começar"),
    // Of what people decided or left undecided, there is no code.
    ("", "The call was cancelled.", "A chamada foi cancelada."),
    ("", "Nobody decided in time.", "Ninguém decidiu a tempo."),
    ("", "A person refused this call.", "Uma pessoa recusou esta chamada."),
    (
        "",
        "The process ended during this call; whether it took effect is not known.",
        "O processo terminou durante esta chamada; não se sabe se ela teve efeito.",
    ),
    (
        "",
        "The tool, its arguments, the agent or the policy changed since this was asked; call again.",
        "A ferramenta, os argumentos, o agente ou a política mudaram depois do pedido; chame de novo.",
    ),
    (
        "",
        "Whoever asked for this call was taken away since: their key was revoked, or they are no longer here.",
        "Quem pediu esta chamada perdeu o acesso: a chave foi revogada ou a pessoa não está mais aqui.",
    ),
    ("", "signing secret rotated", "segredo de assinatura trocado"),
    ("", "the agent that it spoke for was deleted", "o agente em nome do qual ela falava foi excluído"),
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

    /// The same where the record has both in one text: `code: message`.
    pub fn recorded_with_code(self, text: String) -> String {
        let told = text.split_once(": ").and_then(|(code, message)| {
            Some(format!("{code}: {}", self.recorded(Some(code), Some(message.to_owned()))?))
        });
        told.unwrap_or(text)
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
    fn t10_what_became_of_a_question_is_told_in_the_language_of_whoever_reads() {
        let pt = Texts::of(Language::PtBr);
        let note = |text: &str| pt.recorded(None, Some(text.to_owned())).unwrap();
        assert_eq!(note("Nobody decided in time."), "Ninguém decidiu a tempo.");
        assert_eq!(note("A person refused this call."), "Uma pessoa recusou esta chamada.");
        assert_eq!(note("só amanhã"), "só amanhã", "what a person wrote");
        assert_eq!(pt.recorded(None, None), None);
    }

    #[test]
    fn t10_a_code_and_its_words_in_one_text_are_told_together() {
        let pt = |text: &str| Texts::of(Language::PtBr).recorded_with_code(text.to_owned());
        assert_eq!(
            pt("whatsapp_error: WhatsApp answered 400 (error 131030)."),
            "whatsapp_error: O WhatsApp respondeu 400 (erro 131030)."
        );
        assert_eq!(
            pt("smtp_error: The mail could not be sent: 550 no"),
            "smtp_error: Não foi possível enviar o e-mail: 550 no"
        );
        assert_eq!(pt("nada"), "nada");
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

    /// Where sentences of the record are written, below `crates`.
    const RECORD: [&str; 12] = [
        "channels/src/delivery/messages.rs",
        "channels/src/failure.rs",
        "channels/src/mail.rs",
        "channels/src/webhook.rs",
        "channels/src/whatsapp.rs",
        "engine/src/calls/recovery.rs",
        "engine/src/calls/row.rs",
        "engine/src/confirmations.rs",
        "engine/src/confirmations/closing.rs",
        "engine/src/executors.rs",
        "engine/src/executors/code.rs",
        "engine/src/executors/webhook.rs",
    ];

    /// What stands there too, and is only answered: a door tells it by its code.
    const ANSWERED: [&str; 5] = [
        "Somebody decided this already, or its time is over.",
        "The arguments of this call cannot be opened.",
        "The call was cancelled: there is nothing left to decide.",
        "The time to decide this is over.",
        "There is no such confirmation.",
    ];

    /// Where the sandbox says why a script gave no result.
    const WORKER: [&str; 3] =
        ["sandbox/src/server/answer.rs", "sandbox/src/worker/job.rs", "sandbox/src/worker/natives.rs"];

    /// A new sentence needs its Portuguese.
    #[test]
    fn t10_every_sentence_that_is_recorded_is_known() {
        let is_sentence = |text: &str| {
            text.starts_with(|first: char| first.is_ascii_uppercase())
                && text.contains(' ')
                && text.ends_with('.')
        };
        for file in RECORD {
            are_known(file, |text| is_sentence(text) && !ANSWERED.contains(&text));
        }
        for file in WORKER {
            are_known(file, |text| text.starts_with("the "));
        }
    }

    fn are_known(file: &str, is_recorded: impl Fn(&str) -> bool) {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates").join(file);
        let all = quoted(&std::fs::read_to_string(path).unwrap());
        let recorded: Vec<&String> = all.iter().filter(|text| is_recorded(text)).collect();
        assert!(!recorded.is_empty(), "{file} says nothing any more");
        for text in recorded {
            assert!(IN_PORTUGUESE.iter().any(|(_, words, _)| words == text), "{file}: {text}");
        }
    }

    /// The texts of a source file, without its comments and tests; what is filled in reads `{}`. None of them has a quote
    /// in it.
    fn quoted(source: &str) -> Vec<String> {
        let code = source.split("#[cfg(test)]").next().unwrap_or_default();
        let code: Vec<&str> = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        let in_one_line = |text: &str| text.split("\\\n").map(str::trim_start).collect::<String>();
        code.join("\n").split('"').skip(1).step_by(2).map(|text| with_places(&in_one_line(text))).collect()
    }

    fn with_places(text: &str) -> String {
        let mut pieces = text.split('{');
        let mut whole = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            whole.push_str("{}");
            whole.push_str(piece.split_once('}').map_or("", |(_, rest)| rest));
        }
        whole
    }
}
