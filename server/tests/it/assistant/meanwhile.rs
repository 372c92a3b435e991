//! G9: people do not take turns. Two devices answer one menu, somebody writes while a tool runs, a process ends.

use super::reply;
use crate::{
    items::{titles, until, with_web},
    workshop::workshop,
};
use serde_json::json;

/// Eight answers from two devices, each at a process of its own, half of them naming the menu: one runs, and every other
/// is told that it runs or what came of it.
#[tokio::test]
async fn g9_two_devices_choose_at_once_and_one_runs() {
    let (app, owner) = workshop().await;
    let replica = app.replica().await;
    let devices = [owner.clone(), replica.backend_of(owner.key.clone())];
    for round in 1..=10 {
        let asked = owner.say(None, &format!("nota {round}")).await;
        let answers = (0..8).map(|racer| {
            let (device, asked) = (&devices[racer % 2], &asked);
            async move {
                if racer < 4 { device.say(Some(asked), "1").await } else { device.choose(asked, "1").await }
            }
        });
        let answers = futures::future::join_all(answers).await;
        let (ran, told): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| !answer["execution"].is_null());
        assert_eq!((ran.len(), told.len()), (1, 7), "{answers:?}");
        assert_eq!((&ran[0]["state"], reply(ran[0])), (&json!("done"), "Nota salva. 💡"));
        for answer in told {
            let why = match answer["state"].as_str().unwrap() {
                "running" => "Ainda estou cuidando da sua escolha anterior. Um momento.",
                "done" => "Isso já estava decidido, e nada mais foi feito. Nota salva. 💡",
                other => panic!("{other}: {answer}"),
            };
            assert_eq!(reply(answer), why);
        }
        assert_eq!(app.count("SELECT count(*) FROM items").await, round);
        assert_eq!(
            app.count("SELECT count(*) FROM executions").await,
            round,
            "one call, and no other was tried"
        );
        let odd = "SELECT count(*) FROM items WHERE title NOT LIKE 'nota %'";
        assert_eq!(app.count(odd).await, 0, "nobody meant to save a number");
    }
}

/// Two menus in a row: whoever loses the race for the first one has not chosen of the second.
#[tokio::test]
async fn g9_who_comes_too_late_for_a_menu_does_not_choose_of_the_next() {
    let (app, owner) = workshop().await;
    for round in 1..=10 {
        let first = owner.say(None, &format!("primeira {round}")).await;
        let cancel = owner.choose(&first, "cancelar");
        let next = async { owner.say(Some(&first), &format!("segunda {round}")).await };
        let late = futures::future::join_all((0..6).map(|_| owner.choose(&first, "1")));
        let (_, _, late) = futures::future::join3(cancel, next, late).await;
        let ran = late.iter().filter(|answer| !answer["execution"].is_null()).count();
        assert!(ran <= 1, "{late:?}");
    }
    let other = "SELECT count(*) FROM items WHERE title NOT LIKE 'primeira %'";
    assert_eq!(app.count(other).await, 0, "what was answered was the first menu");
}

#[tokio::test]
async fn g9_different_answers_at_once_lead_to_one_outcome() {
    let (app, owner) = workshop().await;
    for round in 0..10 {
        let asked = owner.say(None, &format!("isto {round}")).await;
        let answers = ["1", "cancelar", "nota", "6", "💡", "❌", "9", "1 e 2"];
        let answers = futures::future::join_all(answers.map(|text| owner.say(Some(&asked), text))).await;
        let ran = answers.iter().filter(|answer| !answer["execution"].is_null()).count();
        let cancelled = answers.iter().filter(|answer| reply(answer) == "Cancelado. Nada foi salvo.").count();
        assert_eq!(ran + cancelled, 1, "{answers:?}");
    }
    let odd = "SELECT count(*) FROM items WHERE title NOT LIKE 'isto %'";
    assert_eq!(app.count(odd).await, 0, "nobody meant to save a number");
}

#[tokio::test]
async fn g9_a_late_answer_is_told_the_outcome() {
    let (app, owner) = workshop().await;
    let asked = owner.say(None, "Comprar pão").await;
    owner.say(Some(&asked), "1").await;
    for late in ["1", "nota", "💡", "6", "cancelar", "dois"] {
        let told = owner.say(Some(&asked), late).await;
        assert_eq!(
            (&told["state"], &told["execution"], &told["options"]),
            (&json!("done"), &json!(null), &json!([]))
        );
        assert_eq!(reply(&told), "Isso já estava decidido, e nada mais foi feito. Nota salva. 💡", "{late}");
    }
    assert_eq!(app.count("SELECT count(*) FROM items").await, 1);
    let path = format!("/assistant/conversations/{}", asked["conversation_id"].as_str().unwrap());
    assert_eq!(owner.get(&path).await["lines"].as_array().unwrap().len(), 16, "said and answered, each");
    let next = owner.say(Some(&asked), "Comprar leite").await;
    assert_eq!(next["state"], "awaiting_choice", "what is no answer is a new message");
    app.change("UPDATE assistant_conversations SET expires_at = 1").await;
    let over = owner.say(Some(&next), "1").await;
    assert_eq!(over["state"], "expired");
    let again = owner.say(Some(&over), "1").await;
    assert_eq!(
        (&again["state"], reply(&again).starts_with("Isso já estava decidido")),
        (&json!("expired"), true)
    );
    assert_eq!(app.count("SELECT count(*) FROM items").await, 1);
}

