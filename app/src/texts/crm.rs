//! Contacts, deals, tasks, products, conversations and scheduled messages: what the pages say around them.

use crate::api::records::RecordKind;

texts! {
    nav_customers: "Customers" | "Clientes",
    record_saved: "Saved." | "Salvo.",
    record_removed: "Removed." | "Excluído.",
    record_cancelled: "The message was cancelled." | "A mensagem foi cancelada.",
    record_delete_title(name): "Delete {name}?" | "Excluir {name}?",
    record_delete_lead: "This cannot be undone. The audit log keeps what was there." | "Não há como desfazer. A auditoria guarda o que havia.",
    record_cancel: "Cancel message" | "Cancelar mensagem",
    record_cancel_title: "Cancel this message?" | "Cancelar esta mensagem?",
    record_cancel_lead: "It will not be sent. It stays in the list." | "Ela não será enviada. Continua na lista.",
    record_all: "Back to the list" | "Voltar à lista",
    record_nothing_title: "Nothing found" | "Nada encontrado",
    record_nothing_lead: "Try other words, or clear the search." | "Tente outras palavras ou limpe a busca.",
    record_note: "Note for colleagues" | "Anotação para a equipe",
    record_note_lead: "Stays among people: agents do not see it." | "Fica entre as pessoas: os agentes não veem.",
    record_note_submit: "Add note" | "Anotar",
    record_details: "Details" | "Dados",
}

texts_for! { record_title(RecordKind) {
    RecordKind::Contacts => "Contacts" | "Contatos",
    RecordKind::Deals => "Pipeline" | "Funil de vendas",
    RecordKind::Pipelines => "Stages of the pipeline" | "Etapas do funil",
    RecordKind::Tasks => "Tasks" | "Tarefas",
    RecordKind::Products => "Products" | "Produtos",
    RecordKind::Conversations => "Conversations" | "Conversas",
    RecordKind::Scheduled => "Scheduled messages" | "Mensagens agendadas",
} }

texts_for! { record_lead(RecordKind) {
    RecordKind::Contacts => "The people you deal with. Agents see and change the same data." | "As pessoas com quem você se relaciona. Os agentes veem e alteram os mesmos dados.",
    RecordKind::Deals => "What contacts may buy, and how far it has come." | "O que os contatos podem comprar e em que ponto está.",
    RecordKind::Pipelines => "The stages that deals pass through." | "As etapas por onde os negócios passam.",
    RecordKind::Tasks => "What somebody has to do." | "O que alguém precisa fazer.",
    RecordKind::Products => "What you sell; agents find it with searchProducts." | "O que você vende; os agentes encontram com searchProducts.",
    RecordKind::Conversations => "What was said with contacts, and where somebody is needed." | "As conversas com os contatos, e onde alguém precisa entrar.",
    RecordKind::Scheduled => "What goes out by itself at its time." | "O que sai sozinho na hora marcada.",
} }

texts_for! { record_new(RecordKind) {
    RecordKind::Contacts => "New contact" | "Novo contato",
    RecordKind::Deals => "New deal" | "Novo negócio",
    RecordKind::Pipelines => "New pipeline" | "Novo funil",
    RecordKind::Tasks => "New task" | "Nova tarefa",
    RecordKind::Products => "New product" | "Novo produto",
    RecordKind::Conversations => "New conversation" | "Nova conversa",
    RecordKind::Scheduled => "Schedule a message" | "Agendar mensagem",
} }

texts_for! { record_empty(RecordKind) {
    RecordKind::Contacts => "No contact yet" | "Nenhum contato ainda",
    RecordKind::Deals => "No deal yet" | "Nenhum negócio ainda",
    RecordKind::Pipelines => "No pipeline yet" | "Nenhum funil ainda",
    RecordKind::Tasks => "No task yet" | "Nenhuma tarefa ainda",
    RecordKind::Products => "No product yet" | "Nenhum produto ainda",
    RecordKind::Conversations => "No conversation yet" | "Nenhuma conversa ainda",
    RecordKind::Scheduled => "No message is waiting" | "Nenhuma mensagem na fila",
} }
