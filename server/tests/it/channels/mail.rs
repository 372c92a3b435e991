//! `sendEmail`, and mail as a test.

use super::{
    authority::{Authority, Certified},
    smtp::MailServer,
};
use crate::{
    cli::{Serving, alcada},
    workshop::{Backend, TENANT, agent, workshop},
};
use domain::TenantRole;
use serde_json::{Value, json};
use std::path::Path;

fn settings(server: &MailServer) -> Value {
    json!({
        "host": "127.0.0.1",
        "port": server.port,
        "security": "none",
        "username": "loja",
        "password": "s3nha-do-correio",
        "from": "loja@example.org",
        "from_name": "Padaria Central",
    })
}

fn params() -> Value {
    json!({ "to": ["ana@example.org"], "subject": "Pedido nº 7", "text": "Seu pão está pronto.\n.\nAté já" })
}

async fn call(owner: &Backend) -> Value {
    owner.call("sendEmail", "vendas", params()).await.json().await.unwrap()
}

#[tokio::test]
async fn t13_an_email_leaves_by_the_tenants_server_and_names_its_call() {
    let (app, owner) = workshop().await;
    agent(&owner, "vendas", &["sendEmail"], "never").await;
    let answer = call(&owner).await;
    assert_eq!((&answer["success"], &answer["error_code"]), (&json!(false), &json!("email_not_configured")));

    let server = MailServer::start(None).await;
    owner.put_channel(201, "email", settings(&server)).await;
    let answer = call(&owner).await;
    assert_eq!(answer["success"], true, "{answer}");
    let id = answer["execution_id"].as_str().unwrap();
    let mail = server.received().remove(0);
    assert_eq!(mail.from.split_whitespace().next().unwrap(), "MAIL");
    assert!(mail.from.contains("<loja@example.org>"));
    assert_eq!((mail.to.len(), mail.to[0].contains("<ana@example.org>")), (1, true));
    assert!(mail.auth.unwrap().starts_with("AUTH PLAIN "));
    assert!(mail.data.contains(&format!("Message-ID: <{id}@example.org>")), "{}", mail.data);
    assert!(mail.data.contains("Padaria Central"), "{}", mail.data);
    assert_eq!(answer["result"]["message_id"], format!("<{id}@example.org>"));
    assert_eq!(app.count("SELECT count(*) FROM audit_entries WHERE action = 'execution.record'").await, 2);
}

#[tokio::test]
async fn t7_a_test_of_an_email_sends_nothing() {
    let (_app, owner) = workshop().await;
    let server = MailServer::start(None).await;
    owner.put_channel(201, "email", settings(&server)).await;
    let tools = owner.get("/tools?q=sendEmail").await;
    let path = format!("/tools/{}/execute", tools["data"][0]["id"].as_str().unwrap());
    let answer = owner.post(200, &path, json!({ "params": params(), "test_mode": true })).await;
    assert_eq!(answer["success"], true, "{answer}");
    assert!(server.received().is_empty());
}

/// Somebody is asked first, and says yes: still nothing leaves.
#[tokio::test]
async fn t7_an_approved_test_of_an_email_sends_nothing() {
    let (app, owner) = workshop().await;
    let server = MailServer::start(None).await;
    owner.put_channel(201, "email", settings(&server)).await;
    let tool = owner.get("/tools?q=sendEmail").await["data"][0]["id"].as_str().unwrap().to_owned();
    owner.put(&format!("/tools/{tool}"), json!({ "requires_second_person": true })).await;
    let body = json!({ "params": params(), "test_mode": true });
    let asked = owner.post(202, &format!("/tools/{tool}/execute"), body).await;
    let second = app.backend(TENANT, TenantRole::Operator).await;
    let path = format!("/confirmations/{}/approve", asked["confirmation_id"].as_str().unwrap());
    let done = second.post(200, &path, json!({})).await["execution"].clone();
    assert_eq!((&done["status"], &done["success"]), (&json!("success"), &json!(true)), "{done}");
    assert!(server.received().is_empty());
}

#[tokio::test]
async fn what_a_mail_server_refuses_is_an_error_of_the_call() {
    let (_app, owner) = workshop().await;
    agent(&owner, "vendas", &["sendEmail"], "never").await;
    let server = MailServer::start(Some("550 no such mailbox\r\n")).await;
    owner.put_channel(201, "email", settings(&server)).await;
    let answer = call(&owner).await;
    assert_eq!(answer["error_code"], "smtp_error", "{answer}");
    assert!(answer["error_message"].as_str().unwrap().contains("550"), "{answer}");
    let test = owner.post(200, "/channels/email/test", json!({ "to": "bia@example.org" })).await;
    assert_eq!((&test["success"], &test["error_code"]), (&json!(false), &json!("smtp_error")));
    assert!(server.received().is_empty());
}

/// It took the mail, and nobody heard what became of it.
#[tokio::test]
async fn t13_a_mail_without_an_answer_may_have_arrived_and_the_call_says_so() {
    let (_app, owner) = workshop().await;
    agent(&owner, "vendas", &["sendEmail"], "never").await;
    let server = MailServer::hanging_up().await;
    owner.put_channel(201, "email", settings(&server)).await;
    let answer = call(&owner).await;
    assert_eq!(answer["error_code"], "smtp_error", "{answer}");
    let told = answer["error_message"].as_str().unwrap();
    assert!(told.contains("is not known") && !told.contains("could not be sent"), "{told}");
    assert_eq!(server.received().len(), 1, "and not a second time");
}

