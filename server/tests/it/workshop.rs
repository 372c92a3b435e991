//! What tests of tools share: callers with keys, agents, and an upstream that answers as it is told.

use crate::app::TestApp;
use axum::{Router, body::Bytes, extract::State, http::HeaderMap, response::Response as Answer};
use domain::{TenantId, TenantRole};
use reqwest::{Client, Method, Response};
use serde_json::{Value, json};
use std::{
    sync::{Arc, Mutex},
    time::Duration,
};
use tokio::{net::TcpListener, sync::Semaphore};

pub const TENANT: &str = "padaria-central";

/// A backend, usually with a key.
#[derive(Clone)]
pub struct Backend {
    client: Client,
    url: String,
    pub key: Option<String>,
}

impl Backend {
    /// Of a server that may be a process of its own.
    pub fn at(url: &str, key: Option<String>) -> Self {
        Self { client: Client::builder().no_proxy().build().unwrap(), url: url.to_owned(), key }
    }

    pub async fn send(&self, method: Method, path: &str, body: Option<Value>) -> Response {
        self.with_headers(method, path, body, &[]).await
    }

    pub async fn with_headers(
        &self,
        method: Method,
        path: &str,
        body: Option<Value>,
        headers: &[(&str, &str)],
    ) -> Response {
        let mut request = self.client.request(method, format!("{}/api/v1{path}", self.url));
        if let Some(key) = &self.key {
            request = request.bearer_auth(key);
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        match body {
            Some(body) => request.json(&body),
            None => request,
        }
        .send()
        .await
        .unwrap()
    }

    /// The body of an answer with the expected status.
    pub async fn expect(&self, status: u16, method: Method, path: &str, body: Option<Value>) -> Value {
        let answer = self.send(method, path, body).await;
        let found = answer.status().as_u16();
        let body: Value = answer.json().await.unwrap_or_default();
        assert_eq!(found, status, "{path}: {body}");
        body
    }

    pub async fn get(&self, path: &str) -> Value {
        self.expect(200, Method::GET, path, None).await
    }

    pub async fn post(&self, status: u16, path: &str, body: Value) -> Value {
        self.expect(status, Method::POST, path, Some(body)).await
    }

    /// Status and code of a refusal.
    pub async fn refused(&self, method: Method, path: &str, body: Option<Value>) -> (u16, String) {
        crate::app::problem(self.send(method, path, body).await).await
    }

    pub async fn put(&self, path: &str, body: Value) -> Value {
        self.expect(200, Method::PUT, path, Some(body)).await
    }

    pub async fn patch(&self, path: &str, body: Value) -> Value {
        self.expect(200, Method::PATCH, path, Some(body)).await
    }

    /// The fields that were refused, each with its code.
    pub async fn invalid(&self, method: Method, path: &str, body: Value) -> Vec<(String, String)> {
        let answer = self.expect(422, method, path, Some(body)).await;
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let errors = answer["errors"].as_array().cloned().unwrap_or_default();
        errors.iter().map(|error| (text(&error["field"]), text(&error["code"]))).collect()
    }

    pub async fn call(&self, tool: &str, agent: &str, params: Value) -> Response {
        let body = json!({ "tool_name": tool, "agent_id": agent, "conversation_id": "c1", "params": params });
        self.send(Method::POST, "/tools/execute-for-agent", Some(body)).await
    }
}

impl TestApp {
    pub async fn tenant_id(&self, slug: &str) -> TenantId {
        self.services.accounts.find_tenant(slug).await.unwrap().id
    }

    /// A key of the tenant with that role.
    pub async fn backend(&self, slug: &str, role: TenantRole) -> Backend {
        let scope = accounts::KeyScope::Tenant(self.tenant_id(slug).await, role);
        self.backend_with(scope).await
    }

    /// A key that speaks for one agent.
    pub async fn agent_backend(&self, slug: &str, agent: &str) -> Backend {
        let tenant = self.tenant_id(slug).await;
        let agent = self.services.engine.find_agent(tenant, agent).await.unwrap();
        self.backend_with(accounts::KeyScope::Agent(tenant, TenantRole::Operator, agent)).await
    }

