//! G9: an answer may name the menu that it answers. For another than the open one it is explained, and does nothing.

use super::reply;
use crate::{
    app::{Person, TestApp},
    items::{titles, with_web},
    workshop::{NOBODY, workshop},
};
use reqwest::Method;
use serde_json::{Value, json};

#[tokio::test]
async fn g9_a_late_choice_for_an_old_menu_is_no_choice_of_the_new_one() {
    let (app, owner) = workshop().await;
    let old = owner.say(None, "Comprar pão").await;
    assert_eq!(owner.choose(&old, "cancelar").await["menu_id"], json!(null), "nothing is open");
    let new = owner.say(Some(&old), "Comprar leite").await;
    assert!(new["menu_id"].is_string() && new["menu_id"] != old["menu_id"], "{new}");
    for late in ["1", "nota", "💡", "6", "cancelar", "1 e 2", "9"] {
        let told = owner.choose(&old, late).await;
        assert_eq!((&told["state"], &told["execution"]), (&json!("awaiting_choice"), &json!(null)), "{late}");
        assert_eq!((&told["menu_id"], &told["options"]), (&new["menu_id"], &new["options"]), "{late}");
        let why = "Isso já estava decidido, e nada mais foi feito. Cancelado. Nada foi salvo.\n\n\
                   Agora, a mensagem “Comprar leite”.";
        assert!(reply(&told).starts_with(why) && reply(&told).ends_with("6. ❌ Cancelar"), "{told}");
    }
    assert_eq!(app.count("SELECT count(*) FROM items").await, 0);
    assert_eq!(app.count("SELECT count(*) FROM executions").await, 0, "nothing was even called");
    let path = format!("/assistant/conversations/{}", old["conversation_id"].as_str().unwrap());
    assert_eq!(owner.get(&path).await["menu_id"], new["menu_id"], "for whoever looks");
    assert_eq!(owner.choose(&new, "1").await["state"], "done", "the open one is answered as ever");
    assert_eq!(titles(&owner.get("/items").await["data"]), ["Comprar leite"]);
    assert_eq!(owner.get(&path).await["menu_id"], json!(null));
}

#[tokio::test]
async fn g9_an_answer_names_what_it_saw_in_every_state() {
    let (app, web, key) = with_web().await;
    let menu = key.say(None, "Matrix").await;
    let again = key.choose(&menu, "9").await;
    assert_eq!(again["menu_id"], menu["menu_id"], "shown again, it is the same menu");
    let which = key.choose(&menu, "filme").await;
    assert_eq!(which["state"], "awaiting_details");
    assert_ne!(which["menu_id"], menu["menu_id"], "a question is another one");
    let told = key.choose(&menu, "2").await;
    assert_eq!((&told["state"], &told["menu_id"]), (&json!("awaiting_details"), &which["menu_id"]));
    assert!(reply(&told).starts_with("Essa resposta era para um menu que não está mais aberto"), "{told}");
    assert!(reply(&told).ends_with("4. ❌ Nenhum destes"), "the question again: {told}");
    assert_eq!(reply(&key.choose(&which, "1").await), "Salvo: 🎬 Matrix (1999).");
    // Long after: it is not something to save.
    app.change("UPDATE assistant_conversations SET expires_at = 1").await;
    for (seen, why) in [(&menu, "Essa resposta era"), (&which, "Isso já estava decidido")] {
        let told = key.choose(seen, "1").await;
        assert_eq!((&told["state"], reply(&told).starts_with(why)), (&json!("done"), true), "{told}");
    }
    assert_eq!(
        key.choose(&menu, "Comprar leite").await["state"],
        "awaiting_choice",
        "a message is a message"
    );
    let nowhere = json!({ "text": "1", "menu_id": NOBODY });
    let nowhere = key.post(200, "/assistant/messages", nowhere).await;
    assert_eq!((&nowhere["state"], &nowhere["options"]), (&json!("expired"), &json!([])));
    let bad = json!({ "text": "1", "menu_id": "1" });
    assert_eq!(key.refused(Method::POST, "/assistant/messages", Some(bad)).await.0, 422);
    assert_eq!(titles(&key.get("/items").await["data"]), ["Matrix"]);
    drop(web);
}

/// What a switch changed is another menu: its numbers mean something else.
#[tokio::test]
async fn g6_g9_a_number_of_the_menu_before_a_switch_is_explained() {
    let (app, owner) = workshop().await;
    let admin = app.sign_in("admin@example.org").await;
    let old = owner.say(None, "Dark").await;
    admin.ask("switch_global_tool", &[("tool_name", "save_movie"), ("enabled", "false")]).await;
    let new = owner.choose(&old, "2").await;
    assert!(reply(&new).starts_with("“Salvar como filme” não está mais disponível"), "{new}");
    let told = owner.choose(&old, "2").await;
    assert!(
        reply(&told).starts_with("Essa resposta era"),
        "2 is the series now, and nobody meant it: {told}"
    );
    assert_eq!(told["menu_id"], new["menu_id"]);
    assert_eq!(app.count("SELECT count(*) FROM items").await, 0);
}

/// The fields of the form with that button, as a browser would send them.
fn button(html: &str, label: &str) -> Vec<(String, String)> {
    let mut forms = html.split("<form").skip(1).filter_map(|form| form.split("</form>").next());
    let form = forms.find(|form| form.contains(label)).unwrap_or_else(|| panic!("no {label} in {html}"));
    let field = |input: &str| {
        let value =
            |name: &str| Some(input.split(&format!("{name}=\"")).nth(1)?.split('"').next()?.to_owned());
        Some((value("name")?, value("value")?))
    };
    form.split("<input").skip(1).filter_map(field).collect()
}

async fn click(person: &Person, button: &[(String, String)]) -> String {
    let fields: Vec<(&str, &str)> =
        button.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    person.submit("/assistant", "send_to_assistant", &fields).await;
    html(person).await
}

async fn html(person: &Person) -> String {
    person.get("/assistant").await.text().await.unwrap()
}

/// A tab that was left open: its buttons name the menu that it shows.
#[tokio::test]
async fn g9_a_button_of_an_old_page_is_explained_on_the_new_one() {
    let (app, _) = TestApp::with_admin().await;
    let viewer = app.member("viewer@example.org", "padaria-central", "viewer").await;
    viewer.submit("/assistant", "send_to_assistant", &[("text", "Comprar pão")]).await;
    let old = html(&viewer).await;
    let note = button(&old, "Salvar como nota");
    assert_eq!(
        note.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(),
        ["conversation_id", "menu_id", "text"]
    );
    assert!(click(&viewer, &button(&old, "Cancelar")).await.contains("Cancelado. Nada foi salvo."));
    // Another conversation, as a page begins one: the answer is explained there, where the page looks.
    viewer.submit("/assistant", "send_to_assistant", &[("text", "Comprar leite")]).await;
    let told = click(&viewer, &note).await;
    assert!(told.contains("Comprar leite") && told.contains("Essa resposta era para um menu"), "{told}");
    assert_eq!(app.count("SELECT count(*) FROM items").await, 0);
    assert!(click(&viewer, &button(&told, "Salvar como nota")).await.contains("Nota salva."));
    // Nothing is open any more, and a tab that old is told so.
    let told = click(&viewer, &note).await;
    assert!(told.contains("Nota salva.") && told.matches(">Essa resposta era").count() == 2, "{told}");
    let items: Value = viewer.api(Method::GET, "/api/v1/items", None).await.json().await.unwrap();
    assert_eq!(titles(&items["data"]), ["Comprar leite"]);
}
