//! casbin's own answer: the reference that compiled abilities are held against.

use super::{
    MODEL, Policy, PolicyError, Principal,
    compile::{bind_value, parse_conditions, parse_effect},
};
use crate::{Action, Condition, Effect, Target, rule::conditions_hold};
use casbin::function_map::{OperatorFunction, dynamic_to_str};
use casbin::{CoreApi, DefaultModel, Enforcer, MemoryAdapter, MgmtApi};

/// As attributes: the question is about a kind, not about one thing. As domain: everywhere.
const ANY: &str = "*";
/// The domain of things that belong to no tenant.
const NO_TENANT: &str = "-";

/// casbin, with one principal's roles in it. Slow: for the explanation page and for tests.
pub struct Referee {
    who: Principal,
    enforcer: Enforcer,
}

impl Referee {
    pub fn allows(&self, action: Action, target: &Target) -> Result<bool, PolicyError> {
        let request = vec![
            self.who.id.to_string(),
            domain_of(&self.who, target),
            action.as_str().to_owned(),
            target.subject.as_str().to_owned(),
            encode(target.attributes.as_deref()),
        ];
        Ok(self.enforcer.enforce(request)?)
    }
}

impl Policy {
    pub async fn referee(&self, who: &Principal) -> Result<Referee, PolicyError> {
        Ok(Referee { who: who.clone(), enforcer: self.enforcer_for(who).await? })
    }

    async fn enforcer_for(&self, who: &Principal) -> Result<Enforcer, PolicyError> {
        let model = DefaultModel::from_str(MODEL).await?;
        let mut enforcer = Enforcer::new(model, MemoryAdapter::default()).await?;
        enforcer.add_function(
            "holds",
            OperatorFunction::Arg5(|attributes, conditions, fields, effect, user| {
                let [attributes, conditions, fields, effect, user] =
                    [&attributes, &conditions, &fields, &effect, &user].map(dynamic_to_str);
                holds(&attributes, &conditions, &fields, &effect, &user).into()
            }),
        );
        enforcer.add_policies(self.templates.iter().rev().map(|t| t.line().to_vec()).collect()).await?;
        for role in &who.roles {
            let domain = if role.is_tenant_bound() { tenant_of(who) } else { ANY.to_owned() };
            enforcer.add_grouping_policy(vec![who.id.to_string(), role.as_str().to_owned(), domain]).await?;
        }
        Ok(enforcer)
    }
}

/// One thing is judged in the tenant that it belongs to; a kind, in the tenant that the principal has chosen.
fn domain_of(who: &Principal, target: &Target) -> String {
    match &target.attributes {
        None => tenant_of(who),
        Some(known) => {
            let tenant = known.iter().find(|(name, _)| name == "tenant_id");
            tenant.map_or_else(|| NO_TENANT.to_owned(), |(_, value)| value.clone())
        }
    }
}

fn tenant_of(who: &Principal) -> String {
    who.tenant.map_or_else(|| NO_TENANT.to_owned(), |tenant| tenant.to_string())
}

fn encode(attributes: Option<&[(String, String)]>) -> String {
    match attributes {
        None => ANY.to_owned(),
        Some(known) => known.iter().map(|(name, value)| format!("{name}={value}\n")).collect(),
    }
}

fn decode(attributes: &str) -> Option<Vec<(String, String)>> {
    let pairs = attributes.lines().filter_map(|line| line.split_once('='));
    (attributes != ANY).then(|| pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
}

/// The matcher's function: do the conditions of this line hold for the thing asked about?
fn holds(attributes: &str, conditions: &str, fields: &str, effect: &str, user: &str) -> bool {
    let (Some(conditions), Some(effect)) = (parse_conditions(conditions), parse_effect(effect)) else {
        return false;
    };
    let bound: Vec<Condition> =
        conditions.into_iter().map(|c| Condition { equals: bind_value(&c.equals, user), ..c }).collect();
    let whole = fields.is_empty() || effect == Effect::Allow;
    whole && conditions_hold(&bound, effect, decode(attributes).as_deref())
}
