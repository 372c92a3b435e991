//! An approval is bound to what was shown: when that changed, nothing runs.

use super::{approve, decide, question, refused};
use crate::{
    app::TestApp,
    security::refusals::with_rule,
    workshop::{Backend, TENANT, Upstream, agent, id, json_answer, pending, webhook_tool, workshop},
};
use domain::TenantRole;
use reqwest::Method;
use serde_json::{Value, json};

struct Scene {
    app: TestApp,
    owner: Backend,
    upstream: Upstream,
}

struct Waiting {
    name: String,
    tool: String,
    asked: Value,
}

impl Scene {
    async fn set() -> Self {
        let (app, owner) = workshop().await;
        let upstream = Upstream::start(|_| json_answer(json!(1))).await;
        Self { app, owner, upstream }
    }

    /// A call of a tool and an agent of its own, both named so.
    async fn waiting(&self, name: &str) -> Waiting {
        let tool = id(&self.owner.post(201, "/tools", webhook_tool(name, &self.upstream.url)).await);
        agent(&self.owner, name, &[name], "always").await;
        let asked = pending(&self.owner, name, name, json!({ "title": "x" })).await;
        Waiting { name: name.to_owned(), tool, asked }
    }

    async fn refuses(&self, waiting: &Waiting, status: u16, code: &str) {
        let found = refused(&self.owner, "approve", &waiting.asked).await;
        assert_eq!(found, (status, code.to_owned()), "{}", waiting.name);
        let edited = json!({ "params": { "title": "y" } });
        let found = decide(&self.owner, "approve", &waiting.asked, edited).await.status();
        assert_eq!(found, status, "{}: not with other arguments either", waiting.name);
        assert!(self.upstream.asked().is_empty(), "{}", waiting.name);
        let answer = decide(&self.owner, "refuse", &waiting.asked, json!({})).await;
        assert_eq!(answer.status(), 200, "{}: a no is always possible", waiting.name);
    }
}

impl Scene {
    /// What was asked about is no more: the first yes meets that, and closes the question and its call.
    async fn closes(&self, waiting: &Waiting) {
        self.closes_because(waiting, "changed since this was asked").await;
    }

    async fn closes_because(&self, waiting: &Waiting, why: &str) {
        let Waiting { name, asked, .. } = waiting;
        let found = refused(&self.owner, "approve", asked).await;
        assert_eq!(found, (409, "binding_changed".to_owned()), "{name}");
        for verb in ["approve", "refuse"] {
            let found = refused(&self.owner, verb, asked).await;
            assert_eq!(found, (409, "binding_changed".to_owned()), "{name}: {verb}");
        }
        assert!(self.upstream.asked().is_empty(), "{name}");
        let path = |kind: &str, id: &str| format!("/{kind}/{}", asked[id].as_str().unwrap());
        let question = self.owner.get(&path("confirmations", "confirmation_id")).await;
        assert_eq!(question["status"], "expired", "{name}");
        assert!(question["note"].as_str().unwrap().contains(why), "{question}");
        let call = self.owner.get(&path("executions", "execution_id")).await;
        assert_eq!(call["status"], "expired", "{name}");
        assert!(call["error_message"].as_str().unwrap().contains(why), "{call}");
        let subject = asked["confirmation_id"].as_str().unwrap();
        let entries =
            self.owner.get(&format!("/audit?action=confirmation.expire&subject_id={subject}")).await;
        assert_eq!(entries["data"].as_array().unwrap().len(), 1, "{name}: {entries}");
    }
}

