//! Things by their name, for the palette: one question, answered with what the person may open and nothing else.

use super::{ApiError, Form};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ThingKind {
    Tool,
    Agent,
    Contact,
    Execution,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThingOut {
    pub kind: ThingKind,
    pub name: String,
    pub detail: String,
    pub href: String,
}

/// A shorter text would find everything.
pub const SHORTEST: usize = 2;

/// A few of each kind. A kind that the person may not read is not looked into.
#[server(prefix = "/fn", endpoint = "find_things", input = Form)]
pub async fn find_things(q: String) -> Result<Vec<ThingOut>, ApiError> {
    let visitor = crate::request::visitor();
    visitor.user()?;
    let text = q.trim();
    if text.chars().count() < SHORTEST {
        return Ok(Vec::new());
    }
    Ok(server::find(&visitor, text).await?)
}

#[cfg(feature = "ssr")]
mod server {
    use super::{ThingKind, ThingOut};
    use crate::request::{Backend, Visitor, backend};
    use domain::{ErrorCode, ServiceResult, crm::ContactQuery};
    use std::time::Duration;

    /// Of each kind.
    const MOST: usize = 5;

    pub async fn find(visitor: &Visitor, text: &str) -> ServiceResult<Vec<ThingOut>> {
        let backend = backend();
        let mut found = tools(&backend, visitor, text).await?;
        found.extend(agents(&backend, visitor, text).await?);
        found.extend(contacts(&backend, visitor, text).await?);
        found.extend(execution(&backend, visitor, text).await?);
        Ok(found)
    }

    async fn tools(backend: &Backend, visitor: &Visitor, text: &str) -> ServiceResult<Vec<ThingOut>> {
        let Ok(permit) = visitor.tenant_permit() else { return Ok(Vec::new()) };
        let filter = engine::ToolFilter { search: Some(text.to_owned()), ..Default::default() };
        let t = crate::texts::Texts::of(visitor.language);
        let also = t.built_in_with(Some(text));
        let page = backend.engine.tool_page(&permit, &filter, &also, 0, MOST).await?;
        let thing = |tool: domain::tool::ToolOut| ThingOut {
            kind: ThingKind::Tool,
            href: format!("/tools/{}", tool.id),
            name: t.label_of(tool.is_system, &tool.definition),
            detail: tool.definition.name.to_string(),
        };
        Ok(page.tools.into_iter().map(thing).collect())
    }

    async fn agents(backend: &Backend, visitor: &Visitor, text: &str) -> ServiceResult<Vec<ThingOut>> {
        let Ok(permit) = visitor.tenant_permit() else { return Ok(Vec::new()) };
        let wanted = text.to_lowercase();
        let fits = |agent: &domain::AgentRef| {
            agent.name.to_lowercase().contains(&wanted) || agent.slug.contains(&wanted)
        };
        let thing = |agent: domain::AgentRef| ThingOut {
            kind: ThingKind::Agent,
            href: format!("/agents/{}", agent.id),
            name: agent.name,
            detail: agent.slug,
        };
        let names = backend.engine.agent_names(&permit).await?;
        Ok(names.into_iter().filter(fits).take(MOST).map(thing).collect())
    }

    async fn contacts(backend: &Backend, visitor: &Visitor, text: &str) -> ServiceResult<Vec<ThingOut>> {
        let Ok(permit) = visitor.tenant_permit() else { return Ok(Vec::new()) };
        let query = ContactQuery {
            limit: u64::try_from(MOST).ok(),
            cursor: None,
            status: None,
            q: Some(text.to_owned()),
        };
        let list = backend.crm.list_contacts(&permit, query).await?;
        let thing = |contact: domain::crm::ContactOut| ThingOut {
            kind: ThingKind::Contact,
            href: format!("/contacts/{}", contact.id),
            detail: contact.email.or(contact.phone).unwrap_or_default(),
            name: contact.name,
        };
        Ok(list.data.into_iter().map(thing).collect())
    }

    /// By its whole id, as people paste it from a log.
    async fn execution(backend: &Backend, visitor: &Visitor, text: &str) -> ServiceResult<Option<ThingOut>> {
        let (Ok(id), Ok(permit)) = (text.parse(), visitor.tenant_permit()) else { return Ok(None) };
        match backend.engine.get_execution(&permit, id, Duration::ZERO).await {
            Ok(row) => Ok(Some(ThingOut {
                kind: ThingKind::Execution,
                name: row.tool_name,
                detail: id.to_string(),
                href: format!("/executions/{id}"),
            })),
            Err(error) if error.code == ErrorCode::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}
