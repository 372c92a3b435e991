//! C7, C8: what an agent may call now, in the words of its model: exactly what the gate would let through.

use crate::{
    Catalogue, Engine, KnownTool,
    agents::may_see,
    gate::{self, Question, Verdict},
    tools::{no_agent, seen_tool},
};
use ability::{Ability, ReadAgents, ReadTools, Role, TenantPermit, policy::Principal};
use domain::{ServiceResult, TenantId, ToolId};
use serde::Serialize;
use serde_json::Value;
use std::{fmt::Write, sync::Arc};
use store::agents::Agent;

/// How a model wants to read its tools.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    #[default]
    Openai,
    Anthropic,
    Prompt,
}

pub enum Discovered {
    Tools(Vec<FunctionDefinition>),
    Prompt(String),
}

/// A tool as a model reads it, in one of its two formats.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
#[serde(untagged)]
pub enum FunctionDefinition {
    Openai(OpenaiTool),
    Anthropic(AnthropicTool),
}

/// An entry of `tools` in OpenAI's API.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct OpenaiTool {
    /// Always `function`.
    r#type: &'static str,
    function: OpenaiFunction,
}

#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct OpenaiFunction {
    name: String,
    description: String,
    /// JSON Schema 2020-12.
    #[schema(value_type = Object)]
    parameters: Value,
}

/// An entry of `tools` in Anthropic's API.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct AnthropicTool {
    name: String,
    description: String,
    /// JSON Schema 2020-12.
    #[schema(value_type = Object)]
    input_schema: Value,
}

impl Engine {
    pub async fn discover(
        &self,
        permit: &TenantPermit<ReadAgents>,
        name: &str,
        format: Format,
    ) -> ServiceResult<Discovered> {
        let catalogue = self.catalogue(permit.tenant()).await?;
        let agent = catalogue.agent(name).filter(|agent| may_see(permit, agent)).ok_or_else(no_agent)?;
        let tools = self.callable(permit.tenant(), &catalogue, agent);
        Ok(match format {
            Format::Openai => Discovered::Tools(tools.iter().map(|(tool, _)| openai(tool)).collect()),
            Format::Anthropic => Discovered::Tools(tools.iter().map(|(tool, _)| anthropic(tool)).collect()),
            Format::Prompt => Discovered::Prompt(prompt(agent, &tools)),
        })
    }

    /// One tool as a model reads it: OpenAI's way, then Anthropic's.
    pub async fn function_definitions(
        &self,
        permit: &TenantPermit<ReadTools>,
        id: ToolId,
    ) -> ServiceResult<(FunctionDefinition, FunctionDefinition)> {
        let catalogue = self.catalogue(permit.tenant()).await?;
        let known = seen_tool(&catalogue, permit.caller(), id)?;
        Ok((openai(known), anthropic(known)))
    }

    /// Each tool that a call of this agent would not be denied, and whether a person would be asked. A rate limit that is
    /// used up says "later", not "no": a tool does not come and go with it (docs/adr/0028-limits-in-the-gate.md).
    fn callable(
        &self,
        tenant: TenantId,
        catalogue: &Catalogue,
        agent: &Agent,
    ) -> Vec<(Arc<KnownTool>, Verdict)> {
        let ability = self.ability_of(tenant, agent);
        let verdict = |tool: &KnownTool| {
            let question = Question {
                agent: Some(agent),
                cannot_run: self.cannot_run(tool),
                ..Question::of_tool(tenant, catalogue, &ability, tool)
            };
            gate::decide(&question).verdict
        };
        let tools = catalogue.tools().iter().map(|tool| (Arc::clone(tool), verdict(tool)));
        tools.filter(|(_, verdict)| *verdict != Verdict::Denied).collect()
    }

    fn ability_of(&self, tenant: TenantId, agent: &Agent) -> Ability {
        let principal = Principal { id: agent.id.0, tenant: Some(tenant), roles: vec![Role::Agent] };
        self.policy.ability_for(&principal)
    }
}

fn openai(known: &KnownTool) -> FunctionDefinition {
    let definition = &known.tool.definition;
    let function = OpenaiFunction {
        name: definition.name.to_string(),
        description: definition.description.clone(),
        parameters: definition.parameters.clone(),
    };
    FunctionDefinition::Openai(OpenaiTool { r#type: "function", function })
}

fn anthropic(known: &KnownTool) -> FunctionDefinition {
    let definition = &known.tool.definition;
    FunctionDefinition::Anthropic(AnthropicTool {
        name: definition.name.to_string(),
        description: definition.description.clone(),
        input_schema: definition.parameters.clone(),
    })
}

/// For models without function calling.
fn prompt(agent: &Agent, tools: &[(Arc<KnownTool>, Verdict)]) -> String {
    let mut text = agent.persona.clone();
    if !text.is_empty() {
        text.push_str("\n\n");
    }
    if tools.is_empty() {
        text.push_str("You have no tools.\n");
        return text;
    }
    text.push_str("You can call these tools. Arguments are JSON and must fit the schema.\n");
    for (known, verdict) in tools {
        let definition = &known.tool.definition;
        let asks = if *verdict == Verdict::NeedsConfirmation { " (a person confirms first)" } else { "" };
        // Writing to a string does not fail.
        let _ = writeln!(text, "\n## {}{asks}\n{}", definition.name, definition.description);
        let _ = writeln!(text, "Arguments: {}", definition.parameters);
    }
    text
}
