//! `/api/v1`: the door for agents and backends. One file per resource.

mod agents;
mod analytics;
mod api_keys;
mod assistant;
mod audit;
mod channels;
mod confirmations;
mod crm;
mod decisions;
mod events;
pub(super) mod executions;
mod history_export;
mod items;
mod problems;
mod secrets;
mod settings;
mod tools;

use problems::{ReadProblems, WriteProblems};

use crate::{http::Problem, wiring::Services};
use axum::extract::{Path, rejection::PathRejection};
use domain::{ErrorCode, FieldCode, ServiceError, Timestamp};
use std::str::FromStr;
use store::Moment;
use utoipa_axum::router::OpenApiRouter;

pub fn documented() -> OpenApiRouter<Services> {
    OpenApiRouter::new()
        .merge(tools::documented())
        .merge(executions::documented())
        .merge(history_export::documented())
        .merge(agents::documented())
        .merge(confirmations::documented())
        .merge(decisions::documented())
        .merge(events::documented())
        .merge(analytics::documented())
        .merge(audit::documented())
        .merge(api_keys::documented())
        .merge(channels::documented())
        .merge(secrets::documented())
        .merge(settings::documented())
        .merge(crm::documented())
        .merge(items::documented())
        .merge(assistant::documented())
}

/// Two ids in a path. What is none names nothing: 404, with the code for the first of them.
fn two<A: FromStr, B: FromStr>(
    path: Result<Path<(String, String)>, PathRejection>,
    first: ErrorCode,
) -> Result<(A, B), Problem> {
    let unknown = |code: ErrorCode| ServiceError::new(code, "There is nothing with that id.");
    let Path((a, b)) = path.map_err(|_| unknown(first))?;
    Ok((a.parse().map_err(|_| unknown(first))?, b.parse().map_err(|_| unknown(ErrorCode::NotFound))?))
}

fn moment(field: &str, text: Option<Timestamp>) -> Result<Option<Moment>, ServiceError> {
    let parse =
        |text: &Timestamp| Moment::try_from(text).map_err(|_| ServiceError::field(field, FieldCode::Invalid));
    text.as_ref().map(parse).transpose()
}
