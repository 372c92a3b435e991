//! S1: every form of an address inside, at every place where somebody of a tenant can write one down, and at every place
//! that sends something there. The product runs as it comes, with nothing opened: whoever gets through is heard by a
//! canary. That no form passes the one way out is proved in `crates/egress`; here, that nothing goes another way.

mod called;
mod canary;
mod previews;

use crate::{
    app::fresh_database,
    cli::{Serving, alcada},
    workshop::{Backend, agent, id, webhook_tool},
};
use canary::Canary;
use reqwest::Method;
use serde_json::{Value, json};
use std::sync::{Arc, LazyLock};
use tempfile::TempDir;

/// Ways to write this machine, or another that is not public, as the host of an address: those of the crate itself.
static INSIDE: LazyLock<Vec<&str>> =
    LazyLock::new(|| include_str!("../../../../crates/egress/src/tests/inside.txt").lines().collect());

/// Ways to write it that are no address at all: somebody else might read them as one.
const TRICKS: [&str; 4] =
    ["example.org@127.0.0.1", "user:pw@127.0.0.1", "127.0.0.1%00.example.org", "[::1%25lo]"];

/// Fetches one address after the other, and tells what came of each.
const SCRIPT: &str = "export default async (p, ctx) => {
    const said = [];
    for (const url of p.urls) {
        said.push(await ctx.fetch(url).then((answer) => answer.status, (error) => error.message));
    }
    return said;
}";

/// The data of a tenant, and the key of its owner.
struct Installation {
    folder: TempDir,
    database: String,
    key: String,
    _kept: Option<Arc<TempDir>>,
}

impl Installation {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (database, kept) = fresh_database().await;
        let make = |arguments: &[&str]| {
            let mut command = alcada(folder.path());
            let output = command.env("DATABASE_URL", &database).args(arguments).output().unwrap();
            assert!(output.status.success(), "{arguments:?}: {output:?}");
            String::from_utf8(output.stdout).unwrap().trim().to_owned()
        };
        make(&["tenant", "create", "--name", "Forno", "--slug", "forno"]);
        let key = make(&["api-key", "create", "--name", "k", "--tenant", "forno", "--role", "owner"]);
        Self { folder, database, key, _kept: kept }
    }

    /// The product with these settings and no other, for as long as the process is kept.
    async fn start(&self, settings: &[(&str, &str)]) -> (Serving, Backend) {
        let mut command = alcada(self.folder.path());
        command.env("DATABASE_URL", &self.database).envs(settings.iter().copied());
        let serving = Serving::start(&mut command);
        serving.until_ready().await;
        let owner = Backend::at(&serving.url, Some(self.key.clone()));
        (serving, owner)
    }
}

/// Somewhere, as it is written down.
struct Place<'a> {
    scheme: &'a str,
    host: &'a str,
    port: u16,
    /// How a mail server there is spoken to.
    security: &'a str,
}

impl<'a> Place<'a> {
    fn secure(host: &'a str, port: u16) -> Self {
        Self { scheme: "https", host, port, security: "starttls" }
    }

    fn plain(host: &'a str, port: u16) -> Self {
        Self { scheme: "http", host, port, security: "none" }
    }

    fn url(&self) -> String {
        format!("{}://{}:{}/", self.scheme, self.host, self.port)
    }

    fn host_and_port(&self) -> String {
        format!("{}:{}", self.host, self.port)
    }
}

fn script_tool(name: &str, host: &str) -> Value {
    json!({
        "name": name,
        "description": "Busca endereços",
        "execution_type": "code",
        "code": SCRIPT,
        "fetch_hosts": [host],
        "max_fetches": 100,
        "timeout_ms": 20_000,
        "parameters": { "type": "object", "properties": {} }
    })
}

/// One of each kind that knows an address. An agent writes mail.
struct Tools {
    webhook: String,
    script: String,
}

impl Tools {
    async fn make(owner: &Backend) -> Self {
        agent(owner, "correio", &["sendEmail"], "never").await;
        let webhook = owner.post(201, "/tools", webhook_tool("gancho", "https://example.org/")).await;
        let script = owner.post(201, "/tools", script_tool("roteiro", "example.org")).await;
        Self { webhook: id(&webhook), script: id(&script) }
    }

    /// Everything that a PUT points there: the path, the field that has the address, the body.
    fn pointed_at(&self, place: &Place<'_>) -> [(String, &'static str, Value); 6] {
        let url = place.url();
        let (tool, channel) = (|id: &str| format!("/tools/{id}"), |kind: &str| format!("/channels/{kind}"));
        let whatsapp = json!({ "base_url": url, "phone_number_id": "1", "access_token": "t" });
        let email = json!({
            "host": place.host, "port": place.port, "security": place.security, "from": "loja@example.org",
        });
        [
            (tool(&self.webhook), "webhook_url", json!({ "webhook_url": url })),
            (tool(&self.script), "fetch_hosts", json!({ "fetch_hosts": [place.host_and_port()] })),
            (channel("webhook"), "url", json!({ "url": url })),
            (channel("events"), "url", json!({ "url": url })),
            (channel("whatsapp"), "base_url", whatsapp),
            (channel("email"), "host", email),
        ]
    }

    /// Points everything there.
    async fn point_at(&self, owner: &Backend, place: &Place<'_>) {
        for (path, field, body) in self.pointed_at(place) {
            let answer = owner.send(Method::PUT, &path, Some(body)).await;
            let status = answer.status();
            assert!(status.is_success(), "{path} {field} {}: {:?}", place.url(), answer.text().await);
        }
    }
}

/// The same for tools that are new.
fn new_tools(place: &Place<'_>) -> [(&'static str, Value); 2] {
    [
        ("webhook_url", webhook_tool("novo", &place.url())),
        ("fetch_hosts", script_tool("nova", &place.host_and_port())),
    ]
}

/// Some forms are an address in one field and none in another.
fn is_told_of(field: &str, found: &[(String, String)]) -> bool {
    let [(name, code)] = found else { return false };
    name == field && ["invalid", "out_of_reach"].contains(&code.as_str())
}

#[tokio::test]
async fn s1_no_form_of_an_address_inside_is_saved_anywhere() {
    let (installation, canary) = (Installation::new().await, Canary::start().await);
    let (_serving, owner) = installation.start(&[]).await;
    let tools = Tools::make(&owner).await;
    for host in INSIDE.iter().chain(&TRICKS) {
        for place in [Place::secure(host, canary.port), Place::plain(host, canary.port)] {
            for (path, field, body) in tools.pointed_at(&place) {
                let found = owner.invalid(Method::PUT, &path, body).await;
                assert!(is_told_of(field, &found), "{} in {path}: {found:?}", place.url());
            }
            for (field, body) in new_tools(&place) {
                let found = owner.invalid(Method::POST, "/tools", body).await;
                assert!(is_told_of(field, &found), "{} in a new tool: {found:?}", place.url());
            }
        }
    }
    canary.heard_nobody().await;
    let outside = Place::secure("example.org", 8443);
    tools.point_at(&owner, &outside).await;
    for (_, body) in new_tools(&outside) {
        owner.post(201, "/tools", body).await;
    }
}
