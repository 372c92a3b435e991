//! The OpenAPI 3.1 document, made from the handlers.

use axum::response::{IntoResponse, Response};
use http::header;
use std::borrow::Cow;
use utoipa::openapi::{
    Components, Info, OpenApi, OpenApiBuilder, SecurityRequirement,
    security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme},
};

pub fn info() -> OpenApi {
    let mut info = Info::new("Alçada", env!("CARGO_PKG_VERSION"));
    info.description =
        Some("A control plane for the tools of AI agents. Errors are problem details (RFC 9457).".to_owned());
    OpenApiBuilder::new().info(info).build()
}

/// With how clients authenticate, and in words that they know.
pub fn finish(mut document: OpenApi) -> String {
    let components = document.components.get_or_insert_with(Components::new);
    let key = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).bearer_format("alc_…").build();
    components.add_security_scheme("api_key", SecurityScheme::Http(key));
    components
        .add_security_scheme("session", SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::new("alcada"))));
    let none: [&str; 0] = [];
    document.security =
        Some(vec![SecurityRequirement::new("api_key", none), SecurityRequirement::new("session", none)]);
    let json = document.to_pretty_json().unwrap_or_default();
    json.lines().map(without_requirement).collect::<Vec<_>>().join("\n")
}

/// A comment may begin with the requirement that it is about: that says nothing to whoever reads the document. It is
/// taken from the text of the document, where each description has a line, because its order would be lost otherwise.
fn without_requirement(line: &str) -> Cow<'_, str> {
    let said = |key: &str| line.trim_start().strip_prefix(key);
    let text = said("\"summary\": \"").or_else(|| said("\"description\": \""));
    let parts = text.and_then(|text| text.split_once(": "));
    let Some((_, rest)) = parts.filter(|(names, _)| names.split(", ").all(is_requirement)) else {
        return line.into();
    };
    let head = line.strip_suffix(text.unwrap_or_default()).unwrap_or_default();
    let mut rest = rest.chars();
    let first = rest.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{head}{first}{}", rest.as_str()).into()
}

/// A letter and a number: `T14`.
fn is_requirement(name: &str) -> bool {
    let digits = name.strip_prefix(|first: char| first.is_ascii_uppercase());
    digits.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

pub async fn serve(json: String) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], json).into_response()
}

#[cfg(test)]
mod tests {
    use super::without_requirement;

    #[test]
    fn a_description_begins_with_what_it_says() {
        for (line, expected) in [
            ("  \"summary\": \"T8: a call: by an agent.\",", "  \"summary\": \"A call: by an agent.\","),
            ("\"description\": \"T8, X1: \\\"why\\\"\"", "\"description\": \"\\\"why\\\"\""),
            ("\"description\": \"RFC 9457: problems\"", "\"description\": \"RFC 9457: problems\""),
            ("\"description\": \"T: x\"", "\"description\": \"T: x\""),
            ("\"title\": \"T8: x\"", "\"title\": \"T8: x\""),
        ] {
            assert_eq!(without_requirement(line), expected);
        }
    }
}
