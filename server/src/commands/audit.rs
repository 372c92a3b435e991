//! `alcada audit verify` and `alcada audit export`

use super::{Failure, data, print};
use crate::settings::Settings;
use clap::Subcommand;
use domain::Timestamp;
use ledger::{Checkpoint, Line, PublicKey, Report, export::Reader, verify_file};
use std::{
    fs::File,
    io::BufReader,
    path::{Path, PathBuf},
};
use store::Moment;

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
        /// An export that was kept elsewhere: the database has to hold everything that was signed then
        #[arg(long, conflicts_with = "file")]
        kept: Option<PathBuf>,
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
        AuditCommand::Verify { tenant, kept, .. } => verify_database(settings, tenant, kept).await,
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

async fn verify_database(
    settings: &Settings,
    tenant: Option<String>,
    kept: Option<PathBuf>,
) -> Result<(), Failure> {
    let kept = kept.map_or_else(|| Ok(Vec::new()), |file| checkpoints_in(&file))?;
    let services = data::open(settings).await?;
    let tenant = match tenant {
        Some(name) => Some(Some(services.accounts.find_tenant(&name).await?.id)),
        None => None,
    };
    let is_of_another = |kept: &Checkpoint| tenant.is_some_and(|one| one.map(|id| id.0) != kept.tenant);
    if kept.iter().any(is_of_another) {
        return Err(Failure::new("--kept: it is the export of another chain"));
    }
    let vault = settings.outside()?.vault;
    let verified = engine::audit::verify(&services.db, &vault, tenant, &kept).await;
    let verified = verified.map_err(|fault| Failure::new(fault.to_string()))?;
    tell(&verified.report)?;
    if !kept.is_empty() {
        print(&format!("signatures of the kept export that the database agrees with: {}", kept.len()))?;
    }
    print(&format!(
        "calls of the history that are as the record tells them: {}, recorded ones no longer in it: {}",
        verified.calls, verified.missing_calls
    ))
}

fn open(file: &Path) -> Result<Reader<BufReader<File>>, Failure> {
    let described = |error: std::io::Error| Failure::new(format!("{}: {error}", file.display()));
    Ok(Reader::new(BufReader::new(File::open(file).map_err(described)?))?)
}

/// Whether they are signed by this installation is found when they are compared.
fn checkpoints_in(file: &Path) -> Result<Vec<Checkpoint>, Failure> {
    let mut kept = Vec::new();
    for line in open(file)? {
        if let Line::Checkpoint(checkpoint) = line? {
            kept.push(checkpoint);
        }
    }
    if kept.is_empty() {
        return Err(Failure::new("--kept: no signature is in it, so there is nothing to compare with"));
    }
    Ok(kept)
}

fn verify_export(file: &Path, key: Option<&str>) -> Result<(), Failure> {
    let reader = open(file)?;
    let keys: Option<Vec<PublicKey>> = match key {
        Some(text) => Some(vec![text.parse().map_err(|_| Failure::new("--key: not a public key"))?]),
        None => None,
    };
    let report = verify_file(reader, keys.as_deref()).map_err(|fault| Failure::new(fault.to_string()))?;
    tell(&report)?;
    report.chains.iter().try_for_each(|chain| {
        let signed =
            chain.last_checkpoint.map(|checkpoint| Timestamp::from(Moment(checkpoint.at)).to_string());
        let signed = signed.unwrap_or_default();
        print(&format!("{}, signed at {signed}: what came later is not in this file", chain.name()))
    })
}

fn tell(report: &Report) -> Result<(), Failure> {
    let entries: u64 = report.chains.iter().map(|chain| chain.entries).sum();
    let uncovered: u64 = report.chains.iter().map(|chain| chain.uncovered).sum();
    print(&format!(
        "chains that hold: {}, entries: {entries}, of them after the last checkpoint: {uncovered} ({})",
        report.chains.len(),
        report.trust
    ))
}
