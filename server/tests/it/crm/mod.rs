//! A tenant's contacts, pipelines, deals, tasks, products, conversations and scheduled messages.

mod delivery;
mod details;
mod products;
mod resources;
mod through_the_api;
mod tools;

use crate::app::{Person, TestApp};
use domain::TenantId;
use reqwest::Method;
use serde_json::{Value, json};

const TENANT: &str = "padaria-central";
const NOBODY: &str = "00000000-0000-7000-8000-000000000000";

/// Somebody who may do everything with the data, and nothing with the installation.
async fn manager() -> (TestApp, Person) {
    let (app, _) = TestApp::with_admin().await;
    let manager = app.member("manager@example.org", TENANT, "manager").await;
    (app, manager)
}

async fn tenant(app: &TestApp) -> TenantId {
    app.services.accounts.find_tenant(TENANT).await.unwrap().id
}

async fn get(person: &Person, path: &str) -> Value {
    let answer = person.api(Method::GET, &format!("/api/v1{path}"), None).await;
    assert_eq!(answer.status(), 200, "{path}");
    answer.json().await.unwrap()
}

async fn post(person: &Person, path: &str, body: Value) -> Value {
    let answer = person.api(Method::POST, &format!("/api/v1{path}"), Some(body)).await;
    let status = answer.status();
    let body: Value = answer.json().await.unwrap();
    assert_eq!(status, 201, "{path}: {body}");
    body
}

async fn patch(person: &Person, path: &str, body: Value) -> Value {
    let answer = person.api(Method::PATCH, &format!("/api/v1{path}"), Some(body)).await;
    let status = answer.status();
    let body: Value = answer.json().await.unwrap();
    assert_eq!(status, 200, "{path}: {body}");
    body
}

/// Status, code, and the field that was refused.
async fn refused(person: &Person, method: Method, path: &str, body: Option<Value>) -> (u16, String, String) {
    let answer = person.api(method, &format!("/api/v1{path}"), body).await;
    let status = answer.status().as_u16();
    let body: Value = answer.json().await.unwrap();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    (status, text(&body["code"]), text(&body["errors"][0]["field"]))
}

fn invalid(field: &str) -> (u16, String, String) {
    (422, "validation_failed".to_owned(), field.to_owned())
}

fn id(value: &Value) -> String {
    value["id"].as_str().unwrap().to_owned()
}

async fn contact(person: &Person, name: &str) -> String {
    id(&post(person, "/contacts", json!({ "name": name, "phone": "+5511900000001" })).await)
}

async fn pipeline(person: &Person) -> String {
    let stages = json!([{ "slug": "novo", "name": "Novo" }, { "slug": "proposta", "name": "Proposta" }]);
    id(&post(person, "/pipelines", json!({ "name": "Vendas", "stages": stages })).await)
}

/// Tomorrow, as the wire has it.
fn tomorrow() -> String {
    let moment = store::Moment::now().plus(time::Duration::days(1));
    domain::Timestamp::from(moment).to_string()
}
