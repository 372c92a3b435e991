//! Turns of a conversation that is there already. Devices do not wait for each other: of two messages at once one moves
//! the conversation, and the other looks again at where it stands now.

use crate::{
    Assistant, Found, Speaker, answer, has_stopped, memory_of, moved, name_menu, state_of, version_after,
};
use chat::menu::{self, Meanwhile, Memory, Next, Texts};
use domain::{
    AssistantConversationId, AssistantMenuId, ErrorCode, ServiceResult,
    assistant::{AssistantAnswer, AssistantState},
};
use store::{
    Moment,
    assistant::{Conversation, Turn},
};

/// More often than this nobody is overtaken.
const TRIES: usize = 16;

impl Assistant {
    pub(crate) async fn turn(
        &self,
        speaker: &Speaker,
        id: AssistantConversationId,
        (text, mut seen): (&str, Option<AssistantMenuId>),
    ) -> ServiceResult<AssistantAnswer> {
        for _ in 0..TRIES {
            let now = self.find(speaker.owner, id).await?;
            let found = memory_of(&now).menu;
            let answer = match state_of(&now) {
                AssistantState::Running => self.meanwhile(speaker, now, (text, seen)).await?,
                _ => self.go_on(speaker, Some(now), (text, seen)).await?,
            };
            match answer {
                Some(answer) => return Ok(answer),
                // What opens meanwhile is not what this answers: its numbers mean something else.
                None => seen = seen.or(found).or_else(|| Some(AssistantMenuId::new())),
            }
        }
        self.overtaken(speaker, id, seen).await
    }

    /// A tool runs, or whoever ran it is gone.
    async fn meanwhile(
        &self,
        speaker: &Speaker,
        now: Conversation,
        (text, seen): (&str, Option<AssistantMenuId>),
    ) -> ServiceResult<Option<AssistantAnswer>> {
        let (found, is_over) = (Found::in_text(text), has_stopped(&now));
        let (said, tools) = (found.said(text, seen), self.tools(speaker).await?);
        let (after, reply) = match menu::meanwhile(&memory_of(&now), said, &tools, speaker.language) {
            Meanwhile::Told(reply) => (now, reply),
            Meanwhile::Waits(memory, reply) => {
                let after = Conversation {
                    version: version_after(Some(&now)),
                    memory: serde_json::to_string(&memory).unwrap_or_default(),
                    updated_at: Moment::now(),
                    ..now
                };
                let lines = vec![(true, text.to_owned()), (false, reply.clone())];
                if !self.0.desk.write(Turn::moving(after.clone(), lines)).await? {
                    return Ok(None);
                }
                (after, reply)
            }
        };
        if is_over {
            return self.perform(speaker, after).await.map(Some);
        }
        Ok(Some(still_running(&after, reply)))
    }

    pub(crate) async fn run(
        &self,
        speaker: &Speaker,
        running: Conversation,
    ) -> ServiceResult<AssistantAnswer> {
        let (next, execution) = match self.outcome(speaker, &running).await {
            Ok(outcome) => outcome,
            Err(error) if error.code == ErrorCode::IdempotencyInProgress => {
                let reply = Texts(speaker.language).still_running().to_owned();
                return Ok(still_running(&running, reply));
            }
            Err(error) => return Err(error),
        };
        let Memory { turn, menu: seen, .. } = memory_of(&running);
        let (id, mut running) = (AssistantConversationId(running.id), running);
        for _ in 0..TRIES {
            let before = memory_of(&running);
            if state_of(&running) != AssistantState::Running || before.turn != turn {
                break;
            }
            let tools = if before.waiting.is_empty() { Vec::new() } else { self.tools(speaker).await? };
            let mut next = menu::close(next.clone(), &before, &tools, speaker.language);
            name_menu(Some(&before), &mut next);
            let after = moved(speaker.owner, Some(&running), &next);
            let lines = vec![(false, next.reply.clone())];
            if self.0.desk.write(Turn::moving(after.clone(), lines)).await? {
                return Ok(answer(&after, next, execution));
            }
            // A message that came meanwhile was added to what waits.
            running = self.find(speaker.owner, id).await?;
        }
        self.overtaken(speaker, id, seen).await
    }

    /// Somebody else moved the conversation: this message did nothing, and is told what came of it.
    async fn overtaken(
        &self,
        speaker: &Speaker,
        id: AssistantConversationId,
        seen: Option<AssistantMenuId>,
    ) -> ServiceResult<AssistantAnswer> {
        let now = self.find(speaker.owner, id).await?;
        let (state, memory, t) = (state_of(&now), memory_of(&now), Texts(speaker.language));
        let is_open = menu::is_open(state);
        let why = match &memory.decided {
            Some(decided) if !is_open || decided.menu == seen => t.already_decided(&decided.outcome),
            _ => t.chosen_elsewhere().to_owned(),
        };
        let reply = if is_open { menu::options_again(&why, &memory) } else { why };
        Ok(answer(&now, Next { state, memory, reply }, None))
    }
}

fn still_running(now: &Conversation, reply: String) -> AssistantAnswer {
    answer(now, Next { state: AssistantState::Running, memory: Memory::default(), reply }, None)
}
