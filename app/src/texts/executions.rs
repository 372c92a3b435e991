//! The history, one call, and why it was allowed.

use super::Texts;
use crate::api::explain::Verdict;
use domain::status::ExecutionStatus;

texts! {
    nav_executions: "Executions" | "Execuções",
    executions_title: "Executions" | "Execuções",
    executions_lead:
        "Every call of a tool, newest first. The filter is in the address: share it."
        | "Toda chamada de ferramenta, da mais recente para a mais antiga. O filtro fica no endereço: compartilhe.",
    executions_empty_title: "No calls" | "Nenhuma chamada",
    executions_empty_lead:
        "Nothing was called yet, or nothing fits the filter."
        | "Nada foi chamado ainda, ou nada corresponde ao filtro.",
    status_any: "Any state" | "Qualquer situação",
    filter_tool: "Tool (name)" | "Ferramenta (nome)",
    filter_agent: "Agent (short name)" | "Agente (nome curto)",
    filter_from: "From" | "De",
    filter_to: "To" | "Até",
    days_in_utc:
        "Days are counted in UTC: the browser did not tell its time zone."
        | "Os dias são contados em UTC: o navegador não informou o fuso horário.",
    export_csv: "Export CSV" | "Exportar CSV",
    export_jsonl: "Export JSON lines" | "Exportar JSON lines",
    called_at: "When" | "Quando",
    called_tool: "Tool" | "Ferramenta",
    caller: "Called by" | "Quem chamou",
    duration: "Duration" | "Duração",
    call_ms(count): "{count} ms" | "{count} ms",
    test_call: "Test" | "Teste",
    an_agent: "an agent" | "um agente",
    through_agent(name): "through {name}" | "por meio de {name}",

    execution_title: "Execution" | "Execução",
    execution_lead(tool): "One call of {tool}, with everything that is known about it."
        | "Uma chamada de {tool}, com tudo o que se sabe dela.",
    execution_missing: "There is no such call here." | "Esta chamada não existe aqui.",
    back_to_executions: "All executions" | "Todas as execuções",
    input: "Input" | "Entrada",
    output: "Output" | "Saída",
    no_output: "Nothing was returned." | "Nada foi retornado.",
    output_truncated: "The output was longer than the tool allows and was cut." | "A saída passou do limite da ferramenta e foi cortada.",
    log: "Log" | "Log",
    call_error: "Error" | "Erro",
    started: "Started" | "Começou",
    finished: "Ended" | "Terminou",
    call_version: "Version of the tool" | "Versão da ferramenta",
    call_version_now(count): "now it is {count}" | "agora é a {count}",
    tool_removed: "the tool was removed" | "a ferramenta foi removida",
    conversation: "Conversation" | "Conversa",
    waited_first: "Confirmation" | "Confirmação",
    decide_now: "Decide now" | "Decidir agora",
    see_confirmation: "See the confirmation" | "Ver a confirmação",
    attempts: "Attempts" | "Tentativas",
    attempt: "Attempt" | "Tentativa",
    attempt_wait: "Wait before the next" | "Espera até a próxima",
    http_status(status): "HTTP {status}" | "HTTP {status}",
    why_section: "Why was it allowed or refused?" | "Por que foi permitida ou recusada?",
    why_then: "When the call was made" | "Quando a chamada foi feita",
    why_now:
        "What the gate says to the same call now. Rules and switches may have changed since."
        | "O que o controle responde hoje à mesma chamada. Regras e chaves podem ter mudado desde então.",
    policy_version: "Version of the rules" | "Versão das regras",
    why_open: "Ask this on a page of its own" | "Abrir esta pergunta em uma página própria",
    record: "Audit entries" | "Registros de auditoria",
    execution_record_lead: "What the chained record keeps of this call." | "O que o registro encadeado guarda desta chamada.",
    record_content: "Content" | "Conteúdo",
    record_entry: "Entry" | "Registro",
    run_again: "Run again" | "Executar de novo",
    run_again_title: "Run this call again?" | "Executar esta chamada de novo?",
    run_again_lead:
        "The same tool, agent and input. If it writes, it writes a second time."
        | "A mesma ferramenta, o mesmo agente e a mesma entrada. Se altera dados, altera outra vez.",
    run_again_secret:
        "It cannot be run again from here: a secret among its arguments was not kept."
        | "Não dá para executar de novo daqui: um segredo entre os argumentos não foi guardado.",
    cancel_call: "Cancel the call" | "Cancelar a chamada",
    cancel_call_title: "Cancel this call?" | "Cancelar esta chamada?",
    cancel_call_keep: "Keep the call" | "Manter a chamada",
    cancel_call_lead: "What it has done so far stays done." | "O que ela já fez continua feito.",
    cancelled_done: "The call was cancelled." | "A chamada foi cancelada.",

    nav_why: "Explain a call" | "Explicar uma chamada",
    why_title: "Explain a call" | "Explicar uma chamada",
    why_page_lead:
        "Would this call be allowed, and why? Nothing runs and nothing is counted."
        | "Esta chamada seria permitida, e por quê? Nada é executado nem contado.",
    why_tool: "Tool (name)" | "Ferramenta (nome)",
    why_agent: "Agent (short name; empty: yourself)" | "Agente (nome curto; vazio: você)",
    why_params: "Arguments (JSON)" | "Argumentos (JSON)",
    why_params_hint:
        "Left empty, the answer holds for any arguments."
        | "Se ficar vazio, a resposta vale para quaisquer argumentos.",
    why_empty_title: "Ask about a call" | "Pergunte sobre uma chamada",
    why_empty_lead:
        "Name a tool and, if you like, an agent and arguments: the answer shows every check."
        | "Diga a ferramenta e, se quiser, o agente e os argumentos: a resposta mostra cada verificação.",
    why_empty_reader:
        "Open a call of the history: its page leads here."
        | "Abra uma chamada do histórico: a página dela leva até aqui.",
    why_of_execution: "This is about a call from the history." | "A pergunta é sobre uma chamada do histórico.",
    check_order: "In this order; the first that fails decides." | "Nesta ordem; a primeira que falha decide.",
    check_passed: "passed" | "passou",
    check_failed: "decided" | "decidiu",
    check: "Check" | "Verificação",
    outcome: "Outcome" | "Resultado",
    explanation: "Explanation" | "Explicação",

    home_needs_you: "Needs you" | "Precisa de você",
    home_waiting(count): "{count} waiting for a decision" | "{count} aguardando decisão",
    home_waiting_none: "Nothing is waiting for a decision" | "Nenhuma decisão pendente",
    home_last_day: "Last 24 hours" | "Últimas 24 horas",
    home_calls: "Calls" | "Chamadas",
    home_errors: "Errors" | "Erros",
    home_chart(calls, errors): "Calls per hour. In all: {calls}; with errors: {errors}" | "Chamadas por hora. No total: {calls}; com erro: {errors}",
    hour: "Hour" | "Hora",
    hours_ago(count): "{count} h ago" | "há {count} h",
    this_hour: "now" | "agora",
    home_off_more(count): "and {count} more" | "e mais {count}",
    home_busiest: "Busiest tools" | "Ferramentas mais usadas",
    home_slowest: "Slowest tools" | "Ferramentas mais lentas",
    home_slowest_value(ms): "{ms} ms at the 95th percentile" | "{ms} ms no percentil 95",
    home_calls_value(count): "Calls: {count}" | "Chamadas: {count}",
    home_off: "Tools switched off" | "Ferramentas desligadas",
    home_off_none: "Every tool is on." | "Todas as ferramentas estão ligadas.",
    home_quiet: "No calls in the last 24 hours." | "Nenhuma chamada nas últimas 24 horas.",
}

