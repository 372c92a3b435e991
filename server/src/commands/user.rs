//! `alcada user create`

use super::{Failure, data, print};
use crate::settings::Settings;
use clap::Subcommand;
use domain::TenantRole;
use std::io::BufRead;

#[derive(Subcommand)]
pub enum UserCommand {
    /// Create a person; the password is read from standard input. Somebody who has an account joins the tenant, and keeps
    /// their password
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
    let services = data::open(settings).await?;
    let permit = data::operator()?;
    let member_of = match (tenant, role) {
        (Some(tenant), Some(role)) => Some((services.accounts.find_tenant(&tenant).await?, role)),
        _ => None,
    };
    // Nobody becomes a platform administrator in passing: then the address counts as taken.
    if let Some((tenant, role)) = &member_of
        && !platform_admin
        && let Some(id) = services.accounts.add_member(&permit, &email, tenant.id, *role).await?
    {
        let joined = format!("{id} had an account and is now {role} of {}; the password stays", tenant.slug);
        return print(&joined);
    }
    let password = read_password()?;
    let member_of = member_of.map(|(tenant, role)| (tenant.id, role));
    let created = services.accounts.create_user(&permit, &email, &password, platform_admin, member_of).await;
    print(&created?.to_string())
}

fn read_password() -> Result<String, Failure> {
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}