#[tokio::test]
async fn g9_g13_cancelling_in_the_details_saves_no_film_of_that_name() {
    let (app, _web, key) = with_web().await;
    for answer in ["1", "cancelar", "❌"] {
        let asked = key.say(None, &"uma história longa demais ".repeat(20)).await;
        let title = key.say(Some(&asked), "filme").await;
        assert_eq!(title["state"], "awaiting_details");
        let beyond = key.say(Some(&title), "7").await;
        assert!(reply(&beyond).starts_with("Não há a opção 7."), "{beyond}");
        assert_eq!(key.say(Some(&title), answer).await["state"], "cancelled", "{answer}");
    }
    assert_eq!(app.count("SELECT count(*) FROM items").await, 0);
    for answer in ["cancelar", "cancel"] {
        let asked = key.say(None, "Matrix").await;
        let which = key.say(Some(&asked), "filme").await;
        assert!(reply(&key.say(Some(&which), "9").await).starts_with("Não há a opção 9."));
        assert_eq!(key.say(Some(&which), answer).await["state"], "cancelled");
    }
    let other = "SELECT count(*) FROM items WHERE title <> 'Matrix'";
    assert_eq!(app.count(other).await, 0);
}

/// What is written while a tool runs is neither lost nor an answer to what the tool asks next.
#[tokio::test]
async fn g9_a_message_during_a_run_waits_for_its_menu() {
    let (_app, web, key) = with_web().await;
    let asked = key.say(None, "Matrix").await;
    let path = format!("/assistant/conversations/{}", asked["conversation_id"].as_str().unwrap());
    web.hold(true);
    let chosen = tokio::spawn({
        let (key, asked) = (key.clone(), asked.clone());
        async move { key.say(Some(&asked), "filme").await }
    });
    until("it asks", || async { (!web.asked().is_empty()).then_some(()) }).await;
    assert_eq!(key.get(&path).await["state"], "running");
    for answer in ["1", "cancelar"] {
        let told = key.say(Some(&asked), answer).await;
        assert_eq!(
            (&told["state"], reply(&told).starts_with("Ainda estou")),
            (&json!("running"), true),
            "{told}"
        );
    }
    let kept = key.say(Some(&asked), "Comprar leite").await;
    assert_eq!((&kept["state"], reply(&kept).starts_with("Recebi.")), (&json!("running"), true), "{kept}");
    web.hold(false);
    let which = chosen.await.unwrap();
    assert_eq!(which["state"], "awaiting_details", "the 1 from before is no answer to this: {which}");
    let next = key.say(Some(&asked), "1").await;
    let wanted = "Salvo: 🎬 Matrix (1999).\n\nAgora, a mensagem “Comprar leite”.\nRecebi sua mensagem.";
    assert!(reply(&next).starts_with(wanted), "{next}");
    assert_eq!(next["state"], "awaiting_choice");
    assert_eq!(key.say(Some(&asked), "nota").await["state"], "done");
    assert_eq!(titles(&key.get("/items").await["data"]), ["Comprar leite", "Matrix"]);
}

/// S21: whatever the state is, another process goes on with it.
#[tokio::test]
async fn g9_s21_a_restart_in_the_middle_loses_nothing() {
    let (app, owner) = workshop().await;
    let asked = owner.say(None, "antes do reinício").await;
    let other = app.replica().await;
    let there = other.backend_of(owner.key.clone());
    let done = there.say(Some(&asked), "nota").await;
    assert_eq!(done["state"], "done");
    // A process that ended after it had begun: the choice is durable, its end is not.
    let asked = owner.say(None, "pela metade").await;
    let id = asked["conversation_id"].as_str().unwrap().replace('-', "");
    let own = if crate::app::on_postgres() {
        format!("replace(id::text, '-', '') = '{id}'")
    } else {
        format!("lower(hex(id)) = '{id}'")
    };
    let memory = json!({
        "message": "pela metade", "link": null, "is_video": false, "options": [], "wanted": null,
        "running": { "Tool": { "tool": "save_note", "params": { "text": "pela metade" } } }
    });
    let running =
        format!("UPDATE assistant_conversations SET state = 'running', version = 2, memory = '{memory}'");
    app.change(&format!("{running} WHERE {own}")).await;
    assert_eq!(there.say(Some(&asked), "1").await["state"], "running", "it may still be at work");
    let kept = there.say(Some(&asked), "e mais isto").await;
    assert_eq!((&kept["state"], reply(&kept).starts_with("Recebi.")), (&json!("running"), true));
    app.change(&format!("UPDATE assistant_conversations SET expires_at = 1 WHERE {own}")).await;
    let path = format!("/assistant/conversations/{}", asked["conversation_id"].as_str().unwrap());
    let answers = futures::future::join_all((0..4).map(|_| there.get(&path))).await;
    assert!(answers.iter().any(|answer| answer["state"] == "awaiting_choice"), "whoever looks: {answers:?}");
    assert_eq!(titles(&there.get("/items").await["data"]), ["pela metade", "antes do reinício"], "once");
    let done = there.say(Some(&asked), "nota").await;
    assert_eq!(done["state"], "done", "what was said meanwhile has its turn: {done}");
    assert_eq!(titles(&there.get("/items").await["data"])[0], "e mais isto");
}
