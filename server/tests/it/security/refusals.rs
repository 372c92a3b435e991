//! S5, S23, S24, B7: one gate behind every door. A tool that is off, a kind that is off, a tool that the agent was not given,
//! a role that may not: each door says so with the same code, leaves the same entry `execution.deny`, and does nothing;
//! and "why?" gives the same reason. What else the gate looks at has its tests in `engine/src/gate` and `agents.rs`; that there
//! is no other door, in `places.rs`.
//!
//! Doors are those of REST and of the pages, the assistant (a gateway for phones leads there too), and the product's own work.

use crate::{
    app::{Person, TestApp},
    code_tools::code_tool,
    items::with_web,
    workshop::{Backend, TENANT, Upstream, agent, id, json_answer, pending, until, webhook_tool, workshop},
};
use domain::TenantRole;
use reqwest::{Method, Response};
use serde_json::{Value, json};

/// An agent that asks nobody, and one that always asks.
const FREE: &str = "livre";
const ASKING: &str = "medrosa";
const CLERK: &str = "balconista@example.org";

/// What runs a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Webhook,
    Code,
    Internal,
}

impl Kind {
    const ALL: [Self; 3] = [Self::Webhook, Self::Code, Self::Internal];

    /// One that everybody may run, and one that a rule forbids to operators.
    fn tools(self) -> [&'static str; 2] {
        match self {
            Self::Webhook | Self::Code => ["hook", "locked"],
            Self::Internal => ["createTask", "searchProducts"],
        }
    }

    /// The switch for all of the kind; none can take the product's own tools from everybody.
    fn switch(self) -> Option<&'static str> {
        match self {
            Self::Webhook => Some("webhook_tools"),
            Self::Code => Some("code_tools"),
            Self::Internal => None,
        }
    }

    async fn make(self, owner: &Backend, upstream: &Upstream) {
        for name in self.tools() {
            match self {
                Self::Webhook => drop(owner.post(201, "/tools", webhook_tool(name, &upstream.url)).await),
                Self::Code => {
                    let tool = code_tool(name, "export default () => 1");
                    owner.post(201, "/tools", tool).await;
                }
                Self::Internal => {}
            }
        }
    }
}

/// Arguments that fit each of the tools.
fn arguments(tool: &str) -> Value {
    if tool == "searchProducts" { json!({ "query": "x" }) } else { json!({ "title": "x" }) }
}

#[derive(Clone, Copy, Debug)]
enum Door {
    Execute,
    TryTool,
    ForAgent,
    RunAgain,
    Approve,
    ApproveOnPage,
}

/// With the agent whose call it is, and who stands there, as the record calls them.
const DOORS: [(Door, Option<&str>, &str); 6] = [
    (Door::Execute, None, "api_key"),
    (Door::TryTool, None, "user"),
    (Door::ForAgent, Some(FREE), "api_key"),
    (Door::RunAgain, Some(FREE), "user"),
    (Door::Approve, Some(ASKING), "api_key"),
    (Door::ApproveOnPage, Some(ASKING), "user"),
];

/// What speaks against a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Against {
    /// The organisation switched the tool off.
    Tool,
    /// The platform switched it off for everybody, with its kind or alone.
    Everybody,
    /// The agent was not given the tool.
    Agent,
    /// A rule of the caller's role forbids it.
    Role,
}

impl Against {
    /// The code that a caller gets, and the check that the record names.
    fn told(self) -> (&'static str, &'static str) {
        match self {
            Self::Tool => ("tool_disabled", "tool_active"),
            Self::Everybody => ("tool_disabled", "global_switch"),
            Self::Agent => ("tool_not_assigned", "assignment"),
            Self::Role => ("forbidden", "ability"),
        }
    }
}

/// A second process of the installation, which started after its operator added this line to the policy.
pub async fn with_rule(app: &TestApp, line: [&str; 5]) -> TestApp {
    add_rule(app, line).await;
    app.replica().await
}

async fn add_rule(app: &TestApp, [role, action, subject, condition, effect]: [&str; 5]) {
    let line = format!("'p', '{role}', '{action}', '{subject}', '', '{condition}', '{effect}', 'ours'");
    let columns = "ptype, v0, v1, v2, v3, v4, v5, v6, origin";
    app.change(&format!("INSERT INTO casbin_rules ({columns}) VALUES ({line}, 'operator')")).await;
}

