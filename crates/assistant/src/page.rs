//! Answers from a page. A page shows the conversation that was moved last, and may be older than what it answers.

use crate::{Assistant, memory_of, state_of};
use ability::{TenantPermit, UseAssistant};
use chat::menu;
use domain::{
    AssistantConversationId, Language, ServiceResult,
    assistant::{AssistantAnswer, AssistantMessageIn, AssistantState},
};
use items::{Owner, owner};
use store::assistant as kept;

impl Assistant {
    /// As [`Assistant::hear`]; but an answer to what is over is explained where the page looks next.
    pub async fn hear_from_page(
        &self,
        permit: &TenantPermit<UseAssistant>,
        mut input: AssistantMessageIn,
        language: Language,
    ) -> ServiceResult<AssistantAnswer> {
        if input.menu_id.is_some()
            && let Some(id) = input.conversation_id
        {
            input.conversation_id = self.meant(owner(permit)?, id, &input.text).await?;
        }
        self.hear(permit, input, language).await
    }

    /// That one, while it goes on, and for a message; else the one that the page shows; nothing, when there is none.
    async fn meant(
        &self,
        owner: Owner,
        id: AssistantConversationId,
        text: &str,
    ) -> ServiceResult<Option<AssistantConversationId>> {
        let conn = self.0.db.reader_of(owner.tenant).await?;
        let found = kept::find(&conn, owner, id).await?;
        let state = found.as_ref().map(state_of);
        let goes_on = state.is_some_and(|state| menu::is_open(state) || state == AssistantState::Running);
        let decided = found.as_ref().and_then(|found| memory_of(found).decided);
        let options = decided.map(|decided| decided.options).unwrap_or_default();
        if goes_on || !menu::is_bare_choice(text, &options) {
            return Ok(found.map(|_| id));
        }
        Ok(kept::newest(&conn, owner).await?.map(|newest| AssistantConversationId(newest.id)))
    }
}
