//! "May X do Y in tenant Z, and why?"

use crate::{Accounts, not_found};
use ability::{Action, ManageAdminPanel, Permit, Role, Rule, Subject, Target, policy::Principal};
use domain::{Email, ErrorCode, ServiceError, ServiceResult, TenantId};

pub struct Question {
    pub email: String,
    pub tenant_id: Option<TenantId>,
    pub action: Action,
    pub subject: Subject,
}

pub struct Answer {
    pub allowed: bool,
    pub rule: Option<Rule>,
    pub roles: Vec<String>,
    pub is_disabled: bool,
}

impl Accounts {
    pub async fn explain(&self, _: &Permit<ManageAdminPanel>, question: Question) -> ServiceResult<Answer> {
        let conn = self.db.reader();
        let email = Email::parse(&question.email)?;
        let person = store::users::find_by_email(conn, &email).await?.ok_or_else(|| not_found("person"))?;
        let mut roles = vec![Role::Person];
        if let Some(tenant) = question.tenant_id {
            store::tenants::find(conn, tenant).await?.ok_or_else(|| not_found("tenant"))?;
            roles.extend(store::members::role_of(conn, tenant, person.id).await?.map(Role::Tenant));
        }
        roles.extend(person.is_platform_admin.then_some(Role::PlatformAdmin));
        let principal = Principal { id: person.id.0, tenant: question.tenant_id, roles };
        let is_disabled = person.disabled_at.is_some();
        let (allowed, rule) = self.decide(&principal, question.action, question.subject).await?;
        let roles = principal.roles.iter().map(|role| role.as_str().to_owned()).collect();
        Ok(Answer { allowed: allowed && !is_disabled, rule, roles, is_disabled })
    }

    /// The rules decide and casbin is asked as well; should they ever differ, the answer is no.
    async fn decide(
        &self,
        principal: &Principal,
        action: Action,
        subject: Subject,
    ) -> ServiceResult<(bool, Option<Rule>)> {
        let target = Target::any(subject);
        let ability = self.policy.ability_for(principal);
        let decision = ability.decide(action, &target);
        let referee = self.policy.referee(principal).await.map_err(policy_failed)?;
        let confirmed = referee.allows(action, &target).map_err(policy_failed)?;
        if decision.is_allowed() != confirmed {
            tracing::error!(?action, ?subject, "casbin and the compiled rules differ");
        }
        Ok((decision.is_allowed() && confirmed, decision.rule().cloned()))
    }
}

fn policy_failed(error: ability::policy::PolicyError) -> ServiceError {
    tracing::error!(%error, "the policy could not be asked");
    ServiceError::new(ErrorCode::Internal, "Something went wrong on the server.")
}
