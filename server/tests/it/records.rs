//! The pages of contacts and what belongs to them, through the doors that their forms use.

use crate::app::{Person, TestApp};
use ::app::api::records::RecordKind;
use reqwest::StatusCode;
use serde_json::{Value, json};

async fn saved(person: &Person, kind: &str, id: &str, fields: &[(&str, &str)]) -> String {
    let mut form = vec![("kind", kind), ("id", id)];
    form.extend(fields);
    let answer = person.ask("save_record", &form).await;
    answer["href"].as_str().unwrap().rsplit('/').next().unwrap().to_owned()
}

/// The form of a record that is there.
async fn form_of(person: &Person, kind: &str, id: &str) -> Value {
    let found = person.ask("get_record", &[("kind", kind), ("id", id)]).await;
    assert_eq!(found["id"], id, "the page knows which record it got");
    found["form"].clone()
}

fn value<'a>(form: &'a Value, name: &str) -> &'a str {
    let fields = form["fields"].as_array().unwrap();
    fields.iter().find(|field| field["name"] == name).unwrap()["value"].as_str().unwrap()
}

#[tokio::test]
async fn t13_people_write_the_records_that_agents_work_on() {
    let (app, _) = TestApp::with_admin().await;
    let manager = app.member("manager@example.org", "padaria-central", "manager").await;
    let fields =
        [("fields[name]", "Ana"), ("fields[phone]", "+55 11 98888-7777"), ("fields[tags]", "vip, a ")];
    let contact = saved(&manager, "contacts", "new", &fields).await;
    let form = form_of(&manager, "contacts", &contact).await;
    assert_eq!((value(&form, "phone"), value(&form, "tags")), ("+5511988887777", "vip, a"));

    let stages = [("fields[name]", "Vendas"), ("fields[stages]", "Novo\r\nfeito: Feito\r\n")];
    let pipeline = saved(&manager, "pipelines", "new", &stages).await;
    let place = format!("{pipeline}/feito");
    let deal = [
        ("fields[title]", "Bolo"),
        ("fields[place]", place.as_str()),
        ("fields[value]", "1.234,50"),
        ("fields[currency]", "brl"),
        ("fields[contact_id]", contact.as_str()),
    ];
    saved(&manager, "deals", "new", &deal).await;
    let deals = manager.ask("list_records", &[("kind", "deals"), ("status", &place)]).await;
    let cells: Vec<&str> = deals["rows"][0]["cells"]
        .as_array()
        .unwrap()
        .iter()
        .map(|cell| cell["text"].as_str().unwrap())
        .collect();
    assert_eq!(cells[..4], ["Feito", "Em aberto", "Ana", "R$ 1.234,50"]);
    let other =
        manager.ask("list_records", &[("kind", "deals"), ("status", &format!("{pipeline}/novo"))]).await;
    assert_eq!(other["rows"], json!([]));

    let task = [
        ("fields[title]", "Ligar"),
        ("fields[contact_id]", &contact),
        ("fields[due_at]", "2027-03-10T15:30"),
    ];
    let task = saved(&manager, "tasks", "new", &task).await;
    let form = form_of(&manager, "tasks", &task).await;
    assert_eq!(value(&form, "due_at"), "2027-03-10T15:30:00Z", "without scripts the field is in UTC");
    let people = form["fields"].as_array().unwrap().iter().find(|field| field["name"] == "assignee").unwrap();
    assert!(people["choices"].as_array().unwrap().len() > 2, "members to choose from: {people}");

    let form = form_of(&manager, "contacts", &contact).await;
    assert_eq!(form["related"].as_array().unwrap().len(), 2, "its deal and its task");
    manager.ask("delete_record", &[("kind", "contacts"), ("id", &contact)]).await;
    assert_eq!(manager.ask("list_records", &[("kind", "contacts")]).await["rows"], json!([]));
}

#[tokio::test]
async fn s5_a_form_is_refused_at_its_field_and_with_fields_it_does_not_have() {
    let (app, _) = TestApp::with_admin().await;
    let manager = app.member("manager@example.org", "padaria-central", "manager").await;
    let refused = async |fields: &[(&str, &str)]| {
        let mut form = vec![("kind", "products"), ("id", "new")];
        form.extend(fields);
        let answer = manager.call("save_record", &form).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
        let body: Value = answer.json().await.unwrap();
        (body["errors"][0]["field"].as_str().unwrap().to_owned(), body["errors"][0]["code"].clone())
    };
    let price = ("fields[price]", "x");
    let whole = [("fields[name]", "Pão"), ("fields[currency]", "BRL"), price];
    assert_eq!(refused(&whole).await, ("price".to_owned(), json!("invalid")));
    assert_eq!(refused(&[("fields[name]", "")]).await, ("name".to_owned(), json!("required")));
    assert_eq!(refused(&[("fields[tenant_id]", "x")]).await, ("tenant_id".to_owned(), json!("unknown")));
}

