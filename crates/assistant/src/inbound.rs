//! Messages that a gateway passes on, WhatsApp or another. Signed (S18): who sent it, that it is recent, and that it was
//! not seen before. The same message twice gets the same answer and does nothing twice.

use crate::{
    Assistant,
    phones::{self, hash},
};
use ability::UseAssistant;
use channels::Signed;
use chat::menu::Texts;
use domain::{
    ErrorCode, Language, ServiceError, ServiceResult, TenantId,
    assistant::{AssistantMessageIn, InboundAnswer, InboundMessageIn},
    text::parse_line,
};
use store::assistant::{self as kept, Arrival, Sender};

/// An answer, and whether it was given before.
#[derive(Clone, Debug)]
pub struct Delivered {
    pub answer: InboundAnswer,
    pub is_replay: bool,
}

impl Assistant {
    /// `tenant` is its id or its slug, as the address says. Whoever cannot sign learns nothing, not even whether there is
    /// such a tenant.
    pub async fn receive(
        &self,
        tenant: &str,
        signed: Signed<'_>,
        parse: impl FnOnce(&[u8]) -> ServiceResult<InboundMessageIn>,
    ) -> ServiceResult<Delivered> {
        let tenant = self.0.accounts.find_tenant(tenant).await.map_err(|_| unsigned())?.id;
        self.0.channels.verify_inbound(tenant, &signed).await?;
        let message = parse(signed.body)?;
        let from = phones::known_as(&parse_line("from", &message.from, 200)?);
        crate::checked(&message.text)?;
        match self.arrive(tenant, &signed).await? {
            Arrival::New => {}
            Arrival::Answered(text) => return replayed(&text),
            Arrival::InProgress => {
                let detail = "The message with this id is still being answered.";
                let error = ServiceError::new(ErrorCode::IdempotencyInProgress, detail);
                return Err(ServiceError { retry_after: Some(1), ..error });
            }
            Arrival::Another => {
                let detail = "This message id was used for another message.";
                return Err(ServiceError::new(ErrorCode::IdempotencyMismatch, detail));
            }
        }
        let answer = self.answer(tenant, &from, &message).await?;
        let text = serde_json::to_string(&answer).unwrap_or_default();
        let tx = self.0.db.begin_for(tenant).await?;
        kept::answered(&tx, tenant, signed.id, &text).await?;
        self.0.db.commit(tx, &[]).await?;
        Ok(Delivered { answer, is_replay: false })
    }

    async fn arrive(&self, tenant: TenantId, signed: &Signed<'_>) -> ServiceResult<Arrival> {
        let tx = self.0.db.begin_for(tenant).await?;
        let body = hash(&String::from_utf8_lossy(signed.body));
        let arrival = kept::arrive(&tx, tenant, signed.id, &body).await?;
        self.0.db.commit(tx, &[]).await?;
        Ok(arrival)
    }

    async fn answer(
        &self,
        tenant: TenantId,
        from: &str,
        message: &InboundMessageIn,
    ) -> ServiceResult<InboundAnswer> {
        let language = message.language.unwrap_or_default();
        let t = Texts(language);
        // Before anything else: a phone can change hands.
        if self.link(tenant, from, &message.text).await?.is_some() {
            return Ok(unknown(t.linked()));
        }
        let known = kept::sender(&self.0.db.reader_of(tenant).await?, tenant, from).await?;
        if let Some(sender) = known
            && let Some(answer) = self.talk(tenant, from, sender, message, language).await?
        {
            return Ok(answer);
        }
        Ok(unknown(t.unknown_sender()))
    }

    /// With the rights that the person has now; nothing, when they are no member any more.
    async fn talk(
        &self,
        tenant: TenantId,
        from: &str,
        sender: Sender,
        message: &InboundMessageIn,
        language: Language,
    ) -> ServiceResult<Option<InboundAnswer>> {
        let Some(person) = self.0.accounts.identify_user(sender.user, Some(tenant)).await? else {
            return Ok(None);
        };
        let permit = person.caller.permit::<UseAssistant>().ok().and_then(|permit| permit.in_tenant());
        let Some(permit) = permit.filter(|permit| permit.tenant() == tenant) else { return Ok(None) };
        let said = |conversation_id| AssistantMessageIn {
            conversation_id,
            text: message.text.clone(),
            menu_id: message.menu_id,
        };
        let heard = match self.hear(&permit, said(sender.conversation), language).await {
            // A conversation that was cleaned up: begin anew.
            Err(error) if error.code == ErrorCode::NotFound => {
                self.hear(&permit, said(None), language).await?
            }
            heard => heard?,
        };
        if sender.conversation != Some(heard.conversation_id) {
            let tx = self.0.db.begin_for(tenant).await?;
            kept::remember_conversation(&tx, tenant, from, heard.conversation_id).await?;
            self.0.db.commit(tx, &[]).await?;
        }
        Ok(Some(InboundAnswer {
            reply: heard.reply,
            conversation_id: Some(heard.conversation_id),
            state: Some(heard.state),
            options: heard.options,
            menu_id: heard.menu_id,
        }))
    }
}

fn unknown(reply: &str) -> InboundAnswer {
    InboundAnswer {
        reply: reply.to_owned(),
        conversation_id: None,
        state: None,
        options: Vec::new(),
        menu_id: None,
    }
}

fn replayed(text: &str) -> ServiceResult<Delivered> {
    let lost = |_| ServiceError::new(ErrorCode::Internal, "The stored answer cannot be read.");
    Ok(Delivered { answer: serde_json::from_str(text).map_err(lost)?, is_replay: true })
}

fn unsigned() -> ServiceError {
    ServiceError::new(ErrorCode::Unauthenticated, "The signature does not fit the message.")
}
