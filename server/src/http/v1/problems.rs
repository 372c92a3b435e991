//! How routes can refuse, for the OpenAPI document: the same few problems everywhere.

use crate::http::problem::ProblemOut;
use std::collections::BTreeMap;
use utoipa::{
    IntoResponses, PartialSchema, ToSchema,
    openapi::{Content, Header, Ref, RefOr, Response, ResponseBuilder},
};

type Responses = BTreeMap<String, RefOr<Response>>;

/// How a question can be refused.
pub struct ReadProblems;

/// How a change can be refused.
pub struct WriteProblems;

/// How a call of a tool can be refused before it runs.
pub struct CallProblems;

/// How an approval can be refused, which begins a call.
pub struct ApproveProblems;

const READ: &[(&str, &str)] = &[
    ("401", "`unauthenticated`"),
    ("403", "`forbidden` or `tenant_required`"),
    ("404", "`not_found`, `tool_not_found` or `agent_not_found`: another tenant's too"),
    ("422", "`validation_failed`"),
    ("503", "`unavailable`"),
];

const WRITE: &[(&str, &str)] = &[
    ("400", "`invalid_body`"),
    ("409", "`conflict`, or what the route itself names"),
    ("413", "`body_too_large`"),
    ("415", "`unsupported_media_type`"),
];

const CALL: &[(&str, &str)] = &[
    ("403", "`tool_not_assigned`, `tool_disabled`, `code_unavailable`, `forbidden` or `tenant_required`"),
    ("404", "`tool_not_found` or `agent_not_found`"),
    ("409", "`idempotency_in_progress`"),
    ("422", "`invalid_params` with field errors, `idempotency_mismatch` or `validation_failed`"),
    ("429", "`rate_limited`, with `Retry-After`; `exceeded` tells whose limit it was"),
];

const APPROVE: &[(&str, &str)] = &[
    (
        "403",
        "`second_person_required`, `tool_not_assigned`, `tool_disabled`, `code_unavailable`, `forbidden` or `tenant_required`",
    ),
    ("409", "`already_decided`, `confirmation_expired` or `binding_changed`"),
    ("422", "`invalid_params` with field errors, or `validation_failed`"),
    ("429", "`rate_limited`, with `Retry-After`: too many calls of this tool are running"),
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

impl IntoResponses for ApproveProblems {
    fn responses() -> Responses {
        let mut all = WriteProblems::responses();
        all.extend(problems(APPROVE));
        all
    }
}

impl IntoResponses for CallProblems {
    fn responses() -> Responses {
        let mut all = WriteProblems::responses();
        all.extend(problems(CALL));
        all
    }
}

fn problems(list: &[(&str, &str)]) -> Responses {
    let problem = |description: &str| {
        let content = Content::new(Some(Ref::from_schema_name(ProblemOut::name())));
        ResponseBuilder::new().description(description).content("application/problem+json", content)
    };
    let response = |(status, text): &(&str, &str)| {
        let response = match *status {
            "429" | "503" => problem(text).header("Retry-After", seconds_to_wait()),
            _ => problem(text),
        };
        ((*status).to_owned(), response.build().into())
    };
    list.iter().map(response).collect()
}

fn seconds_to_wait() -> Header {
    let mut header = Header::new(u64::schema());
    header.description = Some("Seconds to wait".to_owned());
    header
}
