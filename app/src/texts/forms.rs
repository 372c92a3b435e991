//! The words of the forms that the server describes: they travel with the form, and the browser does not carry them.

use domain::channel::{ChannelKind, MailSecurity};

texts! {
    limit_lifetime: "Time to decide a confirmation, in minutes" | "Prazo para decidir uma confirmação, em minutos",
    limit_lifetime_hint:
        "1 minute to 7 days (10080). Left empty: 60. Then the call expires."
        | "De 1 minuto a 7 dias (10080). Vazio: 60. Depois disso a chamada expira.",
    limit_per_tool: "Calls of one tool at once" | "Chamadas simultâneas de uma ferramenta",
    limit_per_tool_hint: "In each server process. Left empty: the default." | "Em cada processo do servidor. Vazio: o padrão.",
    limit_per_tenant: "Calls of all tools at once" | "Chamadas simultâneas de todas as ferramentas",
    limit_per_tenant_hint: "In each server process. Left empty: the default." | "Em cada processo do servidor. Vazio: o padrão.",
    limit_calls: "Rate limit: calls" | "Limite de frequência: chamadas",
    limit_calls_hint:
        "At most so many calls of all tools within the seconds below. Left empty: no limit."
        | "No máximo tantas chamadas, de todas as ferramentas, no período abaixo. Vazio: sem limite.",
    limit_window: "Rate limit: within how many seconds" | "Limite de frequência: em quantos segundos",

    mail_host: "Mail server" | "Servidor de e-mail",
    mail_security_label: "Encryption" | "Criptografia",
    mail_port: "Port" | "Porta",
    mail_port_hint: "Left empty: the usual one for the encryption." | "Vazio: a porta usual da criptografia escolhida.",
    mail_username: "User name" | "Usuário",
    mail_password: "Password" | "Senha",
    mail_from: "Sender address" | "Endereço do remetente",
    mail_from_name: "Sender name" | "Nome do remetente",
    mail_subject: "Subject of scheduled messages" | "Assunto das mensagens agendadas",
    mail_subject_hint: "They have none of their own." | "Elas não têm assunto próprio.",
    secret_kept_hint:
        "Kept. Fill in only to change it; needed again when the server or the user changes."
        | "Guardada. Preencha só para trocar; é pedida de novo se o servidor ou o usuário mudar.",
    whatsapp_number: "Phone number id" | "Identificador do número",
    whatsapp_number_hint: "Digits, as Meta shows it beside the number." | "Só números, como a Meta mostra ao lado do telefone.",
    whatsapp_token: "Access token" | "Token de acesso",
    whatsapp_address: "Address of the Cloud API" | "Endereço da Cloud API",
    channel_url: "Address" | "Endereço",
    channel_url_hint: "https only. Each request is signed." | "Somente https. Cada envio é assinado.",
    channel_inbound_place: "Signed by the gateway" | "Assinadas pelo gateway",
    channel_test_email: "To the address" | "Para o endereço",
    channel_test_phone: "To the phone number" | "Para o telefone",
}

texts_for! { channel_name(ChannelKind) {
    ChannelKind::Email => "E-mail" | "E-mail",
    ChannelKind::Whatsapp => "WhatsApp" | "WhatsApp",
    ChannelKind::Webhook => "Webhook for messages" | "Webhook de mensagens",
    ChannelKind::Events => "Webhook for events" | "Webhook de eventos",
    ChannelKind::Inbound => "Incoming messages" | "Mensagens recebidas",
} }

texts_for! { channel_lead(ChannelKind) {
    ChannelKind::Email =>
        "The mail server that sendEmail and scheduled messages use."
        | "O servidor usado por sendEmail e pelas mensagens agendadas.",
    ChannelKind::Whatsapp =>
        "The WhatsApp Cloud API, for scheduled messages."
        | "A Cloud API do WhatsApp, para as mensagens agendadas.",
    ChannelKind::Webhook =>
        "Where scheduled messages go that have no channel of their own."
        | "Para onde vão as mensagens agendadas sem canal próprio.",
    ChannelKind::Events =>
        "Who is told that a confirmation appeared or was decided."
        | "Quem é avisado quando surge uma confirmação ou alguém a decide.",
    ChannelKind::Inbound =>
        "The gateway that passes messages on to the assistant; it signs with this secret."
        | "O gateway que repassa mensagens ao assistente; ele assina com este segredo.",
} }

texts_for! { mail_security(MailSecurity) {
    MailSecurity::StartTls => "STARTTLS (usually port 587)" | "STARTTLS (em geral, porta 587)",
    MailSecurity::Tls => "TLS (usually port 465)" | "TLS (em geral, porta 465)",
    MailSecurity::None => "None (only inside the allowed network)" | "Nenhuma (só na rede liberada)",
} }

texts! {
    analytics_calls: "Calls" | "Chamadas",
    analytics_errors: "Errors" | "Erros",
    analytics_error_rate: "Error rate" | "Taxa de erro",
    analytics_chart_calls: "Calls and errors over time" | "Chamadas e erros ao longo do tempo",
    analytics_chart_latency: "Duration of the calls: percentiles" | "Duração das chamadas: percentis",
}
