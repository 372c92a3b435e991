//! One rule, as it travels to the browser.

use crate::{Action, Subject, Target};
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    Allow,
    Deny,
}

/// An attribute of the thing has to have this value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Condition {
    pub attribute: String,
    pub equals: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rule {
    /// The role that brought the rule.
    pub role: String,
    pub action: Action,
    pub subject: Subject,
    /// Empty: all fields.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<String>,
    /// All have to hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
    pub effect: Effect,
    /// A code that pages translate; why the rule is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl Rule {
    pub(crate) fn applies(&self, action: Action, target: &Target, field: Option<&str>) -> bool {
        self.action.covers(action)
            && self.subject.covers(target.subject)
            && self.covers_field(field)
            && conditions_hold(&self.conditions, self.effect, target.attributes.as_deref())
    }

    /// As in CASL: a question without a field is answered yes by any allowed field, but a ban on some
    /// fields is not a ban on the whole.
    fn covers_field(&self, field: Option<&str>) -> bool {
        match field {
            _ if self.fields.is_empty() => true,
            Some(field) => self.fields.iter().any(|f| f == field),
            None => self.effect == Effect::Allow,
        }
    }
}

/// Asked about a kind, a conditional permission counts ("there may be one") and a conditional ban does not.
pub(crate) fn conditions_hold(
    conditions: &[Condition],
    effect: Effect,
    attributes: Option<&[(String, String)]>,
) -> bool {
    match attributes {
        None => conditions.is_empty() || effect == Effect::Allow,
        Some(known) => conditions
            .iter()
            .all(|c| known.iter().any(|(name, value)| *name == c.attribute && *value == c.equals)),
    }
}
