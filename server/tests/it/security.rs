//! S1, S5, S9–S16, as far as these routes go.

mod callers;
mod doors;
pub mod idor;
mod places;
pub mod refusals;
mod ssrf;
mod walls;

use crate::{
    app::{PASSWORD, TestApp, problem},
    openapi::operations,
};
use reqwest::{StatusCode, header};

/// S11: every route that changes something, called from another site.
#[tokio::test]
async fn s11_requests_from_another_site_are_refused() {
    let (app, admin) = TestApp::with_admin().await;
    let mut targets: Vec<(reqwest::Method, String)> = leptos::server_fn::axum::server_fn_paths()
        .map(|(path, _)| (reqwest::Method::POST, path.to_owned()))
        .collect();
    let routes = operations().into_iter().filter(|(method, _)| method != reqwest::Method::GET);
    targets.extend(routes.map(|(method, path)| (method, path.replace(['{', '}'], ""))));
    assert!(targets.contains(&(reqwest::Method::PATCH, "/api/admin/tools/tool_name".to_owned())));
    assert!(targets.contains(&(reqwest::Method::POST, "/api/v1/confirmations/id/approve".to_owned())));
    let foreign: [&[(&str, &str)]; 4] = [
        &[("origin", "https://evil.example")],
        &[("origin", "null")],
        &[("sec-fetch-site", "cross-site")],
        &[("sec-fetch-site", "same-site"), ("origin", "http://other.127.0.0.1")],
    ];
    for (method, path) in &targets {
        for headers in foreign {
            for kind in ["application/x-www-form-urlencoded", "text/plain", "application/json"] {
                let mut request = admin.client.request(method.clone(), format!("{}{path}", app.url));
                for (name, value) in headers {
                    request = request.header(*name, *value);
                }
                let answer =
                    request.header(header::CONTENT_TYPE, kind).body("enabled=false").send().await.unwrap();
                assert_eq!(
                    problem(answer).await,
                    (403, "cross_origin".to_owned()),
                    "{path} {headers:?} {kind}"
                );
            }
        }
    }
    assert_eq!(admin.get("/").await.status(), StatusCode::OK, "still signed in");
    let own = admin.client.post(format!("{}/fn/rename_me", app.url)).header("origin", &app.url);
    let answer = own.form(&[("name", "Ada L.")]).send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::OK, "our own pages are served");
}

#[tokio::test]
async fn s11_server_functions_answer_to_post_only() {
    let (app, admin) = TestApp::with_admin().await;
    for (path, method) in leptos::server_fn::axum::server_fn_paths() {
        assert_eq!(method, reqwest::Method::POST, "{path}");
        let answer = admin.client.get(format!("{}{path}?name=x", app.url)).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::METHOD_NOT_ALLOWED, "{path}");
    }
}

#[tokio::test]
async fn s11_cookies_are_out_of_reach_of_scripts_and_other_sites() {
    let app = TestApp::start_behind("https://alcada.example.org").await;
    let code = app.services.accounts.new_setup_code().await.unwrap().unwrap();
    let fields = [
        ("code", code.as_str()),
        ("name", "Ada"),
        ("email", "a@example.org"),
        ("password", PASSWORD),
        ("organisation", "P"),
    ];
    let answer = app.visitor("").call("complete_setup", &fields).await;
    assert_eq!(answer.status(), StatusCode::OK);
    let cookie = answer.headers()[header::SET_COOKIE].to_str().unwrap().to_owned();
    assert!(cookie.starts_with("__Host-alcada="), "{cookie}");
    for part in ["HttpOnly", "SameSite=Lax", "Secure", "Path=/"] {
        assert!(cookie.contains(part), "{cookie} lacks {part}");
    }
    assert!(!cookie.contains("Domain"), "{cookie}");
}

