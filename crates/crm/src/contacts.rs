//! Contacts.

use crate::{
    Crm,
    change::{Change, record},
    not_found, taken,
};
use ability::{CreateCrm, DeleteCrm, ReadCrm, TenantPermit, UpdateCrm};
use domain::version::{changed_meanwhile, is_current};
use domain::{
    ContactId, ListOut, Page, ServiceResult, TenantId,
    crm::{ContactHistoryOut, ContactIn, ContactOut, ContactPatch, ContactQuery, HistoryQuery},
};
use sea_orm::ConnectionTrait;
use store::{
    StoreResult,
    crm::{Hold, contacts, deals, messages, messages::Notes, tasks},
};

impl Crm {
    pub async fn list_contacts(
        &self,
        permit: &TenantPermit<ReadCrm>,
        query: ContactQuery,
    ) -> ServiceResult<ListOut<ContactOut>> {
        let page = Page::parse(query.limit, query.cursor.as_deref())?;
        let text = query.q.as_deref().filter(|text| !text.trim().is_empty());
        Ok(contacts::list(
            &self.db.reader_of(permit.tenant()).await?,
            permit.tenant(),
            query.status,
            text,
            page,
        )
        .await?)
    }

    pub async fn find_contact(
        &self,
        permit: &TenantPermit<ReadCrm>,
        id: ContactId,
    ) -> ServiceResult<ContactOut> {
        let found =
            contacts::find(&self.db.reader_of(permit.tenant()).await?, permit.tenant(), id, Hold::Free)
                .await?;
        found.ok_or_else(|| not_found("contact"))
    }

    pub async fn create_contact(
        &self,
        permit: &TenantPermit<CreateCrm>,
        input: ContactIn,
    ) -> ServiceResult<ContactOut> {
        let input = input.checked()?;
        let tx = self.db.begin_for(permit.tenant()).await?;
        let made = contacts::insert(&tx, permit.tenant(), &input).await.map_err(taken("external_id"))?;
        let change = Change { action: "contact.create", before: None, after: Some(&made) };
        record(&tx, permit, made.id, change).await?;
        self.db.commit(tx, &[]).await?;
        Ok(made)
    }

    /// `seen` is the version that the change was made from; another by now is a `conflict`.
    pub async fn update_contact(
        &self,
        permit: &TenantPermit<UpdateCrm>,
        id: ContactId,
        patch: ContactPatch,
        seen: Option<i64>,
    ) -> ServiceResult<ContactOut> {
        let tx = self.db.begin_for(permit.tenant()).await?;
        let found = contacts::find(&tx, permit.tenant(), id, Hold::Change).await?;
        let before = found.ok_or_else(|| not_found("contact"))?;
        is_current(seen, before.version)?;
        let input = patch.onto(before.clone()).checked()?;
        let changed =
            contacts::update(&tx, permit.tenant(), &before, &input).await.map_err(taken("external_id"))?;
        let after = changed.ok_or_else(changed_meanwhile)?;
        let change = Change { action: "contact.update", before: Some(&before), after: Some(&after) };
        record(&tx, permit, id, change).await?;
        self.db.commit(tx, &[]).await?;
        Ok(after)
    }

    pub async fn delete_contact(
        &self,
        permit: &TenantPermit<DeleteCrm>,
        id: ContactId,
        seen: Option<i64>,
    ) -> ServiceResult<()> {
        let tx = self.db.begin_for(permit.tenant()).await?;
        let found = contacts::find(&tx, permit.tenant(), id, Hold::Change).await?;
        let before = found.ok_or_else(|| not_found("contact"))?;
        is_current(seen, before.version)?;
        contacts::delete(&tx, permit.tenant(), id).await?;
        let change = Change { action: "contact.delete", before: Some(&before), after: None };
        record(&tx, permit, id, change).await?;
        Ok(self.db.commit(tx, &[]).await?)
    }

    pub async fn contact_history(
        &self,
        permit: &TenantPermit<ReadCrm>,
        id: ContactId,
        query: HistoryQuery,
    ) -> ServiceResult<ContactHistoryOut> {
        let limit = Page::parse(query.limit, None)?.limit;
        let contact = self.find_contact(permit, id).await?;
        Ok(whole_history(
            &self.db.reader_of(permit.tenant()).await?,
            permit.tenant(),
            contact,
            limit,
            Notes::Shown,
        )
        .await?)
    }
}

/// What an agent gets to know: what was said, never what the team noted among itself. A model may repeat to a customer
/// whatever it reads.
pub(crate) async fn history(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    contact: ContactOut,
    limit: u64,
) -> StoreResult<ContactHistoryOut> {
    whole_history(conn, tenant, contact, limit, Notes::Hidden).await
}

/// The newest messages, deals and tasks of a contact, at most `limit` of each.
async fn whole_history(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    contact: ContactOut,
    limit: u64,
    notes: Notes,
) -> StoreResult<ContactHistoryOut> {
    Ok(ContactHistoryOut {
        messages: messages::newest_of_contact(conn, tenant, contact.id, limit, notes).await?,
        deals: deals::newest_of_contact(conn, tenant, contact.id, limit).await?,
        tasks: tasks::newest_of_contact(conn, tenant, contact.id, limit).await?,
        contact,
    })
}
