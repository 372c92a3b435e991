//! B7: the one decision. Every door asks here, and every answer carries its reason and the rule behind it.
//!
//! A pure function over a [`Catalogue`] and an [`Ability`]: the same question gets the same answer from REST, the
//! dashboard, a job or "why?". Whether a rate limit is used up is for the limiter to say. "Why?" asks it beforehand,
//! without using anything up; a call is counted after a yes, so that one which is denied anyway costs nothing.

#[cfg(test)]
mod tests;

use crate::{
    catalogue::{Catalogue, KnownTool},
    danger, limits,
    tools::system::own_things,
};
use ::limits::Wait;
use ability::{Ability, Action, Subject, Target};
pub use domain::decision::Verdict;
use domain::{AgentId, ErrorCode, FieldError, LimitOf, ServiceError, TenantId, tool::ConfirmationMode};
use serde::Serialize;
use serde_json::Value;
use std::borrow::Cow;
use store::agents::Agent;
use uuid::Uuid;

/// May this tool be called now?
pub struct Question<'a> {
    pub tenant: TenantId,
    pub catalogue: &'a Catalogue,
    pub ability: &'a Ability,
    /// Nobody: a person or a backend calls the tool itself.
    pub agent: Option<&'a Agent>,
    /// What the agent itself may do, whoever speaks for it.
    pub agent_ability: Option<&'a Ability>,
    /// Who calls, as the owner of their own things; nobody when it is about an agent, or the product itself.
    pub caller: Option<Uuid>,
    /// The agent that the caller's key is bound to.
    pub bound_to: Option<AgentId>,
    pub tool: &'a KnownTool,
    pub params: &'a Value,
    /// Whether they have to fit the tool's schema; not when there are none to look at yet.
    pub fit: bool,
    /// What the limiter says; nothing when it is asked later, or not at all.
    pub limits: Option<&'a Result<(), Wait>>,
    /// Why this machine cannot run tools of this kind; nothing when it can.
    pub cannot_run: Option<&'a str>,
}

impl<'a> Question<'a> {
    /// About the tool itself: whatever it is called with, and however often.
    pub fn of_tool(
        tenant: TenantId,
        catalogue: &'a Catalogue,
        ability: &'a Ability,
        tool: &'a KnownTool,
    ) -> Self {
        Self {
            tenant,
            catalogue,
            ability,
            agent: None,
            agent_ability: None,
            caller: None,
            bound_to: None,
            tool,
            params: &Value::Null,
            fit: false,
            limits: None,
            cannot_run: None,
        }
    }
}

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct Check {
    /// `speaker`, `global_switch`, `runnable`, `tool_active`, `agent_active`, `assignment`, `ability`, `arguments`,
    /// `rate_limit` or `confirmation`.
    pub check: &'static str,
    pub passed: bool,
    #[schema(value_type = String)]
    pub detail: Cow<'static, str>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct Decision {
    pub verdict: Verdict,
    /// The error that a call would get; null when it would not be denied.
    #[schema(value_type = Option<String>)]
    pub code: Option<ErrorCode>,
    /// In words.
    #[schema(value_type = String)]
    pub reason: Cow<'static, str>,
    /// Which check decided, and the rule behind it.
    pub rule: &'static str,
    /// In the order in which they were looked at; the first that fails decides.
    pub checks: Vec<Check>,
    /// The fields that do not fit; only when the arguments decided.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<FieldError>,
    /// Seconds; only when a rate limit decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u64>,
    /// Whose limit it was.
    #[serde(skip)]
    exceeded: Option<LimitOf>,
}

impl Decision {
    /// The error of a call that is denied.
    pub fn error(&self) -> Option<ServiceError> {
        Some(ServiceError {
            errors: self.errors.clone(),
            retry_after: self.retry_after,
            exceeded: self.exceeded,
            ..ServiceError::new(self.code?, self.reason.to_string())
        })
    }

    /// Whether the record keeps it. Arguments that do not fit were not refused to anybody; and whoever calls too often
    /// would fill the record with it.
    pub(crate) fn is_kept(&self) -> bool {
        self.verdict == Verdict::Denied && ![ARGUMENTS, RATE_LIMIT].contains(&self.rule)
    }

