//! Probes, figures, outages.

use crate::app::{TestApp, problem};
use reqwest::StatusCode;

#[tokio::test]
async fn probes_answer() {
    let app = TestApp::start().await;
    for path in ["/healthz", "/readyz"] {
        assert_eq!(
            reqwest::get(format!("{}{path}", app.url)).await.unwrap().status(),
            StatusCode::OK,
            "{path}"
        );
    }
}

#[tokio::test]
async fn figures_count_requests_by_route_and_name_no_secret() {
    let (app, admin) = TestApp::with_admin().await;
    admin.get("/admin/tools").await;
    admin.get("/invite/a-secret-token").await;
    let text = reqwest::get(format!("{}/metrics", app.url)).await.unwrap().text().await.unwrap();
    assert!(
        text.contains("alcada_http_requests_total{method=\"GET\",route=\"/admin/tools\",status=\"200\"}"),
        "{text}"
    );
    assert!(text.contains("alcada_http_request_duration_seconds_bucket"));
    assert!(text.contains("route=\"/invite/:token\""));
    assert!(!text.contains("a-secret-token"));
}

#[tokio::test]
async fn readyz_turns_while_the_database_cannot_be_written_and_comes_back() {
    if crate::app::on_postgres() {
        return;
    }
    let (app, admin) = TestApp::with_admin().await;
    let ready = || async { reqwest::get(format!("{}/readyz", app.url)).await.unwrap() };
    // Somebody else holds the write lock, as a backup gone wrong would.
    let other = app.sql().await;
    sea_orm::ConnectionTrait::execute_unprepared(&other, "BEGIN IMMEDIATE").await.unwrap();
    assert_eq!(problem(ready().await).await, (503, "unavailable".to_owned()));
    assert_eq!(admin.get("/").await.status(), StatusCode::OK, "reading goes on");
    sea_orm::ConnectionTrait::execute_unprepared(&other, "ROLLBACK").await.unwrap();
    let back = async {
        while ready().await.status() != StatusCode::OK {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(10), back).await.expect("service resumes by itself");
}

/// Asks the connection that writes for something that only SQLite knows.
async fn pragma(app: &TestApp, text: &str) {
    let tx = app.services.db.begin().await.unwrap();
    sea_orm::ConnectionTrait::execute_unprepared(&tx, &format!("PRAGMA {text}")).await.unwrap();
    app.services.db.commit(tx, &[]).await.unwrap();
}

#[tokio::test]
async fn a_read_only_database_still_reads_and_says_so() {
    if crate::app::on_postgres() {
        return;
    }
    let (app, admin) = TestApp::with_admin().await;
    let ready = || async { reqwest::get(format!("{}/readyz", app.url)).await.unwrap() };
    let switch = [("tool_name", "save_note"), ("enabled", "false")];
    pragma(&app, "query_only = on").await;
    assert_eq!(problem(ready().await).await, (503, "unavailable".to_owned()));
    assert_eq!(admin.refused("switch_global_tool", &switch).await, (503, "unavailable".to_owned()));
    assert_eq!(admin.get("/admin/tools").await.status(), StatusCode::OK, "reading goes on");
    assert_eq!(app.count("SELECT count(*) FROM global_tools WHERE NOT enabled").await, 0);
}

/// A limit on pages is how SQLite itself rehearses a full disk: the same error, at the same place.
#[tokio::test]
async fn a_full_disk_loses_nothing_and_service_resumes() {
    if crate::app::on_postgres() {
        return;
    }
    let (app, admin) = TestApp::with_admin().await;
    pragma(&app, "max_page_count = 1").await;
    let reason = "x".repeat(500);
    let mut enabled = false;
    let switch = |enabled: bool| {
        let (admin, reason) = (&admin, &reason);
        async move {
            let fields = [
                ("tool_name", "save_note"),
                ("enabled", if enabled { "true" } else { "false" }),
                ("reason", reason),
            ];
            admin.call("switch_global_tool", &fields).await.status().as_u16()
        }
    };
    let mut written = 0;
    let full = loop {
        match switch(enabled).await {
            200 if written < 200 => (written, enabled) = (written + 1, !enabled),
            status => break status,
        }
    };
    assert_eq!(full, 503, "after {written} switches");
    let entries = "SELECT count(*) FROM audit_entries WHERE subject_kind = 'global_tool'";
    assert_eq!(app.count(entries).await, written, "nothing half written");
    pragma(&app, "max_page_count = 1000000").await;
    assert_eq!(switch(enabled).await, 200, "service resumes by itself");
    assert_eq!(app.count(entries).await, written + 1);
}

#[tokio::test]
async fn a_database_that_goes_away_is_503_and_never_500() {
    let (app, admin) = TestApp::with_admin().await;
    app.services.db.close().await;
    assert_eq!(problem(reqwest::get(format!("{}/readyz", app.url)).await.unwrap()).await.0, 503);
    assert_eq!(reqwest::get(format!("{}/healthz", app.url)).await.unwrap().status(), StatusCode::OK);
    let api = admin.api(reqwest::Method::GET, "/api/admin/tools", None).await;
    assert_eq!(problem(api).await, (503, "unavailable".to_owned()));
    let page = admin.get("/").await;
    assert_eq!(page.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert!(page.text().await.unwrap().contains("<h1>"), "people get a page, not JSON");
    let refused =
        app.visitor("").refused("sign_in", &[("email", "admin@example.org"), ("password", "x")]).await;
    assert_eq!(refused, (503, "unavailable".to_owned()));
}

/// PostgreSQL goes away and returns: every connection is cut, and service resumes by itself, news included.
#[tokio::test]
async fn service_resumes_after_every_connection_was_cut() {
    if !crate::app::on_postgres() {
        return;
    }
    let (app, admin) = TestApp::with_admin().await;
    let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
               WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()";
    let other = app.sql().await;
    sea_orm::ConnectionTrait::execute_unprepared(&other, cut).await.unwrap();
    let back = async {
        while reqwest::get(format!("{}/readyz", app.url)).await.unwrap().status() != StatusCode::OK
            || !app.services.db.signals().are_reliable()
            || admin.get("/admin/tools").await.status() != StatusCode::OK
        {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(20), back).await.expect("service resumes by itself");
    let switch = [("tool_name", "save_note"), ("enabled", "false")];
    assert_eq!(admin.call("switch_global_tool", &switch).await.status(), StatusCode::OK);
}
