//! T2: the tools of a tenant by what is wanted of them, all at once or a page at a time. A page costs what is on it:
//! the counts of other tools are not read.

use super::{as_seen_by, is_seen_by, no_agent, view};
use crate::{Catalogue, Engine, KnownTool};
use ability::{Caller, ReadTools, TenantPermit};
use domain::{
    ServiceResult, ToolId,
    tool::{ToolOut, ToolType},
};
use std::sync::Arc;

/// Which tools are wanted.
#[derive(Clone, Debug, Default)]
pub struct ToolFilter {
    pub r#type: Option<ToolType>,
    pub is_active: Option<bool>,
    /// Id or slug.
    pub agent: Option<String>,
    pub search: Option<String>,
}

/// Some of the tools that fit, and how many there are.
pub struct ToolPage {
    pub tools: Vec<ToolOut>,
    pub total: usize,
}

impl Engine {
    pub async fn list_tools(
        &self,
        permit: &TenantPermit<ReadTools>,
        filter: &ToolFilter,
    ) -> ServiceResult<Vec<ToolOut>> {
        let catalogue = self.catalogue(permit.tenant()).await?;
        let found = matching(&catalogue, permit.caller(), filter, &[])?;
        let totals =
            store::statistics::totals(&self.db.reader_of(permit.tenant()).await?, permit.tenant()).await?;
        let shown = |known: &&Arc<KnownTool>| {
            as_seen_by(permit.caller(), view(&known.tool, &catalogue, totals.get(&known.tool.id)))
        };
        Ok(found.iter().map(shown).collect())
    }

    /// `limit` of the tools that fit, after the first `skip`. `also` has the names of the product's own tools that fit the
    /// search by the words that a page shows in place of theirs.
    pub async fn tool_page(
        &self,
        permit: &TenantPermit<ReadTools>,
        filter: &ToolFilter,
        also: &[&str],
        skip: usize,
        limit: usize,
    ) -> ServiceResult<ToolPage> {
        let tenant = permit.tenant();
        let catalogue = self.catalogue(tenant).await?;
        let found = matching(&catalogue, permit.caller(), filter, also)?;
        let shown: Vec<_> = found.iter().skip(skip).take(limit).collect();
        let ids: Vec<ToolId> = shown.iter().map(|known| known.tool.id).collect();
        let totals = store::statistics::totals_of(&self.db.reader_of(tenant).await?, tenant, &ids).await?;
        let tools = shown.iter().map(|known| {
            as_seen_by(permit.caller(), view(&known.tool, &catalogue, totals.get(&known.tool.id)))
        });
        Ok(ToolPage { tools: tools.collect(), total: found.len() })
    }

    /// The first `limit` tools, as they are known, for their names; no counts are read.
    pub async fn first_tools(
        &self,
        permit: &TenantPermit<ReadTools>,
        limit: usize,
    ) -> ServiceResult<Vec<Arc<KnownTool>>> {
        let catalogue = self.catalogue(permit.tenant()).await?;
        let found = matching(&catalogue, permit.caller(), &ToolFilter::default(), &[])?;
        Ok(found.into_iter().take(limit).cloned().collect())
    }
}

/// By name, as the catalogue has them: those that the caller may see.
pub(crate) fn matching<'a>(
    catalogue: &'a Catalogue,
    caller: &Caller,
    filter: &ToolFilter,
    also: &[&str],
) -> ServiceResult<Vec<&'a Arc<KnownTool>>> {
    let agent = match filter.agent.as_deref() {
        Some(name) => Some(catalogue.agent(name).ok_or_else(no_agent)?.id),
        None => None,
    };
    // An agent's own key knows no other agent.
    if agent.is_some() && caller.agent.is_some_and(|own| agent != Some(own)) {
        return Err(no_agent());
    }
    let search = filter.search.as_ref().map(|text| text.trim().to_lowercase());
    let wanted = |known: &&Arc<KnownTool>| {
        let definition = &known.tool.definition;
        filter.r#type.is_none_or(|kind| definition.r#type == kind)
            && filter.is_active.is_none_or(|active| known.tool.is_active == active)
            && agent.is_none_or(|agent| catalogue.is_assigned(agent, known.tool.id))
            && is_seen_by(catalogue, caller, known.tool.id)
            && search.as_deref().is_none_or(|text| {
                let is_also = known.tool.is_system && also.contains(&definition.name.as_str());
                is_also
                    || [definition.name.as_str(), &definition.display_name, &definition.description]
                        .iter()
                        .any(|field| field.to_lowercase().contains(text))
            })
    };
    Ok(catalogue.tools().iter().filter(wanted).collect())
}
