//! T9, B4: a day of a filter is a day where the reader is, as their browser told.

use crate::{
    app::{PASSWORD, Person, TestApp},
    workshop::TENANT,
};
use app::request::ZONE;
use reqwest::{Client, Method, StatusCode, cookie::Jar, redirect::Policy};
use serde_json::{Value, json};
use std::sync::Arc;
use time::{OffsetDateTime, format_description::well_known::Rfc3339, macros::datetime};

/// Somebody with a browser that tells its zone.
struct Reader {
    person: Person,
    jar: Arc<Jar>,
}

impl Reader {
    async fn sign_in(app: &TestApp, email: &str) -> Self {
        let jar = Arc::new(Jar::default());
        let browser = Client::builder().cookie_provider(Arc::clone(&jar)).redirect(Policy::none());
        let client = browser.no_proxy().build().unwrap();
        let person = Person { client, url: app.url.clone(), email: email.to_owned() };
        let answer = person.call("sign_in", &[("email", email), ("password", PASSWORD)]).await;
        assert_eq!(answer.status(), StatusCode::OK);
        Self { person, jar }
    }

    fn is_in(&self, zone: &str) {
        self.jar.add_cookie_str(&format!("{ZONE}={zone}; Path=/"), &self.person.url.parse().unwrap());
    }

    /// What a list says about one day.
    async fn ask(&self, list: &str, day: &str) -> Value {
        self.person.ask(list, &[("from", day), ("to", day)]).await
    }

    async fn page(&self, path: &str) -> String {
        self.person.get(path).await.text().await.unwrap()
    }
}

/// A zone in which it is another day than in UTC, and that day.
fn elsewhere(at: OffsetDateTime) -> (&'static str, String) {
    // Fourteen hours ahead, or twelve behind.
    let (zone, day) = match at.hour() {
        10.. => ("Pacific/Kiritimati", at.date().next_day()),
        _ => ("Etc/GMT+12", at.date().previous_day()),
    };
    (zone, day.unwrap().to_string())
}

/// The id of a call that was just made, and when.
async fn called(person: &Person) -> (Value, OffsetDateTime) {
    let tool = person.ask("list_tools", &[("search", "searchProducts")]).await["rows"][0]["id"].clone();
    let fields = [("tool_id", tool.as_str().unwrap()), ("json", "{\"query\":\"pão\"}")];
    let ran = person.call("try_tool", &fields).await;
    assert!(ran.status().is_success(), "{}", ran.text().await.unwrap());
    let call = person.ask("list_executions", &[]).await["calls"][0].clone();
    let at = OffsetDateTime::parse(call["executed_at"].as_str().unwrap(), &Rfc3339).unwrap();
    (call["id"].clone(), at)
}

fn listed(answer: &Value) -> Vec<&Value> {
    answer["calls"].as_array().unwrap().iter().map(|call| &call["id"]).collect()
}

#[tokio::test]
async fn t9_a_day_of_the_history_is_the_readers_own() {
    let (app, admin) = TestApp::with_admin().await;
    let (call, at) = called(&admin).await;
    let (zone, day) = elsewhere(at);
    let day_in_utc = at.date().to_string();
    let reader = Reader::sign_in(&app, &admin.email).await;

    // Nothing told, and what names no zone.
    for said in [None, Some("undefined"), Some("Mars/Olympus_Mons")] {
        if let Some(zone) = said {
            reader.is_in(zone);
        }
        let theirs = reader.ask("list_executions", &day_in_utc).await;
        assert_eq!((listed(&theirs), &theirs["days_in_utc"]), (vec![&call], &json!(true)), "{said:?}");
        assert!(listed(&reader.ask("list_executions", &day).await).is_empty(), "{said:?}");
    }

    reader.is_in(zone);
    let theirs = reader.ask("list_executions", &day).await;
    assert_eq!((listed(&theirs), &theirs["days_in_utc"]), (vec![&call], &json!(false)), "{zone} {day}");
    assert!(listed(&reader.ask("list_executions", &day_in_utc).await).is_empty(), "{zone} {day_in_utc}");
    let query = theirs["export_query"].as_str().unwrap();
    let file = format!("/api/v1/executions/export?format=jsonl&{query}");
    let lines = reader.person.api(Method::GET, &file, None).await.text().await.unwrap();
    assert!(lines.lines().count() == 1 && lines.contains(call.as_str().unwrap()), "{query}: {lines}");
}

#[tokio::test]
async fn t9_a_page_that_was_made_for_one_zone_is_not_shown_in_another() {
    let (app, admin) = TestApp::with_admin().await;
    let (call, at) = called(&admin).await;
    let (zone, day) = elsewhere(at);
    let reader = Reader::sign_in(&app, &admin.email).await;
    let path = format!("/executions?from={day}&to={day}");
    let row = format!("data-execution=\"{}\"", call.as_str().unwrap());
    for (zone, is_shown) in [(zone, true), (zone, true), ("UTC", false), ("UTC", false), (zone, true)] {
        reader.is_in(zone);
        assert_eq!(reader.page(&path).await.contains(&row), is_shown, "{zone} {day}");
    }
}

#[tokio::test]
async fn b4_a_day_of_the_record_is_the_readers_own() {
    let (app, _) = TestApp::with_admin().await;
    let owner = app.member("owner@example.org", TENANT, "owner").await;
    owner.ask("put_secret", &[("name", "ERP_TOKEN"), ("value", "um valor")]).await;
    // Half past ten in the evening in São Paulo.
    let at = datetime!(2026-11-17 01:30 UTC).unix_timestamp() * 1_000_000;
    app.change(&format!("UPDATE audit_entries SET at = {at} WHERE tenant_id IS NOT NULL")).await;
    let reader = Reader::sign_in(&app, "owner@example.org").await;
    for (zone, day, is_listed) in [
        ("America/Sao_Paulo", "2026-11-16", true),
        ("America/Sao_Paulo", "2026-11-17", false),
        ("UTC", "2026-11-16", false),
        ("UTC", "2026-11-17", true),
    ] {
        reader.is_in(zone);
        let theirs = reader.ask("list_audit_entries", day).await;
        let entries = theirs["entries"].as_array().unwrap();
        let is_there = entries.iter().any(|entry| entry["action"] == "secret.create");
        assert_eq!((is_there, &theirs["days_in_utc"]), (is_listed, &json!(false)), "{zone} {day}");
    }
}