    /// Somebody asks in the name of another: they are told nothing else.
    pub(crate) fn is_of_another(&self) -> bool {
        self.verdict == Verdict::Denied && self.rule == SPEAKER
    }

    /// The rule of a role that allows the caller to run the tool: `execute ToolManagement of the role operator`.
    pub fn granted_by(&self) -> Option<&str> {
        let check = self.checks.iter().find(|check| check.check == ABILITY)?;
        check.detail.strip_prefix(GRANTED)?.strip_suffix('.')
    }
}

const SPEAKER: &str = "speaker";
const ABILITY: &str = "ability";
const ARGUMENTS: &str = "arguments";
const RATE_LIMIT: &str = "rate_limit";
const GRANTED: &str = "Allowed by the rule ";

pub fn decide(question: &Question<'_>) -> Decision {
    let looks = [speaker, switch, runnable, active, agent_active, assignment, ability, arguments, rate_limit];
    let mut checks = Vec::with_capacity(looks.len() + 1);
    for look in looks {
        let Some((check, error)) = look(question) else { continue };
        checks.push(check);
        if let Some(error) = error {
            return denied(error, checks);
        }
    }
    let confirmation = confirmation(question);
    let verdict = if confirmation.passed { Verdict::Allowed } else { Verdict::NeedsConfirmation };
    let (reason, rule) = (confirmation.detail.clone(), confirmation.check);
    checks.push(confirmation);
    Decision {
        verdict,
        code: None,
        reason,
        rule,
        checks,
        errors: Vec::new(),
        retry_after: None,
        exceeded: None,
    }
}

fn denied(error: ServiceError, checks: Vec<Check>) -> Decision {
    let rule = checks.last().map(|check| check.check).unwrap_or_default();
    let ServiceError { code, detail, errors, retry_after, exceeded, .. } = error;
    let (verdict, code, reason) = (Verdict::Denied, Some(code), detail.into());
    Decision { verdict, code, reason, rule, checks, errors, retry_after, exceeded }
}

/// A check, and the error of a call that fails it; nothing when there is nothing to look at.
type Looked = Option<(Check, Option<ServiceError>)>;

/// Most checks pass: what speaks against is put into words only when something does.
fn looked(
    check: &'static str,
    holds: bool,
    code: ErrorCode,
    yes: impl Into<Cow<'static, str>>,
    no: impl FnOnce() -> String,
) -> Looked {
    Some(if holds { passed(check, yes) } else { against(check, ServiceError::new(code, no())) })
}

fn passed(check: &'static str, detail: impl Into<Cow<'static, str>>) -> (Check, Option<ServiceError>) {
    (Check { check, passed: true, detail: detail.into() }, None)
}

fn against(check: &'static str, error: ServiceError) -> (Check, Option<ServiceError>) {
    (Check { check, passed: false, detail: error.detail.clone().into() }, Some(error))
}

/// S24: a key that is bound to an agent speaks for that agent, and for nobody else.
fn speaker(question: &Question<'_>) -> Looked {
    question.bound_to?;
    Some(match speaks_for_another(question.bound_to, question.agent) {
        false => passed(SPEAKER, "The key speaks for this agent."),
        true => against(SPEAKER, another_agent()),
    })
}

pub(crate) fn speaks_for_another(bound_to: Option<AgentId>, agent: Option<&Agent>) -> bool {
    bound_to.is_some_and(|own| agent.is_none_or(|agent| agent.id != own))
}

pub(crate) fn another_agent() -> ServiceError {
    ServiceError::new(ErrorCode::Forbidden, "This key speaks for another agent.")
}

fn switch(question: &Question<'_>) -> Looked {
    let against = question.catalogue.switch_against(&question.tool.tool);
    let no = || format!("An administrator has switched off {} for everybody.", against.unwrap_or_default());
    looked("global_switch", against.is_none(), ErrorCode::ToolDisabled, "No global switch is off.", no)
}

/// S5: a kind that nothing confines does not run.
fn runnable(question: &Question<'_>) -> Looked {
    let reason = question.cannot_run.unwrap_or_default();
    let no = || format!("Code tools cannot run on this machine: {reason}.");
    let passed = question.cannot_run.is_none();
    looked("runnable", passed, ErrorCode::CodeUnavailable, "Tools of this kind can run here.", no)
}

