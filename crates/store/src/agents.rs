//! Tables `agents` and `agent_tools`: the agents of one tenant, and which tools each was given.

use crate::{
    Moment, StoreError, StoreResult,
    entity::{agent_tools, agents},
};
use domain::{
    AgentId, AgentRef, TenantId, ToolId,
    tool::{ConfirmationMode, RateLimit},
};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, ConnectionTrait, DbBackend, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    sea_query::{Expr, ExprTrait, LockType, OnConflict, Query},
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agent {
    pub id: AgentId,
    pub slug: String,
    pub name: String,
    pub description: String,
    pub persona: String,
    pub confirmation_mode: ConfirmationMode,
    pub is_active: bool,
    pub rate_limit: Option<RateLimit>,
    /// Counts its changes.
    pub version: i64,
    pub created_at: Moment,
    pub updated_at: Moment,
}

/// Every agent of the tenant, oldest first.
pub async fn all(conn: &impl ConnectionTrait, tenant: TenantId) -> StoreResult<Vec<Agent>> {
    let rows = agents::Entity::find()
        .filter(agents::Column::TenantId.eq(tenant.0))
        .order_by_asc(agents::Column::Id)
        .all(conn)
        .await?;
    rows.into_iter().map(Agent::try_from).collect()
}

pub async fn insert(tx: &impl ConnectionTrait, tenant: TenantId, agent: &Agent) -> StoreResult<()> {
    let row = agents::ActiveModel {
        id: Set(agent.id.0),
        tenant_id: Set(tenant.0),
        slug: Set(agent.slug.clone()),
        name: Set(agent.name.clone()),
        description: Set(agent.description.clone()),
        persona: Set(agent.persona.clone()),
        confirmation_mode: Set(agent.confirmation_mode.as_str().to_owned()),
        is_active: Set(agent.is_active),
        created_at: Set(agent.created_at),
        updated_at: Set(agent.updated_at),
        rate_limit: Set(json(agent.rate_limit)?),
        version: Set(agent.version),
    };
    agents::Entity::insert(row).exec_without_returning(tx).await?;
    Ok(())
}

/// Replaces the agent if it is still as it was `seen`; false when somebody else was faster.
pub async fn replace(
    tx: &impl ConnectionTrait,
    tenant: TenantId,
    seen: &Agent,
    agent: &Agent,
) -> StoreResult<bool> {
    let updated = agents::Entity::update_many()
        .col_expr(agents::Column::Slug, Expr::value(agent.slug.as_str()))
        .col_expr(agents::Column::Name, Expr::value(agent.name.as_str()))
        .col_expr(agents::Column::Description, Expr::value(agent.description.as_str()))
        .col_expr(agents::Column::Persona, Expr::value(agent.persona.as_str()))
        .col_expr(agents::Column::ConfirmationMode, Expr::value(agent.confirmation_mode.as_str()))
        .col_expr(agents::Column::IsActive, Expr::value(agent.is_active))
        .col_expr(agents::Column::RateLimit, Expr::value(json(agent.rate_limit)?))
        .col_expr(agents::Column::Version, Expr::value(agent.version))
        .col_expr(agents::Column::UpdatedAt, Expr::value(agent.updated_at.0))
        .filter(agents::Column::TenantId.eq(tenant.0))
        .filter(agents::Column::Id.eq(agent.id.0))
        .filter(agents::Column::Version.eq(seen.version))
        .filter(agents::Column::UpdatedAt.eq(seen.updated_at))
        .exec(tx)
        .await?;
    Ok(updated.rows_affected == 1)
}

/// True when it was there, in that version if one is named.
pub async fn delete(
    tx: &impl ConnectionTrait,
    tenant: TenantId,
    id: AgentId,
    version: Option<i64>,
) -> StoreResult<bool> {
    let mut deletion = agents::Entity::delete_many()
        .filter(agents::Column::TenantId.eq(tenant.0))
        .filter(agents::Column::Id.eq(id.0));
    if let Some(version) = version {
        deletion = deletion.filter(agents::Column::Version.eq(version));
    }
    Ok(deletion.exec(tx).await?.rows_affected == 1)
}

/// True when it is there, and then it stays until the transaction ends: whoever removes it waits. On SQLite there is one
/// who writes.
pub async fn keep(tx: &impl ConnectionTrait, tenant: TenantId, id: AgentId) -> StoreResult<bool> {
    let mut row = agents::Entity::find_by_id(id.0).filter(agents::Column::TenantId.eq(tenant.0));
    if tx.get_database_backend() == DbBackend::Postgres {
        row = row.lock(LockType::KeyShare);
    }
    Ok(row.one(tx).await?.is_some())
}

/// The agent with that slug.
pub async fn id_of(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    slug: &str,
) -> StoreResult<Option<AgentId>> {
    let row = agents::Entity::find()
        .filter(agents::Column::TenantId.eq(tenant.0))
        .filter(agents::Column::Slug.eq(slug))
        .one(conn)
        .await?;
    Ok(row.map(|row| AgentId(row.id)))
}