#[tokio::test]
async fn s20_a_tool_that_changed_is_not_run() {
    let scene = Scene::set().await;
    let owner = &scene.owner;
    let waiting = scene.waiting("edited").await;
    owner.put(&format!("/tools/{}", waiting.tool), json!({ "description": "outra coisa" })).await;
    scene.closes(&waiting).await;
    let waiting = scene.waiting("redirected").await;
    let elsewhere = json!({ "webhook_url": format!("{}/other", scene.upstream.url) });
    owner.put(&format!("/tools/{}", waiting.tool), elsewhere).await;
    scene.closes(&waiting).await;
    let waiting = scene.waiting("reheadered").await;
    let headers = json!({ "webhook_headers": { "x-key": "1" } });
    owner.put(&format!("/tools/{}", waiting.tool), headers).await;
    scene.closes(&waiting).await;
    let waiting = scene.waiting("deleted").await;
    owner.expect(204, Method::DELETE, &format!("/tools/{}?force=true", waiting.tool), None).await;
    scene.closes(&waiting).await;
    let waiting = scene.waiting("toggled").await;
    owner.patch(&format!("/tools/{}/toggle", waiting.tool), json!({ "is_active": false })).await;
    scene.refuses(&waiting, 403, "tool_disabled").await;
}

#[tokio::test]
async fn s20_what_was_taken_from_the_agent_is_not_run() {
    let scene = Scene::set().await;
    let owner = &scene.owner;
    let waiting = scene.waiting("unassigned").await;
    owner.put("/agents/unassigned/tools", json!({ "allowed_tools": [] })).await;
    scene.refuses(&waiting, 403, "tool_not_assigned").await;
    let waiting = scene.waiting("asleep").await;
    owner.patch("/agents/asleep", json!({ "is_active": false })).await;
    scene.refuses(&waiting, 403, "forbidden").await;
    let waiting = scene.waiting("gone").await;
    owner.expect(204, Method::DELETE, "/agents/gone", None).await;
    scene.closes(&waiting).await;
    let waiting = scene.waiting("switched_off").await;
    let admin = scene.app.sign_in("admin@example.org").await;
    let switch = [("tool_name", "webhook_tools"), ("enabled", "false")];
    assert_eq!(admin.call("switch_global_tool", &switch).await.status(), 200);
    scene.refuses(&waiting, 403, "tool_disabled").await;
}

/// S24: a key that somebody took back asks for nothing any more, and a person who has gone does not either.
#[tokio::test]
async fn s24_what_was_asked_by_whoever_is_gone_is_not_run() {
    let mut scene = Scene::set().await;
    let owner = scene.owner.clone();
    let made = owner.post(201, "/api-keys", json!({ "name": "loja", "role": "owner" })).await;
    scene.owner = scene.app.backend_of(made["key"].as_str().map(str::to_owned));
    let waiting = scene.waiting("by_a_key").await;
    scene.owner = owner.clone();
    owner.expect(204, Method::DELETE, &format!("/api-keys/{}", id(&made)), None).await;
    scene.closes_because(&waiting, "was taken away since").await;

    let person = scene.app.member("bia@example.org", TENANT, "owner").await;
    let (tool, params) = (waiting.tool.as_str(), [("arguments[title]", "x")]);
    owner.put(&format!("/tools/{tool}"), json!({ "requires_second_person": true })).await;
    let tried = person.call("try_tool", &[&[("tool_id", tool)], &params[..]].concat()).await;
    assert_eq!(tried.status(), 200);
    let asked = owner.get("/confirmations?status=pending").await["data"][0].clone();
    let asked = json!({ "confirmation_id": asked["id"], "execution_id": asked["execution_id"] });
    scene.app.change("UPDATE users SET disabled_at = 1 WHERE email = 'bia@example.org'").await;
    let waiting = Waiting { name: "by_a_person".to_owned(), tool: tool.to_owned(), asked };
    scene.closes_because(&waiting, "was taken away since").await;
}

