//! Turns of a conversation that is there already. Devices do not wait for each other: of two messages at once one moves
//! the conversation, and the other looks again at where it stands now.

use crate::{Assistant, Found, Speaker, answer, has_stopped, memory_of, moved, state_of, version_after};
use chat::menu::{self, Meanwhile, Memory, Next, Texts};
use domain::{
    AssistantConversationId, ErrorCode, ServiceResult,
    assistant::{AssistantAnswer, AssistantOption, AssistantState},
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
        text: &str,
    ) -> ServiceResult<AssistantAnswer> {
        let mut seen: Option<Vec<AssistantOption>> = None;
        for _ in 0..TRIES {
            let now = self.find(speaker.owner, id).await?;
            let (state, options) = (state_of(&now), memory_of(&now).options);
            let is_other_menu = seen.as_ref().is_some_and(|seen| *seen != options) && menu::is_open(state);
            let answer = match seen {
                // The number meant something else when it was sent.
                Some(seen) if is_other_menu && menu::is_bare_choice(text, &seen) => break,
                _ if state == AssistantState::Running => self.meanwhile(speaker, now, text).await?,
                _ => self.go_on(speaker, Some(now), text).await?,
            };
            match answer {
                Some(answer) => return Ok(answer),
                None => seen = Some(options),
            }
        }
        self.overtaken(speaker, id).await
    }

    /// A tool runs, or whoever ran it is gone.
    async fn meanwhile(
        &self,
        speaker: &Speaker,
        now: Conversation,
        text: &str,
    ) -> ServiceResult<Option<AssistantAnswer>> {
        let (found, is_over) = (Found::in_text(text), has_stopped(&now));
        let (after, reply) = match menu::meanwhile(&memory_of(&now), found.said(text), speaker.language) {
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
        let (id, turn, mut running) =
            (AssistantConversationId(running.id), memory_of(&running).turn, running);
        for _ in 0..TRIES {
            let before = memory_of(&running);
            if state_of(&running) != AssistantState::Running || before.turn != turn {
                break;
            }
            let tools = if before.waiting.is_empty() { Vec::new() } else { self.tools(speaker).await? };
            let next = menu::close(next.clone(), &before, &tools, speaker.language);
            let after = moved(speaker.owner, Some(&running), &next);
            let lines = vec![(false, next.reply.clone())];
            if self.0.desk.write(Turn::moving(after.clone(), lines)).await? {
                return Ok(answer(&after, next, execution));
            }
            // A message that came meanwhile was added to what waits.
            running = self.find(speaker.owner, id).await?;
        }
        self.overtaken(speaker, id).await
    }

    /// Somebody else moved the conversation: this message did nothing, and is told what came of it.
    async fn overtaken(
        &self,
        speaker: &Speaker,
        id: AssistantConversationId,
    ) -> ServiceResult<AssistantAnswer> {
        let now = self.find(speaker.owner, id).await?;
        let (state, memory, t) = (state_of(&now), memory_of(&now), Texts(speaker.language));
        let reply = match &memory.decided {
            Some(decided) => t.already_decided(&decided.outcome),
            None => t.chosen_elsewhere().to_owned(),
        };
        Ok(answer(&now, Next { state, memory, reply }, None))
    }
}

fn still_running(now: &Conversation, reply: String) -> AssistantAnswer {
    answer(now, Next { state: AssistantState::Running, memory: Memory::default(), reply }, None)
}
