//! Structured logs on standard output: readable on a terminal, JSON elsewhere.

use std::io::IsTerminal;
use tracing_subscriber::EnvFilter;

/// A filter that cannot be understood stops the start.
pub fn start(filter: &str) -> Result<(), String> {
    let parsed = EnvFilter::try_new(filter).map_err(|error| format!("ALCADA_LOG: `{filter}`: {error}"))?;
    let builder = tracing_subscriber::fmt().with_env_filter(parsed).with_target(false);
    if std::io::stdout().is_terminal() {
        builder.init();
    } else {
        builder.json().flatten_event(true).with_current_span(false).with_span_list(false).init();
    }
    Ok(())
}