fn active(question: &Question<'_>) -> Looked {
    let tool = &question.tool.tool;
    let no = || format!("The tool {} is not active.", tool.definition.name);
    looked("tool_active", tool.is_active, ErrorCode::ToolDisabled, "The tool is active.", no)
}

fn agent_active(question: &Question<'_>) -> Looked {
    let agent = question.agent?;
    let no = || format!("The agent {} is not active.", agent.slug);
    looked("agent_active", agent.is_active, ErrorCode::Forbidden, "The agent is active.", no)
}

fn assignment(question: &Question<'_>) -> Looked {
    let agent = question.agent?;
    let tool = &question.tool.tool;
    let is_assigned = question.catalogue.is_assigned(agent.id, tool.id);
    let no = || format!("The agent {} was not given the tool {}.", agent.slug, tool.definition.name);
    looked("assignment", is_assigned, ErrorCode::ToolNotAssigned, "The agent was given the tool.", no)
}

/// S24: what the caller may do, and what the agent may do that they speak for.
fn ability(question: &Question<'_>) -> Looked {
    let target = target(question);
    let mut decision = question.ability.decide(Action::Execute, &target);
    if let Some(agent) = question.agent_ability.filter(|_| decision.is_allowed()) {
        let of_agent = agent.decide(Action::Execute, &target);
        if !of_agent.is_allowed() {
            decision = of_agent;
        }
    }
    let rule = decision
        .rule()
        .map(|rule| format!("{} {} of the role {}", rule.action.as_str(), rule.subject.as_str(), rule.role));
    let yes = match &rule {
        Some(rule) => format!("{GRANTED}{rule}."),
        None => "Allowed by a rule.".to_owned(),
    };
    let no = || match rule {
        Some(rule) => format!("Forbidden by the rule {rule}."),
        None => "No rule allows the caller to run tools here.".to_owned(),
    };
    looked(ABILITY, decision.is_allowed(), ErrorCode::Forbidden, yes, no)
}

fn arguments(question: &Question<'_>) -> Looked {
    question.fit.then(|| match question.tool.schema.check(question.params) {
        Ok(()) => passed(ARGUMENTS, "The arguments fit the tool's parameters."),
        Err(error) => against(ARGUMENTS, error),
    })
}

/// T17: of the tool, the agent and the organisation.
fn rate_limit(question: &Question<'_>) -> Looked {
    Some(match question.limits? {
        Ok(()) => passed(RATE_LIMIT, "No rate limit is used up."),
        Err(wait) => against(RATE_LIMIT, limits::too_often(wait)),
    })
}

/// Whoever works on their own things needs no right to the organisation's tools. What an agent was given is the
/// organisation's to decide, whatever the tool.
fn target(question: &Question<'_>) -> Target {
    let tool = &question.tool.tool;
    if question.agent.is_none() && own_things(tool).is_some() {
        let target = Target::one(Subject::UserContent).with("tenant_id", question.tenant);
        return match question.caller {
            Some(caller) => target.with("owner_id", caller),
            None => target,
        };
    }
    Target::one(Subject::ToolManagement)
        .with("tenant_id", question.tenant)
        .with("is_system", tool.is_system)
        .with("name", &tool.definition.name)
}

/// A tool's own demand always counts. Whoever calls by hand is the person who would be asked, unless two are needed.
fn confirmation(question: &Question<'_>) -> Check {
    let definition = &question.tool.tool.definition;
    let danger = danger::judge(definition.effect, question.params);
    let asked = match question.agent {
        None => definition.requires_second_person.then(|| "the tool requires a second person".to_owned()),
        Some(_) if definition.requires_second_person => Some("the tool requires a second person".to_owned()),
        Some(_) if definition.requires_confirmation => Some("the tool requires confirmation".to_owned()),
        Some(agent) => match (agent.confirmation_mode, danger) {
            (ConfirmationMode::Always, _) => Some("the agent asks before every call".to_owned()),
            (ConfirmationMode::Dangerous, Some(why)) => {
                Some(format!("the agent asks before dangerous calls, and {why}"))
            }
            (ConfirmationMode::Dangerous, None) | (ConfirmationMode::Never, _) => None,
        },
    };
    let passed = asked.is_none();
    let detail = match asked {
        None => "Nobody has to be asked first.".into(),
        Some(why) => format!("A person decides first: {why}.").into(),
    };
    Check { check: "confirmation", passed, detail }
}
