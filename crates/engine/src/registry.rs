//! G1, G2: the registry of global tools. A new tool is one new entry.

use domain::{Language, global_tool::ToolCategory};

/// A text in both languages.
#[derive(Clone, Copy, Debug)]
pub struct Text {
    pub pt: &'static str,
    pub en: &'static str,
}

impl Text {
    pub fn in_language(self, language: Language) -> &'static str {
        match language {
            Language::PtBr => self.pt,
            Language::En => self.en,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct ToolDefinition {
    pub name: &'static str,
    pub category: ToolCategory,
    pub label: Text,
    pub icon: &'static str,
    pub description: Text,
    pub requires_auth: bool,
    pub admin_only: bool,
}

pub fn find(name: &str) -> Option<&'static ToolDefinition> {
    REGISTRY.iter().find(|tool| tool.name == name)
}

const fn tool(
    category: ToolCategory,
    name: &'static str,
    icon: &'static str,
    label: Text,
    description: Text,
) -> ToolDefinition {
    ToolDefinition { name, category, label, icon, description, requires_auth: true, admin_only: false }
}

const fn text(pt: &'static str, en: &'static str) -> Text {
    Text { pt, en }
}

use ToolCategory::{Kind, System, User};

pub const REGISTRY: &[ToolDefinition] = &[
    tool(
        System,
        "search_items",
        "🔍",
        text("Buscar itens", "Search items"),
        text("Busca nos itens salvos", "Searches the saved items"),
    ),
    ToolDefinition {
        requires_auth: false,
        ..tool(
            System,
            "enrich_movie",
            "✨",
            text("Enriquecer filme", "Enrich film"),
            text("Busca metadados TMDB para filme", "Looks up a film's details on TMDB"),
        )
    },
    ToolDefinition {
        requires_auth: false,
        ..tool(
            System,
            "enrich_tv_show",
            "✨",
            text("Enriquecer série", "Enrich series"),
            text("Busca metadados TMDB para série", "Looks up a series' details on TMDB"),
        )
    },
    ToolDefinition {
        requires_auth: false,
        ..tool(
            System,
            "enrich_video",
            "✨",
            text("Enriquecer vídeo", "Enrich video"),
            text(
                "Busca título, autor e miniatura do vídeo",
                "Looks up a video's title, author and thumbnail",
            ),
        )
    },
    ToolDefinition {
        requires_auth: false,
        ..tool(
            System,
            "enrich_link",
            "✨",
            text("Enriquecer link", "Enrich link"),
            text(
                "Busca título, descrição e imagem da página",
                "Looks up a page's title, description and picture",
            ),
        )
    },
    tool(
        User,
        "save_note",
        "💡",
        text("Salvar como nota", "Save as note"),
        text("Salva texto como nota", "Saves text as a note"),
    ),
    tool(
        User,
        "save_movie",
        "🎬",
        text("Salvar como filme", "Save as film"),
        text("Salva filme com busca TMDB", "Saves a film, with its details from TMDB"),
    ),
    tool(
        User,
        "save_tv_show",
        "📺",
        text("Salvar como série", "Save as series"),
        text("Salva série com busca TMDB", "Saves a series, with its details from TMDB"),
    ),
    tool(
        User,
        "save_video",
        "🎥",
        text("Salvar como vídeo", "Save as video"),
        text("Salva vídeo (YouTube, etc)", "Saves a video (YouTube and others)"),
    ),
    tool(
        User,
        "save_link",
        "🔗",
        text("Salvar como link", "Save as link"),
        text("Salva URL com preview", "Saves an address, with a preview"),
    ),
    tool(
        Kind,
        "webhook_tools",
        "📡",
        text("Ferramentas webhook", "Webhook tools"),
        text(
            "Todas as ferramentas que chamam um endereço externo",
            "Every tool that calls an outside address",
        ),
    ),
    tool(
        Kind,
        "code_tools",
        "🧩",
        text("Ferramentas de código", "Code tools"),
        text("Todas as ferramentas escritas em JavaScript", "Every tool written in JavaScript"),
    ),
    tool(
        Kind,
        "connector_tools",
        "🔌",
        text("Conectores", "Connectors"),
        text("Todas as operações de sistemas conectados", "Every operation of connected systems"),
    ),
    tool(
        Kind,
        "shell_tools",
        "⌨️",
        text("Ferramentas de terminal", "Shell tools"),
        text(
            "Todas as ferramentas que executam comandos ou mexem em arquivos",
            "Every tool that runs commands or touches files",
        ),
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g2_every_entry_of_the_requirement_is_there() {
        let of = |category| -> Vec<(&str, &str)> {
            REGISTRY.iter().filter(|t| t.category == category).map(|t| (t.icon, t.name)).collect()
        };
        assert_eq!(
            of(User),
            [
                ("💡", "save_note"),
                ("🎬", "save_movie"),
                ("📺", "save_tv_show"),
                ("🎥", "save_video"),
                ("🔗", "save_link")
            ]
        );
        let system: Vec<&str> = of(System).into_iter().map(|(_, name)| name).collect();
        assert_eq!(system, ["search_items", "enrich_movie", "enrich_tv_show", "enrich_video", "enrich_link"]);
        assert!(of(Kind).iter().all(|(_, name)| name.ends_with("_tools")));
    }

    #[test]
    fn g1_names_are_unique_and_exact() {
        let mut names: Vec<&str> = REGISTRY.iter().map(|tool| tool.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), REGISTRY.len());
        assert!(find("save_note").is_some());
        assert!(find("Save_Note").is_none());
    }
}
