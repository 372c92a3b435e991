//! `/api/v1`: the door for agents and backends. One file per resource.

mod crm;

use crate::wiring::Services;
use utoipa_axum::router::OpenApiRouter;

pub fn documented() -> OpenApiRouter<Services> {
    OpenApiRouter::new().merge(crm::documented())
}
