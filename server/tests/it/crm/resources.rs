//! What holds for every resource: made, shown, listed, changed and removed, with a record; out of reach for others.

use super::{NOBODY, TENANT, contact, get, id, invalid, manager, patch, pipeline, post, refused, tomorrow};
use crate::app::{Person, TestApp, problem};
use domain::TenantRole;
use reqwest::Method;
use serde_json::{Value, json};

struct Resource {
    path: &'static str,
    kind: &'static str,
    make: Value,
    /// What a PATCH changes; nothing where there is none.
    change: Option<Value>,
    bad: Vec<(&'static str, Value)>,
}

async fn all(person: &Person) -> Vec<Resource> {
    let (contact, pipeline) = (contact(person, "Marina").await, pipeline(person).await);
    vec![
        Resource {
            path: "/contacts",
            kind: "contact",
            make: json!({ "name": "Ana", "email": "Ana@Example.org", "tags": ["festa"], "external_id": "crm-1" }),
            change: Some(json!({ "status": "customer" })),
            bad: vec![
                ("name", json!(" ")),
                ("name", json!("x".repeat(201))),
                ("email", json!("ana")),
                ("phone", json!("12")),
                ("status", json!("king")),
                ("tags", json!(["\u{0}"])),
                ("notes", json!("x".repeat(5001))),
                ("external_id", json!("a\nb")),
            ],
        },
        Resource {
            path: "/pipelines",
            kind: "pipeline",
            make: json!({ "name": "Festas", "stages": [{ "slug": "novo", "name": "Novo" }] }),
            change: Some(json!({ "name": "Festas e eventos" })),
            bad: vec![
                ("stages", json!([])),
                ("stages[0].slug", json!([{ "slug": "Não", "name": "x" }])),
                ("stages[0].name", json!([{ "slug": "nao", "name": "" }])),
            ],
        },
        Resource {
            path: "/deals",
            kind: "deal",
            make: json!({ "title": "Bolo", "pipeline_id": pipeline, "contact_id": contact, "value_cents": 9900 }),
            change: Some(json!({ "stage": "proposta", "status": "won" })),
            bad: vec![
                ("value_cents", json!(-1)),
                ("value_cents", json!(1.5)),
                ("value_cents", json!(99_999_999_999_999_999_i64)),
                ("currency", json!("reais")),
                ("stage", json!("nenhuma")),
                ("pipeline_id", json!(NOBODY)),
                ("contact_id", json!(NOBODY)),
                ("contact_id", json!("x")),
            ],
        },
        Resource {
            path: "/tasks",
            kind: "task",
            make: json!({ "title": "Ligar", "due_at": "2027-03-01T09:00:00-03:00", "contact_id": contact }),
            change: Some(json!({ "status": "done", "due_at": null })),
            bad: vec![
                ("title", json!("")),
                ("due_at", json!("amanhã")),
                ("deal_id", json!(NOBODY)),
                ("assignee", json!(NOBODY)),
                ("status", json!("later")),
            ],
        },
        Resource {
            path: "/products",
            kind: "product",
            make: json!({ "name": "Pão francês", "sku": "P-1", "price_cents": 120 }),
            change: Some(json!({ "price_cents": 130, "sku": null })),
            bad: vec![
                ("price_cents", json!(-1)),
                ("price_cents", json!("1")),
                ("currency", json!("R$")),
                ("is_active", json!("yes")),
                ("sku", json!("x".repeat(65))),
            ],
        },
        Resource {
            path: "/conversations",
            kind: "conversation",
            make: json!({ "channel": "whatsapp", "contact_id": contact, "subject": "Bolo" }),
            change: Some(json!({ "status": "resolved" })),
            bad: vec![
                ("channel", json!("pigeon")),
                ("assigned_to", json!(NOBODY)),
                ("contact_id", json!(NOBODY)),
                ("subject", json!("x".repeat(201))),
            ],
        },
        Resource {
            path: "/scheduled-messages",
            kind: "scheduled_message",
            make: json!({ "contact_id": contact, "channel": "whatsapp", "text": "Oi", "send_at": tomorrow() }),
            change: None,
            bad: vec![
                ("send_at", json!("2020-01-01T00:00:00Z")),
                ("send_at", json!("2100-01-01T00:00:00Z")),
                ("send_at", json!("")),
                ("contact_id", json!(NOBODY)),
                ("channel", json!("email")),
                ("text", json!("")),
            ],
        },
    ]
}

fn with(body: &Value, field: &str, value: &Value) -> Value {
    let mut body = body.clone();
    body[field.split('[').next().unwrap()] = value.clone();
    body
}

async fn audited(app: &TestApp, kind: &str, verb: &str) -> i64 {
    let query = format!("SELECT count(*) FROM audit_entries WHERE action = '{kind}.{verb}'");
    app.count(&query).await
}

#[tokio::test]
async fn t13_every_resource_is_made_changed_and_removed_on_the_record() {
    let (app, manager) = manager().await;
    for Resource { path, kind, make, change, .. } in all(&manager).await {
        let before = audited(&app, kind, "create").await;
        let made = post(&manager, path, make).await;
        let one = format!("{path}/{}", id(&made));
        assert_eq!(get(&manager, &one).await, made);
        assert_eq!(get(&manager, path).await["data"][0], made, "newest first");
        assert_eq!(audited(&app, kind, "create").await, before + 1);
        let Some(change) = change else { continue };
        let changed = patch(&manager, &one, change.clone()).await;
        for (field, value) in change.as_object().unwrap() {
            assert_eq!(&changed[field], value, "{path}");
        }
        assert_eq!(get(&manager, &one).await, changed);
        assert_eq!(audited(&app, kind, "update").await, 1);
        let gone = manager.api(Method::DELETE, &format!("/api/v1{one}"), None).await;
        assert_eq!(gone.status(), 204, "{path}");
        assert_eq!(refused(&manager, Method::GET, &one, None).await.0, 404);
        assert_eq!(refused(&manager, Method::DELETE, &one, None).await.0, 404);
        let both = "SELECT count(*) FROM audit_entries WHERE before IS NOT NULL AND after IS NOT NULL";
        assert!(app.count(&format!("{both} AND action = '{kind}.update'")).await == 1);
        assert_eq!(audited(&app, kind, "delete").await, 1);
    }
}

#[tokio::test]
async fn s5_strangers_and_viewers_change_nothing() {
    let (app, manager) = manager().await;
    let viewer = app.member("viewer@example.org", TENANT, "viewer").await;
    let operator = app.member("operator@example.org", TENANT, "operator").await;
    let stranger = app.visitor("");
    for Resource { path, make, change, .. } in all(&manager).await {
        let one = format!("{path}/{}", id(&post(&manager, path, make.clone()).await));
        let mut doors = vec![(Method::POST, path.to_owned(), Some(make))];
        match change {
            Some(change) => {
                doors.push((Method::PATCH, one.clone(), Some(change)));
                doors.push((Method::DELETE, one.clone(), None));
            }
            None => doors.push((Method::POST, format!("{one}/cancel"), None)),
        }
        for (method, path, body) in doors {
            let found = refused(&viewer, method.clone(), &path, body.clone()).await;
            assert_eq!((found.0, found.1.as_str()), (403, "forbidden"), "{method} {path}");
            let found = refused(&stranger, method.clone(), &path, body).await;
            assert_eq!((found.0, found.1.as_str()), (401, "unauthenticated"), "{method} {path}");
        }
        for path in [path, one.as_str()] {
            get(&viewer, path).await;
            assert_eq!(refused(&stranger, Method::GET, path, None).await.0, 401, "{path}");
        }
        let found = refused(&operator, Method::DELETE, &one, None).await.0;
        assert!([403, 405].contains(&found), "operators remove nothing: {one}");
    }
    assert_eq!(app.count("SELECT count(*) FROM audit_entries WHERE actor_name LIKE 'viewer%'").await, 0);
}

/// A key of the platform works in no tenant.
#[tokio::test]
async fn s9_without_a_tenant_there_is_no_data() {
    let (app, _) = TestApp::with_admin().await;
    let key = app.platform_key().await;
    let request = app.visitor("").client.get(format!("{}/api/v1/contacts", app.url)).bearer_auth(key);
    assert_eq!(problem(request.send().await.unwrap()).await, (403, "tenant_required".to_owned()));
}

#[tokio::test]
async fn s9_another_tenant_s_rows_do_not_exist() {
    let (app, manager) = manager().await;
    app.tenant("Outra", "outra").await;
    let other = app.member("other@example.org", "outra", "owner").await;
    for Resource { path, make, change, .. } in all(&manager).await {
        let one = format!("{path}/{}", id(&post(&manager, path, make).await));
        let missing = (404, "not_found".to_owned(), String::new());
        assert_eq!(refused(&other, Method::GET, &one, None).await, missing, "{one}");
        if let Some(change) = change {
            assert_eq!(refused(&other, Method::PATCH, &one, Some(change)).await, missing, "{one}");
            assert_eq!(refused(&other, Method::DELETE, &one, None).await, missing, "{one}");
        }
        assert_eq!(get(&other, path).await, json!({ "data": [], "next_cursor": null }), "{path}");
        get(&manager, &one).await;
    }
    let theirs = contact(&other, "Deles").await;
    let ours = json!({ "title": "Ligar", "contact_id": theirs });
    assert_eq!(refused(&manager, Method::POST, "/tasks", Some(ours)).await, invalid("contact_id"));
}

#[tokio::test]
async fn s5_what_nobody_asked_for_is_refused_by_name() {
    let (app, manager) = manager().await;
    for Resource { path, kind, make, bad, change } in all(&manager).await {
        let before = audited(&app, kind, "create").await;
        for field in ["tenant_id", "id", "created_at"] {
            let body = with(&make, field, &json!(NOBODY));
            assert_eq!(refused(&manager, Method::POST, path, Some(body)).await, invalid(field), "{path}");
        }
        for (field, value) in &bad {
            let body = with(&make, field, value);
            let found = refused(&manager, Method::POST, path, Some(body)).await;
            let field = if found.2 == "tags[0]" { "tags[0]" } else { field };
            assert_eq!(found, invalid(field), "{path} {value}");
        }
        assert_eq!(audited(&app, kind, "create").await, before, "{path}: nothing was half done");
        if change.is_some() {
            let one = format!("{path}/{}", id(&post(&manager, path, make.clone()).await));
            for (field, value) in &bad {
                let body = with(&json!({}), field, value);
                assert_eq!(refused(&manager, Method::PATCH, &one, Some(body)).await, invalid(field), "{one}");
            }
            let injected = json!({ "tenant_id": NOBODY });
            assert_eq!(refused(&manager, Method::PATCH, &one, Some(injected)).await, invalid("tenant_id"));
            assert_eq!(audited(&app, kind, "update").await, 0, "{path}: nothing was half done");
        }
    }
}

#[tokio::test]
async fn lists_go_page_by_page_and_refuse_nonsense() {
    let (_app, manager) = manager().await;
    for name in ["A", "B", "C"] {
        contact(&manager, name).await;
    }
    let first = get(&manager, "/contacts?limit=2").await;
    assert_eq!((&first["data"][0]["name"], &first["data"][1]["name"]), (&json!("C"), &json!("B")));
    let cursor = first["next_cursor"].as_str().unwrap();
    let last = get(&manager, &format!("/contacts?limit=2&cursor={cursor}")).await;
    assert_eq!((last["data"].as_array().unwrap().len(), &last["next_cursor"]), (1, &Value::Null));
    for Resource { path, .. } in all(&manager).await {
        for (query, field) in [("limit=0", "limit"), ("limit=201", "limit"), ("cursor=x", "cursor")] {
            let found = refused(&manager, Method::GET, &format!("{path}?{query}"), None).await;
            assert_eq!(found, invalid(field), "{path}?{query}");
        }
        assert_eq!(
            refused(&manager, Method::GET, &format!("{path}?tenant_id=x"), None).await.0,
            422,
            "{path}"
        );
        assert_eq!(refused(&manager, Method::GET, &format!("{path}/x"), None).await.0, 404, "{path}");
    }
    let answer = manager.api(Method::PUT, "/api/v1/contacts", None).await;
    assert_eq!(problem(answer).await.0, 405);
}

/// D6: a program that says what it saw does not write over what it did not see.
#[tokio::test]
async fn d6_a_change_from_an_old_version_is_a_conflict() {
    let (app, manager) = manager().await;
    let backend = app.backend(TENANT, TenantRole::Owner).await;
    for Resource { path, make, change, .. } in all(&manager).await {
        let made = post(&manager, path, make).await;
        let one = format!("{path}/{}", id(&made));
        let Some(change) = change else { continue };
        let send = async |method: Method, version: &str| {
            let body = (method == Method::PATCH).then(|| change.clone());
            backend.with_headers(method, &one, body, &[("If-Match", version)]).await
        };
        let first = made["version"].to_string();
        // Of two at once one wins.
        let (one_of, other) = tokio::join!(send(Method::PATCH, &first), send(Method::PATCH, &first));
        let mut answers = [one_of.status().as_u16(), other.status().as_u16()];
        answers.sort_unstable();
        assert_eq!(answers, [200, 409], "{path}");
        let conflict = (409, "conflict".to_owned());
        assert_eq!(problem(send(Method::PATCH, &first).await).await, conflict, "{path}");
        assert_eq!(problem(send(Method::DELETE, &first).await).await, conflict, "{path}");
        assert_eq!(problem(send(Method::PATCH, "x").await).await.0, 422, "{path}");
        let now = get(&manager, &one).await["version"].clone();
        assert!(now.as_i64() > made["version"].as_i64(), "{path}");
        let quoted = format!("\"{now}\"");
        assert_eq!(send(Method::PATCH, &quoted).await.status(), 200, "{path}");
        assert_eq!(send(Method::DELETE, "*").await.status(), 204, "{path}");
    }
}
