//! The inbox, and the words of the gate.

use super::Texts;
use domain::status::ConfirmationStatus;

texts! {
    nav_confirmations: "Confirmations" | "Confirmações",
    confirmations_title: "Confirmations" | "Confirmações",
    confirmations_lead:
        "Calls that wait until a person has looked at them."
        | "Chamadas que esperam alguém olhar antes de acontecer.",
    waiting_badge(count): "{count} waiting" | "{count} aguardando",
    waiting_count(count): "{count} on this page" | "{count} nesta página",
    all_states: "All" | "Todas",
    inbox_empty_title: "Nothing is waiting for you" | "Nada esperando por você",
    inbox_empty_lead:
        "When an agent wants to do something that needs a yes, it appears here by itself."
        | "Quando um agente quiser fazer algo que precise de aval, aparece aqui sozinho.",
    decided_empty_title: "Nothing here" | "Nada por aqui",
    decided_empty_lead: "No confirmation is in this state." | "Nenhuma confirmação está nesta situação.",
    plan: "What would happen" | "O que vai acontecer",
    plan_details: "The whole plan" | "O plano completo",
    would_fail(why):
        "When this was asked, the call would have failed: {why}"
        | "No momento do pedido, a chamada teria falhado: {why}",
    arguments: "Arguments" | "Argumentos",
    no_arguments: "No arguments" | "Sem argumentos",
    not_given: "(not given)" | "(não informado)",
    was: "Before:" | "Antes:",
    became: "Now:" | "Agora:",
    value_yes: "Yes" | "Sim",
    value_no: "No" | "Não",
    call_agent: "Agent" | "Agente",
    agent_gone: "An agent that was removed" | "Um agente que foi removido",
    asked_by: "Asked by" | "Pedido por",
    who_decides: "Who may decide" | "Quem pode decidir",
    second_person: "A second person" | "Outra pessoa",
    only_others_decide(roles):
        "Your role can see this, not decide it. It is up to: {roles}."
        | "Seu papel permite ver, não decidir. Quem decide: {roles}.",
    you_asked_yourself(roles):
        "You asked for this call, and its tool demands a second person: somebody else has to approve it ({roles}). You can still refuse it."
        | "Foi você quem pediu esta chamada, e a ferramenta exige o aval de outra pessoa ({roles}). Recusar você ainda pode.",
    agent_said: "What the agent said" | "O que o agente disse",
    confirmation_title: "Confirmation" | "Confirmação",
    confirmation_lead:
        "One call that a person has to look at, or has looked at."
        | "Uma chamada que espera o aval de alguém, ou que já teve resposta.",
    confirmation_missing: "There is no such confirmation here." | "Esta confirmação não existe aqui.",
    back_to_confirmations: "All confirmations" | "Todas as confirmações",
    execution: "Execution" | "Execução",
    see_execution: "See the call" | "Ver a chamada",
    call: "Call" | "Chamada",
    decided_by: "Decided by" | "Decidido por",
    approve: "Approve" | "Aprovar",
    edit_and_approve: "Correct and approve" | "Corrigir e aprovar",
    approve_edited: "Approve as corrected" | "Aprovar com as correções",
    refuse: "Refuse" | "Recusar",
    refuse_call: "Refuse this call" | "Recusar esta chamada",
    decision_note: "Note" | "Observação",
    refusal_reason: "Reason" | "Motivo",
    refusal_reason_hint: "The agent reads it." | "O agente lê este texto.",
    approved_running:
        "Approved. The call is still running; the history shows how it ends."
        | "Aprovada. A chamada ainda está em execução; o histórico mostra como ela termina.",
    approved_done: "Approved." | "Aprovada.",
    approved_but_failed(message): "Approved, but the call failed: {message}" | "Aprovada, mas a chamada falhou: {message}",
    approved_but_unknown:
        "Approved; whether the call took effect is not known."
        | "Aprovada; não se sabe se a chamada teve efeito.",
    approved_but_cancelled: "Approved, but the call was cancelled." | "Aprovada, mas a chamada foi cancelada.",
    not_decided: "Nothing was decided." | "Nada foi decidido.",
    refused_done: "Refused." | "Recusada.",
    time_over: "Time is over" | "Prazo encerrado",
    seconds_left(count): "{count} s left" | "expira em {count} s",
    minutes_left(count): "{count} min left" | "expira em {count} min",
    hours_left(count): "{count} h left" | "expira em {count} h",
    days_left(count): "{count} days left" | "expira em {count} dias",

    gate_asks_second: "A second person has to agree to this tool." | "Esta ferramenta exige o aval de outra pessoa.",
    gate_asks_tool: "This tool always asks first." | "Esta ferramenta sempre pede confirmação.",
    gate_asks_always: "This agent asks before every call." | "Este agente pede confirmação antes de cada chamada.",
    gate_asks_write: "This agent asks before dangerous calls, and this one writes."
        | "Este agente pede confirmação antes de chamadas perigosas, e esta altera dados.",
    gate_asks_delete: "This agent asks before dangerous calls, and this one deletes."
        | "Este agente pede confirmação antes de chamadas perigosas, e esta apaga dados.",
    gate_asks_money: "This agent asks before dangerous calls, and this one moves money."
        | "Este agente pede confirmação antes de chamadas perigosas, e esta movimenta dinheiro.",
    gate_asks_message: "This agent asks before dangerous calls, and this one speaks to people."
        | "Este agente pede confirmação antes de chamadas perigosas, e esta fala com pessoas.",
    gate_asks_wide: "This agent asks before dangerous calls, and this one reaches widely."
        | "Este agente pede confirmação antes de chamadas perigosas, e esta tem alcance amplo.",
    gate_asks_nobody: "Nobody has to be asked first." | "Não é preciso perguntar a ninguém.",
    gate_switch_on: "No switch for everybody is off." | "Nenhuma chave geral está desligada.",
    gate_switch_off(name): "An administrator has switched off {name} for everybody."
        | "A administração desligou {name} para todos.",
    gate_runs: "Tools of this kind can run here." | "Ferramentas deste tipo funcionam aqui.",
    gate_runs_not(reason): "Code tools cannot run on this machine: {reason}" | "Ferramentas de código não rodam nesta máquina: {reason}",
    gate_tool_on: "The tool is on." | "A ferramenta está ligada.",
    gate_tool_off(name): "The tool {name} is switched off." | "A ferramenta {name} está desligada.",
    gate_agent_on: "The agent is active." | "O agente está ativo.",
    gate_agent_off(name): "The agent {name} is not active." | "O agente {name} não está ativo.",
    gate_assigned: "The agent was given the tool." | "O agente recebeu a ferramenta.",
    gate_not_assigned(agent, tool): "The agent {agent} was not given the tool {tool}."
        | "O agente {agent} não recebeu a ferramenta {tool}.",
    gate_role_allows(rule): "Allowed by the rule {rule}" | "Permitido pela regra {rule}",
    gate_role_forbids(rule): "Forbidden by the rule {rule}" | "Proibido pela regra {rule}",
    gate_fits: "The arguments fit the tool's parameters." | "Os argumentos correspondem aos parâmetros da ferramenta.",
    gate_fits_not: "The arguments do not fit the tool's parameters." | "Os argumentos não correspondem aos parâmetros da ferramenta.",
    gate_room: "No rate limit is used up." | "Nenhum limite de frequência foi atingido.",
    gate_used_up_tool: "This tool has been called too often; wait a little."
        | "Esta ferramenta foi chamada vezes demais; espere um pouco.",
    gate_used_up_agent: "This agent has called tools too often; wait a little."
        | "Este agente chamou ferramentas vezes demais; espere um pouco.",
    gate_used_up_tenant: "This organisation has called tools too often; wait a little."
        | "Esta organização chamou ferramentas vezes demais; espere um pouco.",
    gate_no_rule: "No rule allows whoever asks to run tools here." | "Nenhuma regra permite que quem pede execute ferramentas aqui.",
}