#[tokio::test]
async fn s15_every_answer_has_its_security_headers() {
    let (app, admin) = TestApp::with_admin().await;
    for path in [
        "/",
        "/login",
        "/nowhere",
        "/api/admin/tools",
        "/api/nothing",
        "/healthz",
        "/pkg/nothing",
        "/metrics",
    ] {
        let answer = admin.get(path).await;
        let header = |name: &str| answer.headers().get(name).map(|value| value.to_str().unwrap().to_owned());
        assert_eq!(header("x-content-type-options").as_deref(), Some("nosniff"), "{path}");
        assert_eq!(header("x-frame-options").as_deref(), Some("DENY"), "{path}");
        assert_eq!(header("referrer-policy").as_deref(), Some("same-origin"), "{path}");
        let policy = header("content-security-policy").unwrap();
        assert!(
            policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"),
            "{path} {policy}"
        );
        assert!(!policy.contains("'unsafe-inline'") && !policy.contains("'unsafe-eval'"), "{path} {policy}");
        assert!(header("x-request-id").is_some(), "{path}");
    }
    drop(app);
}

#[tokio::test]
async fn s15_each_page_has_a_nonce_of_its_own_on_every_script() {
    let (_app, admin) = TestApp::with_admin().await;
    let mut nonces = Vec::new();
    for _ in 0..2 {
        let answer = admin.get("/admin/tools").await;
        let policy = answer.headers()["content-security-policy"].to_str().unwrap().to_owned();
        let nonce = policy.split("'nonce-").nth(1).unwrap().split('\'').next().unwrap().to_owned();
        let html = answer.text().await.unwrap();
        let scripts = html.matches("<script").count();
        assert!(scripts > 0);
        assert_eq!(
            html.matches(&format!("nonce=\"{nonce}\"")).count()
                - html.matches("<link rel=\"modulepreload\"").count(),
            scripts
        );
        assert!(!html.contains(" style=\"") && !html.contains(" onclick="), "nothing inline");
        nonces.push(nonce);
    }
    assert_ne!(nonces[0], nonces[1]);
}

/// S15: text that a person can write, looked for in the served bytes.
#[tokio::test]
async fn s15_what_people_write_is_never_markup() {
    let (app, admin) = TestApp::with_admin().await;
    let payload = "\"><script>alert(1)</script><img src=x onerror=alert(2)>'</textarea>";
    assert_eq!(admin.call("rename_me", &[("name", payload)]).await.status(), StatusCode::OK);
    assert_eq!(
        admin.call("create_tenant", &[("name", payload), ("slug", "s")]).await.status(),
        StatusCode::OK
    );
    let switch = [("tool_name", "save_note"), ("enabled", "false"), ("reason", payload)];
    assert_eq!(admin.call("switch_global_tool", &switch).await.status(), StatusCode::OK);
    assert_eq!(admin.call("send_to_assistant", &[("text", payload)]).await.status(), StatusCode::OK);
    let talk = admin.ask("get_assistant", &[]).await;
    let choice = [("text", "1"), ("conversation_id", talk["id"].as_str().unwrap())];
    // The note itself is switched off: it is saved as whatever comes first.
    assert_eq!(admin.call("send_to_assistant", &choice).await.status(), StatusCode::OK);
    let query = "?q=%22%3E%3Cscript%3Ealert(1)%3C/script%3E&email=%22%3E%3Cscript%3Ealert(1)%3C/script%3E&next=%22%3E%3Cscript%3Ealert(1)";
    for path in [
        "/",
        "/account",
        "/members",
        "/assistant",
        "/items",
        "/admin/tools",
        "/admin/tenants",
        "/admin/users",
        "/admin/explain",
    ] {
        for address in [path.to_owned(), format!("{path}{query}")] {
            let html = admin.get(&address).await.text().await.unwrap();
            assert!(!html.contains("<script>alert(1)"), "{address}");
            assert!(!html.contains("<img src=x"), "{address}");
        }
    }
    let html = app.visitor("").get(&format!("/login{query}")).await.text().await.unwrap();
    assert!(!html.contains("<script>alert(1)"));
}