fn toggle(tool: &str) -> String {
    format!("/tools/{tool}/toggle")
}

async fn switch_for_everybody(admin: &Person, name: &str, on: bool) {
    admin.ask("switch_global_tool", &[("tool_name", name), ("enabled", &on.to_string())]).await;
}

/// Newest first.
async fn denials(owner: &Backend) -> Vec<Value> {
    owner.get("/audit?action=execution.deny&limit=200").await["data"].as_array().unwrap().clone()
}

/// What the record has to say about a call of this tool, named with its id: in the words that "why?" gives.
async fn foretold(key: &Backend, (tool, id): (&str, &str), agent: Option<&str>, against: Against) -> Value {
    let said = key.post(200, "/decisions/explain", json!({ "tool_name": tool, "agent_id": agent })).await;
    let (code, rule) = against.told();
    let found = (&said["verdict"], &said["code"], &said["rule"]);
    assert_eq!(found, (&json!("denied"), &json!(code), &json!(rule)), "{tool}, {against:?}: {said}");
    let after = json!({ "tool": tool, "agent": agent, "code": code, "rule": rule });
    json!({ "subject_kind": "tool", "subject_id": id, "after": after, "reason": said["reason"] })
}

/// One refusal, one entry, behind so many.
async fn assert_recorded(owner: &Backend, before: usize, foretold: &Value, by: &str) {
    let entries = denials(owner).await;
    assert_eq!(entries.len(), before + 1, "{by}: {foretold}");
    let entry = &entries[0];
    for (part, value) in foretold.as_object().unwrap() {
        assert_eq!(&entry[part], value, "{part}: {entry}");
    }
    assert_eq!(entry["actor_kind"], by, "{entry}");
}

/// A tool, a call of it that ran, and two that wait for a person.
struct Tool {
    name: &'static str,
    id: String,
    ran: String,
    waiting: [String; 2],
}

impl Tool {
    async fn of(owner: &Backend, name: &'static str) -> Self {
        let params = || arguments(name);
        let ran: Value = owner.call(name, FREE, params()).await.json().await.unwrap();
        let ran = ran["execution_id"].as_str().unwrap().to_owned();
        let ask = async || {
            let asked = pending(owner, name, ASKING, params()).await;
            asked["confirmation_id"].as_str().unwrap().to_owned()
        };
        Self { name, id: owner.tool_id(name).await, ran, waiting: [ask().await, ask().await] }
    }
}

/// An organisation whose operators may run every tool but one, and one of them, with a key and with a session.
struct House {
    kind: Kind,
    app: TestApp,
    owner: Backend,
    admin: Person,
    key: Backend,
    person: Person,
    upstream: Upstream,
    open: Tool,
    locked: Tool,
    _before: TestApp,
}

impl House {
    async fn set(kind: Kind) -> Self {
        let (before, _) = workshop().await;
        let [open, locked] = kind.tools();
        let condition = format!("name={locked}");
        add_rule(&before, ["operator", "execute", "ToolManagement", &condition, "deny"]).await;
        let app = before.replica_with_code().await;
        let owner = app.backend(TENANT, TenantRole::Owner).await;
        let upstream = Upstream::start(|_| json_answer(json!({ "ok": true }))).await;
        kind.make(&owner, &upstream).await;
        agent(&owner, FREE, &[open, locked], "never").await;
        agent(&owner, ASKING, &[open, locked], "always").await;
        Self {
            kind,
            open: Tool::of(&owner, open).await,
            locked: Tool::of(&owner, locked).await,
            admin: app.sign_in("admin@example.org").await,
            key: app.backend(TENANT, TenantRole::Operator).await,
            person: app.member(CLERK, TENANT, "operator").await,
            app,
            owner,
            upstream,
            _before: before,
        }
    }

    /// What can speak against a call of a tool of this kind.
    fn everything(&self) -> impl Iterator<Item = Against> {
        let has_switch = self.kind.switch().is_some();
        [Against::Tool, Against::Everybody, Against::Agent, Against::Role]
            .into_iter()
            .filter(move |against| has_switch || *against != Against::Everybody)
    }

