//! The pages' guard: who may not see a page gets a redirect and not one byte of it.

use crate::app::{TestApp, location};
use app::route::{Access, PAGES};
use reqwest::{StatusCode, header};

#[tokio::test]
async fn g11_a_stranger_gets_no_byte_of_a_page() {
    let (app, _) = TestApp::with_admin().await;
    let stranger = app.visitor("");
    for page in PAGES.iter().filter(|page| matches!(page.access, Access::SignedIn | Access::Right(..))) {
        for path in [
            page.path.to_owned(),
            format!("{}?q=1", page.path),
            format!("{}/", page.path.trim_end_matches('/')),
        ] {
            let answer = stranger.get(&path).await;
            assert_eq!(answer.status(), StatusCode::SEE_OTHER, "{path}");
            assert!(location(&answer).starts_with("/login"), "{path}");
            assert_eq!(answer.bytes().await.unwrap().len(), 0, "{path}");
        }
    }
}

/// What the policy of the product gives to a role.
fn rules_of(role: &str) -> ability::Ability {
    let role = ability::Role::from_name(role).unwrap();
    let principal = ability::policy::Principal {
        id: uuid::Uuid::nil(),
        tenant: Some(domain::TenantId::new()),
        roles: vec![role],
    };
    ability::policy::Policy::from_seed().unwrap().ability_for(&principal)
}

#[tokio::test]
async fn g11_d5_members_are_led_home_from_what_is_not_theirs() {
    let (app, admin) = TestApp::with_admin().await;
    for role in ["owner", "manager", "operator", "viewer", "auditor"] {
        let person = app.member(&format!("{role}@example.org"), "padaria-central", role).await;
        for page in PAGES {
            let Access::Right(action, subject) = page.access else {
                continue;
            };
            let answer = person.get(page.path).await;
            if rules_of(role).can(action, subject) {
                assert_eq!(answer.status(), StatusCode::OK, "{role} {}", page.path);
                assert!(answer.text().await.unwrap().contains("<h1"), "{role} {}", page.path);
                continue;
            }
            assert_eq!(
                (answer.status(), location(&answer)),
                (StatusCode::SEE_OTHER, "/"),
                "{role} {}",
                page.path
            );
            assert_eq!(answer.bytes().await.unwrap().len(), 0, "{role} {}", page.path);
        }
    }
    for page in PAGES.iter().filter(|page| matches!(page.access, Access::SignedIn | Access::Right(..))) {
        let answer = admin.get(page.path).await;
        assert_eq!(answer.status(), StatusCode::OK, "{}", page.path);
        assert!(answer.text().await.unwrap().contains("<h1"), "{}", page.path);
    }
}

#[tokio::test]
async fn rights_taken_away_hold_at_the_next_request() {
    let (app, admin) = TestApp::with_admin().await;
    let other = app.member("other@example.org", "padaria-central", "viewer").await;
    let users = admin.ask("list_users", &[("search", "other@")]).await;
    let id = users[0]["id"].as_str().unwrap().to_owned();
    let make = |is_admin| [("user_id", id.clone()), ("is_admin", is_admin)];
    for (is_admin, expected) in
        [("true", StatusCode::OK), ("false", StatusCode::SEE_OTHER), ("true", StatusCode::OK)]
    {
        let fields = make(is_admin.to_owned());
        let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        assert_eq!(admin.call("set_platform_admin", &fields).await.status(), StatusCode::OK);
        assert_eq!(other.get("/admin/tools").await.status(), expected, "{is_admin}");
    }
}

#[tokio::test]
async fn pages_speak_the_language_of_the_browser_and_remember_a_choice() {
    let (app, _) = TestApp::with_admin().await;
    let visitor = app.visitor("");
    let page =
        |wish: &str| visitor.client.get(format!("{}/login", app.url)).header(header::ACCEPT_LANGUAGE, wish);
    let html = page("en-US,en;q=0.9").send().await.unwrap().text().await.unwrap();
    assert!(html.contains("lang=\"en\""));
    let html = page("pt-PT").send().await.unwrap().text().await.unwrap();
    assert!(html.contains("lang=\"pt-BR\""));
    let answer = visitor.submit("/login?x=1", "set_language", &[("language", "en")]).await;
    assert_eq!((answer.status(), location(&answer)), (StatusCode::FOUND, "/login?x=1"));
    let html = page("pt-BR").send().await.unwrap().text().await.unwrap();
    assert!(html.contains("lang=\"en\""), "the choice wins over the browser");
    visitor.submit("/login", "set_theme", &[("theme", "dark")]).await;
    let html = page("en").send().await.unwrap().text().await.unwrap();
    assert!(html.contains("data-theme=\"dark\""));
}

