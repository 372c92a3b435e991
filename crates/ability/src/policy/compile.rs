//! From a line of the policy to a rule of one principal.

use super::{PolicyError, Principal};
use crate::{Action, Condition, Effect, Role, Rule, Subject};

/// A line of the policy, understood but not yet bound to anybody.
#[derive(Clone, Debug)]
pub struct RuleTemplate {
    role: Role,
    action: Action,
    subject: Subject,
    fields: Vec<String>,
    conditions: Vec<Condition>,
    effect: Effect,
    reason: Option<String>,
    /// The cells as they stand in the policy.
    line: Vec<String>,
}

impl RuleTemplate {
    pub(super) fn line(&self) -> &[String] {
        &self.line
    }

    pub fn parse(line: &[String]) -> Result<Self, PolicyError> {
        Self::from_cells(line).ok_or_else(|| PolicyError::Line(line.join(", ")))
    }

    fn from_cells(line: &[String]) -> Option<Self> {
        let [role, action, subject, fields, conditions, effect, reason] = line else {
            return None;
        };
        Some(Self {
            role: Role::from_name(role)?,
            action: Action::from_name(action)?,
            subject: Subject::from_name(subject)?,
            fields: fields.split_whitespace().map(str::to_owned).collect(),
            conditions: parse_conditions(conditions)?,
            effect: parse_effect(effect)?,
            reason: (!reason.is_empty()).then(|| reason.to_owned()),
            line: line.to_vec(),
        })
    }

    /// The rule for this principal, or nothing when they do not have the role.
    pub fn compile_for(&self, principal: &Principal) -> Option<Rule> {
        if !principal.roles.contains(&self.role) {
            return None;
        }
        let mut conditions: Vec<_> = self.conditions.iter().map(|c| bind(c, principal)).collect();
        if self.role.is_tenant_bound() {
            let tenant = principal.tenant?;
            conditions.push(Condition { attribute: "tenant_id".to_owned(), equals: tenant.to_string() });
        }
        Some(Rule {
            role: self.role.as_str().to_owned(),
            action: self.action,
            subject: self.subject,
            fields: self.fields.clone(),
            conditions,
            effect: self.effect,
            reason: self.reason.clone(),
        })
    }
}

pub(super) fn parse_effect(effect: &str) -> Option<Effect> {
    match effect {
        "allow" => Some(Effect::Allow),
        "deny" => Some(Effect::Deny),
        _ => None,
    }
}

pub(super) fn parse_conditions(text: &str) -> Option<Vec<Condition>> {
    let pairs = text.split_whitespace().map(|pair| pair.split_once('='));
    pairs.map(|pair| pair.map(|(a, e)| Condition { attribute: a.to_owned(), equals: e.to_owned() })).collect()
}

fn bind(condition: &Condition, principal: &Principal) -> Condition {
    Condition { equals: bind_value(&condition.equals, &principal.id.to_string()), ..condition.clone() }
}

pub(super) fn bind_value(value: &str, user_id: &str) -> String {
    value.replace("${user.id}", user_id)
}
