//! People, as platform administrators manage them.

use crate::{Accounts, invitations::refuse_member, members, not_found, password};
use ability::{ManageAdminPanel, Permit};
use domain::{
    Email, ErrorCode, FieldCode, ServiceError, ServiceResult, TenantId, TenantRole, UserId, account::UserOut,
    text::parse_line,
};
use serde_json::json;
use store::{
    Moment, Signal, StoreError, WriteTx,
    audit::{self, Entry},
    users::{NewUser, User},
};

/// A person's name and address, checked.
pub struct NewPerson {
    pub name: String,
    pub email: Email,
}

/// More people than this are found by searching.
const LISTED: u64 = 200;

impl Accounts {
    pub async fn list_users(
        &self,
        _: &Permit<ManageAdminPanel>,
        search: &str,
    ) -> ServiceResult<Vec<UserOut>> {
        let conn = self.db.reader();
        let people = store::users::search(conn, search, LISTED).await?;
        let ids: Vec<UserId> = people.iter().map(|person| person.id).collect();
        let mut tenants = store::users::tenants_of_all(conn, &ids).await?;
        let to_out = |person: User| UserOut {
            tenants: tenants.remove(&person.id).unwrap_or_default(),
            id: person.id,
            name: person.name,
            email: person.email,
            is_platform_admin: person.is_platform_admin,
            is_disabled: person.disabled_at.is_some(),
            created_at: person.created_at.into(),
            last_seen_at: person.last_seen_at.map(Into::into),
        };
        Ok(people.into_iter().map(to_out).collect())
    }

    /// A disabled person is signed out everywhere, at once.
    pub async fn set_disabled(
        &self,
        permit: &Permit<ManageAdminPanel>,
        id: UserId,
        disabled: bool,
    ) -> ServiceResult<()> {
        let tx = self.db.begin().await?;
        let person = find_locked(&tx, id).await?;
        store::users::set_disabled(&tx, id, disabled.then(Moment::now)).await?;
        if disabled {
            refuse_without_admin(&tx, &person).await?;
            refuse_without_owner(&tx, id).await?;
            store::sessions::revoke_all(&tx, id, None).await?;
        }
        let before = json!({ "disabled": person.disabled_at.is_some() });
        let entry = change_of(id, "user.set_disabled", before, json!({ "disabled": disabled }));
        audit::append(&tx, permit.caller(), entry).await?;
        Ok(self.db.commit(tx, &[Signal::Rights(id)]).await?)
    }

    pub async fn set_platform_admin(
        &self,
        permit: &Permit<ManageAdminPanel>,
        id: UserId,
        is_admin: bool,
    ) -> ServiceResult<()> {
        let tx = self.db.begin().await?;
        let person = find_locked(&tx, id).await?;
        store::users::set_platform_admin(&tx, id, is_admin).await?;
        refuse_without_admin(&tx, &person).await?;
        let before = json!({ "platform_admin": person.is_platform_admin });
        let entry = change_of(id, "user.set_platform_admin", before, json!({ "platform_admin": is_admin }));
        audit::append(&tx, permit.caller(), entry).await?;
        Ok(self.db.commit(tx, &[Signal::Rights(id)]).await?)
    }

    /// For the command line: a person, with a role in a tenant when one is given.
    pub async fn create_user(
        &self,
        permit: &Permit<ManageAdminPanel>,
        email: &str,
        password: &str,
        is_platform_admin: bool,
        member_of: Option<(TenantId, TenantRole)>,
    ) -> ServiceResult<UserId> {
        let email = Email::parse(email)?;
        password::check_new("password", password, &email)?;
        let password_hash = self.hasher.hash(password).await?;
        let name = parse_line("name", email.as_str().split('@').next().unwrap_or_default(), 100)?;
        let tx = self.db.begin().await?;
        let new = NewUser { email: email.clone(), name, password_hash, is_platform_admin };
        let id = insert_person(&tx, new).await?;
        if let Some((tenant, role)) = member_of {
            store::members::put(&tx, tenant, id, role).await?;
        }
        let after = json!({ "email": email, "platform_admin": is_platform_admin });
        let entry = Entry { before: None, ..change_of(id, "user.create", json!(null), after) };
        audit::append(&tx, permit.caller(), entry).await?;
        self.db.commit(tx, &[Signal::Rights(id)]).await?;
        Ok(id)
    }

    /// For the command line: a role in one more tenant for a person who has an account; nothing else of theirs changes.
    /// Nobody, when no account has that address.
    pub async fn add_member(
        &self,
        permit: &Permit<ManageAdminPanel>,
        email: &str,
        tenant: TenantId,
        role: TenantRole,
    ) -> ServiceResult<Option<UserId>> {
        let email = Email::parse(email)?;
        let Some(person) = store::users::find_by_email(self.db.reader(), &email).await? else {
            return Ok(None);
        };
        let tx = self.db.begin().await?;
        store::tenants::lock(&tx, tenant).await?;
        refuse_member(&tx, tenant, &email).await?;
        store::members::put(&tx, tenant, person.id, role).await?;
        let entry = members::entry(tenant, person.id, "member.join", None, Some(role));
        audit::append(&tx, permit.caller(), entry).await?;
        self.db.commit(tx, &[Signal::Rights(person.id)]).await?;
        Ok(Some(person.id))
    }
}

pub(crate) async fn insert_person(tx: &WriteTx, new: NewUser) -> ServiceResult<UserId> {
    store::users::insert(tx, new).await.map_err(|error| match error {
        StoreError::Duplicate => ServiceError::field("email", FieldCode::Taken),
        other => other.into(),
    })
}

async fn find_locked(tx: &WriteTx, id: UserId) -> ServiceResult<User> {
    store::users::lock_admins(tx).await?;
    store::users::find(tx, id).await?.ok_or_else(|| not_found("person"))
}

/// Called after the change, inside its transaction: an error takes the change back.
async fn refuse_without_admin(tx: &WriteTx, changed: &User) -> ServiceResult<()> {
    if changed.is_platform_admin && store::users::active_admins(tx).await? == 0 {
        let detail = "This is the last platform administrator. Make somebody else one first.";
        return Err(ServiceError::new(ErrorCode::LastPlatformAdmin, detail));
    }
    Ok(())
}

async fn refuse_without_owner(tx: &WriteTx, id: UserId) -> ServiceResult<()> {
    for tenant in store::users::tenants_of(tx, id).await? {
        if tenant.role == TenantRole::Owner {
            members::refuse_without_owner(tx, tenant.id).await?;
        }
    }
    Ok(())
}

fn change_of(
    id: UserId,
    action: &'static str,
    before: serde_json::Value,
    after: serde_json::Value,
) -> Entry<'static> {
    Entry {
        tenant: None,
        action,
        subject_kind: "user",
        subject_id: id.to_string(),
        before: Some(before),
        after: Some(after),
        reason: None,
    }
}
