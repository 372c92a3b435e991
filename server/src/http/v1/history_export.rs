//! `/api/v1/executions/export`: the history to take away, as CSV or as JSON lines. Sent page by page as it is read:
//! however long it is, the server holds one page of it.

use super::ReadProblems;
use crate::{
    http::{InTenant, Problem, QueryOf},
    wiring::Services,
};
use ability::{ReadExecutions, TenantPermit};
use axum::{
    body::{Body, Bytes},
    extract::State,
    response::{IntoResponse, Response},
};
use domain::{
    Page, ServiceError, ServiceResult, Timestamp, ToolId,
    execution::{ExecutionOut, ExecutionStatus},
};
use engine::HistoryFilter;
use http::header;
use serde::Deserialize;
use utoipa_axum::{router::OpenApiRouter, routes};

pub fn documented() -> OpenApiRouter<Services> {
    OpenApiRouter::new().routes(routes!(export_executions))
}

#[derive(Clone, Copy, Debug, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ExportFormat {
    Csv,
    Jsonl,
}

/// The filter of the list, without its pages: an export has all rows that fit.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct ExportQuery {
    #[param(inline)]
    format: ExportFormat,
    status: Option<ExecutionStatus>,
    /// Id or slug.
    agent_id: Option<String>,
    tool_id: Option<ToolId>,
    /// Not before.
    #[param(value_type = Option<String>, format = DateTime)]
    from: Option<Timestamp>,
    /// Before.
    #[param(value_type = Option<String>, format = DateTime)]
    to: Option<Timestamp>,
    /// Only calls older than this one.
    #[param(format = Uuid)]
    cursor: Option<String>,
}

impl ExportQuery {
    fn parse(self) -> Result<(HistoryFilter, Page), ServiceError> {
        let page = Page { limit: Page::MOST, ..Page::parse(None, self.cursor.as_deref())? };
        let filter = HistoryFilter {
            status: self.status,
            tool: self.tool_id,
            agent: self.agent_id,
            from: super::moment("from", self.from)?,
            to: super::moment("to", self.to)?,
            offset: 0,
        };
        Ok((filter, page))
    }
}

/// All calls that fit, newest first. A file that ends early was cut off: its last line is not whole.
#[utoipa::path(
    get, path = "/api/v1/executions/export", tag = "executions", params(ExportQuery),
    responses(
        (status = 200, content((String = "application/jsonl"), (String = "text/csv"))),
        ReadProblems,
    )
)]
pub async fn export_executions(
    InTenant(permit): InTenant<ReadExecutions>,
    State(services): State<Services>,
    QueryOf(query): QueryOf<ExportQuery>,
) -> Result<Response, Problem> {
    let format = query.format;
    let (filter, page) = query.parse()?;
    // Read before anything is sent: what is wrong with the question still gets a proper answer.
    let first = read(&services, &permit, &filter, page).await?;
    let (kind, name, head) = match format {
        ExportFormat::Csv => {
            ("text/csv; charset=utf-8", "executions.csv", format!("{}\r\n", COLUMNS.join(",")))
        }
        ExportFormat::Jsonl => ("application/jsonl", "executions.jsonl", String::new()),
    };
    let rest = futures::stream::try_unfold(Some((first, page)), move |next| {
        let (services, permit, filter) = (services.clone(), permit.clone(), filter.clone());
        async move {
            let Some(((rows, cursor), page)) = next else { return Ok(None) };
            let lines: String = rows.iter().map(|row| line(format, row)).collect();
            let following = match cursor {
                Some(before) => {
                    let page = Page { before: Some(before), ..page };
                    Some((read(&services, &permit, &filter, page).await.map_err(Interrupted)?, page))
                }
                None => None,
            };
            Ok::<_, Interrupted>(Some((Bytes::from(lines), following)))
        }
    });
    let head = futures::stream::iter([Ok(Bytes::from(head))]);
    let body = Body::from_stream(futures::StreamExt::chain(head, rest));
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
    ];
    Ok((headers, body).into_response())
}

/// The database went away in the middle: the connection ends without its proper end.
#[derive(Debug, thiserror::Error)]
#[error("the export was interrupted: {0:?}")]
struct Interrupted(ServiceError);

type Rows = (Vec<ExecutionOut>, Option<uuid::Uuid>);

async fn read(
    services: &Services,
    permit: &TenantPermit<ReadExecutions>,
    filter: &HistoryFilter,
    page: Page,
) -> ServiceResult<Rows> {
    let list = services.engine.list_executions(permit, filter.clone(), page).await?;
    let next = list.next_cursor.and_then(|cursor| cursor.parse().ok());
    Ok((list.data, next))
}

const COLUMNS: [&str; 15] = [
    "id",
    "executed_at",
    "finished_at",
    "status",
    "tool_name",
    "tool_version",
    "agent_id",
    "conversation_id",
    "called_by",
    "execution_time_ms",
    "test_mode",
    "error_code",
    "error_message",
    "input_params",
    "output_result",
];

fn line(format: ExportFormat, row: &ExecutionOut) -> String {
    match format {
        ExportFormat::Jsonl => serde_json::to_string(row).unwrap_or_default() + "\n",
        ExportFormat::Csv => {
            let text = |value: &Option<String>| value.clone().unwrap_or_default();
            let cells = [
                row.id.to_string(),
                row.executed_at.to_string(),
                row.finished_at.as_ref().map(ToString::to_string).unwrap_or_default(),
                row.status.as_str().to_owned(),
                row.tool_name.clone(),
                row.tool_version.to_string(),
                row.agent_id.map(|id| id.to_string()).unwrap_or_default(),
                text(&row.conversation_id),
                row.called_by.clone(),
                row.execution_time_ms.map(|ms| ms.to_string()).unwrap_or_default(),
                row.test_mode.to_string(),
                text(&row.error_code),
                text(&row.error_message),
                row.input_params.to_string(),
                row.output_result.as_ref().map(ToString::to_string).unwrap_or_default(),
            ];
            cells.map(|cell| quoted(&cell)).join(",") + "\r\n"
        }
    }
}

/// A cell that begins like a formula would be run by a spreadsheet: it is marked as text.
fn quoted(cell: &str) -> String {
    let mark = if cell.starts_with(['=', '+', '-', '@', '\t', '\r']) { "'" } else { "" };
    format!("\"{mark}{}\"", cell.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn cells_hold_anything_and_are_never_formulas() {
        assert_eq!(quoted("a, \"b\"\nc"), "\"a, \"\"b\"\"\nc\"");
        assert_eq!(quoted("=HYPERLINK(1)"), "\"'=HYPERLINK(1)\"");
        assert_eq!(quoted("@x"), "\"'@x\"");
        assert_eq!(quoted(""), "\"\"");
    }
}
