//! The OpenAPI document is served, and kept as a snapshot that moves with the code.

use crate::app::TestApp;
use reqwest::Method;
use serde_json::Value;
use std::{path::Path, str::FromStr};

pub fn document() -> Value {
    serde_json::from_str(&server::http::openapi_document()).unwrap()
}

/// Every method of every path that the document names.
pub fn operations() -> Vec<(Method, String)> {
    let document = document();
    let paths = document["paths"].as_object().unwrap().iter();
    paths
        .flat_map(|(path, item)| item.as_object().unwrap().keys().map(move |key| (key, path)))
        .filter_map(|(key, path)| Some((Method::from_str(&key.to_uppercase()).ok()?, path.clone())))
        .filter(|(method, _)| ["GET", "POST", "PUT", "PATCH", "DELETE"].contains(&method.as_str()))
        .collect()
}

#[tokio::test]
async fn the_document_is_served() {
    let app = TestApp::start().await;
    let answer = reqwest::get(format!("{}/api/openapi.json", app.url)).await.unwrap();
    assert_eq!(answer.status(), 200);
    let document: serde_json::Value = answer.json().await.unwrap();
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1"));
    assert!(document["paths"]["/api/admin/tools/{tool_name}"]["patch"]["responses"]["409"].is_object());
}

/// utoipa gathers the types of bodies, not those of paths and queries: these are written `inline`.
#[test]
fn the_document_has_everything_that_it_refers_to() {
    let document = document();
    let text = document.to_string();
    for reference in text.split("\"$ref\":\"#").skip(1) {
        let pointer = reference.split('"').next().unwrap();
        assert!(document.pointer(pointer).is_some(), "{pointer}");
    }
}

/// A list of bare paths would be no documentation.
#[test]
fn every_operation_says_what_it_does() {
    let document = document();
    for (method, path) in operations() {
        let operation = &document["paths"][&path][method.as_str().to_lowercase()];
        assert!(operation["summary"].is_string(), "{method} {path}");
    }
}

/// Comments name requirements; whoever reads the document does not know them.
#[test]
fn no_text_begins_with_a_requirement() {
    fn look(value: &Value) {
        for (key, one) in value.as_object().into_iter().flatten() {
            let text = one.as_str().filter(|_| key == "summary" || key == "description");
            let first = text.and_then(|text| text.split([',', ':']).next()).unwrap_or_default();
            let (letter, number) = first.split_at_checked(1).unwrap_or_default();
            let is_requirement =
                letter.starts_with(|c: char| c.is_ascii_uppercase()) && number.parse::<u8>().is_ok();
            assert!(!is_requirement, "{key}: {one}");
            look(one);
        }
        value.as_array().into_iter().flatten().for_each(look);
    }
    look(&document());
}

/// `ALCADA_UPDATE_SNAPSHOTS=1 cargo test -p server openapi` writes it anew.
#[test]
fn the_snapshot_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/openapi.json");
    let current = format!("{}\n", server::http::openapi_document());
    if std::env::var_os("ALCADA_UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(&path, &current).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap();
    assert!(kept == current, "docs/openapi.json is not what the code says; see this test's comment");
}

#[tokio::test]
async fn the_document_can_be_read_by_people() {
    let app = crate::app::TestApp::start().await;
    let page = reqwest::get(format!("{}/api/docs", app.url)).await.unwrap();
    assert_eq!(page.status(), 200);
    let html = page.text().await.unwrap();
    for path in ["/api/v1/tools/execute-for-agent", "/api/v1/confirmations/{id}/approve", "ExecutionAnswer"] {
        assert!(html.contains(path), "{path}");
    }
}
