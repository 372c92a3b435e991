//! C7, C8: what an agent may call now, in the words of its model: exactly what the gate would let through.

use crate::{
    Catalogue, Engine, KnownTool,
    agents::may_see,
    gate::{self, Decision, Question, Verdict},
    limits::counters,
    tools::{no_agent, seen_tool},
};
use ability::{Action, ReadAgents, ReadTools, Subject, Target, TenantPermit};
use domain::{ListOut, ServiceResult, ToolId};
use futures::future::join_all;
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
    Tools(ToolsNow),
    Prompt(String),
}

/// What an agent may call now.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct ToolsNow {
    #[serde(flatten)]
    pub tools: ListOut<FunctionDefinition>,
    /// What only a rate limit holds back: ask again then.
    pub later: Vec<Later>,
}

/// A tool whose rate limit, or that of its agent or organisation, is used up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct Later {
    pub name: String,
    /// Seconds.
    pub retry_after: u64,
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
        let asked = self.ask_for_each(permit, &catalogue, agent).await;
        let later = asked.iter().filter_map(|(tool, decision)| later(tool, decision)).collect();
        let tools: Vec<_> =
            asked.into_iter().filter(|(_, decision)| decision.verdict != Verdict::Denied).collect();
        let in_words_of = |model: fn(&KnownTool) -> FunctionDefinition| {
            tools.iter().map(|(tool, _)| model(tool)).collect::<Vec<_>>().into()
        };
        Ok(match format {
            Format::Openai => Discovered::Tools(ToolsNow { tools: in_words_of(openai), later }),
            Format::Anthropic => Discovered::Tools(ToolsNow { tools: in_words_of(anthropic), later }),
            Format::Prompt => Discovered::Prompt(prompt(agent, &tools, &later)),
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

    /// What the gate says of each tool of the agent, whatever it is called with. The limiter, which may be another machine,
    /// is asked only about tools that nothing else speaks against.
    async fn ask_for_each(
        &self,
        permit: &TenantPermit<ReadAgents>,
        catalogue: &Catalogue,
        agent: &Agent,
    ) -> Vec<(Arc<KnownTool>, Decision)> {
        let (tenant, own) = (permit.tenant(), self.ability_of(permit.tenant(), agent.id));
        // Whoever runs tools asks what they may call in the agent's name. Others only look: at what the agent may.
        let caller = &permit.caller().ability;
        let runs_tools = caller.decide(Action::Execute, &Target::any(Subject::ToolManagement)).is_allowed();
        let ability = if runs_tools { caller } else { &*own };
        let question = |tool| Question {
            agent: Some(agent),
            agent_ability: Some(&own),
            cannot_run: self.cannot_run(tool),
            ..Question::of_tool(tenant, catalogue, ability, tool)
        };
        // Most tools have no limit of their own: these wait for the same ones.
        let common = self.limiter.look(&counters(tenant, catalogue, Some(agent), None)).await;
        let (question, common) = (&question, &common);
        let asked = catalogue.tools().iter().map(async |tool| {
            let mut decision = gate::decide(&question(tool));
            if decision.verdict != Verdict::Denied {
                let limits = match tool.tool.definition.rate_limit {
                    None => common.clone(),
                    Some(_) => {
                        self.limiter.look(&counters(tenant, catalogue, Some(agent), Some(&tool.tool))).await
                    }
                };
                decision = gate::decide(&Question { limits: Some(&limits), ..question(tool) });
            }
            (Arc::clone(tool), decision)
        });
        join_all(asked).await
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

fn later(known: &KnownTool, decision: &Decision) -> Option<Later> {
    let retry_after = decision.retry_after?;
    Some(Later { name: known.tool.definition.name.to_string(), retry_after })
}

/// For models without function calling.
fn prompt(agent: &Agent, tools: &[(Arc<KnownTool>, Decision)], later: &[Later]) -> String {
    let mut text = agent.persona.clone();
    if !text.is_empty() {
        text.push_str("\n\n");
    }
    text.push_str(match tools {
        [] => "You have no tools now.\n",
        _ => "You can call these tools. Arguments are JSON and must fit the schema.\n",
    });
    // Writing to a string does not fail.
    for (known, decision) in tools {
        let definition = &known.tool.definition;
        let asks =
            if decision.verdict == Verdict::NeedsConfirmation { " (a person confirms first)" } else { "" };
        let _ = writeln!(text, "\n## {}{asks}\n{}", definition.name, definition.description);
        let _ = writeln!(text, "Arguments: {}", definition.parameters);
    }
    if !later.is_empty() {
        text.push_str("\nUsed too often, so not now:\n");
    }
    for Later { name, retry_after } in later {
        let _ = writeln!(text, "- {name}: again in {retry_after} s");
    }
    text
}
