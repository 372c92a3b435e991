//! The pages of a tenant's tools, as their server functions and their HTML.

use crate::{
    app::TestApp,
    workshop::{TENANT, Upstream, json_answer},
};
use reqwest::StatusCode;
use serde_json::{Value, json};

#[tokio::test]
async fn d5_every_role_sees_the_tools_and_only_some_switch_them() {
    let (app, _) = TestApp::with_admin().await;
    for role in ["owner", "manager", "operator", "viewer", "auditor"] {
        let person = app.member(&format!("{role}@example.org"), TENANT, role).await;
        let list = person.ask("list_tools", &[]).await;
        let rows = list["rows"].as_array().unwrap();
        assert!(
            rows.len() >= 9 && rows.iter().all(|row| row["is_system"] == true),
            "{role}: what comes with the product"
        );
        let html = person.get("/tools").await.text().await.unwrap();
        assert!(html.contains("updateContactStatus"), "{role}");
        let may_switch = ["owner", "manager"].contains(&role);
        assert_eq!(
            html.contains("/fn/toggle_tool"),
            may_switch,
            "{role}: no control that leads to a refusal"
        );
        assert_eq!(html.contains("href=\"/tools/new\""), may_switch, "{role}");
        let fields = [("tool_id", list["rows"][0]["id"].as_str().unwrap()), ("is_active", "false")];
        let expected = if may_switch { StatusCode::OK } else { StatusCode::FORBIDDEN };
        assert_eq!(person.call("toggle_tool", &fields).await.status(), expected, "{role}");
    }
}

#[tokio::test]
async fn t2_the_list_is_found_by_words_type_state_and_agent() {
    let (_app, admin) = TestApp::with_admin().await;
    let all = admin.ask("list_tools", &[]).await;
    let id = all["rows"][0]["id"].as_str().unwrap().to_owned();
    let name = all["rows"][0]["name"].clone();
    admin.ask("toggle_tool", &[("tool_id", &id), ("is_active", "false")]).await;
    let off = admin.ask("list_tools", &[("is_active", "false")]).await;
    assert_eq!((&off["total"], &off["rows"][0]["name"]), (&json!(1), &name));
    let on = admin.ask("list_tools", &[("is_active", "true")]).await;
    assert_eq!(on["total"], json!(all["total"].as_i64().unwrap() - 1));
    let found = admin.ask("list_tools", &[("search", "EMAIL")]).await;
    assert_eq!((&found["total"], &found["rows"][0]["name"]), (&json!(1), &json!("sendEmail")));
    assert_eq!(admin.ask("list_tools", &[("kind", "webhook")]).await["total"], 0);
    assert_eq!(admin.refused("list_tools", &[("agent", "ninguem")]).await.1, "agent_not_found");
    let beyond = admin.ask("list_tools", &[("page", "7")]).await;
    assert_eq!((&beyond["total"], beyond["rows"].as_array().unwrap().len()), (&all["total"], 0));
    assert_eq!(admin.call("list_tools", &[("page", "-1")]).await.status(), StatusCode::OK);
    let seen = [("tool_id", id.as_str()), ("is_active", "true"), ("seen_version", "99")];
    assert_eq!(admin.refused("toggle_tool", &seen).await, (409, "conflict".to_owned()));
}

