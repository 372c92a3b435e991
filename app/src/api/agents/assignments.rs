//! Which agent has which tool: shown as a matrix, changed in two steps. The first says what would change and changes
//! nothing; the second does it. Between them the wish is in the address.

use crate::api::{ApiError, Form};
use domain::{AgentId, ToolEffect};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// A page of the matrix: tools down, agents across.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Matrix {
    pub agents: Vec<MatrixAgent>,
    /// How many agents there are to look for.
    pub all_agents: i64,
    pub rows: Vec<MatrixRow>,
    pub page: i64,
    pub total: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatrixAgent {
    pub id: AgentId,
    pub slug: String,
    pub name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatrixRow {
    pub name: String,
    pub display_name: String,
    pub description: String,
    pub effect: ToolEffect,
    pub is_active: bool,
    /// The slugs of those who have it.
    pub given: Vec<String>,
}

/// What one agent would gain and lose.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlanOut {
    pub slug: String,
    pub name: String,
    pub version: i64,
    pub gains: Vec<String>,
    pub loses: Vec<String>,
}

/// Where the plan can be looked at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlanMade {
    pub address: String,
}

pub const MATRIX_TOOLS: i64 = 25;
/// Columns beyond these are found by the name of the agent.
#[cfg(feature = "ssr")]
const MATRIX_AGENTS: usize = 12;

/// With `agent`, that one alone; otherwise those whose name has `who` in it.
#[server(prefix = "/fn", endpoint = "get_matrix", input = Form)]
pub async fn get_matrix(
    search: Option<String>,
    who: Option<String>,
    agent: Option<String>,
    #[server(default)] page: i64,
) -> Result<Matrix, ApiError> {
    let visitor = crate::request::visitor();
    let (engine, permit) = (crate::request::backend().engine, visitor.tenant_permit()?);
    let mut agents = match agent {
        Some(name) => {
            let one = engine.get_agent(&permit, &name).await?;
            vec![MatrixAgent { id: one.id, slug: one.slug, name: one.name }]
        }
        None => {
            let named = |one: domain::AgentRef| MatrixAgent { id: one.id, slug: one.slug, name: one.name };
            engine.agent_names(&permit).await?.into_iter().map(named).collect()
        }
    };
    let who = who.unwrap_or_default().trim().to_lowercase();
    agents.retain(|one| one.name.to_lowercase().contains(&who) || one.slug.contains(&who));
    let all_agents = i64::try_from(agents.len()).unwrap_or(i64::MAX);
    agents.truncate(MATRIX_AGENTS);
    let (skip, limit) = crate::api::span(page, MATRIX_TOOLS);
    let t = crate::texts::Texts::of(visitor.language);
    let also = t.built_in_with(search.as_deref());
    let filter = engine::ToolFilter { search, ..Default::default() };
    let found = engine.tool_page(&visitor.tenant_permit()?, &filter, &also, skip, limit).await?;
    let total = i64::try_from(found.total).unwrap_or(i64::MAX);
    let rows = found.tools.into_iter().map(|tool| pairs::row(t, tool, &agents)).collect();
    Ok(Matrix { agents, all_agents, rows, page, total })
}

/// What the boxes of a page wish for. Leads to the same page with the difference in its address.
#[server(prefix = "/fn", endpoint = "plan_assignments", input = Form)]
pub async fn plan_assignments(
    /// The names of the tools and the slugs of the agents that the page showed, with commas.
    tools: String,
    agents: String,
    /// `slug~tool` of every box that is ticked.
    #[server(default)]
    on: Vec<String>,
    back: String,
) -> Result<PlanMade, ApiError> {
    let visitor = crate::request::visitor();
    let changes = pairs::wished(&tools, &agents, &on);
    // Whoever may not change them has nothing to plan.
    visitor.tenant_permit::<ability::ManageAgents>()?;
    let plans =
        crate::request::backend().engine.plan_assignments(&visitor.tenant_permit()?, &changes).await?;
    let address = pairs::address(&back, &plans)?;
    leptos_axum::redirect(&address);
    Ok(PlanMade { address })
}

/// What a plan in an address would do now.
#[server(prefix = "/fn", endpoint = "review_assignments", input = Form)]
pub async fn review_assignments(give: String, take: String) -> Result<Vec<PlanOut>, ApiError> {
    let visitor = crate::request::visitor();
    visitor.tenant_permit::<ability::ManageAgents>()?;
    let changes = pairs::changes(&give, &take, "");
    let plans =
        crate::request::backend().engine.plan_assignments(&visitor.tenant_permit()?, &changes).await?;
    let shown = |plan: engine::AssignmentPlan| PlanOut {
        slug: plan.agent.slug,
        name: plan.agent.name,
        version: plan.version,
        gains: plan.gains,
        loses: plan.loses,
    };
    Ok(plans.into_iter().map(shown).collect())
}

/// `versions` are the agents as they were when the plan was looked at: `slug~version`, with commas.
#[server(prefix = "/fn", endpoint = "save_assignments", input = Form)]
pub async fn save_assignments(
    #[server(default)] give: String,
    #[server(default)] take: String,
    versions: String,
    back: String,
) -> Result<PlanMade, ApiError> {
    let visitor = crate::request::visitor();
    let changes = pairs::changes(&give, &take, &versions);
    crate::request::backend().engine.change_assignments(&visitor.tenant_permit()?, changes).await?;
    let undo = crate::api::undo::Undo::assignments(&give, &take, &versions, &back);
    crate::request::saved_with_undo(&visitor, undo).await?;
    let address = pairs::without_plan(&back);
    leptos_axum::redirect(&address);
    Ok(PlanMade { address })
}

