//! The server under test, and the people who use it.

use items::sources::{SourceSettings, Sources};
use reqwest::{Client, Response, StatusCode, header, redirect::Policy};
use sandbox::{Config, Sandbox, Unsupported};
use sea_orm::{ConnectOptions, ConnectionTrait, Database as Sql, DatabaseConnection, DbBackend, Statement};
use serde_json::Value;
use server::{
    web,
    wiring::{Outside, Services, Site},
};
use std::{collections::HashMap, net::SocketAddr, sync::Arc, time::Duration};
use store::Database;
use tempfile::TempDir;
use tokio::{net::TcpListener, sync::watch};

pub const PASSWORD: &str = "três pratos de trigo";

pub struct TestApp {
    pub url: String,
    pub services: Services,
    pub database_url: String,
    pub stop: watch::Sender<bool>,
    _folder: Option<Arc<TempDir>>,
}

/// An empty database of its own: a file, or a database in the given PostgreSQL.
pub async fn fresh_database() -> (String, Option<Arc<TempDir>>) {
    match std::env::var("ALCADA_TEST_DATABASE_URL") {
        Err(_) => {
            let folder = tempfile::tempdir().unwrap();
            let url = format!("sqlite://{}/alcada.db", folder.path().display());
            (url, Some(Arc::new(folder)))
        }
        Ok(server) => {
            let name = format!("t{}", uuid::Uuid::now_v7().simple());
            let admin = Sql::connect(&server).await.unwrap();
            admin.execute_unprepared(&format!("CREATE DATABASE {name}")).await.unwrap();
            admin.close().await.unwrap();
            let (base, _) = server.rsplit_once('/').unwrap();
            (format!("{base}/{name}"), None)
        }
    }
}

/// Past the product, and past the wall between tenants: every row.
pub async fn raw_sql(url: &str) -> DatabaseConnection {
    let mut options = ConnectOptions::new(url);
    options.map_sqlx_postgres_opts(|postgres| postgres.options([("alcada.tenant", "*")]));
    Sql::connect(options).await.unwrap()
}

/// The one that every server under test has.
pub fn vault() -> vault::Vault {
    vault::Vault::new(vault::MasterKey::parse(&"07".repeat(32)).unwrap(), Vec::new())
}

pub fn on_postgres() -> bool {
    std::env::var("ALCADA_TEST_DATABASE_URL").is_ok()
}

impl TestApp {
    pub async fn start() -> Self {
        let (database_url, folder) = fresh_database().await;
        Self::on(&database_url, folder, None).await
    }

    /// As a reverse proxy would show it.
    pub async fn start_behind(public_url: &str) -> Self {
        let (database_url, folder) = fresh_database().await;
        Self::on(&database_url, folder, Some(public_url)).await
    }

    /// A second process, as far as the database can tell.
    pub async fn replica(&self) -> Self {
        Self::on(&self.database_url, self._folder.clone(), None).await
    }

    /// The same with others to ask.
    pub async fn replica_with_sources(&self, sources: SourceSettings) -> Self {
        let reason = "this test starts no workers".to_owned();
        let sandbox = Err(Unsupported { reason });
        Self::with_sandbox(&self.database_url, self._folder.clone(), None, sources, sandbox).await
    }

    async fn on(database_url: &str, folder: Option<Arc<TempDir>>, public_url: Option<&str>) -> Self {
        let reason = "this test starts no workers".to_owned();
        let sources = SourceSettings::default();
        Self::with_sandbox(database_url, folder, public_url, sources, Err(Unsupported { reason })).await
    }

    /// One that runs code tools: their workers are processes of the binary.
    pub async fn start_with_code() -> Self {
        let (database_url, folder) = fresh_database().await;
        Self::on_with_code(&database_url, folder).await
    }

    /// Another process of the same installation that runs them.
    pub async fn replica_with_code(&self) -> Self {
        Self::on_with_code(&self.database_url, self._folder.clone()).await
    }

