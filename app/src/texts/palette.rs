//! The palette.

use crate::api::find::ThingKind;

texts! {
    palette_open: "Go to…" | "Ir para…",
    palette_title: "Go to a page, an action or a name" | "Ir para uma página, ação ou nome",
    palette_placeholder: "Page, action, tool, agent, contact…" | "Página, ação, ferramenta, agente, contato…",
    palette_results: "Results" | "Resultados",
    palette_page: "Page" | "Página",
    palette_action: "Action" | "Ação",
    palette_theme(theme): "Appearance: {theme}" | "Aparência: {theme}",
    palette_language(language): "Language: {language}" | "Idioma: {language}",
    palette_looking: "Looking…" | "Buscando…",
    palette_nothing: "Nothing found. Try part of a name." | "Nada encontrado. Tente parte de um nome.",
    palette_one: "1 result" | "1 resultado",
    palette_many(count): "{count} results" | "{count} resultados",
    palette_failed:
        "Names could not be looked up. Pages and actions still work."
        | "Não foi possível buscar nomes. Páginas e ações continuam funcionando.",
}

texts_for! { palette_thing(ThingKind) {
    ThingKind::Tool => "Tool" | "Ferramenta",
    ThingKind::Agent => "Agent" | "Agente",
    ThingKind::Contact => "Contact" | "Contato",
    ThingKind::Execution => "Execution" | "Execução",
} }
