//! The tools of an organisation: the list, a tool, its test, its versions.

use super::Texts;
use domain::{
    ToolEffect,
    tool_words::{ExecutionType, ToolType},
};

texts! {
    toolbox_title: "Tools" | "Ferramentas",
    toolbox_lead:
        "The tools that this organisation can give to its agents."
        | "As ferramentas que esta organização pode dar aos seus agentes.",
    toolbox_new: "New tool" | "Nova ferramenta",
    toolbox_type_any: "All types" | "Todos os tipos",
    toolbox_agent_any: "Any agent" | "Qualquer agente",
    tool_type: "Type" | "Tipo",
    tool_calls: "Calls" | "Chamadas",
    tool_errors: "Errors" | "Erros",
    tool_mean: "Average time" | "Tempo médio",
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
    tool_new_lead: "Something that agents can call." | "Algo que os agentes podem chamar.",
    tool_make: "Create tool" | "Criar ferramenta",
    tool_made: "The tool was created." | "A ferramenta foi criada.",
    tool_open: "Go to the tool" | "Ir para a ferramenta",
    tool_saved(version): "Saved as version {version}." | "Salva como versão {version}.",
    tool_version(number): "Version {number}" | "Versão {number}",
    tool_pages: "Pages of this tool" | "Páginas desta ferramenta",
    tab_definition: "Definition" | "Definição",
    tab_test: "Test" | "Testar",
    tab_versions: "Versions" | "Versões",
    calls_in_short(calls, errors, mean):
        "Calls: {calls} · Errors: {errors} · Average: {mean}"
        | "Chamadas: {calls} · Erros: {errors} · Média: {mean}",

    tool_basics: "What it is" | "O que é",
    tool_basics_lead:
        "Models choose a tool by its name and description: be precise."
        | "Os modelos escolhem a ferramenta pelo nome e pela descrição: seja específico.",
    tool_display_name: "Name for people" | "Nome para as pessoas",
    tool_display_name_hint: "As it is shown here." | "Como aparece aqui.",
    tool_name: "Name for models" | "Nome para os modelos",
    tool_name_hint:
        "Letters, digits and underscores; unique in the organisation."
        | "Letras sem acento, números e sublinhado; único na organização.",
    description: "Description" | "Descrição",
    tool_description_hint:
        "When to use it, what it does, what it answers."
        | "Quando usar, o que faz e o que responde.",
    tool_type_hint: "For lists and filters only." | "Serve só para listas e filtros.",
    tool_note: "Why this change" | "Motivo da alteração",
    tool_note_hint: "Kept with the version. Optional." | "Fica registrado na versão. Opcional.",

    tool_parameters: "Parameters" | "Parâmetros",
    tool_parameters_lead:
        "What a call has to bring. The form and the schema are the same thing, told twice."
        | "O que cada chamada precisa trazer. O formulário e o esquema dizem a mesma coisa, de dois jeitos.",
    params_form: "Fields" | "Campos",
    params_broken:
        "The schema is not valid JSON right now: correct it to go on with the form."
        | "O esquema não é um JSON válido no momento: corrija para continuar pelo formulário.",
    param_add: "Add field" | "Adicionar campo",
    param_word: "field" | "campo",
    param_name: "Name of the field" | "Nome do campo",
    param_required: "Required" | "Obrigatório",
    param_choices: "Allowed values" | "Valores permitidos",
    param_choices_hint: "Allowed values, with commas between them" | "Valores permitidos, separados por vírgula",
    param_choices_odd: "Values are in the schema" | "Os valores estão no esquema",
    param_other: "as in the schema" | "como no esquema",
    tool_schema: "JSON Schema" | "JSON Schema",
    tool_schema_hint:
        "An object, draft 2020-12. What the form cannot express stays as you write it."
        | "Um objeto, no padrão draft 2020-12. O que o formulário não cobre fica como você escrever.",

    webhook: "Webhook" | "Webhook",
    webhook_lead:
        "Calls an address of yours, signed so that it can tell the calls are ours."
        | "Chama um endereço seu, com assinatura para ele saber que a chamada é nossa.",
    webhook_url: "Address" | "Endereço",
    webhook_url_hint:
        "Starts with https://. Secrets belong in the headers."
        | "Começa com https://. Segredos ficam nos cabeçalhos.",
    webhook_method: "Method" | "Método",
    webhook_method_hint: "GET sends the parameters in the address." | "GET envia os parâmetros no endereço.",
    webhook_headers: "Headers" | "Cabeçalhos",
    webhook_headers_hint:
        "One per line: Name: value. Values are kept secret; *** leaves one as it is."
        | "Um por linha: Nome: valor. Os valores ficam em segredo; *** mantém o que já existe.",

    tool_code: "Code" | "Código",
    tool_code_lead:
        "JavaScript that runs here, shut off from everything that it does not name."
        | "JavaScript que roda aqui, isolado de tudo o que não estiver declarado.",
    tool_code_hint:
        "A module with a default function (params, ctx). ctx has log, fetch and secrets."
        | "Um módulo com uma função default (params, ctx). ctx tem log, fetch e secrets.",
    at_line(line, column): "Line {line}, column {column}." | "Linha {line}, coluna {column}.",
    tool_hosts: "Hosts it may reach" | "Hosts que pode acessar",
    tool_hosts_hint: "One per line: host, host:port or *.host." | "Um por linha: host, host:porta ou *.host.",
    tool_secrets: "Secrets it may read" | "Segredos que pode ler",
    tool_secrets_hint: "Names of the organisation's secrets, one per line." | "Nomes de segredos da organização, um por linha.",

    tool_care: "Precautions" | "Cuidados",
    tool_care_lead: "When a person has to confirm before it runs." | "Quando uma pessoa precisa confirmar antes da execução.",
    effect: "Effect" | "Efeito",
    effect_hint:
        "Decides which calls count as risky."
        | "Define quais chamadas são consideradas arriscadas.",
    repeat: "May be repeated" | "Pode ser repetida",
    repeat_hint: "Then failed calls are retried." | "Se sim, chamadas que falham são tentadas de novo.",
    repeat_yes: "Yes, safely" | "Sim, sem problema",
    repeat_no: "No" | "Não",
    requires_confirmation: "Always ask a person first" | "Sempre pedir confirmação",
    requires_confirmation_hint: "Whatever the agent's own setting is." | "Qualquer que seja a configuração do agente.",
    requires_second_person: "A second person decides" | "Outra pessoa decide",
    requires_second_person_hint: "Whoever asked for a call cannot approve it." | "Quem pediu a chamada não pode aprová-la.",

    tool_limits: "Limits" | "Limites",
    tool_limits_lead: "Left empty, the defaults apply." | "Se ficarem vazios, valem os padrões.",
    tool_timeout: "Time limit (ms)" | "Tempo limite (ms)",
    tool_output: "Maximum answer size (bytes)" | "Tamanho máximo da resposta (bytes)",
    tool_rate_limit: "Maximum calls" | "Máximo de chamadas",
    tool_rate_limit_hint: "In the time beside it; empty: no limit." | "No intervalo ao lado; vazio: sem limite.",
    tool_rate_window: "Within how many seconds" | "Em quantos segundos",
    rate_in_short(limit, seconds): "{limit} in {seconds} s" | "{limit} a cada {seconds} s",
    tool_memory: "Memory (MB)" | "Memória (MB)",
    tool_fetches: "Maximum ctx.fetch requests" | "Máximo de chamadas a ctx.fetch",

    conflict_title: "Somebody else changed this in the meantime" | "Outra pessoa alterou isto nesse meio-tempo",
    conflict_lead:
        "Nothing was saved, and what you typed is still here. Look at what changed, then decide."
        | "Nada foi salvo, e o que você digitou continua aqui. Veja o que mudou e decida.",
    conflict_look: "See how it is now, in a new tab" | "Ver como está agora, em outra aba",
    conflict_overwrite: "Save my version over it" | "Salvar a minha versão por cima",
    breaking_title: "Saved, but existing calls may fail" | "Salvo, mas chamadas atuais podem falhar",
    breaking_agents(names): "Agents concerned: {names}." | "Agentes afetados: {names}.",

    for_models: "For models" | "Para os modelos",
    for_models_lead: "The function definition, to be copied." | "A definição da função, pronta para copiar.",
    used_by: "Used by" | "Usada por",
    used_by_nobody: "No agent was given this tool yet." | "Nenhum agente recebeu esta ferramenta ainda.",
    tool_danger: "Secret and removal" | "Segredo e exclusão",
    secret_rotate: "Rotate secret" | "Trocar segredo",
    secret_rotate_title(name): "Rotate the secret of {name}?" | "Trocar o segredo de {name}?",
    secret_rotate_lead:
        "The old secret signs beside the new one for a day, so that your server can change over."
        | "O segredo antigo continua assinando junto com o novo por um dia, para dar tempo de trocar no seu servidor.",
    secret_rotated: "There is a new secret." | "O segredo foi trocado.",
    tool_delete_title(name): "Delete {name}?" | "Excluir {name}?",
    tool_delete_lead:
        "The tool and its versions go; its history stays."
        | "A ferramenta e as versões são apagadas; o histórico continua.",
    tool_delete_used(count): "Agents that use it and will lose it: {count}" | "Agentes que usam e vão perder a ferramenta: {count}",
    tool_deleted(name): "{name} was deleted." | "{name} foi excluída.",

    versions_lead: "Every change, newest first. Nothing is ever lost." | "Todas as alterações, da mais recente à mais antiga. Nada se perde.",
    version_now: "Current" | "Atual",
    version_first: "The first definition." | "A primeira definição.",
    version_unseen: "What changed is secret." | "O que mudou é secreto.",
    version_restored: "The old definition is the newest version now." | "A definição antiga agora é a versão mais recente.",
    restore_title(number): "Restore version {number}?" | "Restaurar a versão {number}?",
    restore_lead: "It becomes the newest version; the others stay." | "Ela passa a ser a versão mais recente; as outras continuam.",
    change_of(field): "Change of {field}" | "Alteração de {field}",

    trial_lead: "Call it yourself and see what it returns." | "Faça uma chamada e veja o que ela retorna.",
    trial_webhook_lead:
        "Sends a signed call to the tool's address and shows the answer."
        | "Envia uma chamada assinada ao endereço da ferramenta e mostra a resposta.",
    trial_off: "This tool is off: a call is refused until it is on." | "Esta ferramenta está desligada: chamadas são recusadas até ela ser ligada.",
    trial_arguments: "Arguments" | "Argumentos",
    trial_json_hint: "As JSON." | "Em JSON.",
    trial_as_json: "Write JSON" | "Escrever em JSON",
    trial_as_form: "Use the form" | "Usar o formulário",
    trial_nothing_to_fill: "This tool takes no arguments." | "Esta ferramenta não recebe argumentos.",
    trial_run: "Run" | "Executar",
    test_mode: "Test mode" | "Modo de teste",
    test_mode_hint:
        "Without lasting effect where the tool can, and marked in the history."
        | "Sem efeito permanente quando a ferramenta permite, e marcada no histórico.",
    trial_result: "Result" | "Resultado",
    trial_success: "Success" | "Sucesso",
    trial_failed: "Failed" | "Falhou",
    trial_pending: "Waits for a person" | "Aguarda uma pessoa",
    trial_running: "Running" | "Em execução",
    trial_truncated: "Cut off" | "Cortada",
    trial_request: "Request" | "Pedido",
    trial_response: "Response" | "Resposta",
    trial_log: "Log" | "Log",
    trial_in_history: "In the history" | "No histórico",
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

texts_for! { tool_effect(ToolEffect) {
    ToolEffect::Read => "Only reads" | "Só lê",
    ToolEffect::Write => "Writes" | "Grava",
    ToolEffect::Delete => "Deletes" | "Exclui",
    ToolEffect::Money => "Moves money" | "Movimenta dinheiro",
    ToolEffect::Message => "Reaches people" | "Fala com pessoas",
} }

impl Texts {
    /// A type of JSON Schema; one that the form does not know is as the schema says.
    pub fn param_kind(self, kind: &str) -> &'static str {
        match kind {
            "string" => self.pick("text", "texto"),
            "integer" => self.pick("whole number", "número inteiro"),
            "number" => self.pick("number", "número"),
            "boolean" => self.pick("yes or no", "sim ou não"),
            "array" => self.pick("list", "lista"),
            "object" => self.pick("object", "objeto"),
            _ => self.param_other(),
        }
    }
}