    async fn put(&self, against: Against, on: bool) {
        let Self { owner, open, .. } = self;
        match against {
            Against::Tool => drop(owner.patch(&toggle(&open.id), json!({ "is_active": !on })).await),
            Against::Everybody => {
                switch_for_everybody(&self.admin, self.kind.switch().unwrap(), !on).await;
            }
            Against::Agent => {
                let all = self.kind.tools();
                let tools: &[&str] = if on { &[] } else { &all };
                for slug in [FREE, ASKING] {
                    owner.put(&format!("/agents/{slug}/tools"), json!({ "allowed_tools": tools })).await;
                }
            }
            // It stands in the policy of this process.
            Against::Role => {}
        }
    }

    async fn knock(&self, door: Door, tool: &Tool) -> Response {
        let Tool { name, id, ran, waiting: [by_key, on_page] } = tool;
        let post = async |path: String, body: Value| self.key.send(Method::POST, &path, Some(body)).await;
        let (params, person) = (arguments(name), &self.person);
        match door {
            Door::Execute => post(format!("/tools/{id}/execute"), json!({ "params": params })).await,
            Door::ForAgent => self.key.call(name, FREE, params).await,
            Door::Approve => post(format!("/confirmations/{by_key}/approve"), json!({})).await,
            Door::TryTool => person.call("try_tool", &[("tool_id", id), ("json", &params.to_string())]).await,
            Door::RunAgain => person.call("run_again", &[("execution_id", ran)]).await,
            Door::ApproveOnPage => person.call("approve_confirmation", &[("confirmation_id", on_page)]).await,
        }
    }

    /// How often a tool had its effect, and how many calls the history has.
    async fn happened(&self) -> (usize, i64) {
        let count = async |query| self.app.count(query).await;
        let effects = match self.kind {
            Kind::Webhook => self.upstream.asked().len(),
            Kind::Code => {
                let ran = count("SELECT count(*) FROM all_executions WHERE status = 'success'").await;
                usize::try_from(ran).unwrap()
            }
            Kind::Internal => usize::try_from(count("SELECT count(*) FROM tasks").await).unwrap(),
        };
        (effects, count("SELECT count(*) FROM all_executions").await)
    }

    async fn assert_denied(&self, (door, agent, by): (Door, Option<&str>, &str), against: Against) {
        let tool = if against == Against::Role { &self.locked } else { &self.open };
        let (before, happened) = (denials(&self.owner).await.len(), self.happened().await);
        let answer = self.knock(door, tool).await;
        let status = answer.status().as_u16();
        let answer: Value = answer.json().await.unwrap();
        let foretold = foretold(&self.key, (tool.name, &tool.id), agent, against).await;
        let wanted = (403, &foretold["after"]["code"], &foretold["reason"]);
        assert_eq!((status, &answer["code"], &answer["detail"]), wanted, "{door:?}, {against:?}");
        assert_recorded(&self.owner, before, &foretold, by).await;
        assert_eq!(self.happened().await, happened, "{door:?}, {against:?}: nothing happens");
    }
}

#[tokio::test]
async fn s5_every_door_refuses_every_kind_with_the_same_code_the_same_reason_and_the_same_entry() {
    for kind in Kind::ALL {
        let house = House::set(kind).await;
        for against in house.everything() {
            house.put(against, true).await;
            // What an agent was given is no question where none calls.
            for door in DOORS.into_iter().filter(|door| against != Against::Agent || door.1.is_some()) {
                house.assert_denied(door, against).await;
            }
            house.put(against, false).await;
        }
        for (door, ..) in DOORS {
            let (effects, _) = house.happened().await;
            let answer = house.knock(door, &house.open).await;
            assert_eq!(answer.status(), 200, "{kind:?}, {door:?} was closed by nothing but the gate");
            assert_eq!(house.happened().await.0, effects + 1, "{kind:?}, {door:?}");
        }
    }
}

/// The conversation as the page shows it next.
async fn say_on_page(person: &Person, conversation: Option<&Value>, text: &str) -> Value {
    let mut fields = vec![("text", text)];
    fields.extend(conversation.map(|open| ("conversation_id", open["id"].as_str().unwrap())));
    assert_eq!(person.call("send_to_assistant", &fields).await.status(), 200);
    person.ask("get_assistant", &[]).await
}

