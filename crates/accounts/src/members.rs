//! The members of a tenant, as its owners manage them.

use crate::{Accounts, not_found};
use ability::{ManageMembers, Permit};
use domain::{ErrorCode, ServiceError, ServiceResult, TenantId, TenantRole, UserId, tenant::MemberOut};
use serde_json::json;
use store::{
    Signal, WriteTx,
    audit::{self, Entry},
};

impl Accounts {
    pub async fn list_members(&self, permit: &Permit<ManageMembers>) -> ServiceResult<Vec<MemberOut>> {
        let tenant = tenant_of(permit)?;
        Ok(store::members::list(&self.db.reader_of(tenant).await?, tenant).await?)
    }

    pub async fn change_member_role(
        &self,
        permit: &Permit<ManageMembers>,
        user: UserId,
        role: TenantRole,
    ) -> ServiceResult<()> {
        let tenant = tenant_of(permit)?;
        let tx = self.db.begin_for(tenant).await?;
        let before = find_locked(&tx, tenant, user).await?;
        store::members::set_role(&tx, tenant, user, role).await?;
        refuse_without_owner(&tx, tenant).await?;
        let entry = entry(tenant, user, "member.change_role", Some(before), Some(role));
        audit::append(&tx, permit.caller(), entry).await?;
        Ok(self.db.commit(tx, &[Signal::Rights(user)]).await?)
    }

    pub async fn remove_member(&self, permit: &Permit<ManageMembers>, user: UserId) -> ServiceResult<()> {
        let tenant = tenant_of(permit)?;
        let tx = self.db.begin_for(tenant).await?;
        let before = find_locked(&tx, tenant, user).await?;
        store::members::remove(&tx, tenant, user).await?;
        if before == TenantRole::Owner {
            refuse_without_owner(&tx, tenant).await?;
        }
        audit::append(&tx, permit.caller(), entry(tenant, user, "member.remove", Some(before), None)).await?;
        Ok(self.db.commit(tx, &[Signal::Rights(user)]).await?)
    }
}

/// The tenant that the permit is for: nobody manages members of a tenant that they have not chosen.
pub(crate) fn tenant_of(permit: &Permit<ManageMembers>) -> ServiceResult<TenantId> {
    permit.caller().tenant.ok_or_else(|| ServiceError::new(ErrorCode::Forbidden, "You belong to no tenant."))
}

async fn find_locked(tx: &WriteTx, tenant: TenantId, user: UserId) -> ServiceResult<TenantRole> {
    store::tenants::lock(tx, tenant).await?;
    store::members::role_of(tx, tenant, user).await?.ok_or_else(|| not_found("member"))
}

/// Called after the change, inside its transaction: an error takes the change back.
pub(crate) async fn refuse_without_owner(tx: &WriteTx, tenant: TenantId) -> ServiceResult<()> {
    if store::members::active_owners(tx, tenant).await? == 0 {
        let detail = "This is the last owner of the tenant. Make somebody else an owner first.";
        return Err(ServiceError::new(ErrorCode::LastOwner, detail));
    }
    Ok(())
}

pub(crate) fn entry(
    tenant: TenantId,
    user: UserId,
    action: &'static str,
    before: Option<TenantRole>,
    after: Option<TenantRole>,
) -> Entry<'static> {
    Entry {
        tenant: Some(tenant),
        action,
        subject_kind: "member",
        subject_id: user.to_string(),
        before: before.map(|role| json!({ "role": role })),
        after: after.map(|role| json!({ "role": role })),
        reason: None,
    }
}
