//! S18: messages over a gateway: signed, recent, once; and whose they are.

use crate::{
    app::{Person, TestApp, problem},
    items::titles,
    workshop::{Backend, NOBODY, TENANT, workshop},
};
use egress::signature::{self, Secret};
use reqwest::{Client, Method, Response};
use serde_json::{Value, json};

/// What passes messages on: it signs them with the secret of its channel.
pub struct Gateway {
    url: String,
    secret: Secret,
}

impl Gateway {
    pub async fn of(app: &TestApp, owner: &Backend) -> Self {
        let channel = owner.expect(201, Method::PUT, "/channels/inbound", Some(json!({}))).await;
        let secret = Secret::parse(channel["webhook_secret"].as_str().unwrap()).unwrap();
        Self { url: format!("{}/api/v1/assistant/inbound/{TENANT}", app.url), secret }
    }

    async fn send(&self, id: &str, at: i64, body: &str, signature: &str) -> Response {
        let request = Client::builder().no_proxy().build().unwrap().post(&self.url);
        let request = request.header(signature::ID, id).header(signature::TIMESTAMP, at);
        let request =
            request.header(signature::SIGNATURE, signature).header("content-type", "application/json");
        request.body(body.to_owned()).send().await.unwrap()
    }

    pub async fn signed(&self, id: &str, body: &str) -> Response {
        let now = store::Moment::now().seconds();
        self.send(id, now, body, &signature::sign(&[&self.secret], id, now, body.as_bytes())).await
    }

    async fn say(&self, from: &str, text: &str) -> Value {
        self.pass_on(json!({ "from": from, "text": text })).await
    }

    async fn pass_on(&self, message: Value) -> Value {
        let id = format!("m{}", uuid::Uuid::now_v7().simple());
        let answer = self.signed(&id, &message.to_string()).await;
        assert_eq!(answer.status(), 200);
        answer.json().await.unwrap()
    }
}

/// A member whose phone is known.
async fn linked(app: &TestApp, gateway: &Gateway, from: &str) -> Person {
    let person = app.member("ana@example.org", TENANT, "viewer").await;
    let code: Value =
        person.api(Method::POST, "/api/v1/assistant/link-codes", None).await.json().await.unwrap();
    let code = code["code"].as_str().unwrap();
    let answer = gateway.say(from, &format!("meu código: {}", code.to_lowercase())).await;
    assert!(answer["reply"].as_str().unwrap().starts_with("Pronto"), "{answer}");
    person
}

#[tokio::test]
async fn g9_a_conversation_over_a_gateway() {
    let (app, owner) = workshop().await;
    let gateway = Gateway::of(&app, &owner).await;
    let unknown = gateway.say("+5511999990000", "oi").await;
    assert!(unknown["reply"].as_str().unwrap().starts_with("Ainda não sei"), "{unknown}");
    let ana = linked(&app, &gateway, "+5511999990000").await;
    let menu = gateway.say("+5511999990000", "Comprar pão").await;
    assert!(menu["reply"].as_str().unwrap().starts_with("Recebi sua mensagem."), "{menu}");
    let done = gateway.say("+5511999990000", "nota").await;
    assert_eq!((&done["state"], &done["conversation_id"]), (&json!("done"), &menu["conversation_id"]));
    let items: Value = ana.api(Method::GET, "/api/v1/items", None).await.json().await.unwrap();
    assert_eq!(titles(&items["data"]), ["Comprar pão"], "it is hers, on the page too");
    let other = gateway.say("+5511888880000", "nota").await;
    assert_eq!(other["state"], json!(null), "another phone is another person");
    let used = gateway.say("+5511888880000", "ABCDEFGH").await;
    assert_eq!(used["state"], json!(null));
    app.change("UPDATE users SET disabled_at = 1 WHERE email = 'ana@example.org'").await;
    assert_eq!(gateway.say("+5511999990000", "oi").await["state"], json!(null), "with the rights of now");
}

