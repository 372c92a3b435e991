//! The assistant without a model (G9): keeps conversations, runs what was chosen, answers.
//!
//! The state machine itself is [`chat::menu`], which knows nothing of this. A crate of its own, because it stands above
//! the engine: it calls tools as any other caller does, through the gate and into the record, and nothing in the engine
//! knows that somebody talks.
//!
//! What a conversation is about to do is durable before it is done, under a key that makes doing it twice the same as
//! once. So a process that ends in the middle loses nothing: the next message, or the next look, finishes it.

mod desk;
mod inbound;
mod outcome;
mod page;
mod phones;
mod turns;

pub use inbound::Delivered;

use ability::{TenantPermit, UseAssistant};
use accounts::Accounts;
use channels::Channels;
use chat::menu::{self, Memory, MenuTool, Next, Said, Standing};
use desk::Desk;
use domain::{
    AssistantConversationId, AssistantMenuId, ErrorCode, FieldCode, Language, ServiceError, ServiceResult,
    assistant::{
        AssistantAnswer, AssistantConversationOut, AssistantMessageIn, AssistantState, LONGEST_MESSAGE,
    },
    execution::ExecutionAnswer,
};
use engine::{CallPermit, Engine};
use items::{Owner, address, address::Url, owner};
use std::sync::Arc;
use store::{
    Database, Moment,
    assistant::{self as kept, Conversation, Turn},
};
use time::Duration;

/// How long a menu can be answered.
const LIFETIME: Duration = Duration::minutes(30);
/// Longer than any tool of ours takes: whoever has not finished by then has stopped.
const STOPPED: Duration = Duration::seconds(45);
/// As many lines as a page shows.
const SHOWN: u64 = 100;

/// Cheap to clone.
#[derive(Clone)]
pub struct Assistant(Arc<Shared>);

struct Shared {
    db: Database,
    engine: Engine,
    accounts: Accounts,
    channels: Channels,
    desk: Desk,
}

/// Who talks, and in which language.
#[derive(Clone)]
struct Speaker {
    permit: CallPermit,
    owner: Owner,
    language: Language,
}

impl Speaker {
    fn of(permit: &TenantPermit<UseAssistant>, language: Language) -> ServiceResult<Self> {
        Ok(Self { owner: owner(permit)?, permit: permit.clone().into(), language })
    }
}

/// The address in a text.
struct Found(Option<Url>);

impl Found {
    fn in_text(text: &str) -> Self {
        Self(address::first_in(text))
    }

    fn said<'a>(&'a self, text: &'a str, menu: Option<AssistantMenuId>) -> Said<'a> {
        let is_video = self.0.as_ref().is_some_and(|url| address::video(url).is_some());
        Said { text, link: self.0.as_ref().map(Url::as_str), is_video, menu }
    }
}

impl Assistant {
    pub fn new(db: Database, engine: Engine, accounts: Accounts, channels: Channels) -> Self {
        let desk = Desk::start(&db);
        Self(Arc::new(Shared { db, engine, accounts, channels, desk }))
    }

    /// One message, one answer.
    pub async fn hear(
        &self,
        permit: &TenantPermit<UseAssistant>,
        input: AssistantMessageIn,
        language: Language,
    ) -> ServiceResult<AssistantAnswer> {
        let speaker = Speaker::of(permit, language)?;
        let text = checked(&input.text)?;
        let Some(id) = input.conversation_id else {
            // What is new is moved by nobody else.
            return self.go_on(&speaker, None, (&text, input.menu_id)).await?.ok_or_else(no_conversation);
        };
        self.turn(&speaker, id, (&text, input.menu_id)).await
    }

    /// The conversation as a page shows it: that one, or the newest; nothing, when there is none.
    pub async fn look(
        &self,
        permit: &TenantPermit<UseAssistant>,
        id: Option<AssistantConversationId>,
        language: Language,
    ) -> ServiceResult<Option<AssistantConversationOut>> {
        let owner = owner(permit)?;
        let found = match id {
            Some(id) => Some(self.find(owner, id).await?),
            None => kept::newest(&self.0.db.reader_of(owner.tenant).await?, owner).await?,
        };
        let Some(mut now) = found else { return Ok(None) };
        if state_of(&now) == AssistantState::Running && has_stopped(&now) {
            self.perform(&Speaker::of(permit, language)?, now.clone()).await?;
            now = self.find(owner, AssistantConversationId(now.id)).await?;
        }
        let conn = self.0.db.reader_of(owner.tenant).await?;
        let (state, memory) = (state_of(&now), memory_of(&now));
        let is_over = menu::is_open(state) && now.expires_at.is_past();
        let memory = if menu::is_open(state) && !is_over { memory } else { Memory::default() };
        Ok(Some(AssistantConversationOut {
            id: AssistantConversationId(now.id),
            state: if is_over { AssistantState::Expired } else { state },
            lines: kept::lines(&conn, &now, SHOWN).await?,
            options: memory.options,
            menu_id: memory.menu,
        }))
    }

    async fn find(&self, owner: Owner, id: AssistantConversationId) -> ServiceResult<Conversation> {
        let conn = self.0.db.reader_of(owner.tenant).await?;
        kept::find(&conn, owner, id).await?.ok_or_else(no_conversation)
    }

