//! G8, G9, G13: message, menu, choice, tool, outcome.

use super::{reply, tools};
use crate::{
    items::{Mood, titles, with_web},
    workshop::{NOBODY, TENANT, workshop},
};
use domain::TenantRole;
use reqwest::Method;
use serde_json::json;

const MENU: &str = "Recebi sua mensagem. O que deseja fazer?\n\n1. 💡 Salvar como nota\n2. 🎬 Salvar como filme\n\
                    3. 📺 Salvar como série\n4. 🎥 Salvar como vídeo\n5. 🔗 Salvar como link\n6. ❌ Cancelar";

#[tokio::test]
async fn g8_g9_a_message_brings_the_menu_and_a_choice_saves() {
    let (app, owner) = workshop().await;
    let asked = owner.say(None, "Comprar pão").await;
    assert_eq!((&asked["state"], reply(&asked)), (&json!("awaiting_choice"), MENU));
    assert_eq!(
        asked["options"][0],
        json!({ "number": 1, "tool": "save_note", "icon": "💡", "label": "Salvar como nota" })
    );
    assert_eq!(asked["options"][5], json!({ "number": 6, "tool": null, "icon": "❌", "label": "Cancelar" }));
    assert_eq!(asked["execution"], json!(null));
    let done = owner.say(Some(&asked), "1").await;
    assert_eq!((&done["state"], reply(&done)), (&json!("done"), "Nota salva. 💡"));
    assert_eq!((&done["execution"]["status"], &done["options"]), (&json!("success"), &json!([])));
    assert_eq!(titles(&owner.get("/items").await["data"]), ["Comprar pão"]);
    let calls = owner.get("/executions").await;
    assert_eq!(
        (&calls["data"][0]["tool_name"], &calls["data"][0]["conversation_id"]),
        (&json!("save_note"), &asked["conversation_id"])
    );
    let again = owner.say(Some(&done), "Outra coisa").await;
    assert_eq!(reply(&again), MENU, "the same conversation goes on");
    let whole =
        owner.get(&format!("/assistant/conversations/{}", asked["conversation_id"].as_str().unwrap())).await;
    let lines: Vec<_> = whole["lines"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| line["text"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(lines, ["Comprar pão", MENU, "1", "Nota salva. 💡", "Outra coisa", MENU]);
    assert_eq!(app.count("SELECT count(*) FROM items").await, 1);
}

#[tokio::test]
async fn g9_in_english_too() {
    let (_app, owner) = workshop().await;
    let english = [("accept-language", "en")];
    let say = async |body| {
        let answer = owner.with_headers(Method::POST, "/assistant/messages", Some(body), &english).await;
        answer.json::<serde_json::Value>().await.unwrap()
    };
    let asked = say(json!({ "text": "Buy bread" })).await;
    assert!(
        reply(&asked).starts_with("I got your message.") && reply(&asked).ends_with("6. ❌ Cancel"),
        "{asked}"
    );
    let done = say(json!({ "text": "Save as note", "conversation_id": asked["conversation_id"] })).await;
    assert_eq!(reply(&done), "Note saved. 💡");
}

#[tokio::test]
async fn g13_several_films_become_a_question_in_the_conversation() {
    let (_app, _web, key) = with_web().await;
    let asked = key.say(None, "Matrix").await;
    let which = key.say(Some(&asked), "filme").await;
    assert_eq!(which["state"], "awaiting_details", "{which}");
    assert!(reply(&which).ends_with("1. 🎬 Matrix (1999)\n2. 🎬 Matrix Reloaded (2003)\n3. 🎬 Matrix Revolutions (2003)\n4. ❌ Nenhum destes"), "{}", reply(&which));
    let done = key.say(Some(&which), "1").await;
    assert_eq!((&done["state"], reply(&done)), (&json!("done"), "Salvo: 🎬 Matrix (1999)."));
    let items = key.get("/items").await;
    assert_eq!(
        (items["data"].as_array().unwrap().len(), &items["data"][0]["details"]["tmdb_id"]),
        (1, &json!(603))
    );
    let again = key.say(None, "matrix 1999").await;
    assert_eq!(tools(&again)[0], "save_movie", "a title with its year: the likely choice first");
    let done = key.say(Some(&again), "1").await;
    assert_eq!(reply(&done), "Já estava salvo: Matrix.");
}

#[tokio::test]
async fn g9_links_and_videos_put_the_likely_choice_first() {
    let (_app, web, key) = with_web().await;
    let video = key.say(None, "olha https://youtu.be/dQw4w9WgXcQ").await;
    assert_eq!(tools(&video)[0], "save_video");
    assert_eq!(reply(&key.say(Some(&video), "1").await), "Salvo: 🎥 Rick Astley - Never Gonna Give You Up.");
    let link = key.say(None, &format!("{}/pao", web.url)).await;
    assert_eq!(tools(&link)[0], "save_link");
    assert_eq!(reply(&key.say(Some(&link), "🔗").await), "Salvo: 🔗 Receita de pão.");
    let asked = key.say(None, "sem link").await;
    let details = key.say(Some(&asked), "link").await;
    assert_eq!(details["state"], "awaiting_details");
    assert_eq!(
        key.say(Some(&details), "http://10.0.0.1/").await["reply"].as_str().unwrap(),
        "Salvo: 🔗 10.0.0.1. Não há prévia: a página não a oferece ou não pode ser aberta daqui."
    );
}

#[tokio::test]
async fn g13_without_a_key_or_an_answer_it_is_saved_and_told() {
    let (_app, owner) = workshop().await;
    let asked = owner.say(None, "Central do Brasil (1998)").await;
    let done = owner.say(Some(&asked), "1").await;
    assert!(
        reply(&done).starts_with("Salvo: 🎬 Central do Brasil. Faltam os detalhes do TMDB"),
        "{}",
        reply(&done)
    );
    let (_app, web, key) = with_web().await;
    web.set(Mood { status: Some(500), ..Mood::default() });
    let asked = key.say(None, "The Matrix").await;
    let done = key.say(Some(&asked), "2").await;
    assert!(reply(&done).contains("Tento de novo mais tarde"), "{}", reply(&done));
    assert_eq!(key.get("/items").await["data"][0]["enrichment"]["state"], "waiting");
}

/// An administrator's switch is seen in the next menu, and an old choice is refused and explained.
#[tokio::test]
async fn g6_g9_a_switch_is_seen_at_once_and_an_old_choice_explained() {
    let (app, owner) = workshop().await;
    let admin = app.sign_in("admin@example.org").await;
    let asked = owner.say(None, "Matrix").await;
    let switch =
        async |on| admin.ask("switch_global_tool", &[("tool_name", "save_movie"), ("enabled", on)]).await;
    switch("false").await;
    let told = owner.say(Some(&asked), "2").await;
    assert_eq!(told["state"], "awaiting_choice");
    assert!(reply(&told).starts_with("“Salvar como filme” não está mais disponível"), "{}", reply(&told));
    assert!(!tools(&told).contains(&"save_movie") && reply(&told).ends_with("5. ❌ Cancelar"));
    assert!(!tools(&owner.say(None, "outra").await).contains(&"save_movie"));
    switch("true").await;
    assert!(tools(&owner.say(None, "outra").await).contains(&"save_movie"));
    assert_eq!(app.count("SELECT count(*) FROM items").await, 0);
}

#[tokio::test]
async fn g9_a_choice_after_it_expired_does_nothing() {
    let (app, owner) = workshop().await;
    let asked = owner.say(None, "nota").await;
    app.change("UPDATE assistant_conversations SET expires_at = 1").await;
    let over = owner.say(Some(&asked), "1").await;
    assert_eq!((&over["state"], &over["options"]), (&json!("expired"), &json!([])));
    assert_eq!(app.count("SELECT count(*) FROM items").await, 0);
    assert_eq!(reply(&owner.say(Some(&over), "nova").await), MENU);
}

#[tokio::test]
async fn g9_bad_messages_are_refused_and_change_nothing() {
    let (app, owner) = workshop().await;
    for (text, code) in [
        ("", "required"),
        ("  \n ", "required"),
        ("\u{200b}\u{202e}", "required"),
        (&"x".repeat(100_000), "too_long"),
    ] {
        let errors = owner.invalid(Method::POST, "/assistant/messages", json!({ "text": text })).await;
        assert_eq!(errors, [("text".to_owned(), code.to_owned())]);
    }
    for text in ["🤷‍♀️", "\u{202e}olá\u{202c}", "مرحبا", "a\u{0}b", &"é".repeat(60_000)] {
        let asked = owner.say(None, text).await;
        assert_eq!(asked["state"], "awaiting_choice");
        assert_eq!(owner.say(Some(&asked), "1").await["state"], "done", "{text:.20}");
    }
    let body = json!({ "text": "x", "conversation_id": NOBODY });
    assert_eq!(
        owner.refused(Method::POST, "/assistant/messages", Some(body)).await,
        (404, "not_found".to_owned())
    );
    assert_eq!(app.count("SELECT count(*) FROM items").await, 5);
}

#[tokio::test]
async fn g9_a_conversation_is_its_owner_s() {
    let (app, owner) = workshop().await;
    let asked = owner.say(None, "segredo").await;
    let body = json!({ "text": "1", "conversation_id": asked["conversation_id"] });
    for role in [TenantRole::Owner, TenantRole::Viewer] {
        let other = app.backend(TENANT, role).await;
        assert_eq!(
            other.refused(Method::POST, "/assistant/messages", Some(body.clone())).await,
            (404, "not_found".to_owned())
        );
    }
    let viewer = app.backend(TENANT, TenantRole::Viewer).await;
    let asked = viewer.say(None, "minha nota").await;
    assert_eq!(
        viewer.say(Some(&asked), "1").await["state"],
        "done",
        "one's own things need no right to tools"
    );
}
