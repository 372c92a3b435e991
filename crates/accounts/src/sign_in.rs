//! Signing in: the same answer, after the same time, whether or not the account exists (S14).

use crate::Accounts;
use domain::{Email, ErrorCode, ServiceError, ServiceResult, UserId};
use std::net::IpAddr;

impl Accounts {
    pub async fn sign_in(
        &self,
        email: &str,
        password: &str,
        address: Option<IpAddr>,
    ) -> ServiceResult<UserId> {
        let email = Email::parse(email);
        self.limits.attempt(address, email.as_ref().ok())?;
        let person = match &email {
            Ok(email) => store::users::find_by_email(self.db.reader(), email).await?,
            Err(_) => None,
        };
        let stored = person.as_ref().map(|person| person.password_hash.clone());
        let fits = self.hasher.verify(password, stored).await?;
        match person.filter(|person| fits && person.disabled_at.is_none()) {
            Some(person) => Ok(person.id),
            None => {
                tracing::info!("a sign-in was refused");
                Err(invalid_credentials())
            }
        }
    }

    /// Keeps the tables of attempts and sessions small; called now and then.
    pub async fn clean_up(&self) -> ServiceResult<()> {
        self.limits.forget_idle();
        let tx = self.db.begin().await?;
        store::sessions::delete_expired(&tx).await?;
        Ok(self.db.commit(tx, &[]).await?)
    }
}

pub(crate) fn invalid_credentials() -> ServiceError {
    ServiceError::new(ErrorCode::InvalidCredentials, "E-mail and password do not belong together.")
}
