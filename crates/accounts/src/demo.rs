//! Demo data: a tenant to look around in. Safe to repeat, and without any account that could be signed in to. The engine
//! fills it.

use crate::Accounts;
use ability::Caller;
use domain::{ServiceResult, Slug, TenantRole, UserId, tenant::TenantOut};
use store::{Signal, audit::Author};

const NAME: &str = "Padaria Exemplo";
const SLUG: &str = "demo";

impl Accounts {
    /// Creates the demo tenant unless it is there, and makes `owner` its owner.
    pub async fn seed_demo(&self, owner: Option<UserId>) -> ServiceResult<TenantOut> {
        let operator = Caller::operator();
        let tx = self.db.begin().await?;
        let tenant = match store::tenants::find_by_slug(&tx, SLUG).await? {
            Some(tenant) => tenant,
            None => Self::insert_tenant(&tx, Author::from(&operator), NAME, Some(Slug::parse(SLUG)?)).await?,
        };
        let mut changed = Vec::new();
        if let Some(owner) = owner {
            store::members::put(&tx, tenant.id, owner, TenantRole::Owner).await?;
            changed.push(Signal::Rights(owner));
        }
        let members = store::members::list(&tx, tenant.id).await?.len();
        self.db.commit(tx, &changed).await?;
        Ok(tenant.into_out(members as u64))
    }
}
