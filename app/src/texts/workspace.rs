//! Home, the person's own account, and the members of an organisation.

texts! {
    greeting(name): "Hello, {name}" | "Olá, {name}",
    home_role(tenant, role): "{role} at {tenant}" | "{role} em {tenant}",
    home_platform_admin: "Platform administrator" | "Administrador da plataforma",
    home_no_tenant: "Not a member of an organisation yet" | "Ainda sem organização",
    available_tools: "Tools you can use now" | "Ferramentas que você pode usar agora",
    available_tools_lead:
        "What is switched off for everybody is not listed."
        | "O que está desligado para todos não aparece aqui.",
    no_tools_title: "No tools right now" | "Nenhuma ferramenta no momento",
    no_tools_lead:
        "Either they are all switched off, or your role does not include tools. Ask an administrator."
        | "Ou todas estão desligadas, ou o seu papel não inclui ferramentas. Pergunte à administração.",
    no_tools_admin: "Review the switches" | "Rever as chaves",
    no_tenant_title: "You do not belong to an organisation yet" | "Você ainda não faz parte de uma organização",
    no_tenant_lead:
        "Ask an owner for an invitation link and open it here."
        | "Peça um link de convite a um proprietário e abra-o aqui.",
    no_tenant_admin_lead:
        "Create one, then invite its first owner."
        | "Crie uma e convide quem vai ser o primeiro proprietário.",
    no_tenant_admin_action: "Create an organisation" | "Criar uma organização",
    quick_links: "Shortcuts" | "Atalhos",
    link_members: "Invite people and choose their roles" | "Convide pessoas e defina seus papéis",
    link_tools: "Switch tools on and off for everybody" | "Ligue e desligue ferramentas para todos",
    link_tenants: "Create organisations and name their owners" | "Crie organizações e indique proprietários",
    link_users: "Find, disable and promote accounts" | "Encontre, desative e promova contas",
    link_explain: "Ask who may do what, and why" | "Pergunte quem pode fazer o quê, e por quê",
    link_account: "Name, password and open sessions" | "Nome, senha e sessões abertas",

    account_title: "Your account" | "Sua conta",
    account_lead: "How you appear, how you sign in, where you are signed in."
        | "Como você aparece, como entra e onde está conectado.",
    profile: "Profile" | "Perfil",
    email_fixed: "The address cannot be changed here." | "O endereço não pode ser alterado aqui.",
    change_password: "Change password" | "Alterar senha",
    change_password_lead:
        "You stay signed in here; every other session ends."
        | "Você continua conectado aqui; as outras sessões são encerradas.",
    current_password: "Current password" | "Senha atual",
    new_password: "New password" | "Nova senha",
    password_changed:
        "Password changed. Other sessions were signed out."
        | "Senha alterada. As outras sessões foram encerradas.",
    preferences: "Language and appearance" | "Idioma e aparência",
    preferences_lead: "Remembered in this browser." | "Valem neste navegador.",
    sessions: "Sessions" | "Sessões",
    sessions_lead:
        "Places where you are signed in. End the ones you do not recognise and change your password."
        | "Onde você está conectado. Encerre o que não reconhecer e altere a sua senha.",
    session_device: "Device" | "Dispositivo",
    session_started: "Signed in" | "Entrou em",
    session_seen: "Last seen" | "Último acesso",
    session_current: "This session" | "Esta sessão",
    session_end: "End" | "Encerrar",
    session_end_named(device): "End the session on {device}" | "Encerrar a sessão em {device}",
    sessions_end_others: "End all other sessions" | "Encerrar todas as outras",
    sessions_ended: "The other sessions were ended." | "As outras sessões foram encerradas.",
    session_ended: "The session was ended." | "A sessão foi encerrada.",
    unknown_device: "Unknown device" | "Dispositivo desconhecido",

    members_title: "Members" | "Membros",
    members_lead(tenant): "Who belongs to {tenant}, and as what." | "Quem faz parte de {tenant}, e em que papel.",
    member: "Member" | "Membro",
    member_since: "Since" | "Desde",
    member_you: "You" | "Você",
    member_role_of(name): "Role of {name}" | "Papel de {name}",
    member_role_saved: "Role changed." | "Papel alterado.",
    member_remove_title(name): "Remove {name}?" | "Remover {name}?",
    member_remove_lead:
        "They lose access to this organisation at once. Their account stays."
        | "A pessoa perde o acesso a esta organização na hora. A conta dela continua existindo.",
    member_removed: "The member was removed." | "O membro foi removido.",
    members_no_tenant_lead:
        "Members belong to an organisation: choose or create one first."
        | "Membros pertencem a uma organização: escolha ou crie uma primeiro.",

    invite_title: "Invite somebody" | "Convidar alguém",
    invite_lead:
        "You get a link to send yourself. Whoever opens it joins with the role you choose."
        | "Você recebe um link para enviar. Quem abrir entra com o papel escolhido.",
    invite_submit: "Create invitation link" | "Gerar link de convite",
    invite_ready(email): "Invitation for {email} is ready" | "O convite para {email} está pronto",
    invite_ready_lead:
        "Copy the link now: it is shown only once."
        | "Copie o link agora: ele só aparece uma vez.",
    invite_link: "Invitation link" | "Link de convite",
    invitations: "Open invitations" | "Convites em aberto",
    invitations_empty: "No invitation is waiting for an answer." | "Nenhum convite aguarda resposta.",
    invited_by: "Invited by" | "Convite de",
    expires: "Expires" | "Expira em",
    revoke: "Revoke" | "Revogar",
    revoke_named(email): "Revoke the invitation for {email}" | "Revogar o convite para {email}",
    invitation_revoked: "The invitation was revoked." | "O convite foi revogado.",
    disabled: "Disabled" | "Desativada",
    active: "Active" | "Ativa",
}
