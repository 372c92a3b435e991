//! Invitations: a link that is shown once, works once, and expires.

use crate::{
    Accounts, members, not_found, password, secret, sign_in::invalid_credentials, users::insert_person,
};
use ability::{Actor, Caller, ManageAdminPanel, ManageMembers, Permit};
use domain::{
    Email, ErrorCode, InvitationId, ServiceError, ServiceResult, TenantId, TenantRole, UserId,
    tenant::{InvitationLink, InvitationOut, InvitationPreview},
    text::parse_line,
};
use serde_json::json;
use std::net::IpAddr;
use store::{
    Moment, Signal, WriteTx,
    audit::{self, Author, Entry},
    invitations::{Invitation, NewInvitation},
    users::NewUser,
};
use time::Duration;

const LIFETIME: Duration = Duration::days(7);

impl Accounts {
    pub async fn list_invitations(
        &self,
        permit: &Permit<ManageMembers>,
    ) -> ServiceResult<Vec<InvitationOut>> {
        Ok(store::invitations::list_waiting(self.db.reader(), members::tenant_of(permit)?).await?)
    }

    pub async fn invite_member(
        &self,
        permit: &Permit<ManageMembers>,
        email: &str,
        role: TenantRole,
    ) -> ServiceResult<InvitationLink> {
        self.invite(permit.caller(), members::tenant_of(permit)?, email, role).await
    }

    /// How the first owner of a new tenant comes in.
    pub async fn invite_owner(
        &self,
        permit: &Permit<ManageAdminPanel>,
        tenant: TenantId,
        email: &str,
    ) -> ServiceResult<InvitationLink> {
        store::tenants::find(self.db.reader(), tenant).await?.ok_or_else(|| not_found("tenant"))?;
        self.invite(permit.caller(), tenant, email, TenantRole::Owner).await
    }

    async fn invite(
        &self,
        caller: &Caller,
        tenant: TenantId,
        email: &str,
        role: TenantRole,
    ) -> ServiceResult<InvitationLink> {
        let email = Email::parse(email)?;
        let tx = self.db.begin().await?;
        refuse_member(&tx, tenant, &email).await?;
        let token = secret::random_token();
        let new = NewInvitation {
            tenant,
            email: &email,
            role,
            token_hash: secret::hash(&token),
            invited_by: &caller.name,
            expires_at: Moment::now().plus(LIFETIME),
        };
        let id = store::invitations::insert(&tx, new).await?;
        let after = json!({ "email": email, "role": role });
        audit::append(&tx, caller, entry(tenant, id, "invitation.create", Some(after))).await?;
        self.db.commit(tx, &[]).await?;
        Ok(InvitationLink { url: format!("{}/invite/{token}", self.public_url), email })
    }

    pub async fn revoke_invitation(
        &self,
        permit: &Permit<ManageMembers>,
        id: InvitationId,
    ) -> ServiceResult<()> {
        let tenant = members::tenant_of(permit)?;
        let tx = self.db.begin().await?;
        if !store::invitations::revoke(&tx, tenant, id).await? {
            return Err(not_found("invitation"));
        }
        audit::append(&tx, permit.caller(), entry(tenant, id, "invitation.revoke", None)).await?;
        Ok(self.db.commit(tx, &[]).await?)
    }

    pub async fn preview_invitation(&self, token: &str) -> ServiceResult<InvitationPreview> {
        let conn = self.db.reader();
        let invitation =
            store::invitations::find_waiting(conn, &secret::hash(token)).await?.ok_or_else(invalid)?;
        let tenant = store::tenants::find(conn, invitation.tenant).await?.ok_or_else(invalid)?;
        let has_account = store::users::find_by_email(conn, &invitation.email).await?.is_some();
        Ok(InvitationPreview {
            email: invitation.email,
            tenant_name: tenant.name,
            role: invitation.role,
            has_account,
        })
    }

    /// Joins: with the password of the account that exists, or with a new account.
    pub async fn accept_invitation(
        &self,
        token: &str,
        name: &str,
        password: &str,
        address: Option<IpAddr>,
    ) -> ServiceResult<(UserId, TenantId)> {
        let conn = self.db.reader();
        let invitation =
            store::invitations::find_waiting(conn, &secret::hash(token)).await?.ok_or_else(invalid)?;
        self.limits.attempt(address, Some(&invitation.email))?;
        match store::users::find_by_email(conn, &invitation.email).await? {
            Some(person) => {
                let fits = self.hasher.verify(password, Some(person.password_hash)).await?;
                if !fits || person.disabled_at.is_some() {
                    return Err(invalid_credentials());
                }
                let tx = self.db.begin().await?;
                self.join(tx, invitation, person.id, &person.name).await
            }
            None => {
                let name = parse_line("name", name, 100)?;
                password::check_new("password", password, &invitation.email)?;
                let password_hash = self.hasher.hash(password).await?;
                let email = invitation.email.clone();
                let tx = self.db.begin().await?;
                let new = NewUser { email, name: name.clone(), password_hash, is_platform_admin: false };
                let user = insert_person(&tx, new).await?;
                self.join(tx, invitation, user, &name).await
            }
        }
    }

    async fn join(
        &self,
        tx: WriteTx,
        invitation: Invitation,
        user: UserId,
        name: &str,
    ) -> ServiceResult<(UserId, TenantId)> {
        if !store::invitations::accept(&tx, invitation.id).await? {
            return Err(invalid());
        }
        let (tenant, role) = (invitation.tenant, invitation.role);
        store::members::put(&tx, tenant, user, role).await?;
        let author = Author { actor: Actor::User(user), name };
        audit::append(&tx, author, members::entry(tenant, user, "member.join", None, Some(role))).await?;
        self.db.commit(tx, &[Signal::Rights(user)]).await?;
        Ok((user, tenant))
    }
}

pub(crate) async fn refuse_member(tx: &WriteTx, tenant: TenantId, email: &Email) -> ServiceResult<()> {
    let Some(person) = store::users::find_by_email(tx, email).await? else {
        return Ok(());
    };
    match store::members::role_of(tx, tenant, person.id).await? {
        Some(_) => Err(ServiceError::new(ErrorCode::AlreadyExists, "This person is a member already.")),
        None => Ok(()),
    }
}

fn invalid() -> ServiceError {
    let detail = "This invitation was used or withdrawn, or has expired. Ask for a new one.";
    ServiceError::new(ErrorCode::InvitationInvalid, detail)
}

fn entry(
    tenant: TenantId,
    id: InvitationId,
    action: &'static str,
    after: Option<serde_json::Value>,
) -> Entry<'static> {
    Entry {
        tenant: Some(tenant),
        action,
        subject_kind: "invitation",
        subject_id: id.to_string(),
        before: None,
        after,
        reason: None,
    }
}
