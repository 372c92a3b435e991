//! Tables `tools` and `tool_versions`: the tools of one tenant, and every definition they ever had.

use crate::{
    Moment, StoreError, StoreResult,
    entity::{tool_versions, tools},
};
use domain::{TenantId, ToolId, tool::ToolDefinition};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, ConnectionTrait, DbBackend, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    sea_query::{Expr, LockType},
};
use std::collections::{BTreeSet, HashSet};
use uuid::Uuid;

/// A definition with an address, as it is written.
const HAS_ADDRESS: &str = "\"webhook_url\":\"";

/// A tool as it is kept. Its secrets are sealed; only the engine opens them.
#[derive(Clone, Debug, PartialEq)]
pub struct Tool {
    pub id: ToolId,
    pub definition: ToolDefinition,
    pub secrets: Option<Vec<u8>>,
    pub version: i64,
    pub is_active: bool,
    pub is_system: bool,
    pub created_at: Moment,
    pub updated_at: Moment,
}

/// A definition that a tool had.
pub struct Version {
    pub version: i64,
    pub definition: ToolDefinition,
    pub changed_by: String,
    pub note: Option<String>,
    pub at: Moment,
    /// What the definition has as `***`, sealed; nothing where it has none, or where they were not kept yet.
    pub secrets: Option<Vec<u8>>,
}

/// Every tool of the tenant, by name. Tenants have dozens, and the engine keeps them all in memory.
pub async fn all(conn: &impl ConnectionTrait, tenant: TenantId) -> StoreResult<Vec<Tool>> {
    let rows = tools::Entity::find()
        .filter(tools::Column::TenantId.eq(tenant.0))
        .order_by_asc(tools::Column::Name)
        .all(conn)
        .await?;
    rows.into_iter().map(Tool::try_from).collect()
}

pub async fn find(conn: &impl ConnectionTrait, tenant: TenantId, id: ToolId) -> StoreResult<Option<Tool>> {
    let row = tools::Entity::find_by_id(id.0).filter(tools::Column::TenantId.eq(tenant.0)).one(conn).await?;
    row.map(Tool::try_from).transpose()
}

