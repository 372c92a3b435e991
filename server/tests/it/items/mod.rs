//! What people save, and the tools that save it.

mod fake;
mod own;
mod saving;
mod searching;

pub use fake::{Mood, Web};

use crate::{
    app::TestApp,
    workshop::{Backend, TENANT},
};
use domain::TenantRole;
use serde_json::{Value, json};
use std::time::Duration;

/// An installation that asks the web on loopback, and a key of an operator.
pub async fn with_web() -> (TestApp, Web, Backend) {
    let web = Web::start().await;
    let app = TestApp::start_with_sources(web.sources()).await;
    app.set_up().await;
    let operator = app.backend(TENANT, TenantRole::Operator).await;
    (app, web, operator)
}

impl Backend {
    /// The answer of a built-in tool that was called by hand.
    pub async fn run(&self, tool: &str, params: Value) -> Value {
        let id = self.tool_id(tool).await;
        self.post(200, &format!("/tools/{id}/execute"), json!({ "params": params })).await
    }

    pub async fn tool_id(&self, tool: &str) -> String {
        let tools = self.get(&format!("/tools?q={tool}")).await;
        let tools = tools["data"].as_array().unwrap().clone();
        let found = tools.iter().find(|row| row["name"] == tool);
        found.unwrap_or_else(|| panic!("no tool {tool}"))["id"].as_str().unwrap().to_owned()
    }

    /// The item that a tool saved.
    pub async fn save(&self, tool: &str, params: Value) -> Value {
        let answer = self.run(tool, params).await;
        assert_eq!(
            (&answer["success"], &answer["result"]["saved"]),
            (&json!(true), &json!(true)),
            "{answer}"
        );
        answer["result"]["item"].clone()
    }

    pub async fn item(&self, item: &Value) -> Value {
        self.get(&format!("/items/{}", item["id"].as_str().unwrap())).await
    }

    /// Waits until the details are in this state.
    pub async fn enriched(&self, item: &Value, state: &str) -> Value {
        until(state, || async {
            Some(self.item(item).await).filter(|item| item["enrichment"]["state"] == state)
        })
        .await
    }
}

pub async fn until<T, F: Future<Output = Option<T>>>(what: &str, mut ask: impl FnMut() -> F) -> T {
    let asking = async {
        loop {
            if let Some(found) = ask().await {
                return found;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), asking).await.unwrap_or_else(|_| panic!("never: {what}"))
}

pub fn titles(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|item| item["title"].as_str().unwrap()).collect()
}