    /// Nothing, when somebody else moved the conversation first: this message did nothing.
    async fn go_on(
        &self,
        speaker: &Speaker,
        now: Option<Conversation>,
        (text, menu): (&str, Option<AssistantMenuId>),
    ) -> ServiceResult<Option<AssistantAnswer>> {
        let tools = self.tools(speaker).await?;
        let standing = now.as_ref().map(standing);
        let found = Found::in_text(text);
        let mut next = menu::step(standing.as_ref(), found.said(text, menu), &tools, speaker.language);
        let is_running = next.state == AssistantState::Running;
        if is_running {
            next.memory.turn = version_after(now.as_ref());
        }
        let mut lines = vec![(true, text.to_owned())];
        if !is_running {
            lines.push((false, next.reply.clone()));
        }
        if let (Some(now), Some(standing)) = (&now, &standing)
            && next.memory == standing.memory
            && next.state == standing.state
            && !menu::is_open(next.state)
        {
            return self.told(now, lines, next).await.map(Some);
        }
        name_menu(standing.as_ref().map(|standing| &standing.memory), &mut next);
        let after = moved(speaker.owner, now.as_ref(), &next);
        if !self.0.desk.write(Turn::moving(after.clone(), lines)).await? {
            return Ok(None);
        }
        if is_running {
            return self.perform(speaker, after).await.map(Some);
        }
        Ok(Some(answer(&after, next, None)))
    }

    /// What is over stays as it is: only what was said is added.
    async fn told(
        &self,
        now: &Conversation,
        lines: Vec<(bool, String)>,
        next: Next,
    ) -> ServiceResult<AssistantAnswer> {
        let conversation = Conversation { updated_at: Moment::now(), ..now.clone() };
        self.0.desk.write(Turn { conversation, lines, is_moving: false }).await?;
        Ok(answer(now, next, None))
    }

    /// In a task of its own: whoever hangs up leaves nothing half done.
    async fn perform(&self, speaker: &Speaker, running: Conversation) -> ServiceResult<AssistantAnswer> {
        let (assistant, speaker) = (self.clone(), speaker.clone());
        let work = tokio::spawn(async move { assistant.run(&speaker, running).await });
        work.await.map_err(|_| ServiceError::new(ErrorCode::Internal, "The choice ended badly."))?
    }

    /// G8: what is enabled now and what this person may use.
    async fn tools(&self, speaker: &Speaker) -> ServiceResult<Vec<MenuTool>> {
        let tools = self.0.engine.save_tools(&speaker.permit).await?;
        let shown = |tool: &engine::registry::ToolDefinition| MenuTool {
            name: tool.name.to_owned(),
            icon: tool.icon.to_owned(),
            label: tool.label.in_language(speaker.language).to_owned(),
        };
        Ok(tools.into_iter().map(shown).collect())
    }
}

/// What nobody can see is nothing; what no database can keep is left out.
fn checked(text: &str) -> ServiceResult<String> {
    if text.chars().count() > LONGEST_MESSAGE {
        return Err(ServiceError::field("text", FieldCode::TooLong));
    }
    let kept = |c: &char| !c.is_control() || matches!(c, '\n' | '\t');
    let text: String = text.replace("\r\n", "\n").chars().filter(kept).collect();
    if menu::clean(&text).is_empty() {
        return Err(ServiceError::field("text", FieldCode::Required));
    }
    Ok(text.trim().to_owned())
}

fn standing(now: &Conversation) -> Standing {
    Standing { state: state_of(now), memory: memory_of(now), is_expired: now.expires_at.is_past() }
}

/// A state that no version knows is over: a message begins anew.
fn state_of(now: &Conversation) -> AssistantState {
    now.state.parse().unwrap_or(AssistantState::Expired)
}

fn memory_of(now: &Conversation) -> Memory {
    serde_json::from_str(&now.memory).unwrap_or_default()
}

/// Whoever ran it is gone. The time counts from the choice, whatever was said since.
fn has_stopped(running: &Conversation) -> bool {
    running.expires_at.plus(STOPPED - LIFETIME).is_past()
}

fn version_after(before: Option<&Conversation>) -> i64 {
    before.map_or(0, |before| before.version) + 1
}

/// What can be chosen is known by its own name, until something else can.
fn name_menu(before: Option<&Memory>, next: &mut Next) {
    if menu::is_open(next.state) && !before.is_some_and(|before| menu::is_same_menu(before, &next.memory)) {
        next.memory.menu = Some(AssistantMenuId::new());
    }
}

fn moved(owner: Owner, before: Option<&Conversation>, next: &Next) -> Conversation {
    let now = Moment::now();
    Conversation {
        id: before.map_or_else(|| AssistantConversationId::new().0, |before| before.id),
        tenant_id: owner.tenant.0,
        owner_id: owner.id,
        state: next.state.to_string(),
        version: version_after(before),
        memory: serde_json::to_string(&next.memory).unwrap_or_default(),
        expires_at: now.plus(LIFETIME),
        created_at: before.map_or(now, |before| before.created_at),
        updated_at: now,
    }
}

fn answer(after: &Conversation, next: Next, execution: Option<ExecutionAnswer>) -> AssistantAnswer {
    let memory = if menu::is_open(next.state) { next.memory } else { Memory::default() };
    AssistantAnswer {
        conversation_id: AssistantConversationId(after.id),
        state: next.state,
        reply: next.reply,
        options: memory.options,
        menu_id: memory.menu,
        execution,
    }
}

fn no_conversation() -> ServiceError {
    ServiceError::new(ErrorCode::NotFound, "There is no such conversation.")
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn g9_a_message_is_something_that_can_be_seen_and_kept() {
        for nothing in ["", "  \n", "\u{200b}\u{202e}", "\u{0}", "\u{feff}"] {
            assert!(checked(nothing).is_err(), "{nothing:?}");
        }
        assert!(checked(&"x".repeat(100_000)).is_err());
        assert_eq!(checked("🤷").unwrap(), "🤷");
        assert_eq!(checked(" a\u{0}b\r\nc ").unwrap(), "ab\nc");
        assert!(checked(&"é".repeat(LONGEST_MESSAGE)).is_ok());
    }
}
