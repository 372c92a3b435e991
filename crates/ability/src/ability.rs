//! The rules of one caller, and the answer to "may they?".

use crate::{Action, Effect, Rule, Target};
use serde::{Deserialize, Serialize};

/// Ordered rules; the last one that applies decides.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Ability {
    rules: Vec<Rule>,
}

/// An answer that explains itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision<'a> {
    Allowed(&'a Rule),
    Forbidden(&'a Rule),
    /// No rule allows it.
    NoRule,
}

impl Decision<'_> {
    pub fn is_allowed(&self) -> bool {
        matches!(self, Self::Allowed(_))
    }

    pub fn rule(&self) -> Option<&Rule> {
        match self {
            Self::Allowed(rule) | Self::Forbidden(rule) => Some(rule),
            Self::NoRule => None,
        }
    }
}

impl Ability {
    pub fn new(rules: Vec<Rule>) -> Self {
        Self { rules }
    }

    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    pub fn can(&self, action: Action, target: impl Into<Target>) -> bool {
        self.decide(action, &target.into()).is_allowed()
    }

    pub fn decide(&self, action: Action, target: &Target) -> Decision<'_> {
        self.decide_field(action, target, None)
    }

    /// The same question about one field of the thing.
    pub fn decide_field(&self, action: Action, target: &Target, field: Option<&str>) -> Decision<'_> {
        match self.rules.iter().rev().find(|rule| rule.applies(action, target, field)) {
            Some(rule) if rule.effect == Effect::Allow => Decision::Allowed(rule),
            Some(rule) => Decision::Forbidden(rule),
            None => Decision::NoRule,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Condition, Subject};

    fn rule(action: Action, subject: Subject, effect: Effect) -> Rule {
        Rule { role: "r".into(), action, subject, fields: vec![], conditions: vec![], effect, reason: None }
    }

    #[test]
    fn no_rule_means_no() {
        assert_eq!(Ability::default().decide(Action::Read, &Subject::Agent.into()), Decision::NoRule);
    }

    #[test]
    fn the_last_rule_that_applies_decides() {
        let allow = rule(Action::Manage, Subject::All, Effect::Allow);
        let deny = rule(Action::Delete, Subject::Agent, Effect::Deny);
        let ability = Ability::new(vec![allow.clone(), deny.clone()]);
        assert!(ability.can(Action::Update, Subject::Agent));
        assert!(!ability.can(Action::Delete, Subject::Agent));
        assert!(Ability::new(vec![deny, allow]).can(Action::Delete, Subject::Agent));
    }

    #[test]
    fn a_condition_is_about_the_instance() {
        let own = Condition { attribute: "owner_id".into(), equals: "me".into() };
        let mine = Rule { conditions: vec![own], ..rule(Action::Read, Subject::UserContent, Effect::Allow) };
        let ability = Ability::new(vec![mine]);
        let content = || Target::one(Subject::UserContent);
        assert!(ability.can(Action::Read, Subject::UserContent), "there may be one");
        assert!(ability.can(Action::Read, content().with("owner_id", "me")));
        assert!(!ability.can(Action::Read, content().with("owner_id", "you")));
        assert!(!ability.can(Action::Read, content()), "an unknown owner is not me");
    }

    #[test]
    fn fields_narrow_a_rule() {
        let some =
            Rule { fields: vec!["name".into()], ..rule(Action::Update, Subject::Agent, Effect::Allow) };
        let ability = Ability::new(vec![some]);
        let agent = Target::any(Subject::Agent);
        assert!(ability.decide_field(Action::Update, &agent, Some("name")).is_allowed());
        assert!(!ability.decide_field(Action::Update, &agent, Some("persona")).is_allowed());
        assert!(ability.can(Action::Update, Subject::Agent));
    }
}
