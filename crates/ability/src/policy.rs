//! The casbin policy: the authority that abilities are compiled from. Server only, and never on the path of a call
//! (one `enforce` costs what thousands of compiled checks do).

mod compile;
mod enforce;

pub use compile::RuleTemplate;
pub use enforce::Referee;

use crate::{Ability, Role};
use casbin::{Adapter, CoreApi, DefaultModel, Enforcer, MgmtApi};
use domain::TenantId;
use uuid::Uuid;

const MODEL: &str = include_str!("../policy/model.conf");
const SEED: &str = include_str!("../policy/policy.csv");

#[derive(Debug, thiserror::Error)]
pub enum PolicyError {
    #[error("the policy could not be read: {0}")]
    Casbin(#[from] casbin::Error),
    #[error("the policy has a line that cannot be understood: {0}")]
    Line(String),
}

/// Whose rules are wanted: an id, the tenant they chose, their roles there.
#[derive(Clone, Debug)]
pub struct Principal {
    pub id: Uuid,
    pub tenant: Option<TenantId>,
    pub roles: Vec<Role>,
}

/// The rules of all roles, in the order of the file.
#[derive(Clone, Debug)]
pub struct Policy {
    templates: Vec<RuleTemplate>,
}

impl Policy {
    /// Reads the policy through casbin. The adapter yields the last line first (see `policy/model.conf`).
    pub async fn load(adapter: impl Adapter + 'static) -> Result<Self, PolicyError> {
        let model = DefaultModel::from_str(MODEL).await?;
        let mut enforcer = Enforcer::new_raw(model, adapter).await?;
        enforcer.load_policy().await?;
        let lines = enforcer.get_policy();
        let templates = lines.iter().rev().map(|line| RuleTemplate::parse(line)).collect::<Result<_, _>>()?;
        Ok(Self { templates })
    }

    /// The policy exactly as the repository has it.
    pub fn from_seed() -> Result<Self, PolicyError> {
        let templates =
            seed_lines().iter().map(|line| RuleTemplate::parse(line)).collect::<Result<_, _>>()?;
        Ok(Self { templates })
    }

    /// Tells this policy from any other.
    pub fn fingerprint(&self) -> String {
        let mut hasher = std::hash::DefaultHasher::new();
        std::hash::Hash::hash(&format!("{:?}", self.templates), &mut hasher);
        format!("{:016x}", std::hash::Hasher::finish(&hasher))
    }

    /// The rules that hold for one principal, ready for both sides.
    pub fn ability_for(&self, principal: &Principal) -> Ability {
        let rules = self.templates.iter().filter_map(|template| template.compile_for(principal)).collect();
        Ability::new(rules)
    }
}

/// The lines of the seed file, in its order, each without the leading `p`.
pub fn seed_lines() -> Vec<Vec<String>> {
    let lines = SEED.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.split(',').skip(1).map(|cell| cell.trim().to_owned()).collect()).collect()
}
