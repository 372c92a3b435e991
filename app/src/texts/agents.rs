//! The agents of an organisation, and what each was given.

use domain::tool_words::ConfirmationMode;

texts! {
    agent: "Agent" | "Agente",
    agents_title: "Agents" | "Agentes",
    agents_lead:
        "Programs that call tools on behalf of this organisation, and what each may call."
        | "Programas que chamam ferramentas em nome desta organização, e o que cada um pode chamar.",
    agents_none_title: "No agent yet" | "Nenhum agente ainda",
    agents_none_lead:
        "An agent gets a key and the tools that you choose for it."
        | "Um agente recebe uma chave e as ferramentas que você escolher.",
    agent_new: "New agent" | "Novo agente",
    agent_new_lead: "First who it is; its tools come next." | "Primeiro, quem ele é; as ferramentas vêm depois.",
    agent_make: "Create agent" | "Criar agente",
    agent_made(name): "{name} was created." | "{name} foi criado.",
    agent_name_hint: "As people know it." | "Como as pessoas o conhecem.",
    agent_slug_hint:
        "For keys and calls: lower-case letters, digits, hyphens. Left empty, the name suggests it."
        | "Para chaves e chamadas: letras minúsculas, números e hifens. Se ficar vazio, vem do nome.",
    agent_description_hint: "What it is there for." | "Para que ele serve.",
    agent_persona: "Persona" | "Persona",
    agent_persona_hint: "How it speaks and behaves; part of its prompt." | "Como fala e se comporta; faz parte do prompt.",
    agent_mode: "Confirmation" | "Confirmação",
    agent_mode_hint: "When its calls wait for a person." | "Quando as chamadas esperam por uma pessoa.",
    agent_rate_hint: "Of all its calls together; empty: no limit." | "De todas as chamadas juntas; vazio: sem limite.",
    agent_tools: "Tools" | "Ferramentas",
    tools_in_short(count): "Tools: {count}" | "Ferramentas: {count}",
    agent_switch(name): "{name} may call tools" | "{name} pode chamar ferramentas",
    agent_switched_on(name): "{name} can call tools again." | "{name} pode chamar ferramentas de novo.",
    agent_switched_off(name): "{name} can no longer call tools." | "{name} não pode mais chamar ferramentas.",
    agent_on: "Active" | "Ativo",
    agent_off: "Inactive" | "Inativo",
    agent_pages: "Pages of this agent" | "Páginas deste agente",
    tab_settings: "Settings" | "Configurações",
    tab_preview: "What it sees" | "O que ele vê",
    agent_removal: "Removal" | "Exclusão",
    agent_delete_lead:
        "Its keys stop working at once; its history stays."
        | "As chaves dele param de funcionar na hora; o histórico continua.",
    agent_deleted(name): "{name} was deleted." | "{name} foi excluído.",
    preview_lead:
        "Exactly what the agent gets when it asks for its tools: what is off or refused is absent."
        | "Exatamente o que o agente recebe ao pedir as ferramentas: o que está desligado ou é recusado não aparece.",
    preview_later: "Not available until a rate limit frees up:" | "Indisponíveis até o limite de chamadas liberar:",
    preview_format: "Format" | "Formato",
    preview_prompt: "Prompt" | "Prompt",

    matrix_title: "Who may call what" | "Quem pode chamar o quê",
    matrix_lead:
        "Tick what each agent may call. You see what would change before anything is saved."
        | "Marque o que cada agente pode chamar. Você vê o que mudaria antes de salvar.",
    matrix_no_agents: "No agent has this name, or there is none yet." | "Nenhum agente tem esse nome, ou ainda não há nenhum.",
    matrix_more(shown, total): "{shown} of {total} agents: search to see others" | "{shown} de {total} agentes: busque para ver outros",
    matrix_pair(agent, tool): "{agent}: {tool}" | "{agent}: {tool}",
    plan_show: "Show what would change" | "Ver o que mudaria",
    plan_title: "What would change" | "O que mudaria",
    plan_lead: "Nothing has been saved yet." | "Nada foi salvo ainda.",
    plan_gains: "Gains" | "Ganha",
    plan_loses: "Loses" | "Perde",
    plan_nothing: "Nothing would change." | "Nada mudaria.",
    plan_save: "Save these changes" | "Salvar estas alterações",
    plan_saved: "The assignments were saved." | "As atribuições foram salvas.",
}

texts_for! { confirmation_mode(ConfirmationMode) {
    ConfirmationMode::Always => "Always ask" | "Perguntar sempre",
    ConfirmationMode::Dangerous => "Ask when risky" | "Perguntar quando há risco",
    ConfirmationMode::Never => "Never ask" | "Nunca perguntar",
} }

texts_for! { confirmation_mode_means(ConfirmationMode) {
    ConfirmationMode::Always => "every call waits for a person" | "toda chamada espera por uma pessoa",
    ConfirmationMode::Dangerous =>
        "calls that write, delete, move money or reach people wait"
        | "esperam as que gravam, excluem, movem dinheiro ou falam com pessoas",
    ConfirmationMode::Never => "only tools that require it themselves wait" | "só esperam as ferramentas que exigem isso",
} }
