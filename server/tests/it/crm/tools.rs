//! T13: the nine system tools. A plan changes nothing; a run does what it says.

use super::{manager, tenant, tomorrow};
use crate::{
    app::{TestApp, on_postgres},
    workshop::{agent, id, workshop},
};
use crm::tools::{SYSTEM_TOOLS, SystemTool, ToolCall, ToolFailure, Unwritten, plan, run};
use domain::{ExecutionId, TenantId};
use sea_orm::{ConnectionTrait, DatabaseConnection, Statement};
use serde_json::{Value, json};

const TABLES: [&str; 8] = [
    "contacts",
    "pipelines",
    "deals",
    "tasks",
    "products",
    "conversations",
    "messages",
    "scheduled_messages",
];

struct Demo {
    app: TestApp,
    tenant: TenantId,
}

impl Demo {
    async fn start() -> Self {
        let (app, _) = manager().await;
        let tenant = tenant(&app).await;
        let demo = Self { app, tenant };
        demo.seed(tenant).await;
        demo
    }

    async fn seed(&self, tenant: TenantId) {
        let db = &self.app.services.db;
        let tx = db.begin().await.unwrap();
        crm::demo(&tx, tenant).await.unwrap();
        db.commit(tx, &[]).await.unwrap();
    }

    fn call<'a>(&self, params: &'a Value) -> ToolCall<'a> {
        ToolCall {
            tenant: self.tenant,
            execution: ExecutionId::new(),
            agent: None,
            actor_name: "Atendente",
            conversation: Some("demo-conversa-1"),
            params,
        }
    }

    async fn plan(&self, name: &str, params: Value) -> Result<Value, ToolFailure> {
        let tool = SystemTool::find(name).unwrap();
        plan(self.app.services.db.reader(), tool, &self.call(&params)).await
    }

    async fn run(&self, name: &str, params: Value) -> Result<Value, ToolFailure> {
        let (tool, db) = (SystemTool::find(name).unwrap(), &self.app.services.db);
        let tx = db.begin().await.unwrap();
        let mut unwritten = Unwritten::default();
        let result = run(&tx, tool, &self.call(&params), &mut unwritten).await;
        unwritten.write(&tx).await.unwrap();
        db.commit(tx, &[]).await.unwrap();
        result
    }

    async fn failure(&self, name: &str, params: Value) -> &'static str {
        let planned = self.plan(name, params.clone()).await.unwrap_err().code();
        let done = self.run(name, params).await.unwrap_err().code();
        assert_eq!(planned, done, "{name}: the plan says what the run does");
        done
    }

    /// Every row of every table, as text.
    async fn everything(&self) -> Vec<String> {
        let sql = self.app.sql().await;
        let mut all = Vec::new();
        for table in TABLES {
            let row = match on_postgres() {
                true => "row_to_json(t)::text".to_owned(),
                false => {
                    let columns =
                        "SELECT group_concat('quote(' || name || ')', ' || ') FROM pragma_table_info";
                    texts(&sql, &format!("{columns}('{table}')")).await.remove(0)
                }
            };
            all.extend(texts(&sql, &format!("SELECT {row} FROM {table} t ORDER BY id")).await);
        }
        sql.close().await.unwrap();
        all
    }

    async fn count(&self, query: &str) -> i64 {
        self.app.count(query).await
    }
}

async fn texts(sql: &DatabaseConnection, query: &str) -> Vec<String> {
    let statement = Statement::from_string(sql.get_database_backend(), query);
    let rows = sql.query_all_raw(statement).await.unwrap();
    rows.iter().map(|row| row.try_get_by_index(0).unwrap()).collect()
}

fn examples() -> Vec<(&'static str, Value)> {
    vec![
        ("updateContactStatus", json!({ "contact_id": "demo-marina", "status": "customer" })),
        ("updatePipelineStage", json!({ "deal_id": "demo-negocio-1", "stage": "proposta" })),
        ("createTask", json!({ "title": "Ligar", "contact_id": "demo-caio", "due_at": tomorrow() })),
        ("sendEmail", json!({ "to": ["ana@example.org"], "subject": "Oi", "text": "Olá" })),
        (
            "scheduleMessage",
            json!({ "contact_id": "demo-caio", "channel": "whatsapp", "text": "Oi", "send_at": tomorrow() }),
        ),
        ("searchProducts", json!({ "query": "bolo" })),
        ("getContactHistory", json!({ "contact_id": "demo-marina" })),
        ("transferToHuman", json!({ "reason": "Pediu uma pessoa" })),
        ("endConversation", json!({})),
    ]
}