/// S16: a password, a session's secret, a key or a token never stands in the database.
#[tokio::test]
async fn s16_secrets_are_kept_as_hashes_only() {
    let (app, admin) = TestApp::with_admin().await;
    let answer = admin.call("sign_in", &[("email", "admin@example.org"), ("password", PASSWORD)]).await;
    let cookie = answer.headers()[header::SET_COOKIE].to_str().unwrap();
    let secret = cookie.trim_start_matches("alcada=").split(';').next().unwrap().to_owned();
    let link = admin.ask("invite_member", &[("email", "new@example.org"), ("role", "viewer")]).await;
    let token = link["url"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    let key = app.platform_key().await;
    let everything = dump(&app).await;
    for canary in [PASSWORD, &secret, &token, &key] {
        assert!(!everything.contains(canary), "{canary}");
    }
    assert!(everything.contains("$argon2id$"), "the dump has the rows");
}

async fn dump(app: &TestApp) -> String {
    use sea_orm::{ConnectionTrait, Statement};
    let sql = app.sql().await;
    let mut text = String::new();
    let columns = [
        ("users", "password_hash || email"),
        ("sessions", "secret_hash || data"),
        ("settings", "name || value"),
        ("invitations", "token_hash || email"),
        ("api_keys", "key_hash || prefix || name"),
        ("audit_entries", "action || coalesce(before, '') || coalesce(after, '') || coalesce(reason, '')"),
    ];
    for (table, expression) in columns {
        let query = format!("SELECT {expression} FROM {table}");
        for row in sql.query_all_raw(Statement::from_string(sql.get_database_backend(), query)).await.unwrap()
        {
            text.push_str(&row.try_get_by_index::<String>(0).unwrap());
            text.push('\n');
        }
    }
    text
}

/// S13: only a proxy that the operator named may say who the client is.
#[tokio::test]
async fn s13_a_client_cannot_choose_its_address() {
    let (app, admin) = TestApp::with_admin().await;
    let request = app
        .visitor("")
        .client
        .post(format!("{}/fn/sign_in", app.url))
        .header("x-forwarded-for", "203.0.113.9");
    let form = [("email", "admin@example.org"), ("password", PASSWORD)];
    assert_eq!(request.form(&form).send().await.unwrap().status(), StatusCode::OK);
    let sessions = admin.ask("list_sessions", &[]).await;
    assert!(
        sessions.as_array().unwrap().iter().all(|session| session["address"] == "127.0.0.1"),
        "{sessions}"
    );
}

/// S5: each kind of tool has who runs it, and a switch that stops it. A new kind has to be added here, with its tests.
#[test]
fn s5_every_kind_of_tool_is_known() {
    let kinds: Vec<&str> = domain::tool::ExecutionType::ALL.iter().map(|kind| kind.as_str()).collect();
    assert_eq!(kinds, ["internal", "webhook", "code"], "a kind without its tests");
    for switch in ["webhook_tools", "code_tools"] {
        assert!(engine::registry::find(switch).is_some(), "{switch}");
    }
}

/// S5: no way in that the tests do not know. A new server function has to be added here, with its guard; a new route in
/// `callers.rs`.
#[tokio::test]
async fn s5_every_door_is_known_and_guarded() {
    const OPEN: [&str; 7] = [
        "get_session",
        "sign_in",
        "sign_out",
        "complete_setup",
        "get_invitation",
        "accept_invitation",
        "set_language",
    ];
    const OPEN_TOO: [&str; 1] = ["set_theme"];
    const ID: &str = "00000000-0000-0000-0000-000000000000";
    type Door = (&'static str, &'static [(&'static str, &'static str)]);
    const FOR_PEOPLE: [Door; 16] = [
        ("find_things", &[("q", "ana")]),
        ("get_assistant", &[]),
        ("send_to_assistant", &[("text", "oi")]),
        ("create_link_code", &[]),
        ("list_items", &[]),
        ("update_item", &[("item_id", ID), ("title", "t"), ("tags", "")]),
        ("delete_item", &[("item_id", ID)]),
        ("restore_item", &[("item_id", ID)]),
        ("choose_match", &[("item_id", ID), ("kind", "movie"), ("tmdb_id", "1")]),
        ("switch_tenant", &[("tenant_id", ID)]),
        ("list_sessions", &[]),
        ("revoke_session", &[("session_id", ID)]),
        ("revoke_other_sessions", &[]),
        ("rename_me", &[("name", "n")]),
        ("change_password", &[("current_password", "x"), ("new_password", "y")]),
        ("list_available_tools", &[]),
    ];
    const FOR_OWNERS: [Door; 6] = [
        ("list_members", &[]),
        ("list_invitations", &[]),
        ("invite_member", &[("email", "x@example.org"), ("role", "viewer")]),
        ("revoke_invitation", &[("invitation_id", ID)]),
        ("change_member_role", &[("user_id", ID), ("role", "viewer")]),
        ("remove_member", &[("user_id", ID)]),
    ];
    // Every role of an organisation may.
    const FOR_MEMBERS: [Door; 6] = [
        ("list_tools", &[]),
        ("list_agent_names", &[]),
        ("get_tool", &[("tool_id", ID)]),
        ("get_tool_use", &[("tool_id", ID)]),
        ("list_tool_versions", &[("tool_id", ID)]),
        ("get_trial", &[("execution_id", ID)]),
    ];
    // Not for viewers: some are for managers, some for operators and auditors as well.
    const FOR_MANAGERS: [Door; 21] = [
        ("get_tool_draft", &[]),
        ("get_agent_draft", &[]),
        ("toggle_tool", &[("tool_id", ID), ("is_active", "false")]),
        ("create_tool", &[("tool[name]", "x")]),
        ("update_tool", &[("tool_id", ID), ("seen_version", "1"), ("tool[name]", "x")]),
        ("delete_tool", &[("tool_id", ID)]),
        ("rotate_tool_secret", &[("tool_id", ID)]),
        ("restore_tool", &[("tool_id", ID), ("version", "1"), ("seen_version", "1")]),
        ("get_console", &[("tool_id", ID)]),
        ("try_tool", &[("tool_id", ID)]),
        ("list_agents", &[]),
        ("get_agent", &[("agent", "x")]),
        ("create_agent", &[("agent[name]", "x")]),
        ("update_agent", &[("agent_id", ID), ("seen_version", "1"), ("agent[name]", "x")]),
        ("toggle_agent", &[("agent_id", ID), ("is_active", "true"), ("seen_version", "1")]),
        ("delete_agent", &[("agent_id", ID)]),
        ("preview_agent", &[("agent", "x"), ("format", "openai")]),
        ("get_matrix", &[]),
        ("plan_assignments", &[("tools", "x"), ("agents", "y"), ("back", "/agents/matrix")]),
        ("review_assignments", &[("give", ""), ("take", "")]),
        ("save_assignments", &[("versions", ""), ("back", "/agents/matrix")]),
    ];
    const FOR_ADMINS: [Door; 10] = [
        ("list_global_tools", &[]),
        ("switch_global_tool", &[("tool_name", "save_note"), ("enabled", "false")]),
        ("list_tenants", &[]),
        ("create_tenant", &[("name", "n")]),
        ("rename_tenant", &[("tenant_id", ID), ("name", "n")]),
        ("invite_owner", &[("tenant_id", ID), ("email", "x@example.org")]),
        ("list_users", &[("search", "")]),
        ("set_user_disabled", &[("user_id", ID), ("disabled", "true")]),
        ("set_platform_admin", &[("user_id", ID), ("is_admin", "true")]),
        ("explain_decision", &[("email", "x@example.org"), ("action", "read"), ("subject", "Agent")]),
    ];
    let (app, _) = TestApp::with_admin().await;
    let viewer = app.member("viewer@example.org", "padaria-central", "viewer").await;
    let mut known: Vec<String> = Vec::new();
    for name in OPEN.iter().chain(&OPEN_TOO) {
        known.push(format!("/fn/{name}"));
    }
    let for_people = FOR_PEOPLE.iter().chain(&FOR_MEMBERS);
    for (name, fields) in for_people.chain(&FOR_MANAGERS).chain(&FOR_OWNERS).chain(&FOR_ADMINS) {
        let refused = app.visitor("").refused(name, fields).await;
        assert_eq!(refused, (401, "unauthenticated".to_owned()), "{name}");
        known.push(format!("/fn/{name}"));
    }
    for (name, fields) in FOR_MANAGERS.iter().chain(&FOR_OWNERS).chain(&FOR_ADMINS) {
        assert_eq!(viewer.refused(name, fields).await, (403, "forbidden".to_owned()), "{name}");
    }
    known.extend(doors::are_guarded(&app).await);
    let mut actual: Vec<String> =
        leptos::server_fn::axum::server_fn_paths().map(|(path, _)| path.to_owned()).collect();
    known.sort();
    actual.sort();
    assert_eq!(actual, known, "a server function without its line here");
}
