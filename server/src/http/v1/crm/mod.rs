//! What a tenant knows about its customers. One file per resource.

mod contacts;
mod conversations;
mod deals;
mod pipelines;
mod products;
mod scheduled_messages;
mod tasks;

use crate::{http::problem::ProblemOut, wiring::Services};
use std::collections::BTreeMap;
use utoipa::{
    IntoResponses, ToSchema,
    openapi::{Content, Ref, RefOr, Response, ResponseBuilder},
};
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

type Responses = BTreeMap<String, RefOr<Response>>;

/// How a question can be refused.
pub struct ReadProblems;

/// How a change can be refused.
pub struct WriteProblems;

const READ: &[(&str, &str)] = &[
    ("401", "`unauthenticated`"),
    ("403", "`forbidden` or `tenant_required`"),
    ("404", "`not_found`: another tenant's too"),
    ("422", "`validation_failed`"),
    ("503", "`unavailable`"),
];

const WRITE: &[(&str, &str)] = &[
    ("400", "`invalid_body`"),
    ("409", "`conflict`"),
    ("413", "`body_too_large`"),
    ("415", "`unsupported_media_type`"),
];

impl IntoResponses for ReadProblems {
    fn responses() -> Responses {
        problems(READ)
    }
}

impl IntoResponses for WriteProblems {
    fn responses() -> Responses {
        let mut all = problems(READ);
        all.extend(problems(WRITE));
        all
    }
}

fn problems(list: &[(&str, &str)]) -> Responses {
    let problem = |description: &str| {
        let content = Content::new(Some(Ref::from_schema_name(ProblemOut::name())));
        ResponseBuilder::new().description(description).content("application/problem+json", content).build()
    };
    list.iter().map(|(status, text)| ((*status).to_owned(), problem(text).into())).collect()
}
