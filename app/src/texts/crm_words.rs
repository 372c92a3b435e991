//! The words of records: columns, fields and states. They travel with the data, and the browser does not carry them.

use domain::crm::{
    Channel, ContactStatus, ConversationStatus, DealStatus, Direction, ScheduledStatus, TaskStatus,
};

texts! {
    record_none: "–" | "–",
    record_any: "All" | "Todos",
    crm_name: "Name" | "Nome",
    crm_title: "Title" | "Título",
    crm_email: "E-mail" | "E-mail",
    crm_phone: "Phone" | "Telefone",
    crm_phone_hint: "With country and area code: +55 11 98888-7777." | "Com código do país e DDD: +55 11 98888-7777.",
    crm_status: "State" | "Situação",
    crm_tags: "Tags" | "Etiquetas",
    crm_tags_hint: "Separated by commas." | "Separadas por vírgulas.",
    crm_notes: "Notes" | "Observações",
    crm_external_id: "External id" | "Código em outro sistema",
    crm_external_id_hint: "How another system identifies it." | "Como outro sistema identifica isto.",
    crm_created: "Created" | "Criado em",
    crm_created_by: "Created by" | "Criada por",
    crm_updated: "Changed" | "Alterado em",
    crm_deals: "Deals" | "Negócios",
    crm_tasks: "Tasks" | "Tarefas",
    crm_messages: "Messages" | "Mensagens",
    crm_author: "From" | "De",
    crm_sent: "Sent" | "Enviada em",
    crm_direction: "Kind" | "Tipo",
    crm_contact: "Contact" | "Contato",
    crm_due: "Due" | "Prazo",
    crm_assignee: "Responsible" | "Responsável",
    crm_description: "Description" | "Descrição",
    crm_sku: "SKU" | "Código (SKU)",
    crm_price: "Price" | "Preço",
    crm_value: "Value" | "Valor",
    crm_currency: "Currency" | "Moeda",
    crm_currency_hint: "Three letters: BRL, USD, EUR." | "Três letras: BRL, USD, EUR.",
    product_on: "For sale" | "À venda",
    product_off: "Not for sale" | "Fora de venda",
    product_is_active: "For sale" | "À venda",
    crm_stage: "Stage" | "Etapa",
    crm_stage_hint: "Stages are set up under Stages of the pipeline." | "As etapas são definidas em Etapas do funil.",
    crm_stages: "Stages, in order" | "Etapas, em ordem",
    crm_stages_hint:
        "A line each. To rename one, keep the short name before the colon."
        | "Uma por linha. Para renomear, mantenha o nome curto antes dos dois-pontos.",
    crm_channel_label: "Channel" | "Canal",
    crm_opened: "Opened" | "Aberta em",
    crm_subject: "Subject" | "Assunto",
    crm_resolution: "How it ended" | "Como terminou",
    conversation_untitled: "Without subject" | "Sem assunto",
    crm_text: "Text" | "Texto",
    crm_send_at: "Send at" | "Enviar em",
    crm_send_at_hint: "In the future, at most a year away." | "No futuro, no máximo daqui a um ano.",
    crm_last_error: "Last error" | "Último erro",
}

texts_for! { contact_status(ContactStatus) {
    ContactStatus::Lead => "Lead" | "Interessado",
    ContactStatus::Qualified => "Qualified" | "Qualificado",
    ContactStatus::Customer => "Customer" | "Cliente",
    ContactStatus::Inactive => "Inactive" | "Inativo",
    ContactStatus::Lost => "Lost" | "Perdido",
} }

texts_for! { deal_status(DealStatus) {
    DealStatus::Open => "Open" | "Em aberto",
    DealStatus::Won => "Won" | "Ganho",
    DealStatus::Lost => "Lost" | "Perdido",
} }

texts_for! { task_status(TaskStatus) {
    TaskStatus::Open => "Open" | "Aberta",
    TaskStatus::Done => "Done" | "Concluída",
} }

texts_for! { crm_channel(Channel) {
    Channel::Whatsapp => "WhatsApp" | "WhatsApp",
    Channel::Email => "E-mail" | "E-mail",
    Channel::Web => "Web" | "Web",
    Channel::Other => "Other" | "Outro",
} }

texts_for! { conversation_status(ConversationStatus) {
    ConversationStatus::Open => "Open" | "Aberta",
    ConversationStatus::WaitingHuman => "Waits for a person" | "Aguarda uma pessoa",
    ConversationStatus::Resolved => "Resolved" | "Resolvida",
} }

texts_for! { message_direction(Direction) {
    Direction::Inbound => "Received" | "Recebida",
    Direction::Outbound => "Sent" | "Enviada",
    Direction::Note => "Note" | "Anotação",
} }

texts_for! { scheduled_status(ScheduledStatus) {
    ScheduledStatus::Scheduled => "Scheduled" | "Agendada",
    ScheduledStatus::Sending => "Being sent" | "Sendo enviada",
    ScheduledStatus::Sent => "Sent" | "Enviada",
    ScheduledStatus::Failed => "Failed" | "Falhou",
    ScheduledStatus::Cancelled => "Cancelled" | "Cancelada",
} }
