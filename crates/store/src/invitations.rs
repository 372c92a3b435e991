//! Table `invitations`. Only the hash of a token is kept: who reads the table cannot join.

use crate::{Moment, StoreError, StoreResult, entity::invitations};
use domain::{Email, InvitationId, TenantId, TenantRole, tenant::InvitationOut};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, Select,
    sea_query::Expr,
};

pub struct NewInvitation<'a> {
    pub tenant: TenantId,
    pub email: &'a Email,
    pub role: TenantRole,
    pub token_hash: String,
    pub invited_by: &'a str,
    pub expires_at: Moment,
}

#[derive(Clone, Debug)]
pub struct Invitation {
    pub id: InvitationId,
    pub tenant: TenantId,
    pub email: Email,
    pub role: TenantRole,
}

pub async fn insert(tx: &impl ConnectionTrait, new: NewInvitation<'_>) -> StoreResult<InvitationId> {
    let id = InvitationId::new();
    let row = invitations::ActiveModel {
        id: Set(id.0),
        tenant_id: Set(new.tenant.0),
        email: Set(new.email.to_string()),
        role: Set(new.role.to_string()),
        token_hash: Set(new.token_hash),
        invited_by: Set(new.invited_by.to_owned()),
        created_at: Set(Moment::now()),
        expires_at: Set(new.expires_at),
        accepted_at: Set(None),
        revoked_at: Set(None),
    };
    invitations::Entity::insert(row).exec_without_returning(tx).await?;
    Ok(id)
}

fn waiting() -> Select<invitations::Entity> {
    invitations::Entity::find()
        .filter(invitations::Column::AcceptedAt.is_null())
        .filter(invitations::Column::RevokedAt.is_null())
        .filter(invitations::Column::ExpiresAt.gt(Moment::now()))
}

/// The invitations of a tenant that wait, newest first.
pub async fn list_waiting(conn: &impl ConnectionTrait, tenant: TenantId) -> StoreResult<Vec<InvitationOut>> {
    let of_tenant = waiting().filter(invitations::Column::TenantId.eq(tenant.0));
    let rows = of_tenant.order_by_desc(invitations::Column::CreatedAt).all(conn).await?;
    let to_out = |row: invitations::Model| {
        let (expires_at, invited_by) = (row.expires_at.into(), row.invited_by.clone());
        let known = Invitation::try_from(row)?;
        Ok(InvitationOut { id: known.id, email: known.email, role: known.role, invited_by, expires_at })
    };
    rows.into_iter().map(to_out).collect()
}

pub async fn find_waiting(conn: &impl ConnectionTrait, token_hash: &str) -> StoreResult<Option<Invitation>> {
    let row = waiting().filter(invitations::Column::TokenHash.eq(token_hash)).one(conn).await?;
    row.map(Invitation::try_from).transpose()
}

/// Takes the invitation, once: false when it was used in the meantime.
pub async fn accept(tx: &impl ConnectionTrait, id: InvitationId) -> StoreResult<bool> {
    let accepted = invitations::Entity::update_many()
        .col_expr(invitations::Column::AcceptedAt, Expr::value(Moment::now().0))
        .filter(invitations::Column::Id.eq(id.0))
        .filter(invitations::Column::AcceptedAt.is_null())
        .filter(invitations::Column::RevokedAt.is_null())
        .exec(tx)
        .await?;
    Ok(accepted.rows_affected == 1)
}

/// False when the tenant has no such invitation.
pub async fn revoke(tx: &impl ConnectionTrait, tenant: TenantId, id: InvitationId) -> StoreResult<bool> {
    let revoked = invitations::Entity::update_many()
        .col_expr(invitations::Column::RevokedAt, Expr::value(Moment::now().0))
        .filter(invitations::Column::Id.eq(id.0))
        .filter(invitations::Column::TenantId.eq(tenant.0))
        .filter(invitations::Column::AcceptedAt.is_null())
        .exec(tx)
        .await?;
    Ok(revoked.rows_affected == 1)
}

impl TryFrom<invitations::Model> for Invitation {
    type Error = StoreError;

    fn try_from(row: invitations::Model) -> StoreResult<Self> {
        let corrupt = || StoreError::Corrupt(format!("invitation {}", row.id));
        Ok(Self {
            id: InvitationId(row.id),
            tenant: TenantId(row.tenant_id),
            email: Email::parse(&row.email).map_err(|_| corrupt())?,
            role: row.role.parse().map_err(|_| corrupt())?,
        })
    }
}
