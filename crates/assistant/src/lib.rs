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
mod phones;

pub use inbound::Delivered;

use ability::{TenantPermit, UseAssistant};
use accounts::Accounts;
use channels::Channels;
use chat::menu::{self, Memory, MenuTool, Next, Said, Standing, Texts};
use desk::Desk;
use domain::{
    AssistantConversationId, ErrorCode, FieldCode, Language, ServiceError, ServiceResult,
    assistant::{
        AssistantAnswer, AssistantConversationOut, AssistantMessageIn, AssistantState, LONGEST_MESSAGE,
    },
    execution::ExecutionAnswer,
};
use engine::{CallPermit, Engine};
use items::{Owner, address, owner};
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
        let speaker = Speaker { owner: owner(permit)?, permit: permit.clone().into(), language };
        let text = checked(&input.text)?;
        let now = match input.conversation_id {
            Some(id) => Some(self.find(speaker.owner, id).await?),
            None => None,
        };
        match &now {
            Some(now) if now.state == AssistantState::Running.as_str() => self.resume(&speaker, now).await,
            _ => self.go_on(&speaker, now, &text).await,
        }
    }

    /// The conversation as a page shows it: that one, or the newest; nothing, when there is none.
    pub async fn look(
        &self,
        permit: &TenantPermit<UseAssistant>,
        id: Option<AssistantConversationId>,
    ) -> ServiceResult<Option<AssistantConversationOut>> {
        let owner = owner(permit)?;
        let conn = self.0.db.reader_of(owner.tenant).await?;
        let found = match id {
            Some(id) => Some(kept::find(&conn, owner, id).await?.ok_or_else(no_conversation)?),
            None => kept::newest(&conn, owner).await?,
        };
        let Some(now) = found else { return Ok(None) };
        let (state, memory) = (state_of(&now), memory_of(&now));
        let is_over = is_open(state) && now.expires_at.is_past();
        Ok(Some(AssistantConversationOut {
            id: AssistantConversationId(now.id),
            state: if is_over { AssistantState::Expired } else { state },
            lines: kept::lines(&conn, &now, SHOWN).await?,
            options: if is_open(state) && !is_over { memory.options } else { Vec::new() },
        }))
    }

    async fn find(&self, owner: Owner, id: AssistantConversationId) -> ServiceResult<Conversation> {
        let conn = self.0.db.reader_of(owner.tenant).await?;
        kept::find(&conn, owner, id).await?.ok_or_else(no_conversation)
    }

    async fn go_on(
        &self,
        speaker: &Speaker,
        now: Option<Conversation>,
        text: &str,
    ) -> ServiceResult<AssistantAnswer> {
        let tools = self.tools(speaker).await?;
        let standing = now.as_ref().map(standing);
        let link = address::first_in(text);
        let is_video = link.as_ref().is_some_and(|url| address::video(url).is_some());
        let said = Said { text, link: link.as_ref().map(|url| url.as_str()), is_video };
        let next = menu::step(standing.as_ref(), said, &tools, speaker.language);
        let is_running = next.state == AssistantState::Running;
        let mut lines = vec![(true, text.to_owned())];
        if !is_running {
            lines.push((false, next.reply.clone()));
        }
        let after = moved(speaker.owner, now.as_ref(), &next);
        if !self.0.desk.write(Turn { conversation: after.clone(), lines }).await? {
            return self.too_late(speaker, AssistantConversationId(after.id)).await;
        }
        if is_running {
            return self.perform(speaker, after).await;
        }
        Ok(answer(&after, next, None))
    }

    /// Somebody else moved the conversation: this message did nothing.
    async fn too_late(
        &self,
        speaker: &Speaker,
        id: AssistantConversationId,
    ) -> ServiceResult<AssistantAnswer> {
        let now = self.find(speaker.owner, id).await?;
        let (state, memory) = (state_of(&now), memory_of(&now));
        let options = if is_open(state) { memory.options.clone() } else { Vec::new() };
        let reply = Texts(speaker.language).chosen_elsewhere().to_owned();
        Ok(AssistantAnswer { conversation_id: id, state, reply, options, execution: None })
    }

    /// A tool runs, or whoever ran it is gone.
    async fn resume(&self, speaker: &Speaker, now: &Conversation) -> ServiceResult<AssistantAnswer> {
        if now.updated_at.plus(STOPPED).is_past() {
            return self.perform(speaker, now.clone()).await;
        }
        let reply = Texts(speaker.language).still_running();
        Ok(answer(
            now,
            Next { state: AssistantState::Running, memory: Memory::default(), reply: reply.to_owned() },
            None,
        ))
    }

    /// In a task of its own: whoever hangs up leaves nothing half done.
    async fn perform(&self, speaker: &Speaker, running: Conversation) -> ServiceResult<AssistantAnswer> {
        let (assistant, speaker) = (self.clone(), speaker.clone());
        let work = tokio::spawn(async move { assistant.run(&speaker, running).await });
        work.await.map_err(|_| ServiceError::new(ErrorCode::Internal, "The choice ended badly."))?
    }

    async fn run(&self, speaker: &Speaker, running: Conversation) -> ServiceResult<AssistantAnswer> {
        let outcome = match self.outcome(speaker, &running).await {
            Ok(outcome) => outcome,
            Err(error) if error.code == ErrorCode::IdempotencyInProgress => {
                let reply = Texts(speaker.language).still_running().to_owned();
                let next = Next { state: AssistantState::Running, memory: Memory::default(), reply };
                return Ok(answer(&running, next, None));
            }
            Err(error) => return Err(error),
        };
        let (next, execution) = outcome;
        let after = moved(speaker.owner, Some(&running), &next);
        let lines = vec![(false, next.reply.clone())];
        if !self.0.desk.write(Turn { conversation: after.clone(), lines }).await? {
            return self.too_late(speaker, AssistantConversationId(after.id)).await;
        }
        Ok(answer(&after, next, execution))
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

fn is_open(state: AssistantState) -> bool {
    matches!(state, AssistantState::AwaitingChoice | AssistantState::AwaitingDetails)
}

fn moved(owner: Owner, before: Option<&Conversation>, next: &Next) -> Conversation {
    let now = Moment::now();
    Conversation {
        id: before.map_or_else(|| AssistantConversationId::new().0, |before| before.id),
        tenant_id: owner.tenant.0,
        owner_id: owner.id,
        state: next.state.to_string(),
        version: before.map_or(0, |before| before.version) + 1,
        memory: serde_json::to_string(&next.memory).unwrap_or_default(),
        expires_at: now.plus(LIFETIME),
        created_at: before.map_or(now, |before| before.created_at),
        updated_at: now,
    }
}

fn answer(after: &Conversation, next: Next, execution: Option<ExecutionAnswer>) -> AssistantAnswer {
    AssistantAnswer {
        conversation_id: AssistantConversationId(after.id),
        state: next.state,
        reply: next.reply,
        options: if is_open(next.state) { next.memory.options } else { Vec::new() },
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
