//! What a person changes about themselves.

use crate::{Accounts, not_found, password};
use ability::Actor;
use domain::{FieldCode, ServiceError, ServiceResult, UserId, text::parse_line};
use std::net::IpAddr;
use store::{
    Signal,
    audit::{self, Author, Entry},
};

impl Accounts {
    pub async fn rename(&self, user: UserId, name: &str) -> ServiceResult<()> {
        let name = parse_line("name", name, 100)?;
        let tx = self.db.begin().await?;
        store::users::rename(&tx, user, &name).await?;
        Ok(self.db.commit(tx, &[Signal::Rights(user)]).await?)
    }

    /// Ends every other session of the person. `keep` is the hash of the asking session's secret.
    pub async fn change_password(
        &self,
        user: UserId,
        current: &str,
        new: &str,
        address: Option<IpAddr>,
        keep: Option<String>,
    ) -> ServiceResult<()> {
        let person = store::users::find(self.db.reader(), user).await?.ok_or_else(|| not_found("person"))?;
        self.limits.attempt(address, Some(&person.email))?;
        if !self.hasher.verify(current, Some(person.password_hash)).await? {
            return Err(ServiceError::field("current_password", FieldCode::Mismatch));
        }
        password::check_new("new_password", new, &person.email)?;
        let hash = self.hasher.hash(new).await?;
        let tx = self.db.begin().await?;
        store::users::set_password(&tx, user, &hash).await?;
        store::sessions::revoke_all(&tx, user, keep.as_deref()).await?;
        let entry = Entry {
            tenant: None,
            action: "user.change_password",
            subject_kind: "user",
            subject_id: user.to_string(),
            before: None,
            after: None,
            reason: None,
        };
        audit::append(&tx, Author { actor: Actor::User(user), name: &person.name }, entry).await?;
        Ok(self.db.commit(tx, &[Signal::Rights(user)]).await?)
    }
}
