//! `alcada agent create`

use super::{Failure, data, print};
use crate::settings::Settings;
use clap::Subcommand;
use domain::agent::AgentIn;

#[derive(Subcommand)]
pub enum AgentCommand {
    /// Create an agent and print its id and slug
    Create {
        /// Tenant, by id or slug
        #[arg(long)]
        tenant: String,
        #[arg(long)]
        name: String,
        /// The name in addresses and commands; suggested by the name when left out
        #[arg(long)]
        slug: Option<String>,
    },
}

pub async fn run(settings: &Settings, command: AgentCommand) -> Result<(), Failure> {
    let AgentCommand::Create { tenant, name, slug } = command;
    let services = data::open(settings).await?;
    let tenant = services.accounts.find_tenant(&tenant).await?.id;
    let input = AgentIn { name, slug, ..AgentIn::default() };
    let agent = services.engine.create_agent(&data::operator_in(tenant)?, input).await?;
    print(&format!("{} {}", agent.id, agent.slug))
}