fn text_of(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// The fields of a way back, as a form sends them.
fn way_back(undo: &Value) -> Vec<(&str, &str)> {
    undo["fields"]
        .as_array()
        .unwrap()
        .iter()
        .map(|sent| (text_of(&sent["name"]), text_of(&sent["value"])))
        .collect()
}

/// On and off again is the same state, and still somebody else's.
#[tokio::test]
async fn d6_a_switch_is_taken_back_only_while_nobody_has_switched_since() {
    let (app, admin) = TestApp::with_admin().await;
    let other = app.member("outra@example.org", TENANT, "manager").await;
    let id = admin.ask("list_tools", &[]).await["rows"][0]["id"].as_str().unwrap().to_owned();
    let off = [("tool_id", id.as_str()), ("is_active", "false")];
    let on = [("tool_id", id.as_str()), ("is_active", "true")];
    let is_off = async || admin.ask("list_tools", &[("is_active", "false")]).await["total"] == 1;

    let undo = admin.ask("toggle_tool", &off).await;
    admin.ask("toggle_tool", &way_back(&undo)).await;
    assert!(!is_off().await, "taken back");

    let undo = admin.ask("toggle_tool", &off).await;
    other.ask("toggle_tool", &on).await;
    other.ask("toggle_tool", &off).await;
    assert_eq!(admin.refused("toggle_tool", &way_back(&undo)).await, (409, "conflict".to_owned()));
    assert!(is_off().await, "as the other one left it");
}

const PAYLOAD: &str = "\"><script>alert(1)</script><img src=x onerror=alert(2)>'</textarea><b>";

/// What the form of a webhook tool sends.
fn webhook_form<'a>(name: &'a str, url: &'a str) -> Vec<(&'a str, &'a str)> {
    vec![
        ("tool[name]", name),
        ("tool[display_name]", "Agendar"),
        ("tool[description]", "Agenda uma reunião"),
        ("tool[type]", "webhook"),
        ("tool[execution_type]", "webhook"),
        ("tool[webhook_url]", url),
        ("tool[webhook_method]", "POST"),
        ("tool[webhook_headers]", "X-Equipe: segredo-do-balcao"),
        (
            "tool[parameters]",
            r#"{"type":"object","properties":{"title":{"type":"string"},"count":{"type":"integer"}},"required":["title"]}"#,
        ),
        ("tool[effect]", "write"),
        ("tool[timeout_ms]", ""),
        ("tool[rate_limit]", ""),
        ("tool[rate_window]", ""),
    ]
}

fn with<'a>(mut form: Vec<(&'a str, &'a str)>, more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    form.retain(|(name, _)| more.iter().all(|(other, _)| other != name));
    form.extend_from_slice(more);
    form
}

const URL: &str = "https://hooks.example.org/x";

#[tokio::test]
async fn t3_t12_a_form_makes_a_tool_and_its_secret_is_shown_once() {
    let (_app, admin) = TestApp::with_admin().await;
    let made = admin.ask("create_tool", &webhook_form("agendar", URL)).await;
    assert!(made["secret"].as_str().unwrap().starts_with("whsec_"));
    let id = made["id"].as_str().unwrap();
    let page = admin.get(&format!("/tools/{id}")).await.text().await.unwrap();
    assert!(
        page.contains("x-equipe: ***") && !page.contains("segredo-do-balcao"),
        "values of headers stay secret"
    );
    assert!(!page.contains("whsec_"));
    assert!(page.contains("input_schema"), "the definition for models, to be copied");
    let plain = admin.submit("/tools/new?kind=webhook", "create_tool", &webhook_form("outra", URL)).await;
    assert_eq!(plain.status(), StatusCode::FOUND);
    let to = crate::app::location(&plain).to_owned();
    let first = admin.get(&to).await.text().await.unwrap();
    assert!(first.contains("whsec_"), "told on the next page to whoever has no scripts");
    assert!(!admin.get(&to).await.text().await.unwrap().contains("whsec_"), "once");
    let rotated = admin.ask("rotate_tool_secret", &[("tool_id", id)]).await;
    assert_ne!(rotated["secret"], made["secret"]);
}

#[tokio::test]
async fn t3_what_a_form_says_wrong_is_told_field_by_field() {
    let (_app, admin) = TestApp::with_admin().await;
    let bad =
        [("tool[parameters]", "{\n  nope"), ("tool[timeout_ms]", "x"), ("tool[webhook_headers]", "nada")];
    let answer = admin.call("create_tool", &with(webhook_form("a", URL), &bad)).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let body: serde_json::Value = answer.json().await.unwrap();
    let fields: Vec<&str> =
        body["errors"].as_array().unwrap().iter().map(|e| e["field"].as_str().unwrap()).collect();
    assert_eq!(fields, ["parameters", "webhook_headers", "timeout_ms"]);
    assert_eq!((&body["errors"][0]["line"], &body["errors"][0]["column"]), (&json!(2), &json!(3)));
    assert_eq!(admin.refused("create_tool", &with(webhook_form("null", URL), &[])).await.0, 422, "reserved");
    let unknown = with(webhook_form("a", URL), &[("tool[id]", "x")]);
    assert_eq!(admin.refused("create_tool", &unknown).await, (400, "invalid_body".to_owned()));
}

