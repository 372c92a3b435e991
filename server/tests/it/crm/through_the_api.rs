//! T13: the system tools as an agent calls them, with a key of its own; what they did is read back where people read it.
//!
//! `sendEmail` needs a mail server: `t13_an_email_leaves_by_the_tenants_server_and_names_its_call` in
//! `channels/mail.rs` is its test.

use super::{TENANT, tomorrow};
use crate::{
    app::TestApp,
    workshop::{Backend, agent, id, workshop},
};
use serde_json::{Value, json};

/// An organisation with a little of everything, and an agent that was given the tools.
struct Shop {
    app: TestApp,
    owner: Backend,
    agent: Backend,
    contact: String,
    deal: String,
    /// The one that the agent's calls come from.
    conversation: String,
}

impl Shop {
    async fn open() -> Self {
        let (app, owner) = workshop().await;
        let tools: Vec<&str> = crm::tools::SYSTEM_TOOLS.iter().map(|tool| tool.name).collect();
        agent(&owner, "vendas", &tools, "never").await;
        let agent = app.agent_backend(TENANT, "vendas").await;
        let ana = json!({ "name": "Ana", "phone": "+5511900000001" });
        let contact = id(&owner.post(201, "/contacts", ana).await);
        let stages = json!([{ "slug": "novo", "name": "Novo" }, { "slug": "proposta", "name": "Proposta" }]);
        let pipeline = json!({ "name": "Vendas", "stages": stages });
        let pipeline = id(&owner.post(201, "/pipelines", pipeline).await);
        let deal = json!({ "title": "Bolo", "pipeline_id": pipeline, "contact_id": contact });
        let deal = id(&owner.post(201, "/deals", deal).await);
        // The tests' calls name this conversation.
        let conversation = json!({ "channel": "whatsapp", "contact_id": contact, "external_id": "c1" });
        let conversation = id(&owner.post(201, "/conversations", conversation).await);
        Self { app, owner, agent, contact, deal, conversation }
    }

    /// The answer to a call that succeeded.
    async fn answer(&self, tool: &str, params: Value) -> Value {
        let answer = self.agent.call(tool, "vendas", params).await;
        let (status, body) = (answer.status(), answer.json::<Value>().await.unwrap());
        assert_eq!((status.as_u16(), &body["success"]), (200, &json!(true)), "{tool}: {body}");
        body
    }

    async fn call(&self, tool: &str, params: Value) -> Value {
        self.answer(tool, params).await["result"].clone()
    }

    /// As people see it.
    async fn shown(&self, kind: &str, id: &str) -> Value {
        self.owner.get(&format!("/{kind}/{id}")).await
    }
}

#[tokio::test]
async fn t13_an_agent_moves_a_contact_and_a_deal() {
    let shop = Shop::open().await;
    let before = shop.shown("contacts", &shop.contact).await;
    assert_eq!(before["status"], "lead");
    let params = json!({ "contact_id": shop.contact, "status": "qualified", "reason": "Pediu um orçamento" });
    let done = json!({
        "updated": true, "contact_id": shop.contact, "previous_status": "lead", "new_status": "qualified",
    });
    assert_eq!(shop.call("updateContactStatus", params.clone()).await, done);
    let after = shop.shown("contacts", &shop.contact).await;
    assert_eq!((&after["status"], &after["name"]), (&json!("qualified"), &before["name"]));
    assert_ne!(after["version"], before["version"], "whoever has the old one in a form is told");
    assert_eq!(shop.call("updateContactStatus", params).await["updated"], false, "it was so already");

    let params = json!({ "deal_id": shop.deal, "stage": "proposta" });
    let done = json!({ "updated": true, "previous_stage": "novo", "new_stage": "proposta" });
    assert_eq!(shop.call("updatePipelineStage", params).await, done);
    assert_eq!(shop.shown("deals", &shop.deal).await["stage"], "proposta");
    let moved = shop.owner.get("/deals?stage=proposta").await;
    assert_eq!(moved["data"][0]["id"], shop.deal, "{moved}");
}

#[tokio::test]
async fn t13_an_agent_leaves_a_task_and_a_message_for_later() {
    let shop = Shop::open().await;
    shop.app.member("bia@example.org", TENANT, "operator").await;
    let due = tomorrow();
    let params = json!({
        "title": "Ligar", "description": "Sobre o bolo", "due_at": due, "assignee": "bia@example.org",
        "contact_id": shop.contact, "deal_id": shop.deal,
    });
    let made = shop.call("createTask", params).await;
    assert_eq!(
        (&made["created"], &made["title"], &made["due_at"]),
        (&json!(true), &json!("Ligar"), &json!(due))
    );
    let task = shop.shown("tasks", made["task_id"].as_str().unwrap()).await;
    let wanted = [
        ("title", "Ligar"),
        ("description", "Sobre o bolo"),
        ("due_at", due.as_str()),
        ("contact_id", shop.contact.as_str()),
        ("deal_id", shop.deal.as_str()),
        ("status", "open"),
    ];
    for (field, value) in wanted {
        assert_eq!(task[field], value, "{field}: {task}");
    }
    let hers = format!("/tasks?assignee={}", task["assignee"].as_str().unwrap());
    assert_eq!(shop.owner.get(&hers).await["data"], json!([task]), "Bia finds it among hers");

    let params =
        json!({ "contact_id": shop.contact, "channel": "whatsapp", "text": "Até já", "send_at": due });
    let answer = shop.answer("scheduleMessage", params).await;
    let made = &answer["result"];
    assert_eq!((&made["scheduled"], &made["send_at"]), (&json!(true), &json!(due)));
    let message = shop.shown("scheduled-messages", made["scheduled_message_id"].as_str().unwrap()).await;
    let wanted = [
        ("contact_id", shop.contact.as_str()),
        ("channel", "whatsapp"),
        ("text", "Até já"),
        ("send_at", due.as_str()),
        ("status", "scheduled"),
    ];
    for (field, value) in wanted {
        assert_eq!(message[field], value, "{field}: {message}");
    }
    assert_eq!(message["execution_id"], answer["execution_id"], "it says which call made it");
}

