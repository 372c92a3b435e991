//! `save_note`, `save_movie`, `save_tv_show`, `save_video`, `save_link` (G13)

use super::{ItemCall, ToolResult};
use crate::{
    address,
    enrich::{same_address, same_title},
};
use crm::tools::{ToolFailure, args, planned};
use domain::{
    FieldCode, FieldError, ItemId,
    crm::check::paragraph,
    item::{EnrichmentState, ItemDetails, ItemKind, LONGEST_TEXT, LONGEST_TITLE, tags},
    text::parse_line,
};
use sea_orm::ConnectionTrait;
use serde::Deserialize;
use serde_json::{Value, json};
use store::{
    Moment,
    items::{self, NewItem},
};
use time::Duration;

/// Whoever saved it gets to ask first; then the loop of the engine does.
const FIRST_ATTEMPT: Duration = Duration::seconds(1);
const FIRST_FILM: i64 = 1870;
const LAST_FILM: i64 = 2200;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Params {
    text: Option<String>,
    title: Option<String>,
    url: Option<String>,
    year: Option<i64>,
    tmdb_id: Option<i64>,
    #[serde(default)]
    tags: Vec<String>,
}

pub fn parameters(kind: ItemKind) -> Value {
    let tags = json!({
        "type": "array", "items": { "type": "string", "minLength": 1, "maxLength": 40 }, "maxItems": 20,
        "description": "Etiquetas, sem vírgulas",
    });
    let mut properties = json!({ "tags": tags });
    let required = match kind {
        ItemKind::Note => {
            properties["text"] = args::text("O texto da nota", LONGEST_TEXT);
            "text"
        }
        ItemKind::Movie | ItemKind::TvShow => {
            properties["title"] = args::text("O título", LONGEST_TITLE);
            properties["year"] = json!({
                "type": "integer", "minimum": FIRST_FILM, "maximum": LAST_FILM, "description": "O ano de estreia",
            });
            properties["tmdb_id"] = json!({
                "type": "integer", "minimum": 1, "maximum": u32::MAX, "description": "O número no TMDB, se for conhecido",
            });
            "title"
        }
        ItemKind::Video | ItemKind::Link => {
            properties["url"] = args::text("O endereço, com https://", 2_048);
            properties["title"] = args::text("Um título, se não for o da página", LONGEST_TITLE);
            "url"
        }
    };
    args::object(properties, &[required])
}

/// What a schema lets through is checked again: nobody else may fill in a field that this kind does not have.
fn prepare(kind: ItemKind, call: &ItemCall<'_>) -> Result<NewItem, ToolFailure> {
    let params: Params = args::parse(call.params)?;
    let tags = tags(&params.tags)?;
    let required = |field| ToolFailure::from(FieldError::new(field, FieldCode::Required));
    let mut item = NewItem {
        id: ItemId::new(),
        kind,
        title: String::new(),
        has_own_title: false,
        text: None,
        url: None,
        same_as: None,
        tags,
        details: ItemDetails::default(),
        enrichment: EnrichmentState::NotNeeded,
        reason: None,
        next_attempt_at: None,
    };
    match kind {
        ItemKind::Note => {
            let text = paragraph("text", &params.text.ok_or_else(|| required("text"))?, LONGEST_TEXT)?;
            item.title = first_line(&text);
            item.text = Some(text);
            return Ok(item);
        }
        ItemKind::Movie | ItemKind::TvShow => {
            item.title = parse_line("title", &params.title.ok_or_else(|| required("title"))?, LONGEST_TITLE)?;
            item.same_as = params.tmdb_id.map(|id| same_title(kind, id));
            item.details =
                ItemDetails { tmdb_id: params.tmdb_id, year: params.year, ..ItemDetails::default() };
        }
        ItemKind::Video | ItemKind::Link => {
            let text = params.url.ok_or_else(|| required("url"))?;
            let invalid = || ToolFailure::from(FieldError::new("url", FieldCode::Invalid));
            let url = address::parse(text.trim()).ok_or_else(invalid)?;
            item.has_own_title = params.title.is_some();
            item.title = match params.title {
                Some(title) => parse_line("title", &title, LONGEST_TITLE)?,
                None => shown(&url),
            };
            item.same_as = Some(same_address(&url));
            item.url = Some(url.into());
        }
    }
    wait_for_details(&mut item, call.lacks);
    Ok(item)
}