/// A form repeats what nobody touched: of a POST it is not meant.
#[tokio::test]
async fn t4_a_form_that_makes_a_post_of_a_get_says_nothing_of_its_effect() {
    let (_app, admin) = TestApp::with_admin().await;
    let said = [("tool[webhook_method]", "GET"), ("tool[effect]", "read"), ("tool[idempotent]", "true")];
    let form = with(webhook_form("olhar", URL), &said);
    let id = text_of(&admin.ask("create_tool", &form).await["id"]).to_owned();
    let shown = async || admin.ask("get_tool", &[("tool_id", id.as_str())]).await["fields"].clone();
    assert_eq!((&shown().await["effect"], &shown().await["idempotent"]), (&json!("read"), &json!(true)));
    let post = [("tool[webhook_method]", "POST"), ("tool_id", id.as_str()), ("seen_version", "1")];
    admin.ask("update_tool", &with(form.clone(), &post)).await;
    assert_eq!((&shown().await["effect"], &shown().await["idempotent"]), (&json!("write"), &json!(false)));
    let meant = [("tool[webhook_method]", "POST"), ("tool_id", id.as_str()), ("seen_version", "2")];
    admin.ask("update_tool", &with(form, &meant)).await;
    assert_eq!(shown().await["effect"], "read", "said of a POST");
}

/// The limits of code end where this installation's operator says, not where the product does.
#[tokio::test]
async fn t3_the_form_of_a_tool_tells_the_limits_of_this_installation() {
    let (_app, admin) = TestApp::with_admin().await;
    let draft = admin.ask("get_tool_draft", &[]).await;
    let code = [
        "De 100 a 20.000; normalmente 10.000.",
        "De 1.024 a 1.048.576; normalmente 102.400.",
        "De 8 a 128; normalmente 64.",
        "De 0 a 50; normalmente 10.",
    ];
    assert_eq!(draft["code_limits"], json!(code));
    assert_eq!(draft["webhook_limits"][0], "De 100 a 300.000; normalmente 30.000.");
    let html = admin.get("/tools/new?kind=code").await.text().await.unwrap();
    for hint in code {
        assert!(html.contains(hint), "{hint}");
    }
    let own = admin.ask("create_tool", &webhook_form("aviso", URL)).await;
    let shown = admin.ask("get_tool", &[("tool_id", text_of(&own["id"]))]).await;
    assert_eq!(shown["limits"], draft["webhook_limits"]);
}

#[tokio::test]
async fn t4_the_page_of_versions_tells_that_the_value_of_a_header_changed() {
    let (_app, admin) = TestApp::with_admin().await;
    let id = admin.ask("create_tool", &webhook_form("agendar", URL)).await["id"].as_str().unwrap().to_owned();
    let change =
        [("tool_id", id.as_str()), ("seen_version", "1"), ("tool[webhook_headers]", "x-equipe: outra-senha")];
    assert_eq!(admin.ask("update_tool", &change).await["version"], 2);
    let versions = admin.ask("list_tool_versions", &[("tool_id", &id)]).await;
    let lines = json!([{ "side": "Gone", "text": "***" }, { "side": "New", "text": "***" }]);
    let changes = json!([{ "field": "webhook_headers.x-equipe", "lines": lines }]);
    assert_eq!(versions["versions"][0]["changes"], changes);
    let page = admin.get(&format!("/tools/{id}/versions")).await.text().await.unwrap();
    assert!(page.contains("webhook_headers.x-equipe") && !page.contains("outra-senha"));
}

