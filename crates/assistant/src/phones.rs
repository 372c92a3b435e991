//! Whose a phone is: its owner gets a code on the page and sends it from there. Nobody else can say so for them.

use crate::Assistant;
use ability::{TenantPermit, UseAssistant};
use domain::{ErrorCode, ServiceError, ServiceResult, TenantId, UserId, assistant::LinkCodeOut};
use sha2::{Digest, Sha256};
use store::{
    Moment, assistant as kept,
    audit::{self, Entry},
};
use time::Duration;

const LIFETIME: Duration = Duration::minutes(10);
const LENGTH: usize = 8;
/// Without those that look alike.
const LETTERS: &[u8; 32] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

impl Assistant {
    /// Voids the one before.
    pub async fn new_link_code(&self, permit: &TenantPermit<UseAssistant>) -> ServiceResult<LinkCodeOut> {
        let user = permit
            .caller()
            .actor
            .user_id()
            .ok_or_else(|| ServiceError::new(ErrorCode::Forbidden, "Only a person has a phone."))?;
        let letter = |byte: u8| char::from(LETTERS[usize::from(byte) % LETTERS.len()]);
        let code: String = rand::random::<[u8; LENGTH]>().into_iter().map(letter).collect();
        let expires_at = Moment::now().plus(LIFETIME);
        let tx = self.0.db.begin_for(permit.tenant()).await?;
        kept::set_code(&tx, permit.tenant(), user, &hash(&code), expires_at).await?;
        self.0.db.commit(tx, &[]).await?;
        Ok(LinkCodeOut { code, expires_at: expires_at.into() })
    }

    /// The code may stand among other words.
    pub(crate) async fn link(
        &self,
        tenant: TenantId,
        from: &str,
        text: &str,
    ) -> ServiceResult<Option<UserId>> {
        let is_code = |word: &str| word.len() == LENGTH && word.bytes().all(|byte| LETTERS.contains(&byte));
        let text = text.to_ascii_uppercase();
        let Some(code) = text.split_whitespace().take(10).find(|word| is_code(word)) else { return Ok(None) };
        // Most words of that length are no code: nobody waits for the writer because of them.
        if !kept::is_code(&self.0.db.reader_of(tenant).await?, tenant, &hash(code)).await? {
            return Ok(None);
        }
        let tx = self.0.db.begin_for(tenant).await?;
        let Some(user) = kept::link(&tx, tenant, from, &hash(code)).await? else { return Ok(None) };
        let entry = Entry {
            tenant: Some(tenant),
            action: "assistant_sender.link",
            subject_kind: "user",
            subject_id: user.to_string(),
            before: None,
            after: None,
            reason: None,
        };
        audit::append(&tx, &ability::Caller::operator(), entry).await?;
        self.0.db.commit(tx, &[]).await?;
        Ok(Some(user))
    }
}

/// One phone however a gateway writes it: `+55 (11) 99999-0000` and `whatsapp:+5511999990000`. What is no number stays.
pub(crate) fn known_as(from: &str) -> String {
    let number = from.strip_prefix("whatsapp:").unwrap_or(from);
    let is_number = number.chars().any(|c| c.is_ascii_digit())
        && number.chars().all(|c| c.is_ascii_digit() || " +-().".contains(c));
    if !is_number {
        return from.to_owned();
    }
    format!("+{}", number.chars().filter(char::is_ascii_digit).collect::<String>())
}

pub(crate) fn hash(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::known_as;

    #[test]
    fn g9_a_phone_is_one_phone_however_it_is_written() {
        for same in ["+5511999990000", "5511999990000", "+55 (11) 99999-0000", "whatsapp:+5511999990000"] {
            assert_eq!(known_as(same), "+5511999990000");
        }
        for other in ["ana@example.org", "5511x", "+", "whatsapp:ana"] {
            assert_eq!(known_as(other), other);
        }
    }
}