#[tokio::test]
async fn t13_a_plan_changes_nothing_and_says_what_would() {
    let demo = Demo::start().await;
    let before = demo.everything().await;
    assert!(before.len() > 30);
    assert_eq!(examples().len(), SYSTEM_TOOLS.len());
    for (name, params) in examples() {
        let planned = demo.plan(name, params).await.unwrap();
        assert!(!planned["summary"].as_str().unwrap().is_empty(), "{name}");
        assert!(planned.get("before").is_some() && planned.get("after").is_some(), "{name}");
    }
    assert_eq!(demo.everything().await, before);
    demo.run("endConversation", json!({})).await.unwrap();
    assert_ne!(demo.everything().await, before, "a run would have been seen");
    let stage = demo.plan("updatePipelineStage", examples()[1].1.clone()).await.unwrap();
    assert_eq!(
        (&stage["before"]["stage"], &stage["after"]["stage"]),
        (&json!("qualificado"), &json!("proposta"))
    );
}

#[tokio::test]
async fn t13_status_and_stage_move() {
    let demo = Demo::start().await;
    let done = demo.run("updatePipelineStage", examples()[1].1.clone()).await.unwrap();
    assert_eq!(
        done,
        json!({ "updated": true, "previous_stage": "qualificado", "new_stage": "proposta" }),
        "as in the requirement"
    );
    let again = demo.run("updatePipelineStage", examples()[1].1.clone()).await.unwrap();
    assert_eq!(again["updated"], false);
    let done = demo.run("updateContactStatus", examples()[0].1.clone()).await.unwrap();
    assert_eq!((&done["previous_status"], &done["new_status"]), (&json!("qualified"), &json!("customer")));
    let by_id = json!({ "contact_id": done["contact_id"], "status": "lost", "reason": "desistiu" });
    assert_eq!(demo.run("updateContactStatus", by_id).await.unwrap()["previous_status"], "customer");
    assert_eq!(demo.count("SELECT count(*) FROM contacts WHERE status = 'lost'").await, 2);
    for table in ["contacts", "deals"] {
        let changed = format!("SELECT count(*) FROM {table} WHERE updated_at > created_at");
        assert_eq!(demo.count(&changed).await, 1, "{table}: a form that saw it before is old now");
    }
    assert_eq!(demo.count("SELECT count(*) FROM audit_entries WHERE action LIKE 'contact.%'").await, 0);
    let unknown = json!({ "deal_id": "demo-negocio-1", "stage": "lua" });
    assert_eq!(demo.failure("updatePipelineStage", unknown).await, "stage_not_found");
}

#[tokio::test]
async fn t13_tasks_and_messages_are_made() {
    let demo = Demo::start().await;
    let task = json!({ "title": "Ligar", "deal_id": "demo-negocio-1", "assignee": "Manager@example.org" });
    let done = demo.run("createTask", task).await.unwrap();
    assert!(done["created"] == true && done["task_id"].is_string());
    let made = "SELECT count(*) FROM tasks WHERE created_by = 'Atendente' AND assignee IS NOT NULL";
    assert_eq!(demo.count(made).await, 1);
    let done = demo.run("scheduleMessage", examples()[4].1.clone()).await.unwrap();
    assert_eq!(done["scheduled"], true);
    let waiting =
        "SELECT count(*) FROM scheduled_messages WHERE status = 'scheduled' AND execution_id IS NOT NULL";
    assert_eq!(demo.count(waiting).await, 1);
    for send_at in ["2020-01-01T00:00:00Z", "2099-01-01T00:00:00Z", "amanhã"] {
        let mut params = examples()[4].1.clone();
        params["send_at"] = json!(send_at);
        assert_eq!(demo.failure("scheduleMessage", params).await, "invalid_send_at");
    }
    let sql = demo.app.sql().await;
    sql.execute_unprepared("UPDATE contacts SET phone = NULL").await.unwrap();
    assert_eq!(demo.failure("scheduleMessage", examples()[4].1.clone()).await, "contact_unreachable");
    let nobody = json!({ "title": "x", "assignee": "nobody@example.org" });
    assert_eq!(demo.failure("createTask", nobody).await, "member_not_found");
    let email = demo.run("sendEmail", examples()[3].1.clone()).await.unwrap_err();
    assert_eq!(email.code(), "needs_smtp");
}

#[tokio::test]
async fn t13_conversations_are_handed_over_and_ended() {
    let demo = Demo::start().await;
    let params = json!({ "reason": "Quer falar com alguém", "assign_to": "manager@example.org" });
    let done = demo.run("transferToHuman", params).await.unwrap();
    assert_eq!((&done["transferred"], &done["status"]), (&json!(true), &json!("waiting_human")));
    let note = "SELECT count(*) FROM messages WHERE direction = 'note' AND author = 'Atendente'";
    assert_eq!(demo.count(note).await, 1);
    let done = demo.run("endConversation", json!({ "resolution": "Tudo certo" })).await.unwrap();
    assert_eq!(done["already_resolved"], false);
    let before = demo.everything().await;
    let again = demo.run("endConversation", json!({ "conversation_id": "demo-conversa-1" })).await.unwrap();
    assert_eq!((&again["resolved"], &again["already_resolved"]), (&json!(true), &json!(true)));
    assert_eq!(demo.everything().await, before);
    let closed =
        "SELECT count(*) FROM conversations WHERE closed_at IS NOT NULL AND resolution = 'Tudo certo'";
    assert_eq!(demo.count(closed).await, 1);
}

