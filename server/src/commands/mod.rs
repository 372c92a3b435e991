//! The commands of the binary.

mod agent;
mod api_key;
mod audit;
mod data;
mod seed;
mod serve;
mod tenant;
mod user;

use crate::settings::{Given, Settings};
use clap::{Parser, Subcommand};
use domain::{FieldError, ServiceError};
use std::{fmt, io::Write, path::Path};

/// A self-hosted control plane for the tools of AI agents.
#[derive(Parser)]
#[command(name = "alcada", version, about)]
pub struct Cli {
    #[command(flatten)]
    given: Given,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Migrate, then serve (the default)
    Serve,
    /// Bring the database up to date and stop
    Migrate,
    /// Put in data to look around; safe to repeat
    Seed(seed::SeedArgs),
    /// People
    #[command(subcommand)]
    User(user::UserCommand),
    /// Tenants
    #[command(subcommand)]
    Tenant(tenant::TenantCommand),
    /// API keys
    #[command(subcommand)]
    ApiKey(api_key::ApiKeyCommand),
    /// Agents
    #[command(subcommand)]
    Agent(agent::AgentCommand),
    /// The audit log
    #[command(subcommand)]
    Audit(audit::AuditCommand),
}

/// Why a command did not do its work: one line for whoever started it.
#[derive(Debug)]
pub struct Failure(String);

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Failure {
    fn new(line: impl Into<String>) -> Self {
        Self(line.into())
    }
}

impl<E: std::error::Error + 'static> From<E> for Failure {
    fn from(error: E) -> Self {
        let refused = (&error as &dyn std::error::Error).downcast_ref::<ServiceError>();
        let fields = refused.filter(|error| !error.errors.is_empty()).map(|error| refusals(&error.errors));
        Self(fields.unwrap_or_else(|| error.to_string()))
    }
}

/// Refused fields are named, each with its reason: the terminal has no form to show them in.
fn refusals(errors: &[FieldError]) -> String {
    let lines: Vec<String> =
        errors.iter().map(|error| format!("{} {}", error.field, error.message)).collect();
    lines.join("; ")
}

pub fn run(cli: Cli) -> Result<(), Failure> {
    let settings = Settings::load(cli.given, Path::new("alcada.toml"))?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async move {
        match cli.command.unwrap_or(Command::Serve) {
            Command::Serve => serve::serve(settings).await,
            Command::Migrate => data::open(&settings).await.map(|_| ()),
            Command::Seed(args) => seed::seed(&settings, args).await,
            Command::User(command) => user::run(&settings, command).await,
            Command::Tenant(command) => tenant::run(&settings, command).await,
            Command::ApiKey(command) => api_key::run(&settings, command).await,
            Command::Agent(command) => agent::run(&settings, command).await,
            Command::Audit(command) => audit::run(&settings, command).await,
        }
    })
}

/// The result of a command, alone on standard output.
fn print(line: &str) -> Result<(), Failure> {
    Ok(writeln!(std::io::stdout(), "{line}")?)
}
