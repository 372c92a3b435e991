//! Conversations and their messages.

use crate::{
    Crm,
    change::{Change, record},
    moment, not_found, refer, taken,
};
use ability::{CreateCrm, DeleteCrm, ReadCrm, TenantPermit, UpdateCrm};
use domain::version::{changed_meanwhile, is_current};
use domain::{
    ConversationId, ListOut, Page, ServiceResult, TenantId,
    crm::{
        ConversationIn, ConversationOut, ConversationPatch, ConversationQuery, MessageIn, MessageOut,
        MessageQuery,
    },
};
use store::{
    WriteTx,
    crm::{Hold, conversations, messages},
};

impl Crm {
    pub async fn list_conversations(
        &self,
        permit: &TenantPermit<ReadCrm>,
        query: ConversationQuery,
    ) -> ServiceResult<ListOut<ConversationOut>> {
        let page = Page::parse(query.limit, query.cursor.as_deref())?;
        Ok(conversations::list(&self.db.reader_of(permit.tenant()).await?, permit.tenant(), &query, page)
            .await?)
    }

    pub async fn find_conversation(
        &self,
        permit: &TenantPermit<ReadCrm>,
        id: ConversationId,
    ) -> ServiceResult<ConversationOut> {
        let found =
            conversations::find(&self.db.reader_of(permit.tenant()).await?, permit.tenant(), id, Hold::Free)
                .await?;
        found.ok_or_else(|| not_found("conversation"))
    }

    pub async fn create_conversation(
        &self,
        permit: &TenantPermit<CreateCrm>,
        input: ConversationIn,
    ) -> ServiceResult<ConversationOut> {
        let input = input.checked()?;
        let tx = self.db.begin_for(permit.tenant()).await?;
        check_references(&tx, permit.tenant(), &input).await?;
        let agent = refer::agent(&tx, permit.tenant(), input.agent_id.as_ref(), None).await?;
        let made =
            conversations::insert(&tx, permit.tenant(), &input, agent).await.map_err(taken("external_id"))?;
        let change = Change { action: "conversation.create", before: None, after: Some(&made) };
        record(&tx, permit, made.id, change).await?;
        self.db.commit(tx, &[]).await?;
        Ok(made)
    }

    /// `seen` is the version that the change was made from; another by now is a `conflict`.
    pub async fn update_conversation(
        &self,
        permit: &TenantPermit<UpdateCrm>,
        id: ConversationId,
        patch: ConversationPatch,
        seen: Option<i64>,
    ) -> ServiceResult<ConversationOut> {
        let tx = self.db.begin_for(permit.tenant()).await?;
        let found = conversations::find(&tx, permit.tenant(), id, Hold::Change).await?;
        let before = found.ok_or_else(|| not_found("conversation"))?;
        is_current(seen, before.version)?;
        let input = patch.onto(before.clone()).checked()?;
        check_references(&tx, permit.tenant(), &input).await?;
        let agent = refer::agent(&tx, permit.tenant(), input.agent_id.as_ref(), before.agent_id).await?;
        let changed = conversations::update(&tx, permit.tenant(), &before, &input, agent)
            .await
            .map_err(taken("external_id"))?;
        let after = changed.ok_or_else(changed_meanwhile)?;
        let change = Change { action: "conversation.update", before: Some(&before), after: Some(&after) };
        record(&tx, permit, id, change).await?;
        self.db.commit(tx, &[]).await?;
        Ok(after)
    }

    pub async fn delete_conversation(
        &self,
        permit: &TenantPermit<DeleteCrm>,
        id: ConversationId,
        seen: Option<i64>,
    ) -> ServiceResult<()> {
        let tx = self.db.begin_for(permit.tenant()).await?;
        let found = conversations::find(&tx, permit.tenant(), id, Hold::Change).await?;
        let before = found.ok_or_else(|| not_found("conversation"))?;
        is_current(seen, before.version)?;
        conversations::delete(&tx, permit.tenant(), id).await?;
        let change = Change { action: "conversation.delete", before: Some(&before), after: None };
        record(&tx, permit, id, change).await?;
        Ok(self.db.commit(tx, &[]).await?)
    }

    pub async fn list_messages(
        &self,
        permit: &TenantPermit<ReadCrm>,
        conversation: ConversationId,
        query: MessageQuery,
    ) -> ServiceResult<ListOut<MessageOut>> {
        let page = Page::parse(query.limit, query.cursor.as_deref())?;
        self.find_conversation(permit, conversation).await?;
        Ok(messages::list(&self.db.reader_of(permit.tenant()).await?, permit.tenant(), conversation, page)
            .await?)
    }

    pub async fn add_message(
        &self,
        permit: &TenantPermit<CreateCrm>,
        conversation: ConversationId,
        input: MessageIn,
    ) -> ServiceResult<MessageOut> {
        let mut input = input.checked()?;
        input.sent_at = input.sent_at.as_ref().map(|stamp| moment("sent_at", stamp)).transpose()?;
        let (tx, tenant) = (self.db.begin_for(permit.tenant()).await?, permit.tenant());
        let found = conversations::find(&tx, tenant, conversation, Hold::Still).await?;
        found.ok_or_else(|| not_found("conversation"))?;
        let made = messages::insert(&tx, tenant, conversation, &input, &permit.caller().name).await?;
        let change = Change { action: "message.create", before: None, after: Some(&made) };
        record(&tx, permit, made.id, change).await?;
        self.db.commit(tx, &[]).await?;
        Ok(made)
    }
}

async fn check_references(tx: &WriteTx, tenant: TenantId, input: &ConversationIn) -> ServiceResult<()> {
    refer::contact(tx, tenant, input.contact_id).await?;
    refer::member(tx, tenant, "assigned_to", input.assigned_to).await
}
