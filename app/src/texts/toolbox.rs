//! The tools of an organisation: the list, a tool, its test, its versions.

use domain::tool_words::{ExecutionType, ToolType};

texts! {
    toolbox_title: "Tools" | "Ferramentas",
    toolbox_lead:
        "What the agents of this organisation can be given to work with."
        | "O que os agentes desta organização podem receber para trabalhar.",
    toolbox_new: "New tool" | "Nova ferramenta",
    toolbox_type_any: "All types" | "Todos os tipos",
    toolbox_agent_any: "Any agent" | "Qualquer agente",
    tool_type: "Type" | "Tipo",
    tool_calls: "Calls" | "Chamadas",
    tool_errors: "Errors" | "Erros",
    tool_mean: "Mean time" | "Tempo médio",
    tool_agents: "Agents" | "Agentes",
    milliseconds(number): "{number} ms" | "{number} ms",
    tool_asks_first: "Asks first" | "Pede confirmação",
    tool_switch(name): "{name} in this organisation" | "{name} nesta organização",
    tool_switched_on(name): "{name} is on." | "{name} está ligada.",
    tool_switched_off(name): "{name} is off." | "{name} está desligada.",
    toolbox_none_title: "Nothing matches" | "Nada encontrado",
    toolbox_none_lead:
        "No tool of this organisation fits this search. Clear it to see all."
        | "Nenhuma ferramenta da organização atende a esta busca. Limpe a busca para ver todas.",
    choose_organisation_lead:
        "You are in no organisation: choose or create one first."
        | "Você não está em nenhuma organização: escolha ou crie uma primeiro.",
}

texts_for! { type_of_tool(ToolType) {
    ToolType::Function => "Function" | "Função",
    ToolType::Webhook => "Webhook" | "Webhook",
    ToolType::Integration => "Integration" | "Integração",
} }

texts_for! { runs_as(ExecutionType) {
    ExecutionType::Internal => "Built in" | "Embutida",
    ExecutionType::Webhook => "Webhook" | "Webhook",
    ExecutionType::Code => "Code" | "Código",
} }
