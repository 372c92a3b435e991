//! `alcada audit verify` and `alcada audit export`

use super::{Failure, data, print};
use crate::settings::Settings;
use clap::Subcommand;
use ledger::{PublicKey, Report, export::Reader, verify_file};
use std::{fs::File, io::BufReader, path::PathBuf};

#[derive(Subcommand)]
pub enum AuditCommand {
    /// Check every chain; exit 1 and the first bad entry when one does not hold
    Verify {
        /// Only this tenant, by id or slug
        #[arg(long, conflicts_with = "file")]
        tenant: Option<String>,
        /// An exported file instead of the database
        #[arg(long)]
        file: Option<PathBuf>,
        /// With --file: the public key that must have signed it, as `alcada audit key` prints it
        #[arg(long, requires = "file")]
        key: Option<String>,
    },
    /// Write a tenant's chain to standard output as JSON lines
    Export {
        /// Tenant, by id or slug; the platform's own chain when left out
        #[arg(long)]
        tenant: Option<String>,
    },
    /// Print the public key of the checkpoints
    Key,
}

pub async fn run(settings: &Settings, command: AuditCommand) -> Result<(), Failure> {
    match command {
        AuditCommand::Verify { file: Some(file), key, .. } => verify_export(&file, key.as_deref()),
        AuditCommand::Verify { tenant, .. } => verify_database(settings, tenant).await,
        AuditCommand::Export { tenant } => {
            let services = data::open(settings).await?;
            let tenant = match tenant {
                Some(name) => Some(services.accounts.find_tenant(&name).await?.id),
                None => None,
            };
            Ok(services.engine.export_audit_log(tenant, std::io::stdout().lock()).await?)
        }
        AuditCommand::Key => {
            let outside = settings.outside()?;
            print(&engine::audit::signer(&outside.vault).public_key().to_string())
        }
    }
}

async fn verify_database(settings: &Settings, tenant: Option<String>) -> Result<(), Failure> {
    let services = data::open(settings).await?;
    let tenant = match tenant {
        Some(name) => Some(Some(services.accounts.find_tenant(&name).await?.id)),
        None => None,
    };
    let vault = settings.outside()?.vault;
    let verified = engine::audit::verify(&services.db, &vault, tenant).await;
    let verified = verified.map_err(|fault| Failure::new(fault.to_string()))?;
    tell(&verified.report)?;
    print(&format!(
        "{} calls of the history are as the record tells them, {} recorded ones are not in it any more",
        verified.calls, verified.missing_calls
    ))
}

fn verify_export(file: &PathBuf, key: Option<&str>) -> Result<(), Failure> {
    let described = |error: std::io::Error| Failure::new(format!("{}: {error}", file.display()));
    let reader = Reader::new(BufReader::new(File::open(file).map_err(described)?))?;
    let keys: Option<Vec<PublicKey>> = match key {
        Some(text) => Some(vec![text.parse().map_err(|_| Failure::new("--key: not a public key"))?]),
        None => None,
    };
    let report = verify_file(reader, keys.as_deref());
    report.map_or_else(|fault| Err(Failure::new(fault.to_string())), |report| tell(&report))
}

fn tell(report: &Report) -> Result<(), Failure> {
    let entries: u64 = report.chains.iter().map(|chain| chain.entries).sum();
    let uncovered: u64 = report.chains.iter().map(|chain| chain.uncovered).sum();
    print(&format!(
        "{} chains hold, {entries} entries, {uncovered} of them after the last checkpoint ({})",
        report.chains.len(),
        report.trust
    ))
}
