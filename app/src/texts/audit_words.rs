//! What entries of the record are about, in words; the browser does not carry them.

use super::Texts;

texts! {
    audit_erased: "(erased)" | "(apagado)",
}

impl Texts {
    /// The kind of a thing; one that a newer version brought is shown as it is.
    pub fn audit_area(self, kind: &str) -> String {
        match kind {
            "tool" => self.pick("Tool", "Ferramenta"),
            "agent" => self.pick("Agent", "Agente"),
            "execution" => self.pick("Execution", "Execução"),
            "confirmation" => self.pick("Confirmation", "Confirmação"),
            "member" => self.pick("Member", "Membro"),
            "invitation" => self.pick("Invitation", "Convite"),
            "api_key" => self.pick("API key", "Chave de API"),
            "secret" => self.pick("Secret", "Segredo"),
            "channel" => self.pick("Channel", "Canal"),
            "limits" => self.pick("Limits", "Limites"),
            "tenant" => self.pick("Organisation", "Organização"),
            "contact" => self.pick("Contact", "Contato"),
            "deal" => self.pick("Deal", "Negócio"),
            "pipeline" => self.pick("Pipeline", "Funil"),
            "task" => self.pick("Task", "Tarefa"),
            "product" => self.pick("Product", "Produto"),
            "conversation" => self.pick("Conversation", "Conversa"),
            "message" => self.pick("Message", "Mensagem"),
            "scheduled_message" => self.pick("Scheduled message", "Mensagem agendada"),
            "event" => self.pick("Event", "Evento"),
            other => return other.to_owned(),
        }
        .to_owned()
    }

    /// What was done, as a noun in Portuguese: the thing before it may be of either gender.
    pub fn audit_verb(self, verb: &str) -> String {
        match verb {
            "create" => self.pick("created", "criação"),
            "update" => self.pick("changed", "alteração"),
            "delete" | "remove" => self.pick("deleted", "exclusão"),
            "revoke" => self.pick("revoked", "revogação"),
            "rename" => self.pick("renamed", "novo nome"),
            "toggle" | "switch" => self.pick("switched", "liga/desliga"),
            "restore" => self.pick("restored", "restauração"),
            "rotate_secret" => self.pick("new secret", "troca de segredo"),
            "test" => self.pick("tested", "teste"),
            "set_tools" | "assign" => self.pick("tools assigned", "atribuição de ferramentas"),
            "change_role" => self.pick("role changed", "troca de papel"),
            "accept" | "join" => self.pick("joined", "entrada"),
            "decide" => self.pick("decided", "decisão"),
            "expire" => self.pick("expired", "prazo vencido"),
            "record" => self.pick("recorded", "registro"),
            "deny" => self.pick("denied", "recusa"),
            "cancel" => self.pick("cancelled", "cancelamento"),
            "deliver" => self.pick("delivered", "entrega"),
            "drop" => self.pick("given up", "desistência"),
            "seed" => self.pick("demo data", "dados de demonstração"),
            other => return other.to_owned(),
        }
        .to_owned()
    }
}