    async fn on_with_code(database_url: &str, folder: Option<Arc<TempDir>>) -> Self {
        let config = Config {
            program: env!("CARGO_BIN_EXE_alcada").into(),
            waiting: 2,
            patience: Duration::from_secs(20),
            ..Config::default()
        };
        let sandbox = Sandbox::start(config).await;
        assert!(sandbox.is_ok(), "code tools cannot be tested here: {:?}", sandbox.err());
        Self::with_sandbox(database_url, folder, None, SourceSettings::default(), sandbox).await
    }

    /// One that asks these about what people save.
    pub async fn start_with_sources(sources: SourceSettings) -> Self {
        let (database_url, folder) = fresh_database().await;
        let reason = "this test starts no workers".to_owned();
        Self::with_sandbox(&database_url, folder, None, sources, Err(Unsupported { reason })).await
    }

    async fn with_sandbox(
        database_url: &str,
        folder: Option<Arc<TempDir>>,
        public_url: Option<&str>,
        sources: SourceSettings,
        sandbox: Result<Sandbox, Unsupported>,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let db = Database::connect(database_url).await.unwrap();
        let (stop, stopping) = watch::channel(false);
        let trusted_proxies = vec!["127.0.0.2/32".parse().unwrap()];
        let site = Site { public_url: public_url.unwrap_or(&url).to_owned(), trusted_proxies };
        let egress = egress::Egress::new(egress::AllowList::parse("127.0.0.0/8").unwrap()).unwrap();
        let outside = Outside {
            vault: vault(),
            sources: Sources::new(egress.clone(), sources),
            egress,
            limiter: limits::Limiter::in_process(),
            ceilings: engine::Ceilings {
                concurrent_calls_per_tool: 100,
                concurrent_calls_per_tenant: 200,
                code_time_ms: 20_000,
                code_memory_mb: 128,
                code_output_bytes: 1024 * 1024,
                code_fetches: 50,
            },
            sandbox,
        };
        let services = Services::start(db, site, outside, stopping).await.unwrap();
        services.engine.look_after(false).await.unwrap();
        let router = web::router(services.clone());
        let app = router.into_make_service_with_connect_info::<SocketAddr>();
        tokio::spawn(async move { axum::serve(listener, app).await });
        Self { url, services, database_url: database_url.to_owned(), stop, _folder: folder }
    }

    /// An installation that is set up: the platform administrator, signed in.
    pub async fn with_admin() -> (Self, Person) {
        let app = Self::start().await;
        let admin = app.set_up().await;
        (app, admin)
    }

    pub async fn set_up(&self) -> Person {
        let code = self.services.accounts.new_setup_code().await.unwrap().expect("nobody has an account yet");
        let person = self.visitor("admin@example.org");
        let form = [
            ("code", code.as_str()),
            ("name", "Ada"),
            ("email", "admin@example.org"),
            ("password", PASSWORD),
            ("organisation", "Padaria Central"),
        ];
        assert_eq!(person.call("complete_setup", &form).await.status(), StatusCode::OK);
        person
    }

    /// Somebody with a cookie jar who is not signed in.
    pub fn visitor(&self, email: &str) -> Person {
        let client =
            Client::builder().cookie_store(true).redirect(Policy::none()).no_proxy().build().unwrap();
        Person { client, url: self.url.clone(), email: email.to_owned() }
    }

    /// A member of the tenant with that slug, signed in.
    pub async fn member(&self, email: &str, tenant: &str, role: &str) -> Person {
        let permit = ability::Caller::operator().permit().unwrap();
        let accounts = &self.services.accounts;
        let tenant = accounts.find_tenant(tenant).await.unwrap().id;
        let member_of = Some((tenant, role.parse().unwrap()));
        accounts.create_user(&permit, email, PASSWORD, false, member_of).await.unwrap();
        self.sign_in(email).await
    }

    pub async fn sign_in(&self, email: &str) -> Person {
        let person = self.visitor(email);
        let answer = person.call("sign_in", &[("email", email), ("password", PASSWORD)]).await;
        assert_eq!(answer.status(), StatusCode::OK, "{email} signs in");
        person
    }

