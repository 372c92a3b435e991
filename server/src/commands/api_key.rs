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
        /// May manage the whole installation
        #[arg(long, conflicts_with_all = ["tenant", "role"])]
        platform_admin: bool,
    },
}

pub async fn run(settings: &Settings, command: ApiKeyCommand) -> Result<(), Failure> {
    let ApiKeyCommand::Create { name, tenant, role, .. } = command;
    let services = data::open(settings).await?;
    let scope = match (tenant, role) {
        (Some(tenant), Some(role)) => {
            KeyScope::Tenant(services.accounts.find_tenant(&tenant).await?.id, role)
        }
        _ => KeyScope::PlatformAdmin,
    };
    let made = services.accounts.create_api_key(&data::operator()?, &name, scope).await?;
    print(&made.key)
}
