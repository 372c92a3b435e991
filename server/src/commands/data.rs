//! Opening the data for a command.

use super::Failure;
use crate::{
    settings::Settings,
    wiring::{Services, Site},
};
use ability::{Caller, ManageAdminPanel, Permit, Right, TenantPermit};
use domain::TenantId;
use std::path::Path;
use store::Database;
use tokio::sync::watch;

/// The services on a database that is up to date.
pub async fn open(settings: &Settings) -> Result<Services, Failure> {
    make_folder(settings)?;
    let db = Database::connect(&settings.database_url).await?;
    let public_url = settings.public_url.clone().unwrap_or_else(|| format!("http://{}", settings.addr));
    let site = Site { public_url, trusted_proxies: Vec::new() };
    Ok(Services::start(db, site, settings.outside()?, watch::channel(false).1).await?)
}

/// The folder is for its owner alone: it holds everything.
pub fn make_folder(settings: &Settings) -> Result<(), Failure> {
    let folder: &Path = &settings.data;
    let described =
        |error: std::io::Error| Failure::new(format!("ALCADA_DATA: {}: {error}", folder.display()));
    if folder.is_dir() {
        return Ok(());
    }
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(described)
}

/// Whoever can start the binary on the data owns the data.
pub fn operator() -> Result<Permit<ManageAdminPanel>, Failure> {
    Caller::operator().permit().map_err(|denied| Failure::new(format!("{denied:?}")))
}

/// The same, for the things of one tenant.
pub fn operator_in<R: Right>(tenant: TenantId) -> Result<TenantPermit<R>, Failure> {
    let caller = Caller { tenant: Some(tenant), ..Caller::operator() };
    let permit = caller.permit().map_err(|denied| Failure::new(format!("{denied:?}")))?;
    permit.in_tenant().ok_or_else(|| Failure::new("no tenant"))
}
