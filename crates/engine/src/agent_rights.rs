//! S24: what an agent may do by the policy, whoever speaks for it. The policy is read at the start, so that the rules of an
//! agent are made once.

use crate::Engine;
use ability::{Ability, Role, policy::Principal};
use domain::{AgentId, TenantId};
use std::{
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock},
};

/// Beyond so many they are made anew.
const MOST: usize = 10_000;

#[derive(Default)]
pub(crate) struct AgentRights(RwLock<HashMap<AgentId, Arc<Ability>>>);

impl Engine {
    pub(crate) fn ability_of(&self, tenant: TenantId, agent: AgentId) -> Arc<Ability> {
        let known = &self.agent_rights.0;
        if let Some(ability) = known.read().unwrap_or_else(PoisonError::into_inner).get(&agent) {
            return Arc::clone(ability);
        }
        let principal = Principal { id: agent.0, tenant: Some(tenant), roles: vec![Role::Agent] };
        let ability = Arc::new(self.policy.ability_for(&principal));
        let mut known = known.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(agent, Arc::clone(&ability));
        ability
    }
}
