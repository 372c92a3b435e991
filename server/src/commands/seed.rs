//! `alcada seed --demo`

use super::{Failure, data, print};
use crate::settings::Settings;
use clap::Args;

#[derive(Args)]
pub struct SeedArgs {
    /// A demo tenant to look around in
    #[arg(long, required = true)]
    demo: bool,
}

pub async fn seed(settings: &Settings, _: SeedArgs) -> Result<(), Failure> {
    let services = data::open(settings).await?;
    let tenant = services.accounts.seed_demo(None).await?;
    services.engine.seed_demo(tenant.id).await?;
    print(&format!("{} {}", tenant.id, tenant.slug))
}