texts_for! { confirmation_status(ConfirmationStatus) {
    ConfirmationStatus::Pending => "Waiting" | "Aguardando",
    ConfirmationStatus::Approved => "Approved" | "Aprovada",
    ConfirmationStatus::Refused => "Refused" | "Recusada",
    ConfirmationStatus::Expired => "Expired" | "Expirada",
} }

impl Texts {
    /// The gate speaks English, and the record keeps its words: here they are said in the person's own. A sentence that is
    /// not known is shown as it is.
    pub fn gate_reason(self, sentence: &str) -> String {
        let asked = sentence.strip_prefix("A person decides first: ").unwrap_or(sentence);
        let said = match asked {
            "the tool requires a second person." => self.gate_asks_second(),
            "the tool requires confirmation." => self.gate_asks_tool(),
            "the agent asks before every call." => self.gate_asks_always(),
            "the agent asks before dangerous calls, and it writes." => self.gate_asks_write(),
            "the agent asks before dangerous calls, and it deletes." => self.gate_asks_delete(),
            "the agent asks before dangerous calls, and it moves money." => self.gate_asks_money(),
            "the agent asks before dangerous calls, and it speaks to people." => self.gate_asks_message(),
            "the agent asks before dangerous calls, and it reaches widely." => self.gate_asks_wide(),
            "Nobody has to be asked first." => self.gate_asks_nobody(),
            "No global switch is off." => self.gate_switch_on(),
            "Tools of this kind can run here." => self.gate_runs(),
            "The tool is active." => self.gate_tool_on(),
            "The agent is active." => self.gate_agent_on(),
            "The agent was given the tool." => self.gate_assigned(),
            "No rule allows the caller to run tools here." => self.gate_no_rule(),
            "The arguments fit the tool's parameters." => self.gate_fits(),
            "The arguments do not fit the tool's parameters." => self.gate_fits_not(),
            "No rate limit is used up." => self.gate_room(),
            "This tool has been called too often; wait a little." => self.gate_used_up_tool(),
            "This agent has called tools too often; wait a little." => self.gate_used_up_agent(),
            "This organisation has called tools too often; wait a little." => self.gate_used_up_tenant(),
            other => return self.gate_named(other),
        };
        said.to_owned()
    }

