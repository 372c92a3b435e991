//! The OpenAPI 3.1 document, made from the handlers.

use axum::response::{IntoResponse, Response};
use http::header;
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

/// With how clients authenticate.
pub fn finish(mut document: OpenApi) -> String {
    let components = document.components.get_or_insert_with(Components::new);
    let key = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).bearer_format("alc_…").build();
    components.add_security_scheme("api_key", SecurityScheme::Http(key));
    components
        .add_security_scheme("session", SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::new("alcada"))));
    let none: [&str; 0] = [];
    document.security =
        Some(vec![SecurityRequirement::new("api_key", none), SecurityRequirement::new("session", none)]);
    document.to_pretty_json().unwrap_or_default()
}

pub async fn serve(json: String) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], json).into_response()
}
