//! `alcada user create` for somebody who has an account: one more organisation, and nothing else.

use super::{Serving, alcada, run};
use reqwest::StatusCode;
use serde_json::Value;

const EMAIL: &str = "op@example.org";
const PASSWORD: &str = "uma frase comprida";

#[tokio::test]
async fn d5_somebody_with_an_account_joins_a_second_tenant_and_keeps_the_password() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    for (name, slug) in [("Oficina", "oficina"), ("Padaria", "padaria")] {
        assert!(run(data, &["tenant", "create", "--name", name, "--slug", slug], "").status.success());
    }
    let create = |tenant, role| ["user", "create", "--email", EMAIL, "--tenant", tenant, "--role", role];
    let made = run(data, &create("oficina", "operator"), &format!("{PASSWORD}\n"));
    let id = String::from_utf8(made.stdout).unwrap().trim().to_owned();
    let joined = run(data, &create("padaria", "viewer"), "outra frase comprida\n");
    let line = String::from_utf8(joined.stdout).unwrap();
    assert_eq!(line, format!("{id} had an account and is now viewer of padaria; the password stays\n"));
    let again = run(data, &create("padaria", "owner"), "");
    let line = String::from_utf8(again.stderr).unwrap();
    assert_eq!(line, "alcada: already_exists: This person is a member already.\n");
    let admin = [&create("padaria", "owner")[..], &["--platform-admin"]].concat();
    let refused = run(data, &admin, &format!("{PASSWORD}\n"));
    assert_eq!(String::from_utf8(refused.stderr).unwrap(), "alcada: email is taken already\n");

    let serving = Serving::start(&mut alcada(data));
    serving.until_ready().await;
    let client = reqwest::Client::builder().cookie_store(true).build().unwrap();
    let call = async |name: &str, fields: &[(&str, &str)]| {
        let request = client.post(format!("{}/fn/{name}", serving.url)).header("accept", "application/json");
        request.form(fields).send().await.unwrap()
    };
    let signed_in = call("sign_in", &[("email", EMAIL), ("password", PASSWORD)]).await;
    assert_eq!(signed_in.status(), StatusCode::OK, "with the first password");
    let session: Value = call("get_session", &[]).await.json().await.unwrap();
    assert_eq!(session["me"]["is_platform_admin"], false);
    let tenants = session["me"]["tenants"].as_array().unwrap().iter();
    let roles: Vec<_> = tenants.map(|one| (one["slug"].as_str(), one["role"].as_str())).collect();
    let expected = [("oficina", "operator"), ("padaria", "viewer")];
    assert_eq!(roles, expected.map(|(slug, role)| (Some(slug), Some(role))));
}