#[tokio::test]
async fn t4_a_change_keeps_what_the_form_does_not_have_and_tells_conflicts() {
    let (_app, admin) = TestApp::with_admin().await;
    let id = admin.ask("create_tool", &webhook_form("agendar", URL)).await["id"].as_str().unwrap().to_owned();
    let change = |version: &'static str, text: &'static str| {
        [("tool_id", id.as_str()), ("seen_version", version), ("tool[description]", text)]
    };
    let changed = admin.ask("update_tool", &change("1", "Outra\r\nlinha")).await;
    assert_eq!((&changed["version"], &changed["breaking"]), (&json!(2), &serde_json::Value::Null));
    let detail = admin.ask("get_tool", &[("tool_id", &id)]).await;
    assert_eq!(detail["fields"]["description"], "Outra\nlinha");
    assert_eq!(
        (&detail["fields"]["webhook_url"], &detail["fields"]["webhook_headers"]),
        (&json!(URL), &json!("x-equipe: ***"))
    );
    assert_eq!(detail["params"][1]["name"], "title");
    assert_eq!(admin.refused("update_tool", &change("1", "Minha")).await, (409, "conflict".to_owned()));
    let mut over = change("1", "Minha").to_vec();
    over.push(("overwrite", "true"));
    assert_eq!(admin.ask("update_tool", &over).await["version"], 3);

    admin.ask("create_agent", &[("agent[name]", "Vendas"), ("agent[mode]", "never")]).await;
    let given =
        [("tools", "agendar"), ("agents", "vendas"), ("on[0]", "vendas~agendar"), ("back", "/agents/matrix")];
    admin.ask("plan_assignments", &given).await;
    let save = [("give", "vendas~agendar"), ("versions", "vendas~1"), ("back", "/agents/matrix")];
    admin.ask("save_assignments", &save).await;
    let stricter = r#"{"type":"object","properties":{"other":{"type":"string"}},"required":["other"]}"#;
    let fields = [("tool_id", id.as_str()), ("seen_version", "3"), ("tool[parameters]", stricter)];
    admin.submit(&format!("/tools/{id}"), "update_tool", &fields).await;
    let page = admin.get(&format!("/tools/{id}")).await.text().await.unwrap();
    assert!(
        page.contains("other passou a ser obrigatório") && page.contains("Vendas"),
        "what may break and the agents concerned are told"
    );

    let versions = admin.ask("list_tool_versions", &[("tool_id", &id)]).await;
    assert_eq!(versions["versions"].as_array().unwrap().len(), 4);
    assert_eq!(versions["versions"][3]["changes"], json!([]));
    let change = &versions["versions"][1]["changes"][0];
    assert_eq!(change["field"], "description");
    assert_eq!(change["lines"][0], json!({ "side": "Gone", "text": "Outra" }));
    let back = [("tool_id", id.as_str()), ("version", "1"), ("seen_version", "4")];
    admin.call("set_language", &[("language", "en")]).await;
    let restored = admin.ask("restore_tool", &back).await;
    assert_eq!(
        (&restored["version"], &restored["breaking"]["reasons"][0]),
        (&json!(5), &json!("other was removed"))
    );
    assert_eq!(admin.refused("restore_tool", &back).await.1, "conflict");

    assert_eq!(admin.refused("delete_tool", &[("tool_id", &id)]).await, (409, "tool_in_use".to_owned()));
    assert_eq!(
        admin.call("delete_tool", &[("tool_id", &id), ("force", "true")]).await.status(),
        StatusCode::OK
    );
    assert_eq!(admin.refused("get_tool", &[("tool_id", &id)]).await.1, "tool_not_found");
}