#[tokio::test]
async fn t13_an_agent_finds_the_products_that_are_sold_now() {
    let shop = Shop::open().await;
    let cake = json!({ "name": "Bolo de cenoura", "sku": "BOL-9", "price_cents": 4_500 });
    let cake = id(&shop.owner.post(201, "/products", cake).await);
    let gone = json!({ "name": "Bolo de fubá", "price_cents": 3_000, "is_active": false });
    shop.owner.post(201, "/products", gone).await;
    let find = async || shop.call("searchProducts", json!({ "query": "BOLO cenoura" })).await;
    let found = find().await;
    assert_eq!(found["count"], 1, "{found}");
    let shown = shop.shown("products", &cake).await;
    for field in ["id", "name", "sku", "description", "price_cents", "currency"] {
        assert_eq!(found["products"][0].get(field), shown.get(field), "{field}");
    }
    shop.owner.patch(&format!("/products/{cake}"), json!({ "price_cents": 4_900 })).await;
    assert_eq!(find().await["products"][0]["price_cents"], 4_900, "the price of now");
    shop.owner.patch(&format!("/products/{cake}"), json!({ "is_active": false })).await;
    assert_eq!(find().await, json!({ "count": 0, "products": [] }));
}

#[tokio::test]
async fn t13_an_agent_reads_what_is_known_about_a_contact() {
    let shop = Shop::open().await;
    let messages = format!("/conversations/{}/messages", shop.conversation);
    for (direction, text) in [("inbound", "Quanto custa?"), ("outbound", "Quarenta e cinco.")] {
        shop.owner.post(201, &messages, json!({ "direction": direction, "text": text })).await;
    }
    shop.call("createTask", json!({ "title": "Ligar", "contact_id": shop.contact })).await;
    let read = shop.call("getContactHistory", json!({ "contact_id": shop.contact })).await;
    let shown = shop.owner.get(&format!("/contacts/{}/history", shop.contact)).await;
    for (part, count) in [("messages", 2), ("deals", 1), ("tasks", 1)] {
        assert_eq!(read[part], shown[part], "{part}");
        assert_eq!(read[part].as_array().unwrap().len(), count, "{part}");
    }
    assert_eq!(read["messages"][0]["text"], "Quarenta e cinco.", "newest first");
    assert_eq!((&read["deals"][0]["id"], &read["tasks"][0]["title"]), (&json!(shop.deal), &json!("Ligar")));
    assert_eq!(read["contact"]["id"], shop.contact);
}

#[tokio::test]
async fn t13_an_agent_hands_its_conversation_over_and_ends_it() {
    let shop = Shop::open().await;
    shop.app.member("bia@example.org", TENANT, "operator").await;
    assert_eq!(shop.shown("conversations", &shop.conversation).await["status"], "open");
    let params = json!({ "reason": "Quer falar com alguém", "assign_to": "bia@example.org" });
    let done = shop.call("transferToHuman", params).await;
    assert_eq!((&done["transferred"], &done["conversation_id"]), (&json!(true), &json!(shop.conversation)));
    let waiting = shop.shown("conversations", &shop.conversation).await;
    assert_eq!(waiting["status"], "waiting_human");
    assert!(waiting["assigned_to"].is_string(), "{waiting}");
    assert_eq!((&done["status"], &done["assigned_to"]), (&waiting["status"], &waiting["assigned_to"]));
    let notes = shop.owner.get(&format!("/conversations/{}/messages", shop.conversation)).await;
    let note = &notes["data"][0];
    assert_eq!((&note["direction"], &note["text"]), (&json!("note"), &json!("Quer falar com alguém")));

    let end = async || shop.call("endConversation", json!({ "resolution": "Tudo certo" })).await;
    let ended = |already: bool| {
        let conversation = &shop.conversation;
        json!({ "resolved": true, "already_resolved": already, "conversation_id": conversation })
    };
    assert_eq!(end().await, ended(false));
    let resolved = shop.shown("conversations", &shop.conversation).await;
    assert_eq!((&resolved["status"], &resolved["resolution"]), (&json!("resolved"), &json!("Tudo certo")));
    assert!(resolved["closed_at"].is_string(), "{resolved}");
    assert_eq!(end().await, ended(true));
    assert_eq!(shop.shown("conversations", &shop.conversation).await, resolved, "again is no change");
}