#[tokio::test]
async fn s18_what_is_not_signed_or_not_recent_or_changed_is_refused() {
    let (app, owner) = workshop().await;
    let gateway = Gateway::of(&app, &owner).await;
    let (now, body) = (store::Moment::now().seconds(), json!({ "from": "+551", "text": "oi" }).to_string());
    let right = |at: i64| signature::sign(&[&gateway.secret], "m1", at, body.as_bytes());
    let other = Secret::generate();
    let unauthenticated = (401, "unauthenticated".to_owned());
    for (id, at, text, given) in [
        ("m1", now, body.as_str(), String::new()),
        ("m1", now, body.as_str(), "v1,".to_owned()),
        ("m1", now, body.as_str(), signature::sign(&[&other], "m1", now, body.as_bytes())),
        ("m2", now, body.as_str(), right(now)),
        ("m1", now + 1, body.as_str(), right(now)),
        ("m1", now - 301, body.as_str(), right(now - 301)),
        ("m1", now + 360, body.as_str(), right(now + 360)),
        ("m1", now, "{\"from\":\"+551\",\"text\":\"mau\"}", right(now)),
    ] {
        assert_eq!(
            problem(gateway.send(id, at, text, &given).await).await,
            unauthenticated,
            "{id} {at} {text}"
        );
    }
    let nowhere = Gateway { url: gateway.url.replace(TENANT, "ninguem"), secret: gateway.secret.clone() };
    assert_eq!(
        problem(nowhere.signed("m1", &body).await).await,
        unauthenticated,
        "nobody learns who is here"
    );
    assert_eq!(app.count("SELECT count(*) FROM assistant_inbound").await, 0);
    for bad in [
        "{",
        "[]",
        "{\"from\":\"\",\"text\":\"x\"}",
        "{\"from\":\"+551\",\"text\":\"\"}",
        "{\"from\":\"+551\",\"text\":\"x\",\"tenant\":1}",
    ] {
        let found = problem(gateway.signed("m9", bad).await).await;
        assert!([400, 422].contains(&found.0), "{bad}: {found:?}");
    }
    assert_eq!(gateway.signed("m1", &body).await.status(), 200);
}

#[tokio::test]
async fn s18_the_same_message_twice_is_done_once() {
    let (app, owner) = workshop().await;
    let gateway = Gateway::of(&app, &owner).await;
    linked(&app, &gateway, "+551").await;
    gateway.say("+551", "Comprar pão").await;
    let body = json!({ "from": "+551", "text": "1" }).to_string();
    let first: Value = gateway.signed("m1", &body).await.json().await.unwrap();
    for _ in 0..3 {
        let again = gateway.signed("m1", &body).await;
        assert_eq!(again.headers()["idempotent-replayed"], "true");
        assert_eq!(again.json::<Value>().await.unwrap(), first);
    }
    let other = json!({ "from": "+551", "text": "2" }).to_string();
    assert_eq!(problem(gateway.signed("m1", &other).await).await, (422, "idempotency_mismatch".to_owned()));
    let flood = futures::future::join_all((0..6).map(|_| gateway.signed("m2", &body))).await;
    assert!(flood.iter().all(|answer| [200, 409].contains(&answer.status().as_u16())));
    assert_eq!(app.count("SELECT count(*) FROM items").await, 1);
}

#[tokio::test]
async fn s18_a_code_holds_once_and_not_for_long() {
    let (app, owner) = workshop().await;
    let gateway = Gateway::of(&app, &owner).await;
    let person = app.member("ana@example.org", TENANT, "viewer").await;
    let code = async || {
        let code: Value =
            person.api(Method::POST, "/api/v1/assistant/link-codes", None).await.json().await.unwrap();
        code["code"].as_str().unwrap().to_owned()
    };
    let (first, second) = (code().await, code().await);
    let is_linked = async |from: &str, code: &str| {
        gateway.say(from, code).await["reply"].as_str().unwrap().starts_with("Pronto")
    };
    assert!(!is_linked("+551", &first).await, "the newer voids it");
    app.change("UPDATE assistant_codes SET expires_at = 1").await;
    assert!(!is_linked("+551", &second).await, "too late");
    let third = code().await;
    assert!(is_linked("+551", &third).await);
    assert!(!is_linked("+552", &third).await, "once");
    assert_eq!(
        app.count(&format!("SELECT count(*) FROM assistant_codes WHERE code_hash = '{third}'")).await,
        0
    );
    let refused = owner.refused(Method::POST, "/assistant/link-codes", None).await;
    assert_eq!(refused, (403, "forbidden".to_owned()), "a key has no phone");
}