/// B1: the policy is part of what was shown. It is read when a process starts, so these are processes that come later: one
/// with a line of the operator's, and one without it again. The line has nothing to do with the calls; whoever approves
/// cannot know that, and is not asked to.
#[tokio::test]
async fn s20_under_another_policy_an_old_question_is_closed() {
    let mut scene = Scene::set().await;
    let key = scene.owner.key.clone();
    let waiting = scene.waiting("before").await;
    let changed = with_rule(&scene.app, ["viewer", "read", "Member", "", "allow"]).await;
    scene.owner = changed.backend_of(key.clone());
    scene.closes(&waiting).await;
    let waiting = scene.waiting("between").await;
    scene.app.change("DELETE FROM casbin_rules WHERE origin = 'operator'").await;
    let restored = scene.app.replica().await;
    scene.owner = restored.backend_of(key);
    scene.closes(&waiting).await;
    let anew = pending(&scene.owner, "between", "between", json!({ "title": "x" })).await;
    assert_eq!(decide(&scene.owner, "approve", &anew, json!({})).await.status(), 200);
    assert_eq!(scene.upstream.asked().len(), 1, "what is asked under the policy that holds runs");
}

/// Who may say yes may depend on what to.
#[tokio::test]
async fn s24_a_rule_about_a_tool_is_about_the_questions_of_that_tool() {
    let (app, owner) = workshop().await;
    agent(&owner, "vendas", &["createTask", "searchProducts"], "always").await;
    let line = ["operator", "approve", "Confirmation", "tool_name=createTask", "deny"];
    let ruled = with_rule(&app, line).await;
    let asking = ruled.backend_of(owner.key.clone());
    let task = pending(&asking, "createTask", "vendas", json!({ "title": "x" })).await;
    let search = pending(&asking, "searchProducts", "vendas", json!({ "query": "bolo" })).await;
    let operator = ruled.backend_of(app.backend(TENANT, TenantRole::Operator).await.key);
    for verb in ["approve", "refuse"] {
        assert_eq!(refused(&operator, verb, &task).await, (403, "forbidden".to_owned()), "{verb}");
    }
    assert_eq!(question(&operator, &task).await["status"], "pending");
    let mut person = app.member("operator@example.org", TENANT, "operator").await;
    person.url.clone_from(&ruled.url);
    let inbox = person.ask("list_confirmations", &[]).await["questions"].clone();
    let shown = |at: usize| (inbox[at]["tool_name"].clone(), inbox[at]["may_decide"].clone());
    assert_eq!(shown(0), (json!("searchProducts"), json!(true)), "{inbox}");
    assert_eq!(shown(1), (json!("createTask"), json!(false)), "{inbox}");
    assert_eq!(inbox[1]["deciders"], json!(["owner"]), "the page says who may");
    assert_eq!(approve(&operator, &search).await["status"], "approved");
    assert_eq!(approve(&asking, &task).await["status"], "approved", "the rule is about operators");
}

/// Off and on again is the tool that was shown; what changed elsewhere does not matter either.
#[tokio::test]
async fn s20_what_did_not_change_still_runs() {
    let scene = Scene::set().await;
    let owner = &scene.owner;
    let waiting = scene.waiting("toggled").await;
    for is_active in [false, true] {
        owner.patch(&format!("/tools/{}/toggle", waiting.tool), json!({ "is_active": is_active })).await;
    }
    let other = scene.waiting("other").await;
    owner.put(&format!("/tools/{}", other.tool), json!({ "description": "outra coisa" })).await;
    assert_eq!(decide(owner, "approve", &waiting.asked, json!({})).await.status(), 200);
    assert_eq!(scene.upstream.asked().len(), 1);
}

/// Changes of other tools at the same moment are no reason to refuse an approval.
#[tokio::test]
async fn s20_an_approval_holds_while_other_tools_change() {
    let scene = Scene::set().await;
    let owner = &scene.owner;
    let other = scene.waiting("other").await;
    let path = format!("/tools/{}/toggle", other.tool);
    for round in 0..10 {
        let waiting = scene.waiting(&format!("tool_{round}")).await;
        let busy = async {
            for n in 0..4 {
                owner.patch(&path, json!({ "is_active": n % 2 == 0 })).await;
            }
        };
        let (answer, ()) = tokio::join!(decide(owner, "approve", &waiting.asked, json!({})), busy);
        assert_eq!(answer.status(), 200, "{:?}", answer.text().await);
    }
    assert_eq!(scene.upstream.asked().len(), 10);
}
