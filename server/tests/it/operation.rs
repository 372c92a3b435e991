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

#[tokio::test]
async fn a_database_that_goes_away_is_503_and_never_500() {
    let (app, admin) = TestApp::with_admin().await;
    app.services.db.clone().close().await;
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