#[cfg(feature = "ssr")]
mod pairs {
    use super::{MatrixAgent, MatrixRow};
    use crate::texts::Texts;
    use domain::{FieldCode, ServiceError, ServiceResult, tool::ToolOut};
    use engine::{AssignmentChange, AssignmentPlan};

    /// An address that is longer does not reach every server.
    const LONGEST: usize = 6_000;

    pub fn row(t: Texts, tool: ToolOut, agents: &[MatrixAgent]) -> MatrixRow {
        let given = agents.iter().filter(|agent| tool.allowed_agents.contains(&agent.id));
        MatrixRow {
            given: given.map(|agent| agent.slug.clone()).collect(),
            name: tool.definition.name.to_string(),
            display_name: t.label_of(tool.is_system, &tool.definition),
            description: t.described(tool.is_system, &tool.definition),
            effect: tool.definition.effect,
            is_active: tool.is_active,
        }
    }

    fn list(text: &str) -> impl Iterator<Item = &str> {
        text.split(',').map(str::trim).filter(|part| !part.is_empty())
    }

    /// Every pair that the page showed is wished for or not.
    pub fn wished(tools: &str, agents: &str, on: &[String]) -> Vec<AssignmentChange> {
        let of_agent = |agent: &str| {
            let is_on = |tool: &&str| on.contains(&format!("{agent}~{tool}"));
            let (give, take): (Vec<&str>, Vec<&str>) = list(tools).partition(is_on);
            let owned = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect();
            AssignmentChange {
                agent: agent.to_owned(),
                expected_version: None,
                give: owned(give),
                take: owned(take),
            }
        };
        list(agents).map(of_agent).collect()
    }

    pub fn changes(give: &str, take: &str, versions: &str) -> Vec<AssignmentChange> {
        let mut changes: Vec<AssignmentChange> = Vec::new();
        let pairs = |text| list(text).filter_map(|pair| pair.split_once('~'));
        let every = pairs(give).map(|pair| (pair, true)).chain(pairs(take).map(|pair| (pair, false)));
        for ((agent, tool), is_gain) in every {
            let at = changes.iter().position(|change| change.agent == agent).unwrap_or_else(|| {
                changes.push(AssignmentChange { agent: agent.to_owned(), ..Default::default() });
                changes.len() - 1
            });
            let side = if is_gain { &mut changes[at].give } else { &mut changes[at].take };
            side.push(tool.to_owned());
        }
        for (agent, version) in pairs(versions) {
            if let Some(change) = changes.iter_mut().find(|change| change.agent == agent) {
                change.expected_version = version.parse().ok();
            }
        }
        changes
    }

    /// The page that it came from, without a plan.
    pub fn without_plan(back: &str) -> String {
        let back = crate::request::safe_next(Some(back));
        let (path, query) = back.split_once('?').unwrap_or((back, ""));
        let is_other = |pair: &&str| {
            let name = pair.split('=').next().unwrap_or_default();
            !pair.is_empty() && !name.starts_with("__") && !["give", "take", "plan"].contains(&name)
        };
        let rest: Vec<&str> = query.split('&').filter(is_other).collect();
        if rest.is_empty() { path.to_owned() } else { format!("{path}?{}", rest.join("&")) }
    }

    pub fn address(back: &str, plans: &[AssignmentPlan]) -> ServiceResult<String> {
        let side = |names: fn(&AssignmentPlan) -> &Vec<String>| {
            let of = |plan: &AssignmentPlan| {
                let pairs = names(plan).iter().map(|tool| format!("{}~{tool}", plan.agent.slug));
                pairs.collect::<Vec<_>>()
            };
            plans.iter().flat_map(of).collect::<Vec<_>>().join(",")
        };
        let (give, take) = (side(|plan| &plan.gains), side(|plan| &plan.loses));
        let page = without_plan(back);
        let mark = if page.contains('?') { '&' } else { '?' };
        let address = format!("{page}{mark}plan=1&give={give}&take={take}");
        if address.len() > LONGEST { Err(ServiceError::field("on", FieldCode::TooLong)) } else { Ok(address) }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn what_is_shown_and_not_ticked_is_taken() {
            let on = ["a~x".to_owned(), "b~y".to_owned()];
            let changes = wished("x,y", "a,b", &on);
            assert_eq!(
                (&changes[0].give[..], &changes[0].take[..]),
                (&["x".to_owned()][..], &["y".to_owned()][..])
            );
            assert_eq!(
                (&changes[1].give[..], &changes[1].take[..]),
                (&["y".to_owned()][..], &["x".to_owned()][..])
            );
        }

        #[test]
        fn a_plan_is_read_back_with_the_versions_that_were_seen() {
            let changes = changes("a~x,b~y,a~z", "a~w", "a~3,c~9");
            assert_eq!(changes.len(), 2);
            assert_eq!(
                (changes[0].give.join(" "), changes[0].take.join(" ")),
                ("x z".to_owned(), "w".to_owned())
            );
            assert_eq!((changes[0].expected_version, changes[1].expected_version), (Some(3), None));
        }

        #[test]
        fn the_way_back_is_a_page_of_ours_without_the_plan() {
            assert_eq!(without_plan("/agents/matrix?q=a&give=x&plan=1&page=2"), "/agents/matrix?q=a&page=2");
            assert_eq!(without_plan("https://evil.example/"), "/");
            assert_eq!(without_plan("/agents/matrix?take=x&__err=y"), "/agents/matrix");
        }
    }
}
