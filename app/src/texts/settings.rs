//! The settings of an organisation: keys, secrets, ways to the outside, limits.

texts! {
    nav_settings: "Settings" | "Configurações",
    settings_title: "Settings" | "Configurações",
    settings_lead: "Your account, and what your organisation sets up once."
        | "A sua conta e o que a organização configura uma vez só.",
    settings_parts: "Parts of the settings" | "Partes das configurações",
    settings_api_keys_lead: "Let programs and agents call from outside" | "Deixe programas e agentes chamarem de fora",
    settings_secrets_lead: "Values that code tools use and nobody reads" | "Valores que as ferramentas de código usam e ninguém lê",
    settings_channels_lead: "Mail server, WhatsApp, and who is told things" | "Servidor de e-mail, WhatsApp e quem recebe avisos",
    settings_limits_lead: "Deadlines, rates and concurrent calls" | "Prazos, frequência e chamadas simultâneas",

    secret_ready(name): "The secret of {name} is ready" | "O segredo de {name} está pronto",
    secret_ready_lead:
        "Copy it now: it is shown only once."
        | "Copie agora: ele só aparece uma vez.",
    secret_value: "Secret" | "Segredo",
    test_succeeded: "The test arrived." | "O teste chegou ao destino.",
    test_failed: "The test did not arrive." | "O teste não chegou ao destino.",
    yes: "Yes" | "Sim",
    no: "No" | "Não",
    zone_local: "your time" | "seu horário",
    created: "Created" | "Criado em",

    api_keys_title: "API keys" | "Chaves de API",
    api_keys_lead:
        "With a key, a program makes calls in the role you choose, or for one agent only."
        | "Com uma chave, um programa faz chamadas com o papel escolhido, ou só em nome de um agente.",
    api_key: "Key" | "Chave",
    api_key_speaks_as: "Acts as" | "Age como",
    api_key_new: "New key" | "Nova chave",
    api_key_new_lead: "The key itself is shown once, right after it is made." | "A chave aparece uma vez só, logo depois de criada.",
    api_key_name: "What it is for" | "Para que serve",
    api_key_role_hint:
        "Does not matter for a key of one agent: it has that agent's rights."
        | "Não faz diferença em uma chave de um só agente: ela tem os direitos desse agente.",
    api_key_role_refused:
        "A key of an agent calls tools, and this role may not. Choose operator, manager or owner."
        | "Uma chave de agente chama ferramentas, e este papel não pode. Escolha operador, gestor ou proprietário.",
    api_key_agent: "Only for the agent" | "Só para o agente",
    api_key_any_agent: "No agent in particular" | "Nenhum agente em especial",
    api_key_expires: "Valid for" | "Vale por",
    api_key_days(days): "{days} days" | "{days} dias",
    api_key_no_end: "Until it is revoked" | "Até ser revogada",
    api_key_submit: "Create key" | "Criar chave",
    api_key_used: "Last use" | "Último uso",
    api_key_revoke_title(name): "Revoke the key {name}?" | "Revogar a chave {name}?",
    api_key_revoke_lead:
        "Whatever uses it is refused from this moment on. A new key has to be put in its place."
        | "O que usa esta chave passa a ser recusado na hora. Será preciso colocar outra no lugar.",
    api_key_revoked_done: "The key was revoked." | "A chave foi revogada.",
    api_key_revoked: "Revoked" | "Revogada",
    api_key_valid: "Valid" | "Válida",
    api_keys_empty_title: "No key yet" | "Nenhuma chave ainda",
    api_keys_empty_lead: "Create one below to make calls from a program." | "Crie uma abaixo para fazer chamadas de um programa.",

    secrets_title: "Secrets" | "Segredos",
    secrets_lead:
        "Code tools get them as ctx.secrets when they name them. A value goes in and never comes out."
        | "As ferramentas de código os recebem em ctx.secrets quando os citam. O valor entra e nunca mais sai.",
    secret_name: "Name" | "Nome",
    secret_name_hint: "Letters, digits and underscores, as scripts write it." | "Letras, números e sublinhado, como no script.",
    secret_used_by: "Used by" | "Usado por",
    secret_used_by_none: "No tool" | "Nenhuma ferramenta",
    secret_changed: "Changed" | "Alterado em",
    secret_new: "New secret" | "Novo segredo",
    secret_submit: "Save secret" | "Salvar segredo",
    secret_replace: "Replace" | "Substituir",
    secret_replace_named(name): "Replace the value of {name}" | "Substituir o valor de {name}",
    secret_saved: "The secret was saved." | "O segredo foi salvo.",
    secret_delete_title(name): "Delete the secret {name}?" | "Excluir o segredo {name}?",
    secret_delete_lead:
        "Tools that name it fail from now on."
        | "As ferramentas que o citam passam a falhar.",
    secret_deleted: "The secret was deleted." | "O segredo foi excluído.",
    secrets_empty_title: "No secret yet" | "Nenhum segredo ainda",
    secrets_empty_lead:
        "Keep keys of other services here instead of writing them into code."
        | "Guarde aqui as chaves de outros serviços em vez de escrevê-las no código.",

    channels_title: "Channels" | "Canais",
    channels_lead:
        "How your organisation sends and receives messages. Passwords are kept encrypted and never shown."
        | "Por onde a sua organização envia e recebe mensagens. As senhas ficam cifradas e nunca aparecem.",
    channel: "Channel" | "Canal",
    channel_place: "Leads to" | "Destino",
    channel_off: "Not set up" | "Não configurado",
    channel_on: "Set up" | "Configurado",
    channel_set_up: "Set up" | "Configurar",
    channel_edit: "Edit" | "Editar",
    channel_view: "View" | "Ver",
    channel_open_named(act, name): "{act}: {name}" | "{act}: {name}",
    channel_settings: "Settings of the channel" | "Dados do canal",
    channel_test: "Send a test" | "Enviar um teste",
    channel_test_lead: "A short message goes out at once." | "Uma mensagem curta sai na hora.",
    channel_rotate: "New signing secret" | "Novo segredo de assinatura",
    channel_rotate_lead:
        "The old one keeps signing beside it for a day, so that you can change the other side."
        | "O antigo continua assinando junto por um dia, para você trocar do outro lado.",
    channel_remove: "Remove channel" | "Remover canal",
    channel_remove_title(name): "Remove {name}?" | "Remover {name}?",
    channel_remove_lead:
        "Nothing goes out through it any more. Its secrets are deleted."
        | "Nada mais sai por este canal. Os segredos dele são apagados.",
    channel_removed: "The channel was removed." | "O canal foi removido.",
    channels_all: "All channels" | "Todos os canais",

    limits_title: "Limits" | "Limites",
    limits_lead:
        "For all tools and agents of the organisation together; each tool and agent may have narrower ones."
        | "Para todas as ferramentas e agentes da organização; cada um pode ter limites menores.",
}