fn wait_for_details(item: &mut NewItem, lacks: Option<&'static str>) {
    item.enrichment = EnrichmentState::Waiting;
    item.reason = lacks.map(str::to_owned);
    // Without anybody to ask there is no moment to name.
    item.next_attempt_at = lacks.is_none().then(|| Moment::now().plus(FIRST_ATTEMPT));
}

/// The title of a note.
fn first_line(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let mut title: String = line.chars().take(80).collect();
    if title.chars().count() < line.chars().count() {
        title.push('…');
    }
    title
}

fn shown(url: &egress::Url) -> String {
    let whole =
        url.as_str().trim_start_matches("https://").trim_start_matches("http://").trim_end_matches('/');
    whole.chars().take(LONGEST_TITLE).collect()
}

pub fn plan(kind: ItemKind, call: &ItemCall<'_>) -> ToolResult {
    let item = prepare(kind, call)?;
    let after =
        json!({ "kind": kind, "title": item.title, "text": item.text, "url": item.url, "tags": item.tags });
    Ok(planned(format!("Salvar: {}.", item.title), Value::Null, after))
}

pub async fn run(tx: &impl ConnectionTrait, kind: ItemKind, call: &ItemCall<'_>) -> ToolResult {
    let saved = items::insert(tx, call.owner, prepare(kind, call)?).await?;
    let item = saved.item;
    let message = match (saved.is_new, kind, call.lacks) {
        (false, ..) => format!("Já estava salvo: {}.", item.title),
        (true, ItemKind::Note, _) => "Nota salva.".to_owned(),
        (true, _, None) => format!("Salvo: {}. Os detalhes vêm em seguida.", item.title),
        (true, _, Some(_)) => {
            format!("Salvo: {}. Faltam os detalhes do TMDB: não há chave configurada.", item.title)
        }
    };
    let missing: Vec<&str> = match item.enrichment.state {
        EnrichmentState::Waiting | EnrichmentState::Several | EnrichmentState::Failed => vec!["details"],
        EnrichmentState::NotNeeded | EnrichmentState::Done => Vec::new(),
    };
    Ok(json!({
        "saved": saved.is_new, "duplicate": !saved.is_new, "message": message, "missing": missing,
        "missing_reason": item.enrichment.reason, "item": item,
    }))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::Owner;
    use domain::TenantId;

    fn prepared(kind: ItemKind, params: Value) -> Result<NewItem, &'static str> {
        let owner = Owner { tenant: TenantId::new(), id: uuid::Uuid::now_v7() };
        prepare(kind, &ItemCall { owner, params: &params, lacks: None }).map_err(|failure| failure.code())
    }

    #[test]
    fn g13_what_is_saved_is_checked_once_more() {
        let note = prepared(ItemKind::Note, json!({ "text": "\n  Comprar pão\ne leite" })).unwrap();
        assert_eq!(
            (note.title.as_str(), note.text.as_deref()),
            ("Comprar pão", Some("Comprar pão\ne leite"))
        );
        assert_eq!(note.enrichment, EnrichmentState::NotNeeded);
        let link = prepared(ItemKind::Link, json!({ "url": "https://Example.org/a/" })).unwrap();
        assert_eq!(
            (link.title.as_str(), link.same_as.as_deref()),
            ("example.org/a", Some("url:example.org/a"))
        );
        let movie = prepared(ItemKind::Movie, json!({ "title": "Matrix", "tmdb_id": 603 })).unwrap();
        assert_eq!(movie.same_as.as_deref(), Some("tmdb:movie:603"));
        for (kind, bad) in [
            (ItemKind::Note, json!({ "text": " " })),
            (ItemKind::Note, json!({ "text": "a\u{0}b" })),
            (ItemKind::Note, json!({ "text": "x", "owner_id": "y" })),
            (ItemKind::Link, json!({ "url": "javascript:alert(1)" })),
            (ItemKind::Link, json!({ "title": "sem endereço" })),
            (ItemKind::Movie, json!({ "title": "a\nb" })),
            (ItemKind::Note, json!({ "text": "x", "tags": ["a,b"] })),
        ] {
            assert_eq!(prepared(kind, bad.clone()).err(), Some("invalid_params"), "{bad}");
        }
    }
}