#[tokio::test]
async fn s9_records_of_another_organisation_are_not_there() {
    let (app, _) = TestApp::with_admin().await;
    let manager = app.member("manager@example.org", "padaria-central", "manager").await;
    let contact = saved(&manager, "contacts", "new", &[("fields[name]", "Ana")]).await;
    app.tenant("Outra", "outra").await;
    let stranger = app.member("stranger@example.org", "outra", "owner").await;
    let at = [("kind", "contacts"), ("id", contact.as_str())];
    let gone = (404, "not_found".to_owned());
    assert_eq!(stranger.refused("get_record", &at).await, gone);
    assert_eq!(stranger.refused("delete_record", &at).await, gone);
    let renamed = [at[0], at[1], ("fields[name]", "Minha")];
    assert_eq!(stranger.refused("save_record", &renamed).await, gone);
    assert_eq!(stranger.ask("list_records", &[("kind", "contacts")]).await["rows"], json!([]));
    assert_eq!(stranger.refused("get_record", &[("kind", "tasks"), ("id", "x")]).await, gone);
}

/// Whoever may only read gets no empty form: neither its page nor what stands in it.
#[tokio::test]
async fn d5_the_form_of_a_new_record_is_for_those_who_may_create_one() {
    let (app, _) = TestApp::with_admin().await;
    for (role, may_create) in [("viewer", false), ("auditor", false), ("operator", true), ("manager", true)] {
        let person = app.member(&format!("{role}@example.org"), "padaria-central", role).await;
        for kind in RecordKind::ALL {
            let page = person.get(&format!("{}/new", kind.path())).await;
            let form = person.call("get_record", &[("kind", kind.as_str()), ("id", "new")]).await;
            let expected = if may_create { (200, 200) } else { (303, 403) };
            assert_eq!((page.status().as_u16(), form.status().as_u16()), expected, "{role} {kind:?}");
            assert_eq!(person.get(kind.path()).await.status(), 200, "{role} {kind:?}");
        }
    }
}

/// D6: what somebody else saved meanwhile is not written over by accident; whoever wants to, can.
#[tokio::test]
async fn d6_an_old_form_of_a_record_does_not_write_over_a_newer_state() {
    let (app, _) = TestApp::with_admin().await;
    let manager = app.member("manager@example.org", "padaria-central", "manager").await;
    let id = saved(&manager, "contacts", "new", &[("fields[name]", "Ana")]).await;
    let seen = form_of(&manager, "contacts", &id).await["seen_version"].to_string();
    let form = |name| [("kind", "contacts"), ("id", id.as_str()), ("fields[name]", name)];
    let from = |name, version| [form(name).as_slice(), &[("seen_version", version)]].concat();
    manager.ask("save_record", &from("Ana Maria", &seen)).await;
    let conflict = (409, "conflict".to_owned());
    assert_eq!(manager.refused("save_record", &from("Aninha", &seen)).await, conflict);
    assert_eq!(manager.refused("save_record", &form("Aninha")).await, conflict, "it saw none");
    let now = form_of(&manager, "contacts", &id).await;
    assert_eq!(value(&now, "name"), "Ana Maria");
    let over = [from("Aninha", &seen).as_slice(), &[("overwrite", "true")]].concat();
    manager.ask("save_record", &over).await;
    let now = form_of(&manager, "contacts", &id).await;
    assert_eq!(value(&now, "name"), "Aninha");
    manager.ask("save_record", &from("Ana", &now["seen_version"].to_string())).await;
}

/// Nobody else changed it: the stage is what is wrong.
#[tokio::test]
async fn d6_a_stage_with_deals_is_no_conflict_between_people() {
    let (app, _) = TestApp::with_admin().await;
    let manager = app.member("manager@example.org", "padaria-central", "manager").await;
    let stages = [("fields[name]", "Vendas"), ("fields[stages]", "novo: Novo\nfeito: Feito")];
    let pipeline = saved(&manager, "pipelines", "new", &stages).await;
    let place = format!("{pipeline}/feito");
    let deal = [("fields[title]", "Bolo"), ("fields[place]", place.as_str()), ("fields[currency]", "BRL")];
    saved(&manager, "deals", "new", &deal).await;
    let seen = form_of(&manager, "pipelines", &pipeline).await["seen_version"].to_string();
    let fewer = [
        ("kind", "pipelines"),
        ("id", pipeline.as_str()),
        ("seen_version", seen.as_str()),
        ("fields[name]", "Vendas"),
        ("fields[stages]", "novo: Novo"),
    ];
    let answer = manager.call("save_record", &fewer).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let body: Value = answer.json().await.unwrap();
    assert_eq!(
        (&body["errors"][0]["field"], &body["errors"][0]["code"]),
        (&json!("stages"), &json!("in_use"))
    );
}
