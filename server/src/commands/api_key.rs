//! `alcada api-key create`

use super::{Failure, data, print};
use crate::settings::Settings;
use accounts::KeyScope;
use clap::Subcommand;
use domain::TenantRole;

#[derive(Subcommand)]
pub enum ApiKeyCommand {
    /// Create a key and print it, once
    Create {
        #[arg(long)]
        name: String,
        /// Tenant, by id or slug
        #[arg(long, requires = "role", required_unless_present = "platform_admin")]
        tenant: Option<String>,
        /// owner, manager, operator, viewer or auditor
        #[arg(long, requires = "tenant")]
        role: Option<TenantRole>,
        /// Agent, by id or slug: the key then speaks for this one only
        #[arg(long, requires = "tenant")]
        agent: Option<String>,
        /// May manage the whole installation
        #[arg(long, conflicts_with_all = ["tenant", "role", "agent"])]
        platform_admin: bool,
    },
}

pub async fn run(settings: &Settings, command: ApiKeyCommand) -> Result<(), Failure> {
    let ApiKeyCommand::Create { name, tenant, role, agent, .. } = command;
    let services = data::open(settings).await?;
    let scope = match (tenant, role) {
        (Some(tenant), Some(role)) => {
            let tenant = services.accounts.find_tenant(&tenant).await?.id;
            let agent = match agent {
                Some(name) => Some(services.engine.find_agent(tenant, &name).await?),
                None => None,
            };
            accounts::key_scope(tenant, role, agent)?
        }
        _ => KeyScope::PlatformAdmin,
    };
    let made = services.accounts.create_api_key(&data::operator()?, &name, scope).await?;
    print(&made.key)
}
