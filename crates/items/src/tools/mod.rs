//! The built-in tools on a person's own things (G2): they save, complete and find. One file for those that are alike.
//!
//! Each can be planned, which changes nothing, and run inside a transaction of the engine, which records and commits
//! it. The owner is whoever calls. Texts are in Portuguese: models and the people who confirm a call read them.

mod save;
mod search;

use crate::Owner;
use crm::tools::{ToolFailure, args, planned};
use domain::{ToolEffect, item::ItemKind};
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

/// A tool as models and people see it; icon and labels for the menu are in the registry of the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ItemTool {
    pub name: &'static str,
    pub display_name: &'static str,
    /// When a model should use it.
    pub description: &'static str,
    pub kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Search,
    Save(ItemKind),
    Enrich(ItemKind),
}

/// One call, as the engine passes it on after its checks.
#[derive(Clone, Copy, Debug)]
pub struct ItemCall<'a> {
    pub owner: Owner,
    pub params: &'a Value,
    /// Why nobody can be asked for details here; nothing when somebody can.
    pub lacks: Option<&'static str>,
}

type ToolResult = Result<Value, ToolFailure>;

const fn tool(
    name: &'static str,
    display_name: &'static str,
    kind: Kind,
    description: &'static str,
) -> ItemTool {
    ItemTool { name, display_name, description, kind }
}

use ItemKind::{Link, Movie, Note, TvShow, Video};

pub const ITEM_TOOLS: &[ItemTool] = &[
    tool(
        "search_items",
        "Buscar itens",
        Kind::Search,
        "Busca nos itens que a própria pessoa salvou: notas, filmes, séries, vídeos e links. Acentos e maiúsculas não importam.",
    ),
    tool(
        "enrich_movie",
        "Enriquecer filme",
        Kind::Enrich(Movie),
        "Busca no TMDB os detalhes de um filme salvo. Havendo vários, informe tmdb_id com o escolhido.",
    ),
    tool(
        "enrich_tv_show",
        "Enriquecer série",
        Kind::Enrich(TvShow),
        "Busca no TMDB os detalhes de uma série salva. Havendo várias, informe tmdb_id com a escolhida.",
    ),
    tool(
        "enrich_video",
        "Enriquecer vídeo",
        Kind::Enrich(Video),
        "Busca título, autor e miniatura de um vídeo salvo.",
    ),
    tool(
        "enrich_link",
        "Enriquecer link",
        Kind::Enrich(Link),
        "Busca título, descrição e imagem da página de um link salvo.",
    ),
    tool(
        "save_note",
        "Salvar como nota",
        Kind::Save(Note),
        "Salva um texto como nota da pessoa. Use quando não for filme, série, vídeo nem link.",
    ),
    tool(
        "save_movie",
        "Salvar como filme",
        Kind::Save(Movie),
        "Salva um filme pelo título, com o ano se for conhecido. Os detalhes vêm depois, do TMDB.",
    ),
    tool(
        "save_tv_show",
        "Salvar como série",
        Kind::Save(TvShow),
        "Salva uma série pelo título, com o ano se for conhecido. Os detalhes vêm depois, do TMDB.",
    ),
    tool(
        "save_video",
        "Salvar como vídeo",
        Kind::Save(Video),
        "Salva o endereço de um vídeo, como YouTube ou Vimeo. Título e autor vêm depois.",
    ),
    tool(
        "save_link",
        "Salvar como link",
        Kind::Save(Link),
        "Salva o endereço de uma página. A prévia vem depois.",
    ),
];

impl ItemTool {
    pub fn find(name: &str) -> Option<&'static Self> {
        ITEM_TOOLS.iter().find(|tool| tool.name == name)
    }

    /// The one that completes what the other saved.
    pub fn that_enriches(kind: ItemKind) -> Option<&'static Self> {
        ITEM_TOOLS.iter().find(|tool| tool.kind == Kind::Enrich(kind))
    }

    pub fn effect(&self) -> ToolEffect {
        match self.kind {
            Kind::Search => ToolEffect::Read,
            Kind::Save(_) | Kind::Enrich(_) => ToolEffect::Write,
        }
    }

    /// It reaches the outside, and may be done twice.
    pub fn is_outside(&self) -> bool {
        matches!(self.kind, Kind::Enrich(_))
    }

    /// The arguments, as a JSON Schema (2020-12).
    pub fn parameters(&self) -> Value {
        match self.kind {
            Kind::Search => search::parameters(),
            Kind::Save(kind) => save::parameters(kind),
            Kind::Enrich(kind) => enrich_parameters(kind),
        }
    }
}

fn enrich_parameters(kind: ItemKind) -> Value {
    let mut properties = json!({
        "item_id": { "type": "string", "format": "uuid", "description": "O item salvo" },
    });
    if matches!(kind, Movie | TvShow) {
        properties["tmdb_id"] = json!({ "type": "integer", "minimum": 1, "maximum": u32::MAX, "description": "Qual deles, quando há vários" });
    }
    args::object(properties, &["item_id"])
}

/// What the call would do: `{"summary", "before", "after"}`. Changes nothing.
pub fn plan(tool: &ItemTool, call: &ItemCall<'_>) -> ToolResult {
    match tool.kind {
        Kind::Search => search::plan(call),
        Kind::Save(kind) => save::plan(kind, call),
        Kind::Enrich(_) => {
            crate::enrich::Wanted::parse(call.params)?;
            Ok(planned("Buscar os detalhes do item.".to_owned(), Value::Null, Value::Null))
        }
    }
}

/// Does it inside the given transaction. The engine writes the audit entry and commits; on an error it rolls back.
pub async fn run(tx: &impl ConnectionTrait, tool: &ItemTool, call: &ItemCall<'_>) -> ToolResult {
    match tool.kind {
        Kind::Search => search::run(tx, call).await,
        Kind::Save(kind) => save::run(tx, kind, call).await,
        Kind::Enrich(_) => Err(ToolFailure::refused("not_runnable", "Os detalhes são buscados fora daqui.")),
    }
}

#[cfg(test)]
#[allow(clippy::expect_used)]
mod tests {
    use super::*;

    #[test]
    fn g2_ten_tools_with_closed_schemas() {
        assert_eq!(ITEM_TOOLS.len(), 10);
        for tool in ITEM_TOOLS {
            let schema = tool.parameters();
            assert_eq!(schema["type"], "object", "{}", tool.name);
            assert_eq!(schema["additionalProperties"], false, "{}", tool.name);
            let properties = schema["properties"].as_object().expect("properties");
            for (name, property) in properties {
                assert!(property["description"].is_string(), "{}.{name}", tool.name);
            }
        }
        assert_eq!(ItemTool::that_enriches(Note), None);
    }
}
