//! `/api/docs`: the OpenAPI document for people to read. Rendered once, without scripts: it works wherever the API does.

use axum::response::{Html, IntoResponse, Response};
use http::{HeaderValue, header};
use serde_json::{Map, Value};
use std::{fmt::Write, sync::OnceLock};

/// The page has no script and loads nothing; its few lines of style stand in it.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;\
color-scheme:light dark}code{font-size:.9em}summary{cursor:pointer;padding:.35rem 0}\
details{border-top:1px solid #8884}table{border-collapse:collapse;width:100%;margin:.5rem 0 1rem}\
td,th{text-align:start;padding:.25rem .75rem .25rem 0;vertical-align:top;border-top:1px solid #8883}\
.method{display:inline-block;min-width:4.5rem;font-weight:600}";

/// Made when the first person asks: few installations are ever asked, and all of them would carry it.
pub async fn serve(document: String) -> Response {
    static PAGE: OnceLock<String> = OnceLock::new();
    let readable = PAGE.get_or_init(|| page(&document)).as_str();
    let mut response = Html(readable).into_response();
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    response
}

pub fn page(document: &str) -> String {
    let document: Value = serde_json::from_str(document).unwrap_or_default();
    let mut html = format!(
        "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\"><title>Alçada API</title><style>{STYLE}</style></head><body><main>\
         <h1>Alçada API</h1><p>{}</p><p>Authenticate with <code>Authorization: Bearer alc_…</code>. The same as a \
         document for programs: <a href=\"/api/openapi.json\">/api/openapi.json</a>.</p>",
        escaped(text(&document["info"]["description"]))
    );
    for tag in tags(&document) {
        let _ = write!(html, "<section><h2>{}</h2>", escaped(&tag));
        each_operation(&document, |method, path, operation| {
            if operation["tags"][0] == tag.as_str() {
                write_operation(&mut html, method, path, operation);
            }
        });
        html.push_str("</section>");
    }
    html.push_str("<section><h2>Schemas</h2>");
    for (name, schema) in members(&document["components"]["schemas"]) {
        write_schema(&mut html, name, schema);
    }
    html.push_str("</section></main></body></html>");
    html
}

fn each_operation(document: &Value, mut act: impl FnMut(&str, &str, &Value)) {
    for (path, item) in members(&document["paths"]) {
        for (method, operation) in members(item) {
            act(method, path, operation);
        }
    }
}

fn tags(document: &Value) -> Vec<String> {
    let mut tags: Vec<String> = Vec::new();
    each_operation(document, |_, _, operation| {
        let tag = text(&operation["tags"][0]).to_owned();
        if !tags.contains(&tag) {
            tags.push(tag);
        }
    });
    tags
}

fn write_operation(html: &mut String, method: &str, path: &str, operation: &Value) {
    let _ = write!(
        html,
        "<details><summary><code><span class=\"method\">{}</span>{}</code></summary><p>{}</p><table>",
        method.to_uppercase(),
        escaped(path),
        escaped(text(&operation["summary"]))
    );
    for parameter in operation["parameters"].as_array().into_iter().flatten() {
        let what = format!("{} {}", text(&parameter["in"]), shape(&parameter["schema"]));
        row(html, text(&parameter["name"]), &what, text(&parameter["description"]));
    }
    for (kind, body) in members(&operation["requestBody"]["content"]) {
        row(html, "body", &shape(&body["schema"]), &escaped(kind));
    }
    for (status, answer) in members(&operation["responses"]) {
        let shapes: Vec<String> =
            members(&answer["content"]).map(|(_, body)| shape(&body["schema"])).collect();
        row(html, status, &shapes.join(" or "), text(&answer["description"]));
    }
    html.push_str("</table></details>");
}

fn write_schema(html: &mut String, name: &str, schema: &Value) {
    let _ = write!(html, "<details id=\"{0}\"><summary><code>{0}</code></summary>", escaped(name));
    let _ = write!(html, "<p>{}</p>", escaped(text(&schema["description"])));
    let parts = || schema["allOf"].as_array().into_iter().flatten().chain([schema]);
    let required = parts().flat_map(|part| part["required"].as_array().into_iter().flatten());
    let required: Vec<String> =
        required.map(|name| format!("<code>{}</code>", escaped(text(name)))).collect();
    if !required.is_empty() {
        let _ = write!(html, "<p>Required: {}.</p>", required.join(", "));
    }
    html.push_str("<table>");
    for part in parts() {
        for (field, of) in members(&part["properties"]) {
            row(html, field, &shape(of), text(&of["description"]));
        }
    }
    for choice in schema["enum"].as_array().into_iter().flatten() {
        row(html, text(choice), "", "");
    }
    html.push_str("</table></details>");
}

fn row(html: &mut String, name: &str, what: &str, about: &str) {
    let _ = write!(
        html,
        "<tr><th><code>{}</code></th><td>{what}</td><td>{}</td></tr>",
        escaped(name),
        escaped(about)
    );
}

/// A schema in a word; names of others are links. Already escaped.
fn shape(schema: &Value) -> String {
    if let Some(name) = schema["$ref"].as_str().and_then(|at| at.rsplit('/').next()) {
        return format!("<a href=\"#{0}\">{0}</a>", escaped(name));
    }
    if let Some(choices) = schema["oneOf"].as_array().or(schema["anyOf"].as_array()) {
        return choices.iter().map(shape).collect::<Vec<_>>().join(" or ");
    }
    match &schema["type"] {
        Value::String(kind) if kind == "array" => format!("list of {}", shape(&schema["items"])),
        Value::String(kind) => escaped(kind),
        Value::Array(kinds) => kinds.iter().map(|kind| escaped(text(kind))).collect::<Vec<_>>().join(" or "),
        _ => String::new(),
    }
}

fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flat_map(Map::iter)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_route_is_on_the_page_and_nothing_is_markup() {
        let document = serde_json::json!({
            "info": { "description": "a <b>" },
            "paths": { "/x/{id}": { "get": { "tags": ["t"], "summary": "<script>", "responses": { "200": {} } } } },
            "components": { "schemas": { "Y": { "properties": { "z": { "type": "string" } } } } }
        });
        let page = page(&document.to_string());
        assert!(page.contains("/x/{id}") && page.contains("id=\"Y\"") && page.contains("&lt;script&gt;"));
        assert!(!page.contains("<script>"));
    }
}