#[tokio::test]
async fn t4_what_is_emptied_in_the_form_is_gone() {
    let (_app, admin) = TestApp::with_admin().await;
    let limited =
        with(webhook_form("agendar", URL), &[("tool[rate_limit]", "5"), ("tool[rate_window]", "60")]);
    let id = admin.ask("create_tool", &limited).await["id"].as_str().unwrap().to_owned();
    let fields = |detail: &serde_json::Value| {
        ["webhook_headers", "rate_limit", "rate_window"].map(|field| detail["fields"][field].clone())
    };
    let before = admin.ask("get_tool", &[("tool_id", &id)]).await;
    assert_eq!(fields(&before), ["x-equipe: ***", "5", "60"]);
    let emptied = [
        ("tool_id", id.as_str()),
        ("seen_version", "1"),
        ("tool[webhook_headers]", ""),
        ("tool[rate_limit]", ""),
        ("tool[rate_window]", ""),
    ];
    assert_eq!(admin.ask("update_tool", &emptied).await["version"], 2);
    let after = admin.ask("get_tool", &[("tool_id", &id)]).await;
    assert_eq!(fields(&after), ["", "", ""]);
    let nameless = [("tool_id", id.as_str()), ("seen_version", "2"), ("tool[description]", "")];
    assert_eq!(
        admin.refused("update_tool", &nameless).await.0,
        422,
        "what has to be there is not passed over"
    );
    let half = [
        ("tool_id", id.as_str()),
        ("seen_version", "2"),
        ("tool[rate_limit]", "5"),
        ("tool[rate_window]", ""),
    ];
    assert_eq!(admin.refused("update_tool", &half).await.0, 422, "half a limit is none");
}

#[tokio::test]
async fn t4_a_built_in_tool_can_be_made_more_careful_and_nothing_else() {
    let (_app, admin) = TestApp::with_admin().await;
    let all = admin.ask("list_tools", &[("search", "getContactHistory")]).await;
    let id = all["rows"][0]["id"].as_str().unwrap().to_owned();
    let page = admin.get(&format!("/tools/{id}")).await.text().await.unwrap();
    assert!(page.contains("tool[requires_confirmation]") && !page.contains("tool[parameters]"));
    assert!(!page.contains("/fn/delete_tool") && !page.contains("/fn/rotate_tool_secret"));
    let careful = [
        ("tool_id", id.as_str()),
        ("seen_version", "1"),
        ("tool[requires_confirmation]", "true"),
        ("tool[rate_limit]", "5"),
        ("tool[rate_window]", "60"),
    ];
    assert_eq!(admin.ask("update_tool", &careful).await["version"], 2);
    let other = [("tool_id", id.as_str()), ("seen_version", "2"), ("tool[description]", "x")];
    assert_eq!(admin.refused("update_tool", &other).await, (409, "system_tool".to_owned()));
}

