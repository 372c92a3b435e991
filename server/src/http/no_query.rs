//! A route that takes no query refuses whatever stands in one, as the others refuse what they do not know (ADR 0030). Which
//! routes take one, the document tells: a new route is right by itself.

use super::{documented, query};
use axum::extract::MatchedPath;
use domain::ServiceError;
use http::{Method, request::Parts};
use serde::Deserialize;
use std::{collections::HashSet, sync::LazyLock};
use utoipa::openapi::{
    RefOr,
    path::{Operation, Parameter, ParameterIn, PathItem},
};

/// Made when the first query comes: calls of tools, which are most of all requests, have none.
static WITH_QUERY: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let (_, document) = documented().split_for_parts();
    document.paths.paths.iter().flat_map(|(path, item)| with_query(path, item)).collect()
});

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NoQuery {}

/// 422 that names the first parameter, when this route takes none.
pub fn refuse_what_nobody_reads(parts: &Parts) -> Result<(), ServiceError> {
    if parts.uri.query().is_none() || takes_query(parts) {
        return Ok(());
    }
    query::parse::<NoQuery>(&parts.uri).map(|NoQuery {}| ())
}

fn takes_query(parts: &Parts) -> bool {
    // HEAD is answered by the handler of GET.
    let method = if parts.method == Method::HEAD { &Method::GET } else { &parts.method };
    let route = parts.extensions.get::<MatchedPath>();
    route.is_some_and(|route| WITH_QUERY.contains(&name(method, route.as_str())))
}

fn with_query(path: &str, item: &PathItem) -> Vec<String> {
    let operations = [
        (Method::GET, &item.get),
        (Method::POST, &item.post),
        (Method::PUT, &item.put),
        (Method::PATCH, &item.patch),
        (Method::DELETE, &item.delete),
    ];
    let taking = operations.into_iter().filter(|(_, operation)| operation.iter().any(has_query));
    taking.map(|(method, _)| name(&method, path)).collect()
}

fn has_query(operation: &Operation) -> bool {
    operation.parameters.iter().flatten().any(is_in_query)
}

fn is_in_query(parameter: &RefOr<Parameter>) -> bool {
    matches!(parameter, RefOr::T(known) if known.parameter_in == ParameterIn::Query)
}

fn name(method: &Method, path: &str) -> String {
    format!("{method} {path}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t2_the_document_tells_which_routes_take_a_query() {
        for with in ["GET /api/v1/executions", "GET /api/v1/analytics/tools", "DELETE /api/v1/tools/{id}"] {
            assert!(WITH_QUERY.contains(with), "{with}");
        }
        for without in ["POST /api/v1/tools", "GET /api/v1/tools/{id}", "GET /api/admin/tools"] {
            assert!(!WITH_QUERY.contains(without), "{without}");
        }
    }
}