pub async fn insert(tx: &impl ConnectionTrait, tenant: TenantId, tool: &Tool) -> StoreResult<()> {
    let row = tools::ActiveModel {
        id: Set(tool.id.0),
        tenant_id: Set(tenant.0),
        name: Set(tool.definition.name.to_string()),
        kind: Set(tool.definition.r#type.as_str().to_owned()),
        execution_type: Set(tool.definition.execution_type.as_str().to_owned()),
        definition: Set(json(&tool.definition)?),
        secrets: Set(tool.secrets.clone()),
        version: Set(tool.version),
        is_active: Set(tool.is_active),
        is_system: Set(tool.is_system),
        created_at: Set(tool.created_at),
        updated_at: Set(tool.updated_at),
    };
    tools::Entity::insert(row).exec_without_returning(tx).await?;
    Ok(())
}

/// Replaces definition, secrets and state if the tool is still as it was `seen`; false when somebody else was faster.
/// The moment counts beside the version: a switch is no version, and must not be undone by an edit.
pub async fn replace(
    tx: &impl ConnectionTrait,
    tenant: TenantId,
    seen: &Tool,
    tool: &Tool,
) -> StoreResult<bool> {
    let updated = tools::Entity::update_many()
        .col_expr(tools::Column::Name, Expr::value(tool.definition.name.as_str()))
        .col_expr(tools::Column::Kind, Expr::value(tool.definition.r#type.as_str()))
        .col_expr(tools::Column::ExecutionType, Expr::value(tool.definition.execution_type.as_str()))
        .col_expr(tools::Column::Definition, Expr::value(json(&tool.definition)?))
        .col_expr(tools::Column::Secrets, Expr::value(tool.secrets.clone()))
        .col_expr(tools::Column::Version, Expr::value(tool.version))
        .col_expr(tools::Column::IsActive, Expr::value(tool.is_active))
        .col_expr(tools::Column::UpdatedAt, Expr::value(tool.updated_at.0))
        .filter(tools::Column::TenantId.eq(tenant.0))
        .filter(tools::Column::Id.eq(tool.id.0))
        .filter(tools::Column::Version.eq(seen.version))
        .filter(tools::Column::UpdatedAt.eq(seen.updated_at))
        .exec(tx)
        .await?;
    Ok(updated.rows_affected == 1)
}

/// The tool as it is, and as it stays until the transaction ends. Who gives it to an agent meanwhile waits.
pub async fn hold(tx: &impl ConnectionTrait, tenant: TenantId, id: ToolId) -> StoreResult<Option<Tool>> {
    let mut row = tools::Entity::find_by_id(id.0).filter(tools::Column::TenantId.eq(tenant.0));
    if tx.get_database_backend() == DbBackend::Postgres {
        row = row.lock_exclusive();
    }
    row.one(tx).await?.map(Tool::try_from).transpose()
}

/// These stay until the transaction ends. Asked for before anything is written: whoever removes a tool holds it first,
/// too, and nobody waits for each other. On SQLite there is one who writes.
pub async fn keep(tx: &impl ConnectionTrait, tenant: TenantId, ids: &[ToolId]) -> StoreResult<()> {
    if ids.is_empty() || tx.get_database_backend() != DbBackend::Postgres {
        return Ok(());
    }
    let wanted: BTreeSet<Uuid> = ids.iter().map(|id| id.0).collect();
    let query = tools::Entity::find()
        .select_only()
        .column(tools::Column::Id)
        .filter(tools::Column::TenantId.eq(tenant.0))
        .filter(tools::Column::Id.is_in(wanted.iter().copied()))
        .order_by_asc(tools::Column::Id)
        .lock(LockType::KeyShare);
    let found: Vec<Uuid> = query.into_tuple().all(tx).await?;
    if found.len() < wanted.len() { Err(StoreError::Gone) } else { Ok(()) }
}

/// True when it was there.
pub async fn delete(tx: &impl ConnectionTrait, tenant: TenantId, id: ToolId) -> StoreResult<bool> {
    let deleted = tools::Entity::delete_many()
        .filter(tools::Column::TenantId.eq(tenant.0))
        .filter(tools::Column::Id.eq(id.0))
        .exec(tx)
        .await?;
    Ok(deleted.rows_affected == 1)
}

pub async fn add_version(
    tx: &impl ConnectionTrait,
    tenant: TenantId,
    tool: &Tool,
    secrets: Option<Vec<u8>>,
    changed_by: &str,
    note: Option<String>,
) -> StoreResult<()> {
    let row = tool_versions::ActiveModel {
        tool_id: Set(tool.id.0),
        version: Set(tool.version),
        tenant_id: Set(tenant.0),
        definition: Set(json(&tool.definition)?),
        changed_by: Set(changed_by.to_owned()),
        note: Set(note),
        at: Set(tool.updated_at),
        secrets: Set(secrets),
    };
    tool_versions::Entity::insert(row).exec_without_returning(tx).await?;
    Ok(())
}

/// For a version of before they were kept.
pub async fn add_version_secrets(
    tx: &impl ConnectionTrait,
    tenant: TenantId,
    (id, version): (ToolId, i64),
    secrets: Vec<u8>,
) -> StoreResult<()> {
    tool_versions::Entity::update_many()
        .col_expr(tool_versions::Column::Secrets, Expr::value(secrets))
        .filter(tool_versions::Column::TenantId.eq(tenant.0))
        .filter(tool_versions::Column::ToolId.eq(id.0))
        .filter(tool_versions::Column::Version.eq(version))
        .filter(tool_versions::Column::Secrets.is_null())
        .exec(tx)
        .await?;
    Ok(())
}

/// Every tool of every tenant.
pub async fn ids_of_all(conn: &impl ConnectionTrait) -> StoreResult<HashSet<ToolId>> {
    let ids: Vec<Uuid> =
        tools::Entity::find().select_only().column(tools::Column::Id).into_tuple().all(conn).await?;
    Ok(ids.into_iter().map(ToolId).collect())
}

/// The tools of every tenant that have an address, also where something else does the work now.
pub async fn webhooks_of_all(conn: &impl ConnectionTrait) -> StoreResult<Vec<(TenantId, Tool)>> {
    let rows = tools::Entity::find()
        .filter(tools::Column::Definition.contains(HAS_ADDRESS))
        .order_by_asc(tools::Column::Id)
        .all(conn)
        .await?;
    rows.into_iter().map(|row| Ok((TenantId(row.tenant_id), Tool::try_from(row)?))).collect()
}

/// The product's own tools, of every tenant.
pub async fn built_in_of_all(conn: &impl ConnectionTrait) -> StoreResult<Vec<(TenantId, Tool)>> {
    let built_in = tools::Entity::find().filter(tools::Column::IsSystem.eq(true));
    let rows = built_in.order_by_asc(tools::Column::Id).all(conn).await?;
    rows.into_iter().map(|row| Ok((TenantId(row.tenant_id), Tool::try_from(row)?))).collect()
}

/// The versions of every tenant's tools that may have an address.
pub async fn webhook_versions_of_all(
    conn: &impl ConnectionTrait,
) -> StoreResult<Vec<(TenantId, ToolId, Version)>> {
    let rows = tool_versions::Entity::find()
        .filter(tool_versions::Column::Definition.contains(HAS_ADDRESS))
        .all(conn)
        .await?;
    let known = |row: tool_versions::Model| {
        Ok((TenantId(row.tenant_id), ToolId(row.tool_id), Version::try_from(row)?))
    };
    rows.into_iter().map(known).collect()
}

/// The same version, with another part of it sealed.
pub async fn reseal_version(
    tx: &impl ConnectionTrait,
    tenant: TenantId,
    tool: ToolId,
    version: &Version,
) -> StoreResult<()> {
    tool_versions::Entity::update_many()
        .col_expr(tool_versions::Column::Definition, Expr::value(json(&version.definition)?))
        .col_expr(tool_versions::Column::Secrets, Expr::value(version.secrets.clone()))
        .filter(tool_versions::Column::TenantId.eq(tenant.0))
        .filter(tool_versions::Column::ToolId.eq(tool.0))
        .filter(tool_versions::Column::Version.eq(version.version))
        .exec(tx)
        .await?;
    Ok(())
}

/// Versions outlive their tool; what they kept secret does not.
pub async fn forget_version_secrets(
    tx: &impl ConnectionTrait,
    tenant: TenantId,
    id: ToolId,
) -> StoreResult<()> {
    tool_versions::Entity::update_many()
        .col_expr(tool_versions::Column::Secrets, Expr::value(None::<Vec<u8>>))
        .filter(tool_versions::Column::TenantId.eq(tenant.0))
        .filter(tool_versions::Column::ToolId.eq(id.0))
        .exec(tx)
        .await?;
    Ok(())
}

/// Newest first.
pub async fn versions(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    id: ToolId,
) -> StoreResult<Vec<Version>> {
    let rows = tool_versions::Entity::find()
        .filter(tool_versions::Column::TenantId.eq(tenant.0))
        .filter(tool_versions::Column::ToolId.eq(id.0))
        .order_by_desc(tool_versions::Column::Version)
        .all(conn)
        .await?;
    rows.into_iter().map(Version::try_from).collect()
}

fn json(definition: &ToolDefinition) -> StoreResult<String> {
    serde_json::to_string(definition).map_err(|error| StoreError::Corrupt(error.to_string()))
}

fn read(text: &str, id: uuid::Uuid) -> StoreResult<ToolDefinition> {
    serde_json::from_str(text).map_err(|error| StoreError::Corrupt(format!("tool {id}: {error}")))
}

impl TryFrom<tool_versions::Model> for Version {
    type Error = StoreError;

    fn try_from(row: tool_versions::Model) -> StoreResult<Self> {
        let definition = read(&row.definition, row.tool_id)?;
        let tool_versions::Model { version, changed_by, note, at, secrets, .. } = row;
        Ok(Self { version, definition, changed_by, note, at, secrets })
    }
}

impl TryFrom<tools::Model> for Tool {
    type Error = StoreError;

    fn try_from(row: tools::Model) -> StoreResult<Self> {
        Ok(Self {
            id: ToolId(row.id),
            definition: read(&row.definition, row.id)?,
            secrets: row.secrets,
            version: row.version,
            is_active: row.is_active,
            is_system: row.is_system,
            created_at: row.created_at,
            updated_at: row.updated_at,
        })
    }
}