#[tokio::test]
async fn a_channel_can_be_tested() {
    let (app, owner) = workshop().await;
    let server = MailServer::start(None).await;
    owner.put_channel(201, "email", settings(&server)).await;
    let test = owner.post(200, "/channels/email/test", json!({})).await;
    assert_eq!(test, json!({ "success": true, "error_code": null, "error_message": null }));
    assert!(server.received()[0].to[0].contains("<loja@example.org>"), "to the sender itself");
    owner.post(422, "/channels/email/test", json!({ "to": "x" })).await;
    assert_eq!(app.count("SELECT count(*) FROM audit_entries WHERE action = 'channel.test'").await, 1);
    let mut gone = settings(&server);
    gone["port"] = json!(1);
    gone["password"] = json!("again");
    owner.put_channel(200, "email", gone).await;
    let test = owner.post(200, "/channels/email/test", json!({})).await;
    assert_eq!((&test["success"], &test["error_code"]), (&json!(false), &json!("smtp_error")), "{test}");
}

/// Whoever sits in between and hides STARTTLS gets neither the password nor the mail.
#[tokio::test]
async fn without_tls_nothing_is_said_to_a_server_that_should_have_it() {
    let (_app, owner) = workshop().await;
    let server = MailServer::start(None).await;
    for security in ["starttls", "tls"] {
        let mut body = settings(&server);
        body["security"] = json!(security);
        owner.send(reqwest::Method::PUT, "/channels/email", Some(body)).await;
        let test = owner.post(200, "/channels/email/test", json!({})).await;
        assert_eq!((&test["success"], &test["error_code"]), (&json!(false), &json!("smtp_error")), "{test}");
    }
    assert_eq!(server.words(), ["EHLO"], "no AUTH, no MAIL");
}

/// A server that trusts an authority of its operator's, and an owner's key.
async fn trusting(folder: &Path, authority: &Authority) -> (Serving, String) {
    let file = folder.join("ca.pem");
    std::fs::write(&file, authority.pem()).unwrap();
    let (url, _) = crate::app::fresh_database().await;
    let url = if crate::app::on_postgres() { url } else { format!("sqlite://{}/a.db", folder.display()) };
    let run = |args: &[&str]| {
        let output = alcada(folder).env("DATABASE_URL", &url).args(args).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    run(&["tenant", "create", "--name", "O", "--slug", "o"]);
    let key = run(&["api-key", "create", "--name", "k", "--tenant", "o", "--role", "owner"]);
    let mut command = alcada(folder);
    command.env("DATABASE_URL", &url).env("ALCADA_EXTRA_CA", &file).env("ALCADA_EGRESS_ALLOW", "127.0.0.0/8");
    let serving = Serving::start(&mut command);
    serving.until_ready().await;
    (serving, key)
}

/// Sets the channel up and tests it.
async fn tested(url: &str, key: &str, security: &str, server: &MailServer) -> Value {
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let mut body = settings(server);
    body["security"] = json!(security);
    let channel = format!("{url}/api/v1/channels/email");
    let put = client.put(&channel).bearer_auth(key).json(&body).send().await.unwrap();
    assert!(put.status().is_success(), "{:?}", put.text().await);
    let test = client.post(format!("{channel}/test")).bearer_auth(key).json(&json!({})).send().await.unwrap();
    test.json().await.unwrap()
}

#[tokio::test]
async fn t13_mail_goes_over_tls_to_a_server_that_the_operator_trusts() {
    let folder = tempfile::tempdir().unwrap();
    let (authority, stranger) = (Authority::new("Padaria"), Authority::new("Estranha"));
    let (serving, key) = trusting(folder.path(), &authority).await;
    let good = authority.certify("127.0.0.1");
    let start = |kind: &'static str, certified: &Certified| {
        let certified = certified.clone();
        async move {
            match kind {
                "tls" => MailServer::with_tls(&certified).await,
                _ => MailServer::with_starttls(&certified).await,
            }
        }
    };
    for kind in ["starttls", "tls"] {
        let server = start(kind, &good).await;
        let test = tested(&serving.url, &key, kind, &server).await;
        assert_eq!(test["success"], true, "{kind}: {test}");
        let mail = server.received().remove(0);
        assert!(
            mail.is_encrypted && mail.auth.is_some() && mail.data.contains("Padaria Central"),
            "{mail:?}"
        );
        let first: &[&str] =
            if kind == "tls" { &["EHLO", "AUTH"] } else { &["EHLO", "STARTTLS", "EHLO", "AUTH"] };
        assert!(server.words().iter().map(String::as_str).zip(first).all(|(word, wanted)| word == *wanted));
        for (why, bad) in [
            ("another authority", stranger.certify("127.0.0.1")),
            ("another name", authority.certify("mail.example.org")),
        ] {
            let server = start(kind, &bad).await;
            let test = tested(&serving.url, &key, kind, &server).await;
            assert_eq!(
                (&test["success"], &test["error_code"]),
                (&json!(false), &json!("smtp_error")),
                "{why}"
            );
            assert!(server.received().is_empty(), "{why}");
            assert!(!server.words().contains(&"AUTH".to_owned()), "{kind} {why}: no password for strangers");
        }
    }
}

/// Without the setting the same server is a stranger.
#[tokio::test]
async fn s1_an_authority_that_nobody_named_is_not_trusted() {
    let (app, owner) = workshop().await;
    let good = Authority::new("Padaria").certify("127.0.0.1");
    let key = owner.key.unwrap();
    for (kind, server) in
        [("tls", MailServer::with_tls(&good).await), ("starttls", MailServer::with_starttls(&good).await)]
    {
        let test = tested(&app.url, &key, kind, &server).await;
        assert_eq!((&test["success"], &test["error_code"]), (&json!(false), &json!("smtp_error")), "{kind}");
        assert!(server.received().is_empty());
    }
}
