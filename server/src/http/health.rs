//! Probes: `healthz` says that the process is up, `readyz` that it can work.

use super::Problem;
use crate::wiring::Services;
use axum::{Json, extract::State};
use domain::{ErrorCode, ServiceError};
use serde_json::{Value, json};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(2);

pub async fn healthz() -> Json<Value> {
    Json(json!({ "status": "up" }))
}

/// The migrations are done before this route exists; the database is asked to read and to write.
pub async fn readyz(State(services): State<Services>) -> Result<Json<Value>, Problem> {
    match tokio::time::timeout(PATIENCE, services.db.probe()).await {
        Ok(Ok(())) => Ok(Json(json!({ "status": "ready", "code_tools": code_tools(&services) }))),
        _ => Err(not_ready()),
    }
}

/// A machine that cannot confine them is ready for everything else. The log tells why.
fn code_tools(services: &Services) -> &'static str {
    if services.engine.code_unavailable().is_none() { "available" } else { "unavailable" }
}

/// What `readyz` and everything else answer while the database is out of reach.
pub fn not_ready() -> Problem {
    let detail = "The database does not answer; service resumes by itself when it does.";
    ServiceError { retry_after: Some(5), ..ServiceError::new(ErrorCode::Unavailable, detail) }.into()
}