/// Whoever is unknown gets a friendly answer and nothing else, however they try.
#[tokio::test]
async fn s18_nothing_of_an_unknown_phone_is_kept() {
    let (app, owner) = workshop().await;
    let gateway = Gateway::of(&app, &owner).await;
    let (ana, phone) = ("ana@example.org", "+55 (11) 99999-0000");
    for text in ["1", "cancelar", "https://example.org", "ABCDEFGH", "🤷", &"x".repeat(60_000)] {
        let answer = gateway.say(phone, text).await;
        assert!(answer["reply"].as_str().unwrap().starts_with("Ainda não sei de quem"), "{answer}");
        assert_eq!((&answer["state"], &answer["options"]), (&json!(null), &json!([])));
    }
    let body = json!({ "from": phone, "text": "x".repeat(100_000) }).to_string();
    assert_eq!(problem(gateway.signed("longa", &body).await).await.0, 422);
    for table in ["assistant_conversations", "assistant_messages", "assistant_senders", "items"] {
        assert_eq!(app.count(&format!("SELECT count(*) FROM {table}")).await, 0, "{table}");
    }
    let english = json!({ "from": phone, "text": "hi", "language": "en" }).to_string();
    let english: Value = gateway.signed("en", &english).await.json().await.unwrap();
    assert!(english["reply"].as_str().unwrap().starts_with("I do not know yet"), "{english}");
    linked(&app, &gateway, phone).await;
    let menu = gateway.say("whatsapp:+5511999990000", "Comprar pão").await;
    assert_eq!(menu["state"], "awaiting_choice", "the same phone, written differently");
    // The phone gets a new owner, who proves it in the same way.
    let bia = app.member("bia@example.org", TENANT, "operator").await;
    let code: Value = bia.api(Method::POST, "/api/v1/assistant/link-codes", None).await.json().await.unwrap();
    let told = gateway.say(phone, code["code"].as_str().unwrap()).await;
    assert!(told["reply"].as_str().unwrap().starts_with("Pronto"), "{told}");
    gateway.say(phone, "Da Bia").await;
    gateway.say(phone, "nota").await;
    let items: Value = bia.api(Method::GET, "/api/v1/items", None).await.json().await.unwrap();
    assert_eq!(titles(&items["data"]), ["Da Bia"]);
    let ana = app.sign_in(ana).await;
    let items: Value = ana.api(Method::GET, "/api/v1/items", None).await.json().await.unwrap();
    assert_eq!(items["data"], json!([]), "nothing of hers went to the other");
}

/// A gateway that has buttons knows which menu they stand under.
#[tokio::test]
async fn g9_s18_a_gateway_may_say_which_menu_was_answered() {
    let (app, owner) = workshop().await;
    let gateway = Gateway::of(&app, &owner).await;
    let answer = |menu: &Value| json!({ "from": "+551", "text": "1", "menu_id": menu["menu_id"] });
    let unknown = gateway.pass_on(json!({ "from": "+551", "text": "1", "menu_id": NOBODY })).await;
    assert_eq!((&unknown["state"], &unknown["menu_id"]), (&json!(null), &json!(null)));
    linked(&app, &gateway, "+551").await;
    let nowhere = gateway.pass_on(json!({ "from": "+551", "text": "1", "menu_id": NOBODY })).await;
    assert_eq!(nowhere["state"], "expired", "no menu was ever there");
    let old = gateway.say("+551", "Comprar pão").await;
    gateway.say("+551", "cancelar").await;
    let new = gateway.say("+551", "Comprar leite").await;
    let told = gateway.pass_on(answer(&old)).await;
    assert!(told["reply"].as_str().unwrap().starts_with("Isso já estava decidido"), "{told}");
    assert_eq!((&told["state"], &told["menu_id"]), (&json!("awaiting_choice"), &new["menu_id"]));
    assert_eq!(app.count("SELECT count(*) FROM items").await, 0);
    assert_eq!(gateway.pass_on(answer(&new)).await["state"], "done");
    // A conversation that was forgotten: what was open there is over.
    app.change("DELETE FROM assistant_messages").await;
    app.change("UPDATE assistant_senders SET conversation_id = NULL").await;
    app.change("DELETE FROM assistant_conversations").await;
    assert_eq!(gateway.pass_on(answer(&new)).await["state"], "expired");
    assert_eq!(app.count("SELECT count(*) FROM items").await, 1);
}

/// An administrator's switch, a restart and a late answer, as somebody at a phone meets them.
#[tokio::test]
async fn g6_g9_a_phone_meets_switches_restarts_and_late_answers() {
    let (app, owner) = workshop().await;
    let gateway = Gateway::of(&app, &owner).await;
    linked(&app, &gateway, "+551").await;
    let admin = app.sign_in("admin@example.org").await;
    gateway.say("+551", "Matrix").await;
    admin.ask("switch_global_tool", &[("tool_name", "save_movie"), ("enabled", "false")]).await;
    let told = gateway.say("+551", "2").await;
    assert!(
        told["reply"].as_str().unwrap().starts_with("“Salvar como filme” não está mais disponível"),
        "{told}"
    );
    assert!(told["reply"].as_str().unwrap().ends_with("5. ❌ Cancelar"));
    let other = app.replica().await;
    let url = gateway.url.replace(&app.url, &other.url);
    let gateway = Gateway { url, secret: gateway.secret.clone() };
    let done = gateway.say("+551", "1").await;
    assert_eq!((&done["state"], &done["reply"]), (&json!("done"), &json!("Nota salva. 💡")));
    let late = gateway.say("+551", "1").await;
    assert!(late["reply"].as_str().unwrap().starts_with("Isso já estava decidido"), "{late}");
    assert_eq!(app.count("SELECT count(*) FROM items").await, 1);
}
