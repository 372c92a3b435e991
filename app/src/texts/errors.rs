//! What happened, and how to go on.

use super::Texts;
use domain::{ErrorCode, FieldCode, ServiceError};

texts_for! { error_code(ErrorCode) {
    ErrorCode::Unauthenticated =>
        "You are no longer signed in. Sign in again to go on."
        | "A sua sessão terminou. Entre de novo para continuar.",
    ErrorCode::Forbidden =>
        "You do not have the right to do this. Ask an owner or an administrator."
        | "Você não tem permissão para isso. Fale com um proprietário ou administrador.",
    ErrorCode::CrossOrigin =>
        "The request came from another site and was refused. Open the page again and retry."
        | "O pedido veio de outro site e foi recusado. Abra a página de novo e repita.",
    ErrorCode::InvalidCredentials =>
        "E-mail and password do not match. Check both and try again."
        | "E-mail e senha não conferem. Verifique os dois e tente de novo.",
    ErrorCode::RateLimited =>
        "Too many attempts. Wait a moment, then try again."
        | "Tentativas demais. Espere um pouco e tente de novo.",
    ErrorCode::InvalidBody =>
        "The form was not understood. Reload the page and try again."
        | "O formulário não foi entendido. Recarregue a página e tente de novo.",
    ErrorCode::BodyTooLarge =>
        "That is too much text. Shorten it and try again."
        | "É texto demais. Reduza e tente de novo.",
    ErrorCode::UnsupportedMediaType =>
        "The form was sent in a way we do not accept. Reload the page and try again."
        | "O formulário foi enviado de um jeito que não aceitamos. Recarregue a página e tente de novo.",
    ErrorCode::ValidationFailed =>
        "Some fields need attention."
        | "Alguns campos precisam de atenção.",
    ErrorCode::NotFound =>
        "This no longer exists. Reload the page to see what is there now."
        | "Isso não existe mais. Recarregue a página para ver o que há agora.",
    ErrorCode::MethodNotAllowed =>
        "This address does not take that kind of request."
        | "Este endereço não aceita esse tipo de pedido.",
    ErrorCode::ToolNotFound =>
        "There is no such tool, or not any more."
        | "Esta ferramenta não existe, ou não existe mais.",
    ErrorCode::SystemTool =>
        "System tools are always on: they cannot be switched."
        | "Ferramentas de sistema ficam sempre ligadas: não têm chave.",
    ErrorCode::AlreadyExists =>
        "It exists already. Choose another name or address."
        | "Já existe. Escolha outro nome ou endereço.",
    ErrorCode::LastOwner =>
        "The organisation would be left without an owner. Make somebody else an owner first."
        | "A organização ficaria sem proprietário. Torne outra pessoa proprietária antes.",
    ErrorCode::LastPlatformAdmin =>
        "The installation would be left without an administrator. Promote somebody else first."
        | "A instalação ficaria sem administração. Promova outra pessoa antes.",
    ErrorCode::InvalidSetupCode =>
        "The code is wrong. Copy it again from the server's log."
        | "O código está errado. Copie de novo do log do servidor.",
    ErrorCode::SetupDone =>
        "The set-up is done already. Sign in instead."
        | "A configuração já foi concluída. Entre com a sua conta.",
    ErrorCode::InvitationInvalid =>
        "It was used, revoked or has expired. Ask the person who invited you for a new link."
        | "Ele já foi usado, revogado ou expirou. Peça um novo link a quem convidou você.",
    ErrorCode::Conflict =>
        "Somebody else changed this in the meantime. You now see the current state; try again if you still want to."
        | "Outra pessoa alterou isto nesse meio-tempo. Agora você vê o estado atual; repita se ainda quiser.",
    ErrorCode::TenantRequired =>
        "You work in no organisation: choose one first."
        | "Você não está em nenhuma organização: escolha uma primeiro.",
    ErrorCode::AgentNotFound =>
        "This agent does not exist, or no longer."
        | "Este agente não existe, ou não existe mais.",
    ErrorCode::CodeUnavailable =>
        "Code tools cannot run on this machine."
        | "Ferramentas de código não rodam nesta máquina.",
    ErrorCode::ToolDisabled =>
        "This tool is switched off."
        | "Esta ferramenta está desligada.",
    ErrorCode::ToolNotAssigned =>
        "The agent was not given this tool."
        | "O agente não recebeu esta ferramenta.",
    ErrorCode::ToolInUse =>
        "Agents use this tool. Take it from them first, or delete it anyway."
        | "Há agentes que usam esta ferramenta. Retire-a deles antes, ou exclua mesmo assim.",
    ErrorCode::InvalidParams =>
        "The arguments do not fit what the tool expects."
        | "Os argumentos não são os que a ferramenta espera.",
    ErrorCode::IdempotencyInProgress =>
        "The same request is still running."
        | "O mesmo pedido ainda está em execução.",
    ErrorCode::IdempotencyMismatch =>
        "The same key was used for another request."
        | "A mesma chave foi usada para outro pedido.",
    ErrorCode::AlreadyDecided =>
        "Somebody has decided this already, or the call was cancelled."
        | "Alguém já decidiu isto, ou a chamada foi cancelada.",
    ErrorCode::ConfirmationExpired =>
        "The time to decide this is over."
        | "O prazo para decidir isto acabou.",
    ErrorCode::BindingChanged =>
        "What was to be approved has changed in the meantime, or whoever asked may no longer ask. Ask the agent to call again."
        | "O que seria aprovado mudou nesse meio-tempo, ou quem pediu não pode mais pedir. Peça ao agente que chame de novo.",
    ErrorCode::SecondPerson =>
        "Whoever asked for this cannot approve it: a second person decides."
        | "Quem pediu não pode aprovar: outra pessoa decide.",
    ErrorCode::ExecutionFinished =>
        "This execution has ended already."
        | "Esta execução já terminou.",
    ErrorCode::Unavailable =>
        "The server does not answer right now. Nothing was changed; try again in a moment."
        | "O servidor não responde no momento. Nada foi alterado; tente de novo em instantes.",
    ErrorCode::Busy =>
        "Somebody else is changing the same right now. Nothing was changed; try again in a moment."
        | "Outra pessoa está alterando a mesma coisa agora. Nada foi alterado; tente de novo em instantes.",
    ErrorCode::RequestIncomplete =>
        "The request did not arrive completely. Check your connection and try again."
        | "O pedido não chegou inteiro. Verifique a conexão e tente de novo.",
    ErrorCode::Internal =>
        "Something went wrong on our side. Try again; if it stays, tell an administrator."
        | "Algo deu errado do nosso lado. Tente de novo; se continuar, avise a administração.",
} }

