//! The pages before somebody is in: first start, sign-in, invitation.

texts! {
    sign_in: "Sign in" | "Entrar",
    sign_in_lead: "Use your Alçada account." | "Use a sua conta do Alçada.",
    sign_in_help:
        "No account yet? Ask an owner of your organisation for an invitation link."
        | "Ainda não tem conta? Peça um link de convite a quem é proprietário da sua organização.",

    setup_title: "Set up Alçada" | "Configurar o Alçada",
    setup_lead:
        "Create the first administrator. This page disappears as soon as that is done."
        | "Crie a primeira pessoa administradora. Esta página some assim que isso for feito.",
    setup_code: "One-time code" | "Código de uso único",
    setup_code_hint:
        "The server printed it in its log when it started."
        | "O servidor mostrou este código no log ao iniciar.",
    your_name: "Your name" | "Seu nome",
    organisation_name: "Name of your organisation" | "Nome da sua organização",
    organisation_hint:
        "You can add more later."
        | "Você pode criar outras depois.",
    password_hint:
        "At least 8 characters. A sentence works well."
        | "No mínimo 8 caracteres. Uma frase funciona bem.",
    demo_data: "Add demo data" | "Incluir dados de demonstração",
    demo_data_hint:
        "An example organisation to look around in."
        | "Uma organização de exemplo para explorar.",
    setup_submit: "Create administrator" | "Criar administrador",

    invitation_title: "You are invited" | "Você recebeu um convite",
    invitation_lead(tenant, role):
        "Join {tenant} as {role}."
        | "Participe de {tenant} como {role}.",
    invitation_new:
        "Choose a name and a password for your new account."
        | "Escolha um nome e uma senha para a sua nova conta.",
    invitation_existing:
        "You already have an account with this address: enter its password to join."
        | "Este endereço já tem uma conta: digite a senha dela para participar.",
    invitation_for: "This invitation is for" | "Este convite é para",
    invitation_accept: "Accept invitation" | "Aceitar convite",
    invitation_invalid_title: "This invitation is no longer valid" | "Este convite não vale mais",
    go_to_sign_in: "Go to sign-in" | "Ir para a página de entrada",
}
