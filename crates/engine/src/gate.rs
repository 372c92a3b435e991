//! B7: the one decision. Every door asks here, and every answer carries its reason and the rule behind it.
//!
//! A pure function over a [`Catalogue`] and an [`Ability`]: the same question gets the same answer from REST, the
//! dashboard, a job or "why?". Rate limits are counted after a yes, because asking must not use them up.

#[cfg(test)]
mod tests;

use crate::{
    catalogue::{Catalogue, KnownTool},
    danger,
    tools::system::own_things,
};
use ability::{Ability, Action, Subject, Target};
pub use domain::decision::Verdict;
use domain::{ErrorCode, ServiceError, TenantId, tool::ConfirmationMode};
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
    /// Who calls, as the owner of their own things; nobody when it is about an agent, or the product itself.
    pub caller: Option<Uuid>,
    pub tool: &'a KnownTool,
    pub params: &'a Value,
    /// Why this machine cannot run tools of this kind; nothing when it can.
    pub cannot_run: Option<&'a str>,
}

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct Check {
    /// `global_switch`, `runnable`, `tool_active`, `agent_active`, `assignment`, `ability` or `confirmation`.
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
}

impl Decision {
    /// The error of a call that is denied.
    pub fn error(&self) -> Option<ServiceError> {
        self.code.map(|code| ServiceError::new(code, self.reason.to_string()))
    }

    /// The rule of a role that allows the caller to run the tool: `execute ToolManagement of the role operator`.
    pub fn granted_by(&self) -> Option<&str> {
        let check = self.checks.iter().find(|check| check.check == ABILITY)?;
        check.detail.strip_prefix(GRANTED)?.strip_suffix('.')
    }
}

const ABILITY: &str = "ability";
const GRANTED: &str = "Allowed by the rule ";

pub fn decide(question: &Question<'_>) -> Decision {
    let mut checks = Vec::new();
    for look in [switch, runnable, active, agent_active, assignment, ability] {
        let Some((check, code)) = look(question) else { continue };
        let failed = !check.passed;
        checks.push(check);
        if failed {
            return denied(code, checks);
        }
    }
    let confirmation = confirmation(question);
    let verdict = if confirmation.passed { Verdict::Allowed } else { Verdict::NeedsConfirmation };
    let (reason, rule) = (confirmation.detail.clone(), confirmation.check);
    checks.push(confirmation);
    Decision { verdict, code: None, reason, rule, checks }
}

fn denied(code: ErrorCode, checks: Vec<Check>) -> Decision {
    let last = checks.last().cloned();
    let (reason, rule) = last.map(|check| (check.detail, check.check)).unwrap_or_default();
    Decision { verdict: Verdict::Denied, code: Some(code), reason, rule, checks }
}

type Looked = Option<(Check, ErrorCode)>;

/// Most checks pass: what speaks against is put into words only when something does.
fn looked(
    check: &'static str,
    passed: bool,
    code: ErrorCode,
    yes: impl Into<Cow<'static, str>>,
    no: impl FnOnce() -> String,
) -> Looked {
    let detail = if passed { yes.into() } else { no().into() };
    Some((Check { check, passed, detail }, code))
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

fn ability(question: &Question<'_>) -> Looked {
    let target = target(question);
    let decision = question.ability.decide(Action::Execute, &target);
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