    pub async fn tenant(&self, name: &str, slug: &str) {
        let permit = ability::Caller::operator().permit().unwrap();
        self.services.accounts.create_tenant(&permit, name, Some(slug)).await.unwrap();
    }

    /// A client with an API key of a platform administrator.
    pub async fn platform_key(&self) -> String {
        let permit = ability::Caller::operator().permit().unwrap();
        let scope = accounts::KeyScope::PlatformAdmin;
        self.services.accounts.create_api_key(&permit, "test", scope).await.unwrap().key
    }

    pub async fn sql(&self) -> DatabaseConnection {
        raw_sql(&self.database_url).await
    }

    /// The rows of a query, each as JSON text of its columns.
    pub async fn count(&self, query: &str) -> i64 {
        let sql = self.sql().await;
        let backend = if on_postgres() { DbBackend::Postgres } else { DbBackend::Sqlite };
        let row = sql.query_one_raw(Statement::from_string(backend, query)).await.unwrap().unwrap();
        let count = row.try_get_by_index::<i64>(0).unwrap();
        sql.close().await.unwrap();
        count
    }
}

/// Somebody at a browser.
pub struct Person {
    pub client: Client,
    pub url: String,
    pub email: String,
}

impl Person {
    pub async fn get(&self, path: &str) -> Response {
        self.client
            .get(format!("{}{path}", self.url))
            .header(header::ACCEPT, "text/html")
            .send()
            .await
            .unwrap()
    }

    /// Calls a server function as our own client does.
    pub async fn call(&self, name: &str, fields: &[(&str, &str)]) -> Response {
        let request =
            self.client.post(format!("{}/fn/{name}", self.url)).header(header::ACCEPT, "application/json");
        request.form(&fields.iter().copied().collect::<HashMap<_, _>>()).send().await.unwrap()
    }

    /// Sends the form as a browser without JavaScript does.
    pub async fn submit(&self, from: &str, name: &str, fields: &[(&str, &str)]) -> Response {
        let request = self.client.post(format!("{}/fn/{name}", self.url));
        let request = request
            .header(header::ACCEPT, "text/html")
            .header(header::REFERER, format!("{}{from}", self.url));
        request.form(&fields.iter().copied().collect::<HashMap<_, _>>()).send().await.unwrap()
    }

    /// The JSON answer of a server function that succeeded.
    pub async fn ask(&self, name: &str, fields: &[(&str, &str)]) -> Value {
        let answer = self.call(name, fields).await;
        assert_eq!(answer.status(), StatusCode::OK, "{name}");
        answer.json().await.unwrap()
    }

    /// The code of an error that a server function answered with.
    pub async fn refused(&self, name: &str, fields: &[(&str, &str)]) -> (u16, String) {
        let answer = self.call(name, fields).await;
        let status = answer.status().as_u16();
        let body: Value = answer.json().await.unwrap();
        (status, body["code"].as_str().unwrap_or_default().to_owned())
    }

    pub async fn api(&self, method: reqwest::Method, path: &str, body: Option<Value>) -> Response {
        let request = self.client.request(method, format!("{}{path}", self.url));
        let request = match body {
            Some(body) => request.json(&body),
            None => request,
        };
        request.send().await.unwrap()
    }
}

pub fn location(answer: &Response) -> &str {
    answer.headers()[header::LOCATION].to_str().unwrap()
}

/// Status and code of a problem.
pub async fn problem(answer: Response) -> (u16, String) {
    let status = answer.status().as_u16();
    assert_eq!(answer.headers()[header::CONTENT_TYPE], "application/problem+json");
    let body: Value = answer.json().await.unwrap();
    assert_eq!(body["status"], status);
    assert!(!body["request_id"].as_str().unwrap().is_empty());
    assert!(!body["detail"].as_str().unwrap().is_empty());
    (status, body["code"].as_str().unwrap().to_owned())
}
