//! What commands are told of: tenants and agents, by id or by slug. And what they print, for the next command to read.

use super::{Serving, alcada, run};
use reqwest::StatusCode;
use serde_json::{Value, json};
use std::path::Path;

const PASSWORD: &str = "uma frase comprida";

/// The one line of a command that did its work.
fn printed(data: &Path, args: &[&str], stdin: &str) -> String {
    let output = run(data, args, stdin);
    assert!(output.status.success(), "{args:?}: {output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().count(), 1, "{args:?}: {text}");
    text.trim_end().to_owned()
}

/// The tenant `oficina`: its id.
fn tenant(data: &Path) -> String {
    let line = printed(data, &["tenant", "create", "--name", "Oficina", "--slug", "oficina"], "");
    line.strip_suffix(" oficina").unwrap_or_else(|| panic!("{line}")).to_owned()
}

/// The agents that the holder of a key sees, each as `agent create` prints it.
async fn agents_of(serving: &Serving, key: &str) -> Vec<String> {
    let request = reqwest::Client::new().get(format!("{}/api/v1/agents", serving.url)).bearer_auth(key);
    let answer: Value = request.send().await.unwrap().json().await.unwrap();
    let rows = answer["data"].as_array().unwrap_or_else(|| panic!("{answer}")).iter();
    let text = |row: &Value, field: &str| row[field].as_str().unwrap().to_owned();
    let mut agents: Vec<_> = rows.map(|row| format!("{} {}", text(row, "id"), text(row, "slug"))).collect();
    agents.sort();
    agents
}

#[tokio::test]
async fn t14_an_agent_is_printed_and_keys_take_it_and_its_tenant_by_id_or_slug() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let tenant = tenant(data);
    let agent = |tenant: &str, more: &[&str]| {
        printed(data, &[&["agent", "create", "--tenant", tenant][..], more].concat(), "")
    };
    let sales = agent(&tenant, &["--name", "Vendas"]);
    let counter = agent("oficina", &["--name", "Caixa", "--slug", "balcao"]);
    let sales_id = sales.strip_suffix(" vendas").unwrap_or_else(|| panic!("{sales}"));
    assert!(counter.ends_with(" balcao"), "{counter}");

    let key = |tenant: &str, more: &[&str]| {
        let start = ["api-key", "create", "--name", "k", "--tenant", tenant, "--role", "operator"];
        printed(data, &[&start[..], more].concat(), "")
    };
    let mut all = vec![sales.clone(), counter.clone()];
    all.sort();
    let keys = [
        (key(&tenant, &[]), all.clone()),
        (key("oficina", &[]), all),
        (key(&tenant, &["--agent", sales_id]), vec![sales.clone()]),
        (key("oficina", &["--agent", "vendas"]), vec![sales.clone()]),
        (key(&tenant, &["--agent", "balcao"]), vec![counter]),
    ];
    let serving = Serving::start(&mut alcada(data));
    serving.until_ready().await;
    for (nth, (key, seen)) in keys.iter().enumerate() {
        assert_eq!(agents_of(&serving, key).await, *seen, "key {nth}");
    }
}

#[tokio::test]
async fn d5_a_person_joins_a_tenant_that_is_named_by_id_or_slug() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let tenant = tenant(data);
    let people = [("ana@example.org", tenant.as_str()), ("bia@example.org", "oficina")];
    for (email, tenant) in people {
        let user = ["user", "create", "--email", email, "--tenant", tenant, "--role", "viewer"];
        printed(data, &user, &format!("{PASSWORD}\n"));
    }
    let serving = Serving::start(&mut alcada(data));
    serving.until_ready().await;
    for (email, named) in people {
        let client = reqwest::Client::builder().cookie_store(true).build().unwrap();
        let call = async |name: &str, fields: &[(&str, &str)]| {
            let request = client.post(format!("{}/fn/{name}", serving.url));
            request.header("accept", "application/json").form(fields).send().await.unwrap()
        };
        let signed_in = call("sign_in", &[("email", email), ("password", PASSWORD)]).await;
        assert_eq!(signed_in.status(), StatusCode::OK, "{named}");
        let session: Value = call("get_session", &[]).await.json().await.unwrap();
        let joined = &session["me"]["tenants"][0];
        assert_eq!((&joined["slug"], &joined["role"]), (&json!("oficina"), &json!("viewer")), "{named}");
    }
}
