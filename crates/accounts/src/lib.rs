//! People: signing in, sessions, tenants, members, invitations, API keys.
//!
//! One service, [`Accounts`]; each file holds one area of it. What administrators and owners change
//! has its audit entry in the same transaction. What needs a right takes a [`ability::Permit`].

mod api_keys;
mod demo;
mod explain;
mod identity;
mod invitations;
mod limits;
mod members;
mod password;
mod profile;
mod secret;
mod sessions;
mod setup;
mod sign_in;
mod tenants;
mod users;

pub use api_keys::{NewKey, scope as key_scope};
pub use explain::{Answer, Question};
pub use identity::Identity;
pub use setup::SetupForm;
pub use store::{SESSION_USER, api_keys::KeyScope};
pub use users::NewPerson;

use ability::policy::Policy;
use domain::{ErrorCode, ServiceError};
use limits::AttemptLimits;
use password::PasswordHasher;
use std::sync::Arc;
use store::Database;

#[derive(Clone)]
pub struct Accounts {
    db: Database,
    policy: Arc<Policy>,
    hasher: PasswordHasher,
    limits: Arc<AttemptLimits>,
    /// Where people reach the installation: the start of every link that is handed out.
    public_url: Arc<str>,
}

impl Accounts {
    pub fn new(db: Database, policy: Arc<Policy>, public_url: &str) -> Self {
        Self {
            db,
            policy,
            hasher: PasswordHasher::new(),
            limits: Arc::new(AttemptLimits::new()),
            public_url: public_url.trim_end_matches('/').into(),
        }
    }
}

fn not_found(what: &str) -> ServiceError {
    ServiceError::new(ErrorCode::NotFound, format!("There is no such {what}."))
}

/// Days since 1970: how often a cookie is renewed.
pub fn today() -> i64 {
    store::Moment::now().0 / (24 * 60 * 60 * 1_000_000)
}