/// It calls as whoever talks to it, and answers in words: the code stands in the record. What it no longer offers it does
/// not call, so here the tool goes away while the person is asked for a title.
#[tokio::test]
async fn s5_the_assistant_meets_the_same_gate() {
    let (app, owner) = workshop().await;
    let strict = with_rule(&app, ["operator", "execute", "UserContent", "owner_id=${user.id}", "deny"]).await;
    let key = app.backend(TENANT, TenantRole::Operator).await;
    let admin = app.sign_in("admin@example.org").await;
    let mut person = app.member(CLERK, TENANT, "operator").await;
    let film = owner.tool_id("save_movie").await;
    let allow = async |against: Against, on: bool| match against {
        Against::Tool => drop(owner.patch(&toggle(&film), json!({ "is_active": on })).await),
        Against::Everybody => switch_for_everybody(&admin, "save_movie", on).await,
        Against::Agent | Against::Role => {}
    };
    let long = "uma história longa demais ".repeat(20);
    for (against, there) in [(Against::Tool, &app), (Against::Everybody, &app), (Against::Role, &strict)] {
        let asked = key.say(Some(&key.say(None, &long).await), "filme").await;
        let shown = say_on_page(&person, Some(&say_on_page(&person, None, &long).await), "filme").await;
        assert!([&asked, &shown].iter().all(|open| open["state"] == "awaiting_details"), "{asked} {shown}");
        allow(against, false).await;
        let key = there.backend_of(key.key.clone());
        person.url.clone_from(&there.url);
        let foretold = foretold(&key, ("save_movie", &film), None, against).await;
        let before = denials(&owner).await.len();
        let told = key.say(Some(&asked), "Matrix").await;
        assert_eq!((&told["state"], &told["execution"]), (&json!("awaiting_choice"), &Value::Null), "{told}");
        let words = if against == Against::Role {
            "não pode usar"
        } else {
            "“Salvar como filme” não está mais disponível"
        };
        assert!(told["reply"].as_str().unwrap().contains(words), "{told}");
        assert_recorded(&owner, before, &foretold, "api_key").await;
        assert_eq!(say_on_page(&person, Some(&shown), "Matrix").await["state"], "awaiting_choice");
        assert_recorded(&owner, before + 1, &foretold, "user").await;
        allow(against, true).await;
    }
    let things = "SELECT (SELECT count(*) FROM items) + (SELECT count(*) FROM all_executions)";
    assert_eq!(app.count(things).await, 0, "nothing began, and nothing is there");
}

/// Details of a film are looked for by a job, and when somebody says on the page which of several it is.
#[tokio::test]
async fn s5_what_the_product_does_by_itself_meets_the_same_gate() {
    let (app, web, key) = with_web().await;
    let owner = app.backend(TENANT, TenantRole::Owner).await;
    let person = app.member(CLERK, TENANT, "operator").await;
    let tool = owner.tool_id("enrich_movie").await;
    owner.patch(&toggle(&tool), json!({ "is_active": false })).await;
    let foretold = foretold(&key, ("enrich_movie", &tool), None, Against::Tool).await;
    let film = key.save("save_movie", json!({ "title": "matrix", "year": 1999 })).await;
    until("the job asked", || async { (!denials(&owner).await.is_empty()).then_some(()) }).await;
    assert_recorded(&owner, 0, &foretold, "operator").await;
    until("it waits", || async {
        let item = key.get(&format!("/items/{}", id(&film))).await;
        (item["enrichment"]["reason"] == "tool_disabled").then_some(())
    })
    .await;
    let choice = [("item_id", film["id"].as_str().unwrap()), ("kind", "movie"), ("tmdb_id", "603")];
    assert_eq!(person.refused("choose_match", &choice).await, (403, "tool_disabled".to_owned()));
    assert_recorded(&owner, 1, &foretold, "user").await;
    assert!(web.asked().is_empty(), "nobody outside was asked");
    owner.patch(&toggle(&tool), json!({ "is_active": true })).await;
    // It comes back to the film after a while.
    app.change("UPDATE items SET next_attempt_at = 1").await;
    key.enriched(&film, "done").await;
}
