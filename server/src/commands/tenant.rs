//! `alcada tenant create`

use super::{Failure, data, print};
use crate::settings::Settings;
use clap::Subcommand;

#[derive(Subcommand)]
pub enum TenantCommand {
    /// Create a tenant and print its id and slug
    Create {
        #[arg(long)]
        name: String,
        /// The name in addresses and commands; suggested by the name when left out
        #[arg(long)]
        slug: Option<String>,
    },
}

pub async fn run(settings: &Settings, command: TenantCommand) -> Result<(), Failure> {
    let TenantCommand::Create { name, slug } = command;
    let services = data::open(settings).await?;
    let tenant = services.accounts.create_tenant(&data::operator()?, &name, slug.as_deref()).await?;
    print(&format!("{} {}", tenant.id, tenant.slug))
}
