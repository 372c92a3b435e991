//! `alcada user create`

use super::{Failure, data, print};
use crate::settings::Settings;
use clap::Subcommand;
use domain::TenantRole;
use std::io::BufRead;

#[derive(Subcommand)]
pub enum UserCommand {
    /// Create a person; the password is read from standard input
    Create {
        #[arg(long)]
        email: String,
        /// May manage the whole installation
        #[arg(long)]
        platform_admin: bool,
        /// Member of this tenant, by id or slug
        #[arg(long, requires = "role")]
        tenant: Option<String>,
        /// owner, manager, operator, viewer or auditor
        #[arg(long, requires = "tenant")]
        role: Option<TenantRole>,
    },
}

pub async fn run(settings: &Settings, command: UserCommand) -> Result<(), Failure> {
    let UserCommand::Create { email, platform_admin, tenant, role } = command;
    let password = read_password()?;
    let services = data::open(settings).await?;
    let member_of = match (tenant, role) {
        (Some(tenant), Some(role)) => Some((services.accounts.find_tenant(&tenant).await?.id, role)),
        _ => None,
    };
    let permit = data::operator()?;
    let created = services.accounts.create_user(&permit, &email, &password, platform_admin, member_of).await;
    print(&created?.to_string())
}

fn read_password() -> Result<String, Failure> {
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}
