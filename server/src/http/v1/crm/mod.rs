//! What a tenant knows about its customers. One file per resource.

mod contacts;
mod conversations;
mod deals;
mod pipelines;
mod products;
mod scheduled_messages;
mod tasks;

use super::{ReadProblems, WriteProblems};
use crate::wiring::Services;
use utoipa_axum::router::OpenApiRouter;

pub fn documented() -> OpenApiRouter<Services> {
    OpenApiRouter::new()
        .merge(contacts::documented())
        .merge(pipelines::documented())
        .merge(deals::documented())
        .merge(tasks::documented())
        .merge(products::documented())
        .merge(conversations::documented())
        .merge(scheduled_messages::documented())
}