#[tokio::test]
async fn the_rules_travel_with_the_page() {
    let (app, admin) = TestApp::with_admin().await;
    let state = admin.ask("get_session", &[]).await;
    let ability: ability::Ability = serde_json::from_value(state["ability"].clone()).unwrap();
    assert!(ability.can(ability::Action::Manage, ability::Subject::AdminPanel));
    let html = admin.get("/").await.text().await.unwrap();
    assert!(html.contains("platform_admin"), "serialised into the page for the browser");
    let viewer = app.member("viewer@example.org", "padaria-central", "viewer").await;
    let html = viewer.get("/").await.text().await.unwrap();
    assert!(!html.contains("/admin/tools"), "what a role may not do is absent");
}

/// A page may be kept while nothing changes; then it must not be kept a moment longer, nor for anybody else.
#[tokio::test]
async fn a_kept_page_is_never_stale_and_never_somebody_else_s() {
    let (app, admin) = TestApp::with_admin().await;
    let viewer = app.member("viewer@example.org", "padaria-central", "viewer").await;
    for round in 0..5 {
        let name = format!("Nome {round}");
        assert_eq!(admin.call("rename_me", &[("name", &name)]).await.status(), StatusCode::OK);
        for _ in 0..3 {
            assert!(admin.get("/").await.text().await.unwrap().contains(&name), "{name}");
            assert!(!viewer.get("/").await.text().await.unwrap().contains(&name), "{name}");
        }
    }
    for _ in 0..2 {
        let english = admin.client.get(format!("{}/", app.url)).header(header::ACCEPT_LANGUAGE, "en");
        assert!(english.send().await.unwrap().text().await.unwrap().contains("lang=\"en\""));
        assert!(admin.get("/").await.text().await.unwrap().contains("lang=\"pt-BR\""));
    }
    let sql = app.sql().await;
    sea_orm::ConnectionTrait::execute_unprepared(&sql, "UPDATE users SET disabled_at = 1").await.unwrap();
    assert_eq!(admin.get("/").await.status(), StatusCode::SEE_OTHER, "disabled past us, seen at once");
}

/// Nobody is led away in silence: the next page says which right is missing, once.
#[tokio::test]
async fn g11_d6_whoever_is_led_home_learns_why() {
    let (app, _) = TestApp::with_admin().await;
    let viewer = app.member("viewer@example.org", "padaria-central", "viewer").await;
    let closed = [
        ("/members", "gerenciar membros"),
        ("/admin/tools", "administradores da plataforma"),
        ("/contacts/new", "não permite criar contatos"),
    ];
    for (path, word) in closed {
        assert_eq!(viewer.get(path).await.status(), StatusCode::SEE_OTHER);
        assert!(viewer.get("/").await.text().await.unwrap().contains(word), "{path}");
        assert!(!viewer.get("/").await.text().await.unwrap().contains(word), "{path}: said once");
    }
}

/// Rendering ends also where a right decides whether more has to be asked.
#[tokio::test]
async fn d6_the_matrix_with_a_plan_is_rendered_by_the_server() {
    let (app, _) = TestApp::with_admin().await;
    let owner = app.member("dona@example.org", "padaria-central", "owner").await;
    owner.ask("create_agent", &[("agent[name]", "Vendas"), ("agent[mode]", "never")]).await;
    for path in
        ["/agents/matrix", "/agents/matrix?plan=1&give=vendas~createTask&take=", "/agents/vendas/tools"]
    {
        let asked = owner.get(path);
        let answer = tokio::time::timeout(std::time::Duration::from_secs(20), asked).await;
        let html = answer.expect("the page comes").text().await.unwrap();
        assert!(html.contains("createTask"), "{path}");
        assert_eq!(html.contains("/fn/save_assignments"), path.contains("give"), "{path}");
    }
}

/// D6: what says that long work is under way is there before it begins, or nobody who listens would hear it; and a time is
/// reached by a finger without being a stop of the keyboard.
#[tokio::test]
async fn d6_long_work_has_its_place_and_times_are_no_stops() {
    let (app, _) = TestApp::with_admin().await;
    let owner = app.member("dona@example.org", "padaria-central", "owner").await;
    let html = owner.get("/audit").await.text().await.unwrap();
    assert!(html.contains("<span class=\"working\"><span role=\"status\">"), "the check of the record");
    let time = html.find("<time ").map(|at| &html[at..at + 200]).unwrap();
    assert!(time.contains("tabindex=\"-1\"") && time.contains("title=\""), "{time}");
}
