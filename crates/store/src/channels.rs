//! Table `channels`: the ways to the outside of a tenant.

use crate::{Moment, StoreError, StoreResult, entity::channels};
use channels::{ActiveModel, Column, Entity, Model};
use domain::{
    TenantId,
    channel::{ChannelKind, ChannelSettings},
};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    sea_query::OnConflict,
};
use std::collections::HashSet;

/// A channel as it is kept. Its secrets are sealed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Channel {
    pub settings: ChannelSettings,
    pub secrets: Option<Vec<u8>>,
    pub created_at: Moment,
    pub updated_at: Moment,
}

pub async fn all(conn: &impl ConnectionTrait, tenant: TenantId) -> StoreResult<Vec<Channel>> {
    let of_tenant = Entity::find().filter(Column::TenantId.eq(tenant.0));
    let rows = of_tenant.order_by_asc(Column::Kind).all(conn).await?;
    rows.into_iter().map(Channel::try_from).collect()
}

pub async fn find(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    kind: ChannelKind,
) -> StoreResult<Option<Channel>> {
    let row = Entity::find_by_id((tenant.0, kind.as_str().to_owned())).one(conn).await?;
    row.map(Channel::try_from).transpose()
}

/// As [`find`], and nobody else changes it until the transaction ends.
pub async fn hold(
    tx: &impl ConnectionTrait,
    tenant: TenantId,
    kind: ChannelKind,
) -> StoreResult<Option<Channel>> {
    let row = Entity::find_by_id((tenant.0, kind.as_str().to_owned())).lock_exclusive().one(tx).await?;
    row.map(Channel::try_from).transpose()
}

/// Makes it, or replaces the one of that version. False when somebody else was faster.
pub async fn put(
    tx: &impl ConnectionTrait,
    tenant: TenantId,
    channel: &Channel,
    before: Option<Moment>,
) -> StoreResult<bool> {
    let definition =
        serde_json::to_string(&channel.settings).map_err(|error| StoreError::Corrupt(error.to_string()))?;
    let row = ActiveModel {
        tenant_id: Set(tenant.0),
        kind: Set(channel.settings.kind().as_str().to_owned()),
        definition: Set(definition),
        secrets: Set(channel.secrets.clone()),
        created_at: Set(channel.created_at),
        updated_at: Set(channel.updated_at),
    };
    let Some(version) = before else {
        let keep = OnConflict::columns([Column::TenantId, Column::Kind]).do_nothing().to_owned();
        return Ok(Entity::insert(row).on_conflict(keep).exec_without_returning(tx).await? == 1);
    };
    let changed = Entity::update_many()
        .set(row)
        .filter(Column::TenantId.eq(tenant.0))
        .filter(Column::Kind.eq(channel.settings.kind().as_str()))
        .filter(Column::UpdatedAt.eq(version));
    Ok(changed.exec(tx).await?.rows_affected == 1)
}

/// Those of every tenant that are at an address.
pub async fn webhooks_of_all(conn: &impl ConnectionTrait) -> StoreResult<Vec<(TenantId, Channel)>> {
    let kinds = [ChannelKind::Webhook, ChannelKind::Events].map(ChannelKind::as_str);
    let rows = Entity::find().filter(Column::Kind.is_in(kinds)).all(conn).await?;
    rows.into_iter().map(|row| Ok((TenantId(row.tenant_id), Channel::try_from(row)?))).collect()
}

/// True when it was there.
pub async fn delete(tx: &impl ConnectionTrait, tenant: TenantId, kind: ChannelKind) -> StoreResult<bool> {
    let gone = Entity::delete_by_id((tenant.0, kind.as_str().to_owned())).exec(tx).await?;
    Ok(gone.rows_affected == 1)
}

/// Which of these tenants have a channel of that kind.
pub(crate) async fn tenants_with(
    conn: &impl ConnectionTrait,
    kind: ChannelKind,
    tenants: impl Iterator<Item = TenantId>,
) -> StoreResult<HashSet<TenantId>> {
    let found: Vec<uuid::Uuid> = Entity::find()
        .select_only()
        .column(Column::TenantId)
        .filter(Column::Kind.eq(kind.as_str()))
        .filter(Column::TenantId.is_in(tenants.map(|tenant| tenant.0)))
        .into_tuple()
        .all(conn)
        .await?;
    Ok(found.into_iter().map(TenantId).collect())
}

impl TryFrom<Model> for Channel {
    type Error = StoreError;

    fn try_from(row: Model) -> StoreResult<Self> {
        let corrupt =
            |error| StoreError::Corrupt(format!("channel {} of {}: {error}", row.kind, row.tenant_id));
        Ok(Self {
            settings: serde_json::from_str(&row.definition).map_err(corrupt)?,
            secrets: row.secrets,
            created_at: row.created_at,
            updated_at: row.updated_at,
        })
    }
}