#[tokio::test]
async fn t7_t15_the_console_calls_a_signed_webhook_and_shows_what_went_and_came() {
    let upstream = Upstream::start(|_| json_answer(json!({ "agendado": true }))).await;
    let (app, admin) = TestApp::with_admin().await;
    let id = admin.ask("create_tool", &webhook_form("agendar", &upstream.url)).await["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let page = admin.get(&format!("/tools/{id}/test")).await.text().await.unwrap();
    assert!(page.contains("arguments[title]") && page.contains("arguments[count]"), "made from the schema");
    let fields = [
        ("tool_id", id.as_str()),
        ("arguments[title]", "Reunião"),
        ("arguments[count]", "3"),
        ("test_mode", "true"),
    ];
    let address = admin.ask("try_tool", &fields).await["address"].as_str().unwrap().to_owned();
    let asked = upstream.asked().pop().unwrap();
    assert!(
        asked.headers.contains_key("webhook-signature") && asked.headers["x-equipe"] == "segredo-do-balcao"
    );
    let body: serde_json::Value = serde_json::from_slice(&asked.body).unwrap();
    assert_eq!(
        (&body["params"], &body["test_mode"]),
        (&json!({ "title": "Reunião", "count": 3 }), &json!(true))
    );
    let run = address.rsplit('=').next().unwrap();
    let trial = admin.ask("get_trial", &[("execution_id", run)]).await;
    assert_eq!((&trial["status"], &trial["test_mode"]), (&json!("success"), &json!(true)));
    let request = trial["request"].as_str().unwrap();
    assert!(
        request.contains("Reunião")
            && request.contains("x-equipe: ***")
            && !request.contains("segredo-do-balcao")
    );
    assert!(trial["response"].as_str().unwrap().contains("agendado"));
    let html = admin.get(&address).await.text().await.unwrap();
    assert!(html.contains("agendado"), "without scripts too");
    let plain = admin.submit(&format!("/tools/{id}/test"), "try_tool", &fields).await;
    assert!(crate::app::location(&plain).contains("/test?run="));
    let bad = [("tool_id", id.as_str()), ("arguments[count]", "3")];
    assert_eq!(admin.refused("try_tool", &bad).await, (422, "invalid_params".to_owned()));
    let json = [("tool_id", id.as_str()), ("json", r#"{"title": "b"}"#)];
    assert_eq!(admin.call("try_tool", &json).await.status(), StatusCode::OK);
    let viewer = app.member("viewer@example.org", TENANT, "viewer").await;
    assert_eq!(viewer.refused("try_tool", &json).await, (403, "forbidden".to_owned()));
    assert!(
        !viewer.get(&format!("/tools/{id}")).await.text().await.unwrap().contains("/test\""),
        "no link to a refusal"
    );
}

/// S15: every field of a tool and of an agent with markup in it, on every page that shows it.
#[tokio::test]
async fn s15_what_people_write_about_tools_and_agents_is_never_markup() {
    let (_app, admin) = TestApp::with_admin().await;
    let schema = json!({ "type": "object", "description": PAYLOAD, "properties": {
        PAYLOAD: { "type": "string", "description": PAYLOAD, "enum": [PAYLOAD] } } })
    .to_string();
    let hostile = [
        ("tool[display_name]", PAYLOAD),
        ("tool[description]", PAYLOAD),
        ("tool[note]", PAYLOAD),
        ("tool[parameters]", schema.as_str()),
    ];
    let made = admin.ask("create_tool", &with(webhook_form("hostil", URL), &hostile)).await;
    let id = made["id"].as_str().unwrap();
    let second = [
        ("tool_id", id),
        ("seen_version", "1"),
        ("tool[description]", "<script>alert(1)</script>\nb"),
        ("tool[note]", PAYLOAD),
    ];
    admin.ask("update_tool", &second).await;
    let agent = [
        ("agent[name]", PAYLOAD),
        ("agent[slug]", "hostil"),
        ("agent[description]", PAYLOAD),
        ("agent[persona]", PAYLOAD),
    ];
    let agent = admin.ask("create_agent", &agent).await["id"].as_str().unwrap().to_owned();
    let save = [("give", "hostil~hostil"), ("versions", "hostil~1"), ("back", "/agents/matrix")];
    admin.ask("save_assignments", &save).await;
    let script = "%22%3E%3Cscript%3Ealert(1)%3C/script%3E";
    let mut paths = vec![
        "/tools".to_owned(),
        format!("/tools?q={script}&agent={script}"),
        format!("/tools/new?kind={script}"),
        "/agents".to_owned(),
        "/agents/matrix".to_owned(),
        format!("/agents/matrix?q={script}&who={script}"),
        "/agents/matrix?plan=1&take=hostil~hostil&give=".to_owned(),
        format!("/agents/matrix?plan=1&give={script}~{script}&take="),
    ];
    for part in ["", "/test", "/versions", "/test?as=json", &format!("/test?run={script}")] {
        paths.push(format!("/tools/{id}{part}"));
    }
    for part in ["", "/tools", "/preview", "/preview?format=prompt", &format!("/preview?format={script}")] {
        paths.push(format!("/agents/{agent}{part}"));
    }
    for path in paths {
        let answer = admin.get(&path).await;
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
        let html = answer.text().await.unwrap();
        assert!(html.contains("<h1"), "{path}");
        for markup in ["<script>alert(1)", "<img src=x", "</textarea><b>"] {
            assert!(!html.contains(markup), "{path}: {markup}");
        }
    }
}