#[tokio::test]
async fn t13_reading_is_bounded() {
    let demo = Demo::start().await;
    let found =
        demo.run("searchProducts", json!({ "query": "BOLO de CHOCOLATE", "limit": 1 })).await.unwrap();
    assert_eq!((&found["count"], &found["products"][0]["sku"]), (&json!(1), &json!("BOL-001")));
    let history =
        demo.run("getContactHistory", json!({ "contact_id": "demo-marina", "limit": 2 })).await.unwrap();
    assert_eq!(history["messages"].as_array().unwrap().len(), 2);
    assert_eq!(
        (&history["deals"][0]["value_cents"], &history["contact"]["name"]),
        (&json!(98_000), &json!("Marina Tavares"))
    );
    assert_eq!(history["tasks"].as_array().unwrap().len(), 1);
    for (name, params) in [
        ("searchProducts", json!({ "query": "bolo", "limit": 21 })),
        ("getContactHistory", json!({ "contact_id": "demo-marina", "limit": 0 })),
    ] {
        assert_eq!(demo.failure(name, params).await, "invalid_params");
    }
}

/// What the team notes among itself is not for agents: a model may repeat to a customer whatever it reads.
#[tokio::test]
async fn t13_an_agent_does_not_read_the_notes_of_the_team() {
    let (_app, owner) = workshop().await;
    agent(&owner, "vendas", &["getContactHistory"], "never").await;
    let ana = json!({ "name": "Ana", "notes": "Não dar desconto" });
    let contact = id(&owner.post(201, "/contacts", ana).await);
    let conversation = json!({ "channel": "whatsapp", "contact_id": contact });
    let path =
        format!("/conversations/{}/messages", id(&owner.post(201, "/conversations", conversation).await));
    for (direction, text) in
        [("inbound", "Oi"), ("note", "Cliente difícil: não dar desconto"), ("outbound", "Olá!")]
    {
        owner.post(201, &path, json!({ "direction": direction, "text": text })).await;
    }
    let read = |limit: u64| {
        owner.call("getContactHistory", "vendas", json!({ "contact_id": contact, "limit": limit }))
    };
    let texts = |answer: &Value| -> Vec<Value> {
        answer["messages"].as_array().unwrap().iter().map(|message| message["text"].clone()).collect()
    };
    let answer: Value = read(10).await.json().await.unwrap();
    assert_eq!(texts(&answer["result"]), ["Olá!", "Oi"]);
    assert!(!answer.to_string().contains("desconto"), "{answer}");
    assert_eq!(
        (&answer["result"]["contact"]["name"], &answer["result"]["contact"].get("notes")),
        (&json!("Ana"), &None)
    );
    let answer: Value = read(2).await.json().await.unwrap();
    assert_eq!(texts(&answer["result"]), ["Olá!", "Oi"], "notes do not take the room of messages");
    let people = owner.get(&format!("/contacts/{contact}/history")).await;
    assert_eq!(texts(&people), ["Olá!", "Cliente difícil: não dar desconto", "Oi"], "people do");
    assert_eq!(owner.get(&format!("/contacts/{contact}")).await["notes"], "Não dar desconto");
}

/// S9: names of another tenant's things find nothing, and unknown arguments are refused.
#[tokio::test]
async fn s9_tools_stay_in_their_tenant() {
    let demo = Demo::start().await;
    demo.app.tenant("Outra", "outra").await;
    let other = demo.app.services.accounts.find_tenant("outra").await.unwrap().id;
    let demo = Demo { tenant: other, ..demo };
    let wanted = ["contact_not_found", "deal_not_found", "contact_not_found", "", "contact_not_found", ""];
    let wanted =
        wanted.into_iter().chain(["contact_not_found", "conversation_not_found", "conversation_not_found"]);
    let before = demo.everything().await;
    for ((name, params), code) in examples().into_iter().zip(wanted) {
        if !code.is_empty() {
            assert_eq!(demo.failure(name, params.clone()).await, code, "{name}");
        }
        for extra in ["tenant_id", "id"] {
            let mut params = params.clone();
            params[extra] = json!("x");
            assert_eq!(demo.failure(name, params).await, "invalid_params", "{name}");
        }
        for odd in [json!(null), json!([]), json!("x"), json!(1)] {
            assert_eq!(demo.failure(name, odd).await, "invalid_params", "{name}");
        }
    }
    let nul = json!({ "contact_id": "a\u{0}b", "status": "lost" });
    assert_eq!(demo.failure("updateContactStatus", nul).await, "contact_not_found");
    assert_eq!(demo.everything().await, before);
}

#[tokio::test]
async fn the_demo_can_be_repeated() {
    let demo = Demo::start().await;
    let before = demo.everything().await;
    demo.seed(demo.tenant).await;
    assert_eq!(demo.everything().await, before);
    assert_eq!(demo.count("SELECT count(*) FROM products").await, 12);
    assert_eq!(demo.count("SELECT count(*) FROM contacts").await, 6);
}