texts_for! { execution_status(ExecutionStatus) {
    ExecutionStatus::Pending => "Waiting" | "Aguardando",
    ExecutionStatus::Running => "Running" | "Em execução",
    ExecutionStatus::Success => "Success" | "Sucesso",
    ExecutionStatus::Error => "Error" | "Erro",
    ExecutionStatus::Refused => "Refused" | "Recusada",
    ExecutionStatus::Expired => "Expired" | "Expirada",
    ExecutionStatus::Cancelled => "Cancelled" | "Cancelada",
    ExecutionStatus::Unknown => "Unknown" | "Desconhecida",
} }

texts_for! { verdict(Verdict) {
    Verdict::Allowed => "Yes, it runs at once" | "Sim, roda na hora",
    Verdict::NeedsConfirmation => "A person decides first" | "Uma pessoa decide antes",
    Verdict::Denied => "No, it is refused" | "Não, é recusada",
} }

impl Texts {
    /// A check of the gate by its name; a newer one is shown as it is.
    pub fn gate_check(self, name: &str) -> String {
        match name {
            "arguments" => self.pick("Arguments", "Argumentos"),
            "rate_limit" => self.pick("Rate limits", "Limites de frequência"),
            "global_switch" => self.pick("Switch for everybody", "Chave geral"),
            "runnable" => self.pick("Can run here", "Pode rodar aqui"),
            "tool_active" => self.pick("Tool is on", "Ferramenta ligada"),
            "agent_active" => self.pick("Agent is active", "Agente ativo"),
            "assignment" => self.pick("Agent has the tool", "Agente tem a ferramenta"),
            "ability" => self.pick("Rules of roles", "Regras dos papéis"),
            "confirmation" => self.pick("Confirmation", "Confirmação"),
            other => return other.to_owned(),
        }
        .to_owned()
    }
}
