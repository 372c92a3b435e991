//! Tools in JavaScript, as a user of the product meets them (T16, X8, S3–S5). What the sandbox itself promises is
//! proved in `crates/sandbox`.

mod definition;
mod fetching;
mod machine;
mod running;
mod secrets;

use crate::{
    app::TestApp,
    workshop::{Backend, TENANT, id},
};
use domain::TenantRole;
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;

/// An installation whose workers are processes of the binary, and the key of a tenant's owner.
pub async fn workshop() -> (TestApp, Backend) {
    let app = TestApp::start_with_code().await;
    app.set_up().await;
    let owner = app.backend(TENANT, TenantRole::Owner).await;
    (app, owner)
}

/// The body of a code tool. It takes any arguments.
pub fn code_tool(name: &str, code: &str) -> Value {
    json!({
        "name": name,
        "description": "Faz uma conta",
        "execution_type": "code",
        "code": code,
        "timeout_ms": 20_000,
        "parameters": { "type": "object", "properties": {} }
    })
}

fn with(mut body: Value, field: &str, value: Value) -> Value {
    body[field] = value;
    body
}

impl Backend {
    async fn make(&self, body: Value) -> String {
        id(&self.post(201, "/tools", body).await)
    }

    /// The answer of a call by hand.
    async fn execute(&self, tool: &str, body: Value) -> Value {
        self.post(200, &format!("/tools/{tool}/execute"), body).await
    }

    /// Saves the code as a tool and calls it.
    async fn run_code(&self, name: &str, code: &str) -> Value {
        let tool = self.make(code_tool(name, code)).await;
        self.execute(&tool, json!({})).await
    }

    /// Begins a call that goes on while the test does something else.
    fn begin(&self, tool: &str) -> tokio::task::JoinHandle<Value> {
        let (caller, path) = (self.clone(), format!("/tools/{tool}/execute"));
        tokio::spawn(async move { caller.post(200, &path, json!({})).await })
    }

    async fn running(&self) -> Vec<Value> {
        let running = self.get("/executions?status=running").await;
        running["data"].as_array().unwrap().clone()
    }

    /// The ids of so many calls that run.
    async fn until_running(&self, count: usize) -> Vec<String> {
        let rows =
            until("calls run", || async { Some(self.running().await).filter(|rows| rows.len() == count) });
        rows.await.iter().map(id).collect()
    }

    async fn stop(&self, execution: &str) -> Value {
        self.expect(200, Method::POST, &format!("/executions/{execution}/cancel"), None).await
    }
}

async fn until<T, F: Future<Output = Option<T>>>(what: &str, mut ask: impl FnMut() -> F) -> T {
    let asking = async {
        loop {
            if let Some(found) = ask().await {
                return found;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), asking).await.unwrap_or_else(|_| panic!("never: {what}"))
}

/// Error code and message of a call that ran and failed.
fn failure(answer: &Value) -> (&str, &str) {
    assert_eq!((&answer["status"], &answer["success"]), (&json!("error"), &json!(false)), "{answer}");
    (answer["error_code"].as_str().unwrap(), answer["error_message"].as_str().unwrap())
}
