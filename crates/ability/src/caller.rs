//! Who asks, and the proof that they may.
//!
//! A service that needs a right takes a [`Permit`] for it. Only [`Caller::permit`] makes one, after a yes from the
//! rules: code that forgets to ask does not compile.

use crate::{Ability, Action, Rule, Subject, Target};
use domain::{AgentId, ApiKeyId, TenantId, TenantRole, UserId};
use std::{marker::PhantomData, sync::Arc};

/// Who acts, as the record names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Actor {
    User(UserId),
    ApiKey(ApiKeyId),
    /// A command on the machine itself.
    Operator,
}

impl Actor {
    pub fn kind(self) -> &'static str {
        match self {
            Self::User(_) => "user",
            Self::ApiKey(_) => "api_key",
            Self::Operator => "operator",
        }
    }

    pub fn id(self) -> Option<uuid::Uuid> {
        match self {
            Self::User(UserId(id)) | Self::ApiKey(ApiKeyId(id)) => Some(id),
            Self::Operator => None,
        }
    }

    pub fn user_id(self) -> Option<UserId> {
        match self {
            Self::User(id) => Some(id),
            _ => None,
        }
    }
}

/// A role of the policy. `Person` is everybody who is signed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    PlatformAdmin,
    Tenant(TenantRole),
    Agent,
    Person,
}

impl Role {
    pub const ALL: [Self; 8] = [
        Self::PlatformAdmin,
        Self::Tenant(TenantRole::Owner),
        Self::Tenant(TenantRole::Manager),
        Self::Tenant(TenantRole::Operator),
        Self::Tenant(TenantRole::Viewer),
        Self::Tenant(TenantRole::Auditor),
        Self::Agent,
        Self::Person,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::PlatformAdmin => "platform_admin",
            Self::Tenant(role) => role.as_str(),
            Self::Agent => "agent",
            Self::Person => "person",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.as_str() == name)
    }

    /// Holds only inside the tenant that the caller has chosen.
    pub fn is_tenant_bound(self) -> bool {
        matches!(self, Self::Tenant(_) | Self::Agent)
    }
}

/// Somebody who was authenticated, with the rules that hold for them now.
#[derive(Clone, Debug)]
pub struct Caller {
    pub actor: Actor,
    /// For people to read: a name, or the name of the key.
    pub name: String,
    pub tenant: Option<TenantId>,
    /// The agent that a key is bound to: it speaks for this one only.
    pub agent: Option<AgentId>,
    /// Shared: a caller is handed on many times in a request.
    pub ability: Arc<Ability>,
}

/// The answer to somebody without the right, with the rule behind it where there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Denied {
    pub action: Action,
    pub subject: Subject,
    pub rule: Option<Rule>,
}

impl From<Denied> for domain::ServiceError {
    fn from(denied: Denied) -> Self {
        let (action, subject) = (denied.action.as_str(), denied.subject.as_str());
        let why = match denied.rule {
            Some(rule) => format!("a rule of the role {} forbids it", rule.role),
            None => "no rule allows it".to_owned(),
        };
        domain::ServiceError::new(
            domain::ErrorCode::Forbidden,
            format!("You may not {action} {subject}: {why}."),
        )
    }
}

/// A right that a service can demand.
pub trait Right {
    const ACTION: Action;
    const SUBJECT: Subject;
}

macro_rules! rights {
    ($($(#[$doc:meta])* $name:ident = $action:ident $subject:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub enum $name {}

        impl Right for $name {
            const ACTION: Action = Action::$action;
            const SUBJECT: Subject = Subject::$subject;
        }
    )+};
}

rights! {
    /// Everything under `/admin`.
    ManageAdminPanel = Manage AdminPanel,
    /// The members and invitations of a tenant, and its API keys.
    ManageMembers = Manage Member,
    ReadTools = Read ToolManagement,
    CreateTools = Create ToolManagement,
    UpdateTools = Update ToolManagement,
    DeleteTools = Delete ToolManagement,
    ExecuteTools = Execute ToolManagement,
    ReadAgents = Read Agent,
    ManageAgents = Manage Agent,
    ReadExecutions = Read Execution,
    /// Cancelling one.
    UpdateExecutions = Update Execution,
    ReadConfirmations = Read Confirmation,
    DecideConfirmations = Approve Confirmation,
    ReadAnalytics = Read Analytics,
    ReadAuditLog = Read AuditLog,
    ReadIntegrations = Read Integration,
    /// The ways to the outside: channels.
    ManageIntegrations = Manage Integration,
    ReadCrm = Read Crm,
    CreateCrm = Create Crm,
    UpdateCrm = Update Crm,
    DeleteCrm = Delete Crm,
    /// What one saved oneself.
    ReadOwnContent = Read UserContent,
    UpdateOwnContent = Update UserContent,
    /// And taking that back.
    DeleteOwnContent = Delete UserContent,
    /// Talking to the assistant, and running the tools that work on one's own things.
    UseAssistant = Execute UserContent,
}

/// The proof that the caller has the right `R`.
#[derive(Clone, Debug)]
pub struct Permit<R: Right> {
    caller: Caller,
    right: PhantomData<R>,
}

/// The proof that the caller has the right `R` in the tenant that they work in.
#[derive(Clone, Debug)]
pub struct TenantPermit<R: Right> {
    permit: Permit<R>,
    tenant: TenantId,
}

impl Caller {
    pub fn permit<R: Right>(&self) -> Result<Permit<R>, Denied> {
        let decision = self.ability.decide(R::ACTION, &Target::any(R::SUBJECT));
        if decision.is_allowed() {
            return Ok(Permit { caller: self.clone(), right: PhantomData });
        }
        Err(Denied { action: R::ACTION, subject: R::SUBJECT, rule: decision.rule().cloned() })
    }

    /// The command line of the machine: whoever can start the binary on the data folder owns the data.
    pub fn operator() -> Self {
        let everything = Rule {
            role: "operator".to_owned(),
            action: Action::Manage,
            subject: Subject::All,
            fields: Vec::new(),
            conditions: Vec::new(),
            effect: crate::Effect::Allow,
            reason: None,
        };
        Self {
            actor: Actor::Operator,
            name: "operator".to_owned(),
            tenant: None,
            agent: None,
            ability: Arc::new(Ability::new(vec![everything])),
        }
    }
}

impl<R: Right> Permit<R> {
    /// Nothing, when the caller works in no tenant.
    pub fn in_tenant(self) -> Option<TenantPermit<R>> {
        self.caller.tenant.map(|tenant| TenantPermit { permit: self, tenant })
    }

    pub fn caller(&self) -> &Caller {
        &self.caller
    }

    pub fn actor(&self) -> Actor {
        self.caller.actor
    }
}

impl<R: Right> TenantPermit<R> {
    pub fn tenant(&self) -> TenantId {
        self.tenant
    }

    pub fn caller(&self) -> &Caller {
        self.permit.caller()
    }

    /// The rules decide again, now on the thing itself.
    pub fn on(&self, target: Target) -> Result<(), Denied> {
        let target = target.with("tenant_id", self.tenant);
        let decision = self.caller().ability.decide(R::ACTION, &target);
        if decision.is_allowed() {
            return Ok(());
        }
        Err(Denied { action: R::ACTION, subject: R::SUBJECT, rule: decision.rule().cloned() })
    }

    pub fn allows(&self, target: Target) -> bool {
        self.on(target).is_ok()
    }
}