    async fn backend_with(&self, scope: accounts::KeyScope) -> Backend {
        let permit = ability::Caller::operator().permit().unwrap();
        let key = self.services.accounts.create_api_key(&permit, "backend", scope).await.unwrap().key;
        self.backend_of(Some(key))
    }

    /// A backend with that key, or with none.
    pub fn backend_of(&self, key: Option<String>) -> Backend {
        Backend::at(&self.url, key)
    }

    /// Until this process hears what others announce: on PostgreSQL a connection of its own has to be up.
    pub async fn hears_news(&self) {
        until("news", || async { self.services.db.signals().are_reliable().then_some(()) }).await;
    }

    /// Changes rows behind the product's back.
    pub async fn change(&self, statement: &str) {
        use sea_orm::ConnectionTrait;
        let sql = self.sql().await;
        sql.execute_unprepared(statement).await.unwrap();
        sql.close().await.unwrap();
    }
}

/// A key of each kind. Who may call what is told by one table of all routes: `security/callers.rs`.
pub struct Callers(Vec<(&'static str, Backend)>);

impl Callers {
    /// `agent` has to be there already.
    pub async fn of(app: &TestApp, agent: &str) -> Self {
        let mut all = Vec::new();
        for (name, role) in [
            ("owner", TenantRole::Owner),
            ("manager", TenantRole::Manager),
            ("operator", TenantRole::Operator),
            ("viewer", TenantRole::Viewer),
            ("auditor", TenantRole::Auditor),
        ] {
            all.push((name, app.backend(TENANT, role).await));
        }
        all.push(("agent", app.agent_backend(TENANT, agent).await));
        Self(all)
    }

    /// These get past the door, without a body: to what they read, or to what a change lacks. What is there for everybody
    /// who may read is `shared`; another thing need not be theirs to see.
    pub async fn assert_let_in(&self, allowed: &str, method: &Method, address: &str, shared: bool) {
        for (name, backend) in self.0.iter().filter(|(name, _)| is_among(allowed, name)) {
            let status = Self::ask(backend, method, address).await.status().as_u16();
            let is_in = match *method {
                Method::GET if shared => status == 200,
                Method::GET => [200, 404].contains(&status),
                _ => status < 500 && ![401, 403].contains(&status),
            };
            assert!(is_in, "{name} {method} {address}: {status}");
        }
    }

    /// All others get 403, and somebody without a key gets 401: before anything else is looked at.
    pub async fn assert_others_refused(&self, allowed: &str, method: &Method, address: &str) {
        for (name, backend) in self.0.iter().filter(|(name, _)| !is_among(allowed, name)) {
            let found = crate::app::problem(Self::ask(backend, method, address).await).await;
            assert_eq!(found, (403, "forbidden".to_owned()), "{name} {method} {address}");
        }
        let anonymous = Backend { key: None, ..self.0[0].1.clone() };
        let found = crate::app::problem(Self::ask(&anonymous, method, address).await).await;
        assert_eq!(found, (401, "unauthenticated".to_owned()), "{method} {address}");
    }

    /// At an address as the document has it: not everything is under `/api/v1`.
    async fn ask(backend: &Backend, method: &Method, address: &str) -> Response {
        let request = backend.client.request(method.clone(), format!("{}{address}", backend.url));
        let request = match &backend.key {
            Some(key) => request.bearer_auth(key),
            None => request,
        };
        request.send().await.unwrap()
    }
}

fn is_among(allowed: &str, name: &str) -> bool {
    allowed.split(' ').any(|one| one == name)
}

/// Something that nobody has.
pub const NOBODY: &str = "00000000-0000-7000-8000-000000000000";

pub fn id(value: &Value) -> String {
    value["id"].as_str().unwrap_or_else(|| panic!("no id in {value}")).to_owned()
}

/// A call that waits for a person: its answer.
pub async fn pending(caller: &Backend, tool: &str, agent: &str, params: Value) -> Value {
    let answer = caller.call(tool, agent, params).await;
    let status = answer.status();
    let body: Value = answer.json().await.unwrap();
    assert_eq!(status, 202, "{body}");
    body
}

/// An installation with a tenant, and the key of its owner.
pub async fn workshop() -> (TestApp, Backend) {
    let (app, _) = TestApp::with_admin().await;
    let owner = app.backend(TENANT, TenantRole::Owner).await;
    (app, owner)
}

/// An agent with these tools.
pub async fn agent(owner: &Backend, slug: &str, tools: &[&str], mode: &str) -> String {
    let body = json!({ "name": slug, "slug": slug, "allowed_tools": tools, "tool_confirmation_mode": mode });
    owner.post(201, "/agents", body).await["id"].as_str().unwrap().to_owned()
}

/// What an upstream was asked.
#[derive(Clone, Debug)]
pub struct Asked {
    pub headers: HeaderMap,
    pub path: String,
    pub query: String,
    pub body: Vec<u8>,
}

type Reply = Arc<dyn Fn(usize) -> Answer + Send + Sync>;

/// A server on loopback that remembers what it was asked, and answers the n-th question as it is told.
#[derive(Clone)]
pub struct Upstream {
    pub url: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Upstream {
    pub async fn start(reply: impl Fn(usize) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let upstream =
            Self { url: format!("http://{}/hook", listener.local_addr().unwrap()), asked: Arc::default() };
        let reply: Reply = Arc::new(reply);
        let router = Router::new().fallback(answer).with_state((upstream.clone(), reply));
        tokio::spawn(async move { axum::serve(listener, router).await });
        upstream
    }

    /// One that answers nobody before it is told to: a permit for each answer.
    pub async fn held() -> (Self, Arc<Semaphore>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let upstream =
            Self { url: format!("http://{}/hook", listener.local_addr().unwrap()), asked: Arc::default() };
        let gate = Arc::new(Semaphore::new(0));
        let (asked, opened) = (upstream.clone(), Arc::clone(&gate));
        let router =
            Router::new().fallback(move |uri: axum::http::Uri, headers: HeaderMap, body: Bytes| async move {
                asked.note(&uri, headers, &body);
                opened.acquire().await.unwrap().forget();
                json_answer(json!({ "ok": true }))
            });
        tokio::spawn(async move { axum::serve(listener, router).await });
        (upstream, gate)
    }

    /// How many it has been asked with this one.
    fn note(&self, uri: &axum::http::Uri, headers: HeaderMap, body: &Bytes) -> usize {
        let (path, query) = (uri.path().to_owned(), uri.query().unwrap_or_default().to_owned());
        let mut asked = self.asked.lock().unwrap();
        asked.push(Asked { headers, path, query, body: body.to_vec() });
        asked.len()
    }

    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    /// Waits until it was asked so often.
    pub async fn until_asked(&self, count: usize) -> Vec<Asked> {
        until("asked", || async { Some(self.asked()).filter(|asked| asked.len() >= count) }).await
    }
}

/// Until it is so, with a limit.
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

async fn answer(
    State((upstream, reply)): State<(Upstream, Reply)>,
    uri: axum::http::Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Answer {
    reply(upstream.note(&uri, headers, &body))
}

pub fn json_answer(value: Value) -> Answer {
    axum::response::IntoResponse::into_response(axum::Json(value))
}

/// The body of a webhook tool.
pub fn webhook_tool(name: &str, url: &str) -> Value {
    json!({
        "name": name,
        "display_name": "Agendar",
        "description": "Agenda uma reunião",
        "type": "function",
        "execution_type": "webhook",
        "webhook_url": url,
        "parameters": {
            "type": "object",
            "properties": { "title": { "type": "string", "maxLength": 50 }, "senha": { "type": "string" } },
            "required": ["title"],
            "additionalProperties": false
        }
    })
}
