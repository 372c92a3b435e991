//! A sandbox, and scripts for it.

use futures::future::BoxFuture;
use sandbox::{Config, Context, FetchRequest, FetchResponse, Finished, Limits, Outside, Sandbox, Script};
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};

pub const TENANT: u128 = 7;

pub fn config() -> Config {
    Config {
        program: env!("CARGO_BIN_EXE_js-worker").into(),
        args: vec![],
        waiting: 2,
        running: 4,
        per_tenant: 4,
        ..Config::default()
    }
}

pub async fn sandbox() -> Sandbox {
    Sandbox::start(config()).await.expect("this kernel can confine workers")
}

/// Time enough for a machine that does other things.
pub fn limits() -> Limits {
    Limits { time: Duration::from_secs(60), ..Limits::default() }
}

pub fn script(code: &str) -> Script {
    Script {
        code: code.into(),
        params: json!({"a": 1}),
        context: Context {
            execution_id: "e-1".into(),
            agent_id: Some("a-1".into()),
            conversation_id: None,
            test_mode: true,
        },
        secrets: BTreeMap::from([("API_KEY".to_owned(), "canary-secret".to_owned())]),
        limits: limits(),
    }
}

pub async fn run(sandbox: &Sandbox, code: &str) -> Finished {
    sandbox.run(TENANT, script(code), Arc::new(Echo::default())).await
}

/// The result of a script that must have one.
pub async fn value(sandbox: &Sandbox, code: &str) -> Value {
    let finished = run(sandbox, code).await;
    finished.result.unwrap_or_else(|fault| panic!("{fault}\n{code}"))
}

/// Answers with what it was asked, and keeps it.
#[derive(Default)]
pub struct Echo {
    pub asked: Mutex<Vec<FetchRequest>>,
}

impl Outside for Echo {
    fn fetch(&self, request: FetchRequest) -> BoxFuture<'_, Result<FetchResponse, String>> {
        Box::pin(async move {
            self.asked.lock().unwrap().push(request.clone());
            if request.url.contains("silent") {
                std::future::pending::<()>().await;
            }
            if request.url.contains("refused") {
                return Err("this host is not one of the tool's".to_owned());
            }
            let body =
                json!({"url": request.url, "method": request.method, "body": request.body}).to_string();
            let headers =
                vec![("Content-Type".into(), "application/json".into()), ("x-a".into(), "1".into())];
            Ok(FetchResponse { status: 201, headers, body })
        })
    }
}