/// Who was given this tool, by name.
pub async fn with_tool(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    tool: ToolId,
) -> StoreResult<Vec<AgentRef>> {
    let given = Query::select()
        .column(agent_tools::Column::AgentId)
        .from(agent_tools::Entity)
        .and_where(agent_tools::Column::TenantId.eq(tenant.0))
        .and_where(agent_tools::Column::ToolId.eq(tool.0))
        .to_owned();
    let rows = agents::Entity::find()
        .filter(agents::Column::TenantId.eq(tenant.0))
        .filter(agents::Column::Id.in_subquery(given))
        .order_by_asc(agents::Column::Name)
        .all(conn)
        .await?;
    Ok(rows.into_iter().map(|row| AgentRef { id: AgentId(row.id), slug: row.slug, name: row.name }).collect())
}

/// Which agent was given which tool, for the whole tenant.
pub async fn assignments(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
) -> StoreResult<Vec<(AgentId, ToolId)>> {
    let rows =
        agent_tools::Entity::find().filter(agent_tools::Column::TenantId.eq(tenant.0)).all(conn).await?;
    Ok(rows.into_iter().map(|row| (AgentId(row.agent_id), ToolId(row.tool_id))).collect())
}

/// Gives the agent exactly these tools.
pub async fn assign_tools(
    tx: &impl ConnectionTrait,
    tenant: TenantId,
    agent: AgentId,
    tools: &[ToolId],
) -> StoreResult<()> {
    agent_tools::Entity::delete_many()
        .filter(agent_tools::Column::TenantId.eq(tenant.0))
        .filter(agent_tools::Column::AgentId.eq(agent.0))
        .exec(tx)
        .await?;
    insert_pairs(tx, tenant, tools.iter().map(|tool| (agent, *tool))).await
}

/// Gives the tool to exactly these agents. Those who get or lose it have changed: each is one version further.
pub async fn assign_agents(
    tx: &impl ConnectionTrait,
    tenant: TenantId,
    tool: ToolId,
    agents: &[AgentId],
) -> StoreResult<()> {
    let given = agent_tools::Entity::find()
        .filter(agent_tools::Column::TenantId.eq(tenant.0))
        .filter(agent_tools::Column::ToolId.eq(tool.0));
    let before: Vec<_> = given.all(tx).await?.into_iter().map(|row| AgentId(row.agent_id)).collect();
    let new: Vec<_> = agents.iter().copied().filter(|agent| !before.contains(agent)).collect();
    let gone: Vec<_> = before.into_iter().filter(|agent| !agents.contains(agent)).collect();
    count_change(tx, tenant, new.iter().chain(&gone)).await?;
    agent_tools::Entity::delete_many()
        .filter(agent_tools::Column::TenantId.eq(tenant.0))
        .filter(agent_tools::Column::ToolId.eq(tool.0))
        .filter(agent_tools::Column::AgentId.is_in(gone.iter().map(|agent| agent.0)))
        .exec(tx)
        .await?;
    insert_pairs(tx, tenant, new.into_iter().map(|agent| (agent, tool))).await
}

async fn count_change(
    tx: &impl ConnectionTrait,
    tenant: TenantId,
    changed: impl Iterator<Item = &AgentId>,
) -> StoreResult<()> {
    agents::Entity::update_many()
        .col_expr(agents::Column::Version, Expr::col(agents::Column::Version).add(1))
        .col_expr(agents::Column::UpdatedAt, Expr::value(Moment::now().0))
        .filter(agents::Column::TenantId.eq(tenant.0))
        .filter(agents::Column::Id.is_in(changed.map(|agent| agent.0)))
        .exec(tx)
        .await?;
    Ok(())
}

async fn insert_pairs(
    tx: &impl ConnectionTrait,
    tenant: TenantId,
    pairs: impl Iterator<Item = (AgentId, ToolId)>,
) -> StoreResult<()> {
    let rows: Vec<_> = pairs
        .map(|(agent, tool)| agent_tools::ActiveModel {
            agent_id: Set(agent.0),
            tool_id: Set(tool.0),
            tenant_id: Set(tenant.0),
        })
        .collect();
    if !rows.is_empty() {
        // Somebody may have given the same tool to the same agent from the other side.
        let known = OnConflict::columns([agent_tools::Column::AgentId, agent_tools::Column::ToolId])
            .do_nothing()
            .to_owned();
        agent_tools::Entity::insert_many(rows).on_conflict(known).exec_without_returning(tx).await?;
    }
    Ok(())
}

fn json(limit: Option<RateLimit>) -> StoreResult<Option<String>> {
    let text = limit.map(|limit| serde_json::to_string(&limit)).transpose();
    text.map_err(|error| StoreError::Corrupt(error.to_string()))
}

impl TryFrom<agents::Model> for Agent {
    type Error = StoreError;

    fn try_from(row: agents::Model) -> StoreResult<Self> {
        let corrupt = || StoreError::Corrupt(format!("agent {}", row.id));
        let mode = ConfirmationMode::from_name(&row.confirmation_mode).ok_or_else(corrupt)?;
        let rate_limit = row.rate_limit.as_deref().map(serde_json::from_str).transpose();
        Ok(Self {
            id: AgentId(row.id),
            slug: row.slug,
            name: row.name,
            description: row.description,
            persona: row.persona,
            confirmation_mode: mode,
            is_active: row.is_active,
            rate_limit: rate_limit.map_err(|_| corrupt())?,
            version: row.version,
            created_at: row.created_at,
            updated_at: row.updated_at,
        })
    }
}