    /// Sentences with a name in them.
    fn gate_named(self, sentence: &str) -> String {
        let between = |start: &str, end: &str| sentence.strip_prefix(start)?.strip_suffix(end);
        if let Some(name) = between("An administrator has switched off ", " for everybody.") {
            return self.gate_switch_off(name);
        }
        if let Some(reason) = between("Code tools cannot run on this machine: ", "") {
            return self.gate_runs_not(reason);
        }
        if let Some(name) = between("The tool ", " is not active.") {
            return self.gate_tool_off(name);
        }
        if let Some((agent, tool)) =
            between("The agent ", ".").and_then(|rest| rest.split_once(" was not given the tool "))
        {
            return self.gate_not_assigned(agent, tool);
        }
        if let Some(name) = between("The agent ", " is not active.") {
            return self.gate_agent_off(name);
        }
        if let Some(rule) = between("Allowed by the rule ", "") {
            return self.gate_role_allows(&self.gate_rule(rule));
        }
        if let Some(rule) = between("Forbidden by the rule ", "") {
            return self.gate_role_forbids(&self.gate_rule(rule));
        }
        sentence.to_owned()
    }

    /// `execute ToolManagement of the role operator.`
    fn gate_rule(self, words: &str) -> String {
        let Some((rule, role)) = words.split_once(" of the role ") else { return words.to_owned() };
        let role = self.policy_role(role.trim_end_matches('.'));
        match self.language() {
            domain::Language::En => format!("{rule} of the role {role}."),
            domain::Language::PtBr => format!("{rule} do papel {role}."),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::confirmations::DecisionMade;
    use domain::{ExecutionId, Language, status::ExecutionStatus};

    #[test]
    fn b1_an_approval_is_a_success_only_when_its_call_is_one() {
        let told = |status: ExecutionStatus, language: Language| {
            let execution_id: ExecutionId = "01890000-0000-7000-8000-000000000000".parse().unwrap();
            let error_message = Some("HTTP 500".to_owned());
            DecisionMade { execution_id, status, error_message }.told(Texts { language })
        };
        for (status, is_good, words) in [
            (ExecutionStatus::Success, true, "Aprovada."),
            (ExecutionStatus::Refused, true, "Recusada."),
            (ExecutionStatus::Error, false, "Aprovada, mas a chamada falhou: HTTP 500"),
            (ExecutionStatus::Unknown, false, "Aprovada; não se sabe se a chamada teve efeito."),
            (ExecutionStatus::Cancelled, false, "Aprovada, mas a chamada foi cancelada."),
        ] {
            assert_eq!(told(status, Language::PtBr), (is_good, words.to_owned()));
        }
        let (is_good, words) = told(ExecutionStatus::Running, Language::En);
        assert!(is_good && words.contains("still running"), "{words}");
        for status in [ExecutionStatus::Pending, ExecutionStatus::Expired] {
            let (is_good, words) = told(status, Language::En);
            assert!(!is_good && !words.contains("Approved"), "{words}");
        }
    }

    #[test]
    fn b7_the_gate_speaks_the_language_of_the_page() {
        let pt = Texts { language: Language::PtBr };
        for sentence in [
            "A person decides first: the agent asks before dangerous calls, and it deletes.",
            "The agent ana was not given the tool sendEmail.",
            "Allowed by the rule execute ToolManagement of the role operator.",
            "An administrator has switched off code_tools for everybody.",
            "The arguments do not fit the tool's parameters.",
            "No rate limit is used up.",
            "This agent has called tools too often; wait a little.",
        ] {
            assert_ne!(pt.gate_reason(sentence), sentence);
        }
        assert_eq!(
            pt.gate_reason("The agent ana was not given the tool x."),
            "O agente ana não recebeu a ferramenta x."
        );
        assert_eq!(
            pt.gate_reason("Allowed by the rule execute ToolManagement of the role operator."),
            "Permitido pela regra execute ToolManagement do papel Operador."
        );
        assert_eq!(pt.gate_reason("Something new."), "Something new.");
    }
}
