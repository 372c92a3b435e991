//! Messages that wait for their time: planned, looked at, cancelled. `channels` sends them.

use crate::{
    Crm,
    change::{Change, record},
    moment, not_found, refer,
};
use ability::{CreateCrm, ReadCrm, TenantPermit, UpdateCrm};
use domain::{
    ErrorCode, FieldCode, FieldError, ListOut, Page, ScheduledMessageId, ServiceError, ServiceResult,
    Timestamp,
    crm::{Channel, ContactOut, ScheduledMessageIn, ScheduledMessageOut, ScheduledMessageQuery},
};
use store::{
    Moment, Signal,
    crm::{Hold, scheduled_messages},
};
use time::Duration;

const FURTHEST: Duration = Duration::days(366);

impl Crm {
    pub async fn list_scheduled_messages(
        &self,
        permit: &TenantPermit<ReadCrm>,
        query: ScheduledMessageQuery,
    ) -> ServiceResult<ListOut<ScheduledMessageOut>> {
        let page = Page::parse(query.limit, query.cursor.as_deref())?;
        Ok(scheduled_messages::list(
            &self.db.reader_of(permit.tenant()).await?,
            permit.tenant(),
            &query,
            page,
        )
        .await?)
    }

    pub async fn find_scheduled_message(
        &self,
        permit: &TenantPermit<ReadCrm>,
        id: ScheduledMessageId,
    ) -> ServiceResult<ScheduledMessageOut> {
        let found = scheduled_messages::find(
            &self.db.reader_of(permit.tenant()).await?,
            permit.tenant(),
            id,
            Hold::Free,
        )
        .await?;
        found.ok_or_else(|| not_found("scheduled message"))
    }

    pub async fn schedule_message(
        &self,
        permit: &TenantPermit<CreateCrm>,
        input: ScheduledMessageIn,
    ) -> ServiceResult<ScheduledMessageOut> {
        let input = input.checked()?;
        let input = ScheduledMessageIn { send_at: soon(&input.send_at)?, ..input };
        let tx = self.db.begin_for(permit.tenant()).await?;
        let contact = refer::contact(&tx, permit.tenant(), Some(input.contact_id)).await?;
        if !contact.is_some_and(|contact| is_reachable(&contact, input.channel)) {
            let detail = format!("The contact cannot be reached by {}.", input.channel);
            return Err(ServiceError { detail, ..ServiceError::field("channel", FieldCode::Mismatch) });
        }
        let made = scheduled_messages::insert(&tx, permit.tenant(), &input, None).await?;
        let change = Change { action: "scheduled_message.create", before: None, after: Some(&made) };
        record(&tx, permit, made.id, change).await?;
        self.db.commit(tx, &[Signal::Deliveries]).await?;
        Ok(made)
    }

    /// Only while it waits: what is on its way cannot be called back.
    pub async fn cancel_scheduled_message(
        &self,
        permit: &TenantPermit<UpdateCrm>,
        id: ScheduledMessageId,
    ) -> ServiceResult<ScheduledMessageOut> {
        let (tx, tenant) = (self.db.begin_for(permit.tenant()).await?, permit.tenant());
        let missing = || not_found("scheduled message");
        let before = scheduled_messages::find(&tx, tenant, id, Hold::Change).await?.ok_or_else(missing)?;
        if !scheduled_messages::cancel(&tx, tenant, id).await? {
            let detail = format!("It is {} and cannot be cancelled.", before.status);
            return Err(ServiceError::new(ErrorCode::Conflict, detail));
        }
        let after = scheduled_messages::find(&tx, tenant, id, Hold::Free).await?.ok_or_else(missing)?;
        let change =
            Change { action: "scheduled_message.cancel", before: Some(&before), after: Some(&after) };
        record(&tx, permit, id, change).await?;
        self.db.commit(tx, &[]).await?;
        Ok(after)
    }
}

/// In the future, and at most one year away.
pub(crate) fn soon(stamp: &Timestamp) -> Result<Timestamp, FieldError> {
    let stamp = moment("send_at", stamp)?;
    let invalid = || FieldError::new("send_at", FieldCode::Invalid);
    let (wanted, now) = (Moment::try_from(&stamp).map_err(|_| invalid())?, Moment::now());
    if wanted > now && wanted <= now.plus(FURTHEST) { Ok(stamp) } else { Err(invalid()) }
}

pub(crate) fn is_reachable(contact: &ContactOut, channel: Channel) -> bool {
    match channel {
        Channel::Whatsapp => contact.phone.is_some(),
        Channel::Email => contact.email.is_some(),
        Channel::Web | Channel::Other => true,
    }
}
