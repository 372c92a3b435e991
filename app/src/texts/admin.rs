//! The pages of platform administrators.

use domain::global_tool::ToolCategory;

texts! {
    tools_title: "Global tools" | "Ferramentas globais",
    tools_lead:
        "Switches for everybody: what is off here stops at once, in every organisation."
        | "Chaves para todos: o que for desligado aqui para na hora, em todas as organizações.",
    tools_search: "Name or description" | "Nome ou descrição",
    tools_user_lead: "Each one can be switched off for everybody." | "Cada uma pode ser desligada para todos.",
    tools_kind_lead:
        "One switch stops every tool of that kind, whoever made it."
        | "Uma chave interrompe todas as ferramentas do tipo, não importa quem as criou.",
    tools_system_lead: "Part of the product: always on." | "Fazem parte do produto: sempre ligadas.",
    tool: "Tool" | "Ferramenta",
    category: "Category" | "Categoria",
    last_change: "Last change" | "Última alteração",
    on: "On" | "Ligada",
    off: "Off" | "Desligada",
    always_on: "Always on" | "Sempre ligada",
    state_any: "Any state" | "Qualquer situação",
    category_any: "All categories" | "Todas as categorias",
    never_changed: "Never switched" | "Nunca alterada",
    changed_by(name): "by {name}" | "por {name}",
    switch_tool(label): "{label} for everybody" | "{label} para todos",
    reason: "Reason" | "Motivo",
    with_reason: "Add a reason" | "Informar motivo",
    reason_hint: "Kept in the record." | "Fica no registro.",
    switch_on: "Switch on" | "Ligar",
    switch_off: "Switch off" | "Desligar",
    switched_on(label): "{label} is on for everybody." | "{label} está ligada para todos.",
    switched_off(label): "{label} is off for everybody." | "{label} está desligada para todos.",
    shown_of(shown, total): "{shown} of {total} shown" | "Exibidas: {shown} de {total}",
    tools_empty_title: "Nothing matches" | "Nada encontrado",
    tools_empty_lead:
        "No tool has these words and this state. Clear the filter to see all."
        | "Nenhuma ferramenta tem essas palavras e essa situação. Limpe o filtro para ver todas.",
    admins_only: "Administrators only" | "Só administradores",

    tenants_title: "Organisations" | "Organizações",
    tenants_lead:
        "Each one keeps its data to itself."
        | "Cada uma tem os seus dados, que ninguém de fora vê.",
    tenant_create: "New organisation" | "Nova organização",
    tenant_create_lead: "Then invite its first owner." | "Depois, convide o primeiro proprietário.",
    tenant_create_submit: "Create organisation" | "Criar organização",
    tenant_created(name): "{name} was created." | "{name} foi criada.",
    tenant_slug: "Short name" | "Nome curto",
    tenant_slug_hint:
        "For addresses and commands: lower-case letters, digits, hyphens. Left empty, the name suggests it."
        | "Para endereços e comandos: letras minúsculas, números e hifens. Se ficar vazio, vem do nome.",
    tenant_members: "Members" | "Membros",
    tenant_since: "Created" | "Criada em",
    tenant_rename: "Rename" | "Renomear",
    tenant_rename_named(name): "New name of {name}" | "Novo nome de {name}",
    tenant_renamed: "The organisation was renamed." | "A organização foi renomeada.",
    tenant_invite_owner: "Invite an owner" | "Convidar proprietário",
    tenant_invite_owner_for(name): "E-mail of the new owner of {name}" | "E-mail de quem será proprietário de {name}",
    tenants_empty_title: "No organisation yet" | "Nenhuma organização ainda",
    tenants_empty_lead: "Create the first one below." | "Crie a primeira abaixo.",

    users_title: "People" | "Pessoas",
    users_lead: "Everybody with an account on this installation." | "Todos que têm conta nesta instalação.",
    users_search: "Name or e-mail" | "Nome ou e-mail",
    person: "Person" | "Pessoa",
    memberships: "Organisations" | "Organizações",
    no_memberships: "None" | "Nenhuma",
    last_seen: "Last seen" | "Último acesso",
    platform_admin: "Platform administrator" | "Administrador da plataforma",
    user_disable: "Disable" | "Desativar",
    user_enable: "Enable" | "Reativar",
    user_disable_title(name): "Disable {name}?" | "Desativar a conta de {name}?",
    user_disable_lead:
        "They are signed out everywhere at once and cannot sign in until enabled again."
        | "A pessoa é desconectada de todos os lugares na hora e só volta a entrar se for reativada.",
    user_disabled_done: "The account was disabled." | "A conta foi desativada.",
    user_enabled_done: "The account works again." | "A conta voltou a funcionar.",
    admin_grant: "Make administrator" | "Tornar administrador",
    admin_revoke: "Remove administrator" | "Remover administração",
    admin_grant_title(name): "Make {name} a platform administrator?" | "Tornar {name} administrador da plataforma?",
    admin_grant_lead:
        "They will control every organisation, account and switch of this installation."
        | "A pessoa passa a controlar todas as organizações, contas e chaves desta instalação.",
    admin_revoke_title(name): "Remove {name} as platform administrator?" | "Remover {name} da administração da plataforma?",
    admin_revoke_lead:
        "They keep their account and their roles in organisations."
        | "A conta e os papéis nas organizações continuam.",
    admin_granted: "Now a platform administrator." | "Agora é administrador da plataforma.",
    admin_revoked: "No longer a platform administrator." | "Não é mais administrador da plataforma.",
    users_empty_title: "Nobody found" | "Ninguém encontrado",
    users_empty_lead:
        "Try part of the name or of the address, or clear the search."
        | "Tente parte do nome ou do endereço, ou limpe a busca.",

    explain_title: "Explain access" | "Explicar acesso",
    explain_lead:
        "May this person do that there, and why? The question is in the address: share it."
        | "Esta pessoa pode fazer isso ali, e por quê? A pergunta fica no endereço: compartilhe.",
    explain_person: "Person (e-mail)" | "Pessoa (e-mail)",
    explain_tenant: "In organisation" | "Na organização",
    explain_no_tenant: "Outside any organisation" | "Fora de qualquer organização",
    explain_action: "May they…" | "Pode…",
    explain_subject: "…this?" | "…isto?",
    explain_submit: "Ask" | "Perguntar",
    explain_allowed: "Yes, allowed" | "Sim, pode",
    explain_allowed_some: "Yes, in some cases" | "Sim, em alguns casos",
    explain_denied: "No, not allowed" | "Não, não pode",
    explain_no_rule: "No rule allows it. What no rule allows is forbidden." | "Nenhuma regra permite. O que nenhuma regra permite é proibido.",
    explain_disabled: "The account is disabled: nothing is allowed, whatever the rules say."
        | "A conta está desativada: nada é permitido, não importa o que digam as regras.",
    explain_unknown:
        "Nobody has an account with this address. Check the spelling."
        | "Ninguém tem conta com este endereço. Confira se está escrito certo.",
    explain_rule: "Rule that decided" | "Regra que decidiu",
    explain_rule_allows: "allows" | "permite",
    explain_rule_denies: "forbids" | "proíbe",
    explain_reason: "Why the rule exists" | "Por que a regra existe",
    explain_conditions: "Only when" | "Somente quando",
    explain_own_only: "it belongs to the person" | "pertence à própria pessoa",
    explain_roles: "Roles there" | "Papéis ali",
    explain_no_roles: "None" | "Nenhum",
    explain_empty_title: "Ask a question" | "Faça uma pergunta",
    explain_empty_lead:
        "Fill in the form: the answer names the role and the rule behind it."
        | "Preencha o formulário: a resposta mostra o papel e a regra por trás dela.",
}

texts_for! { category_name(ToolCategory) {
    ToolCategory::System => "System" | "Sistema",
    ToolCategory::User => "User" | "Usuário",
    ToolCategory::Kind => "Whole kind" | "Tipo inteiro",
} }

texts_for! { category_heading(ToolCategory) {
    ToolCategory::System => "System tools" | "Ferramentas de sistema",
    ToolCategory::User => "User tools" | "Ferramentas de usuário",
    ToolCategory::Kind => "Whole kinds" | "Tipos inteiros",
} }