texts_for! { field_code(FieldCode) {
    FieldCode::Required => "Fill this in." | "Preencha este campo.",
    FieldCode::TooShort => "This is too short." | "Está curto demais.",
    FieldCode::TooLong => "This is too long." | "Está longo demais.",
    FieldCode::Invalid => "This does not look right." | "Não parece correto.",
    FieldCode::TooCommon => "This is too easy to guess." | "É fácil demais de adivinhar.",
    FieldCode::Mismatch => "This does not match." | "Não confere.",
    FieldCode::Taken => "This is taken already." | "Já está em uso.",
    FieldCode::Unknown => "We do not know this one." | "Não conhecemos este valor.",
    FieldCode::Reserved => "This name is reserved." | "Este nome é reservado.",
    FieldCode::InUse => "Something here is still in use." | "Algo aqui ainda está em uso.",
    FieldCode::NeededAnew =>
        "What is kept was given for something else: give it anew, or remove it."
        | "O que está guardado foi informado para outra coisa: informe de novo ou remova.",
    FieldCode::OutOfReach =>
        "Only public addresses and encrypted connections (https, TLS) are allowed. Whoever operates this installation can open others in the setting ALCADA_EGRESS_ALLOW: a network, an address or host:port."
        | "Só são permitidos endereços públicos e conexões criptografadas (https, TLS). Quem opera esta instalação pode liberar outros na configuração ALCADA_EGRESS_ALLOW: rede, endereço ou host:porta.",
} }

texts! {
    retry_in_seconds(seconds): "Try again in {seconds} s." | "Tente de novo em {seconds} s.",
    retry_in_minutes(minutes): "Try again in {minutes} min." | "Tente de novo em {minutes} min.",
}

impl Texts {
    /// The whole sentence for an error, with the time to wait where waiting helps.
    pub fn error(self, error: &ServiceError) -> String {
        let mut sentence = self.error_code(error.code).to_owned();
        if let Some(seconds) = error.retry_after {
            sentence.push(' ');
            sentence.push_str(&self.retry_in(seconds));
        }
        sentence
    }

    pub fn retry_in(self, seconds: u64) -> String {
        if seconds < 60 {
            self.retry_in_seconds(&seconds.to_string())
        } else {
            self.retry_in_minutes(&seconds.div_ceil(60).to_string())
        }
    }

    /// The label of a field that an error names; the form tells two of the same name apart.
    pub fn field_label(self, form: &str, field: &str) -> &'static str {
        match field {
            "code" if form.ends_with("_tool") => self.tool_code(),
            "name" if form.ends_with("_tool") => self.tool_name(),
            "display_name" => self.tool_display_name(),
            "description" => self.description(),
            "parameters" => self.tool_schema(),
            "webhook_url" => self.webhook_url(),
            "webhook_headers" => self.webhook_headers(),
            "timeout_ms" => self.tool_timeout(),
            "max_output_bytes" => self.tool_output(),
            "rate_limit" => self.tool_rate_limit(),
            "rate_window" => self.tool_rate_window(),
            "memory_mb" => self.tool_memory(),
            "max_fetches" => self.tool_fetches(),
            "fetch_hosts" => self.tool_hosts(),
            "secret_names" => self.tool_secrets(),
            "note" => self.tool_note(),
            "json" | "arguments" => self.trial_arguments(),
            "persona" => self.agent_persona(),
            "email" => self.email(),
            "name" => self.name(),
            "password" => self.password(),
            "current_password" => self.current_password(),
            "new_password" => self.new_password(),
            "organisation" => self.organisation(),
            "code" => self.setup_code(),
            "slug" => self.tenant_slug(),
            "role" => self.role(),
            "reason" => self.reason(),
            _ => self.form_failed(),
        }
    }
}
