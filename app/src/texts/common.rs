//! Words that every page uses: the frame around it, buttons, states.

use super::Texts;
use domain::{Language, Theme};

texts! {
    skip_to_content: "Skip to content" | "Pular para o conteúdo",
    navigation: "Main navigation" | "Navegação principal",
    sidebar: "Sidebar" | "Barra lateral",
    menu: "Menu" | "Menu",
    workspace: "Workspace" | "Espaço de trabalho",
    platform: "Platform" | "Plataforma",
    nav_home: "Home" | "Início",
    nav_members: "Members" | "Membros",
    nav_account: "Your account" | "Sua conta",
    nav_tools: "Global tools" | "Ferramentas globais",
    nav_toolbox: "Tools" | "Ferramentas",
    nav_agents: "Agents" | "Agentes",
    nav_tenants: "Organisations" | "Organizações",
    nav_users: "People" | "Pessoas",
    nav_explain: "Explain access" | "Explicar acesso",

    organisation: "Organisation" | "Organização",
    switch_organisation: "Switch organisation" | "Trocar de organização",
    no_organisation: "No organisation" | "Sem organização",
    account_menu: "Account menu" | "Menu da conta",
    language_label: "Language" | "Idioma",
    theme_label: "Appearance" | "Aparência",
    sign_out: "Sign out" | "Sair",

    save: "Save" | "Salvar",
    cancel: "Cancel" | "Cancelar",
    remove: "Remove" | "Remover",
    close: "Close" | "Fechar",
    search: "Search" | "Buscar",
    filter: "Filter" | "Filtrar",
    clear: "Clear" | "Limpar",
    actions: "Actions" | "Ações",
    copy: "Copy" | "Copiar",
    copied: "Copied" | "Copiado",
    try_again: "Try again" | "Tentar de novo",
    loading: "Loading…" | "Carregando…",
    saved: "Saved." | "Salvo.",
    optional: "optional" | "opcional",
    never: "Never" | "Nunca",

    pages: "Pages" | "Páginas",
    delete: "Delete" | "Excluir",
    restore: "Restore" | "Restaurar",
    page_next: "Next" | "Próxima",
    page_previous: "Previous" | "Anterior",
    range_of(first, last, total): "{first}–{last} of {total}" | "{first}–{last} de {total}",
    range_none(total): "None here, {total} in all" | "Nenhum aqui, {total} no total",

    name: "Name" | "Nome",
    email: "E-mail" | "E-mail",
    password: "Password" | "Senha",
    role: "Role" | "Papel",
    state: "State" | "Situação",

    load_failed: "This could not be loaded" | "Não foi possível carregar",
    working: "Working…" | "Processando…",
    elapsed(seconds): "{seconds} s" | "{seconds} s",
    form_failed: "That did not work" | "Não deu certo",
    typed_is_kept:
        "What you typed is still here: send it again when you are ready."
        | "O que você digitou continua aqui: envie de novo quando puder.",
    typed_is_back:
        "Your session had ended, and nothing was saved. What you typed is here again: check it and send it."
        | "Sua sessão tinha terminado e nada foi salvo. O que você digitou está de volta: confira e envie.",
    sign_in_elsewhere: "Sign in in another tab" | "Entrar em outra aba",
    draft_restored:
        "This is what you had typed and not saved."
        | "Trouxemos de volta o que você tinha digitado e não salvou.",
    draft_discard: "Discard it" | "Descartar",
    not_found_title: "Page not found" | "Página não encontrada",
    not_found_lead:
        "There is nothing at this address. The link may be old, or you may no longer have access to it."
        | "Não há nada neste endereço. O link pode ser antigo, ou talvez você não tenha mais acesso a ele.",
    back_home: "Back to the home page" | "Voltar ao início",
}

texts_for! { theme(Theme) {
    Theme::System => "System" | "Sistema",
    Theme::Light => "Light" | "Claro",
    Theme::Dark => "Dark" | "Escuro",
} }

impl Texts {
    /// A number with its thousands apart: `10,000`, `10.000`.
    pub fn count(self, number: i64) -> String {
        let mark = match self.language() {
            Language::En => ',',
            Language::PtBr => '.',
        };
        let digits = number.to_string();
        let mut text = String::new();
        for (at, digit) in digits.chars().enumerate() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) && digit != '-' && !text.ends_with('-') {
                text.push(mark);
            }
            text.push(digit);
        }
        text
    }
}

/// A language is named in itself, so that whoever cannot read the page finds theirs.
pub fn own_name(language: Language) -> &'static str {
    match language {
        Language::PtBr => "Português",
        Language::En => "English",
    }
}
