//! What came of a choice: the tool is called, the details are looked for, and the person is told.

use crate::{Assistant, Speaker, memory_of};
use chat::menu::{self, Memory, Next, Run, Texts};
use domain::{
    ErrorCode, ItemId, ServiceError, ServiceResult,
    assistant::AssistantState,
    execution::{ExecutionAnswer, ExecutionStatus},
    item::{ItemDetails, ItemKind, ItemMatch, ItemOut},
};
use engine::{Call, Called, CalledTool};
use items::sources::NOT_CONFIGURED;
use serde_json::Value;
use store::assistant::Conversation;

type Outcome = (Next, Option<ExecutionAnswer>);

impl Assistant {
    pub(crate) async fn outcome(&self, speaker: &Speaker, running: &Conversation) -> ServiceResult<Outcome> {
        let memory = memory_of(running);
        // The same for every try of this turn, and for no other.
        let key = format!("assistant-{}-{}", running.id, memory.turn);
        match memory.running.clone() {
            Some(Run::Tool { tool, params }) => {
                self.tool(speaker, running, &memory, (tool, params), key).await
            }
            Some(Run::Match { item, kind, tmdb_id }) => {
                let called =
                    self.0.engine.enrich_as(speaker.permit.clone(), item, kind, tmdb_id, Some(key)).await?;
                let reply = told(speaker, kind, "", Some(&called.answer));
                Ok((Next::end(AssistantState::Done, reply), Some(called.answer)))
            }
            None => Ok((Next::end(AssistantState::Expired, Texts(speaker.language).expired()), None)),
        }
    }

    async fn tool(
        &self,
        speaker: &Speaker,
        running: &Conversation,
        memory: &Memory,
        (tool, params): (String, Value),
        key: String,
    ) -> ServiceResult<Outcome> {
        let call = Call {
            permit: speaker.permit.clone(),
            tool: CalledTool::Name(tool.clone()),
            agent: None,
            conversation: Some(running.id.to_string()),
            message: None,
            params,
            test_mode: false,
            idempotency_key: Some(key),
        };
        match self.0.engine.call(call).await {
            Ok(Called { answer, .. }) => {
                let next = self.saved(speaker, &answer).await;
                Ok((next, Some(answer)))
            }
            Err(error) => Ok((self.refused(speaker, memory, &tool, error).await?, None)),
        }
    }

    /// The gate said no: told, with the menu as it is now. What may work later is not the person's fault.
    async fn refused(
        &self,
        speaker: &Speaker,
        memory: &Memory,
        tool: &str,
        error: ServiceError,
    ) -> ServiceResult<Next> {
        let t = Texts(speaker.language);
        let label = engine::registry::find(tool).map(|known| known.label.in_language(speaker.language));
        let why = match error.code {
            ErrorCode::ToolDisabled => t.switched_off(label.unwrap_or(tool)),
            ErrorCode::Forbidden | ErrorCode::ToolNotFound => t.not_allowed().to_owned(),
            ErrorCode::RateLimited => t.too_often(error.retry_after.unwrap_or(1)),
            ErrorCode::InvalidParams | ErrorCode::ValidationFailed => t.failed(&error.detail),
            _ => return Err(error),
        };
        let tools = self.tools(speaker).await?;
        Ok(menu::menu_again(memory, &tools, speaker.language, &why))
    }

    async fn saved(&self, speaker: &Speaker, answer: &ExecutionAnswer) -> Next {
        let t = Texts(speaker.language);
        let done = |reply: String| Next::end(AssistantState::Done, reply);
        if answer.status == ExecutionStatus::Pending {
            return done(t.waits().to_owned());
        }
        let result = answer.result.as_ref().filter(|_| answer.success);
        let item = result.and_then(|result| serde_json::from_value::<ItemOut>(result["item"].clone()).ok());
        let Some((result, item)) = result.zip(item) else {
            return done(t.failed(answer.error_message.as_deref().unwrap_or_default()));
        };
        if result["duplicate"] == true {
            return done(t.already_saved(&item.title));
        }
        if item.kind == ItemKind::Note {
            return done(t.note_saved().to_owned());
        }
        self.completed(speaker, &item).await
    }

    /// The details, when they come at once.
    async fn completed(&self, speaker: &Speaker, item: &ItemOut) -> Next {
        let t = Texts(speaker.language);
        let looked = self.0.engine.enrich_now(speaker.permit.clone(), item.id, item.kind).await;
        let answer = match looked {
            Ok(Some(called)) => called.answer,
            Ok(None) if item.enrichment.reason.as_deref() == Some(NOT_CONFIGURED) => {
                return Next::end(AssistantState::Done, with(speaker, item.kind, &item.title, t.no_key()));
            }
            Ok(None) => {
                return Next::end(
                    AssistantState::Done,
                    with(speaker, item.kind, &item.title, t.details_later()),
                );
            }
            Err(error) => {
                tracing::debug!(%error, "the details of an item come later");
                return Next::end(AssistantState::Done, with(speaker, item.kind, &item.title, t.try_later()));
            }
        };
        match matches(&answer) {
            Some(matches) => {
                menu::ask_which(ItemId(item.id.0), item.kind, matches, &item.title, speaker.language)
            }
            None => Next::end(AssistantState::Done, told(speaker, item.kind, &item.title, Some(&answer))),
        }
    }
}

fn matches(answer: &ExecutionAnswer) -> Option<Vec<ItemMatch>> {
    let found = answer.result.as_ref()?.get("matches")?.clone();
    serde_json::from_value::<Vec<ItemMatch>>(found).ok().filter(|found| !found.is_empty())
}

/// What a look for details brought, in words.
fn told(speaker: &Speaker, kind: ItemKind, title: &str, answer: Option<&ExecutionAnswer>) -> String {
    let t = Texts(speaker.language);
    let Some(answer) = answer else { return with(speaker, kind, title, t.details_later()) };
    if let Some(result) = answer.result.as_ref().filter(|_| answer.success) {
        let found = result["title"].as_str().unwrap_or(title);
        if !result["duplicate_of"].is_null() {
            return t.already_saved(found);
        }
        let details: ItemDetails = serde_json::from_value(result["details"].clone()).unwrap_or_default();
        let label = details.year.map_or_else(|| found.to_owned(), |year| format!("{found} ({year})"));
        return t.saved(icon(kind), &label);
    }
    let missing = match answer.error_code.as_deref().unwrap_or_default() {
        NOT_CONFIGURED => t.no_key(),
        "not_found" if matches!(kind, ItemKind::Movie | ItemKind::TvShow) => t.unknown_title(),
        "not_found" | "private" | "no_preview" | "not_a_page" | "blocked_address" | "https_required"
        | "redirected" | "refused" | "invalid_url" => t.no_preview(),
        _ => t.try_later(),
    };
    with(speaker, kind, title, missing)
}

fn with(speaker: &Speaker, kind: ItemKind, title: &str, more: &str) -> String {
    format!("{} {more}", Texts(speaker.language).saved(icon(kind), title))
}

fn icon(kind: ItemKind) -> &'static str {
    match kind {
        ItemKind::Note => "💡",
        ItemKind::Movie => "🎬",
        ItemKind::TvShow => "📺",
        ItemKind::Video => "🎥",
        ItemKind::Link => "🔗",
    }
}
