//! G13: the save tools really save, and what is missing comes later.

use super::{Mood, until, with_web};
use crate::{
    app::TestApp,
    workshop::{TENANT, workshop},
};
use domain::TenantRole;
use reqwest::Method;
use serde_json::json;
use std::time::Instant;

#[tokio::test]
async fn g13_a_film_gets_its_details_from_tmdb() {
    let (app, web, key) = with_web().await;
    let item = key.save("save_movie", json!({ "title": "matrix", "year": 1999, "tags": ["Sci-Fi"] })).await;
    assert_eq!((&item["kind"], &item["enrichment"]["state"]), (&json!("movie"), &json!("waiting")));
    let item = key.enriched(&item, "done").await;
    assert_eq!(
        (&item["title"], &item["details"]["tmdb_id"], &item["details"]["year"]),
        (&json!("Matrix"), &json!(603), &json!(1999))
    );
    assert_eq!(item["details"]["original_title"], "The Matrix");
    assert!(item["details"]["image_url"].as_str().unwrap().ends_with("/p96.jpg"));
    assert_eq!(item["tags"], json!(["sci-fi"]));
    assert_eq!(web.asked(), ["search/movie matrix"]);
    let calls = app.backend(TENANT, TenantRole::Auditor).await.get("/executions").await;
    let names: Vec<_> =
        calls["data"].as_array().unwrap().iter().map(|row| row["tool_name"].as_str().unwrap()).collect();
    assert_eq!(names, ["enrich_movie", "save_movie"], "each is a call of its own, in the history");
    assert_eq!(calls["data"][0]["called_by"], "Alçada");
}

#[tokio::test]
async fn g13_several_that_fit_are_a_question() {
    let (_app, _web, key) = with_web().await;
    let item = key.save("save_movie", json!({ "title": "Matrix" })).await;
    let item = key.enriched(&item, "several").await;
    let matches: Vec<_> = item["enrichment"]["matches"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| m["tmdb_id"].as_i64().unwrap())
        .collect();
    assert_eq!(matches, [603, 604, 605]);
    let answer = key.run("enrich_movie", json!({ "item_id": item["id"], "tmdb_id": 604 })).await;
    assert_eq!(answer["result"]["title"], "Matrix Reloaded", "{answer}");
    assert_eq!(key.item(&item).await["details"]["year"], 2003);
}

#[tokio::test]
async fn g13_series_videos_and_links_too() {
    let (_app, web, key) = with_web().await;
    let dark = key.save("save_tv_show", json!({ "title": "Dark" })).await;
    let video = key.save("save_video", json!({ "url": "https://youtu.be/dQw4w9WgXcQ" })).await;
    let vimeo = key.save("save_video", json!({ "url": "https://vimeo.com/76979871" })).await;
    let link = key.save("save_link", json!({ "url": format!("{}/leva", web.url) })).await;
    let dark = key.enriched(&dark, "done").await;
    assert_eq!((&dark["details"]["tmdb_id"], &dark["details"]["year"]), (&json!(70523), &json!(2017)));
    let video = key.enriched(&video, "done").await;
    assert_eq!(
        (&video["details"]["author"], &video["details"]["provider"]),
        (&json!("Rick Astley"), &json!("YouTube"))
    );
    assert_eq!(key.enriched(&vimeo, "done").await["title"], "The New Vimeo Player");
    let link = key.enriched(&link, "done").await;
    assert_eq!(link["title"], "Receita de pão", "one step further, and its preview");
    assert_eq!(link["details"]["summary"], "Farinha, água e paciência");
    assert_eq!(link["details"]["image_url"], format!("{}/pao.jpg", web.url));
}

#[tokio::test]
async fn g13_the_same_is_saved_once() {
    let (app, web, key) = with_web().await;
    let link = key.save("save_link", json!({ "url": "https://www.youtube.com/watch?v=dQw4w9WgXcQ" })).await;
    let again = key.run("save_link", json!({ "url": "http://youtu.be/dQw4w9WgXcQ?si=x" })).await;
    assert_eq!(
        (&again["success"], &again["result"]["saved"], &again["result"]["duplicate"]),
        (&json!(true), &json!(false), &json!(true))
    );
    assert_eq!(again["result"]["item"]["id"], link["id"]);
    key.save("save_movie", json!({ "title": "The Matrix" })).await;
    until("one film", || async {
        Some(key.get("/items?kind=movie").await)
            .filter(|list| list["data"][0]["enrichment"]["state"] == "done")
    })
    .await;
    let other = key.save("save_movie", json!({ "title": "matrix", "year": 1999 })).await;
    until("told apart", || async {
        Some(key.item(&other).await).filter(|item| !item["deleted_at"].is_null())
    })
    .await;
    assert_eq!(
        key.get("/items?kind=movie").await["data"].as_array().unwrap().len(),
        1,
        "the same number at TMDB"
    );
    let somebody = app.backend(TENANT, TenantRole::Operator).await;
    somebody.save("save_link", json!({ "url": "https://youtu.be/dQw4w9WgXcQ" })).await;
    drop(web);
}

#[tokio::test]
async fn g13_two_devices_that_save_the_same_link_at_once_save_one() {
    let (_app, _web, key) = with_web().await;
    let id = key.tool_id("save_link").await;
    let path = format!("/tools/{id}/execute");
    let save = || key.post(200, &path, json!({ "params": { "url": "https://example.org/x" } }));
    let saved = futures::future::join_all((0..12).map(|_| save())).await;
    assert_eq!(saved.iter().filter(|answer| answer["result"]["saved"] == true).count(), 1);
    assert!(saved.iter().all(|answer| answer["success"] == true));
    assert_eq!(key.get("/items").await["data"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn g13_without_a_key_it_is_saved_and_says_what_is_missing() {
    let (app, owner) = workshop().await;
    let answer = owner.run("save_movie", json!({ "title": "Central do Brasil", "year": 1998 })).await;
    assert_eq!(
        (&answer["result"]["saved"], &answer["result"]["missing"]),
        (&json!(true), &json!(["details"]))
    );
    assert_eq!(answer["result"]["missing_reason"], "not_configured");
    assert!(answer["result"]["message"].as_str().unwrap().contains("TMDB"));
    let item = owner.item(&answer["result"]["item"]).await;
    assert_eq!(
        (&item["enrichment"]["state"], &item["enrichment"]["reason"]),
        (&json!("waiting"), &json!("not_configured"))
    );
    assert_eq!(
        app.count("SELECT count(*) FROM executions WHERE tool_name = 'enrich_movie'").await,
        0,
        "nothing that cannot work is tried"
    );
}

/// A key that is set later is used for what waits.
#[tokio::test]
async fn g13_what_waited_for_a_key_is_completed_once_there_is_one() {
    let web = super::Web::start().await;
    let without = items::sources::SourceSettings { tmdb_key: None, ..web.sources() };
    let app = TestApp::start_with_sources(without).await;
    app.set_up().await;
    let key = app.backend(TENANT, TenantRole::Operator).await;
    let item = key.save("save_movie", json!({ "title": "The Matrix" })).await;
    assert_eq!(item["enrichment"]["next_attempt_at"], json!(null), "nobody to ask, no moment to name");
    // The first goes on looking for what it can find out about, and leaves this one to the other.
    let _later = app.replica_with_sources(web.sources()).await;
    assert_eq!(key.enriched(&item, "done").await["details"]["tmdb_id"], 603);
}

/// Two processes of which one has a key: whoever saves, the other completes.
#[tokio::test]
async fn g13_a_process_without_a_key_puts_off_nothing_that_another_completes() {
    let (app, web, key) = with_web().await;
    let without = items::sources::SourceSettings { tmdb_key: None, ..web.sources() };
    let _other = app.replica_with_sources(without).await;
    for round in 0..5 {
        let item = key.save("save_movie", json!({ "title": "The Matrix" })).await;
        let item = key.enriched(&item, "done").await;
        assert_eq!(item["enrichment"]["reason"], json!(null), "round {round}");
        let id = item["id"].as_str().unwrap();
        assert_eq!(key.send(Method::DELETE, &format!("/items/{id}"), None).await.status(), 204);
    }
}

/// What a person wrote is theirs, whatever is found and however late.
#[tokio::test]
async fn g13_own_titles_stay_when_details_come() {
    let (_app, web, key) = with_web().await;
    let link = json!({ "url": format!("{}/pao", web.url), "title": "Pão da vó" });
    let link = key.save("save_link", link).await;
    let link = key.enriched(&link, "done").await;
    assert_eq!(
        (&link["title"], &link["details"]["summary"]),
        (&json!("Pão da vó"), &json!("Farinha, água e paciência"))
    );
    web.hold(true);
    let film = key.save("save_movie", json!({ "title": "The Matrix" })).await;
    until("asked", || async { web.asked().iter().any(|asked| asked.contains("The Matrix")).then_some(()) })
        .await;
    let path = format!("/items/{}", film["id"].as_str().unwrap());
    key.patch(&path, json!({ "title": "O da pílula", "tags": ["clássico"] })).await;
    web.hold(false);
    let film = key.enriched(&film, "done").await;
    assert_eq!(
        (&film["title"], &film["details"]["tmdb_id"], &film["tags"]),
        (&json!("O da pílula"), &json!(603), &json!(["clássico"]))
    );
    for words in ["pilula", "classico", "programador"] {
        assert_eq!(key.get(&format!("/items?q={words}")).await["data"][0]["id"], film["id"], "{words}");
    }
}

/// The person chooses while somebody is still looking: the choice holds.
#[tokio::test]
async fn g13_what_was_chosen_meanwhile_holds() {
    let (app, web, key) = with_web().await;
    let film = key.save("save_movie", json!({ "title": "Matrix" })).await;
    let film = key.enriched(&film, "several").await;
    web.hold(true);
    let look = json!({ "item_id": film["id"] });
    let slow = tokio::spawn({
        let key = key.clone();
        async move { key.run("enrich_movie", look).await }
    });
    until("asked", || async { (web.asked().len() == 2).then_some(()) }).await;
    let details = r#"{"tmdb_id":604,"year":2003}"#;
    app.change(&format!("UPDATE items SET enrichment = 'done', matches = NULL, details = '{details}'")).await;
    web.hold(false);
    let slow = slow.await.unwrap();
    assert_eq!((&slow["success"], &slow["result"]["enriched"]), (&json!(true), &json!(false)), "{slow}");
    let film = key.item(&film).await;
    assert_eq!((&film["enrichment"]["state"], &film["details"]["tmdb_id"]), (&json!("done"), &json!(604)));
}

#[tokio::test]
async fn g13_when_tmdb_refuses_it_is_tried_again() {
    let (app, web, key) = with_web().await;
    let moods = [
        (Mood { status: Some(401), ..Mood::default() }, "unauthorized"),
        (Mood { status: Some(500), ..Mood::default() }, "upstream_error"),
        (Mood { status: Some(429), retry_after: Some("7200"), ..Mood::default() }, "rate_limited"),
        (Mood { status: Some(429), ..Mood::default() }, "rate_limited"),
        (
            Mood { status: Some(503), retry_after: Some("Fri, 01 Jan 2100 00:00:00 GMT"), ..Mood::default() },
            "upstream_error",
        ),
        (Mood { html: true, ..Mood::default() }, "bad_answer"),
    ];
    for (at, (mood, reason)) in moods.into_iter().enumerate() {
        web.set(mood.clone());
        let item = key.save("save_movie", json!({ "title": "The Matrix", "tags": [format!("n{at}")] })).await;
        let item = until(reason, || async {
            Some(key.item(&item).await).filter(|item| item["enrichment"]["reason"] == reason)
        })
        .await;
        assert_eq!(item["enrichment"]["state"], "waiting", "{reason}");
        assert!(item["enrichment"]["next_attempt_at"].is_string(), "{reason}");
        let wait =
            format!("SELECT (next_attempt_at - updated_at) / 1000000 FROM items WHERE reason = '{reason}'");
        let wait = app.count(&wait).await;
        match mood.retry_after {
            Some("7200") => {
                assert!((7_190..=7_200).contains(&wait), "{reason}: as long as they asked for: {wait}")
            }
            Some(_) => assert!((86_000..=86_400).contains(&wait), "{reason}: a day at most: {wait}"),
            None => assert!((50..=60).contains(&wait), "{reason}: a minute after the first try: {wait}"),
        }
        web.set(Mood::default());
        app.change("UPDATE items SET next_attempt_at = 1").await;
        key.enriched(&item, "done").await;
        let id = item["id"].as_str().unwrap();
        assert_eq!(key.send(Method::DELETE, &format!("/items/{id}"), None).await.status(), 204);
    }
    web.set(Mood { status: Some(404), ..Mood::default() });
    let item = key.save("save_movie", json!({ "title": "Nada disso", "tmdb_id": 1 })).await;
    assert_eq!(key.enriched(&item, "failed").await["enrichment"]["reason"], "not_found");
    web.set(Mood::default());
    let item = key.save("save_movie", json!({ "title": "Um filme que ninguém fez" })).await;
    assert_eq!(key.enriched(&item, "failed").await["enrichment"]["reason"], "not_found");
}

#[tokio::test]
async fn s1_g13_a_preview_reaches_no_private_address_and_no_flood() {
    let (_app, web, key) = with_web().await;
    let started = Instant::now();
    for (path, reason) in [
        ("http://10.0.0.1/", "blocked_address"),
        ("http://169.254.169.254/latest/meta-data", "blocked_address"),
        ("https://[::1]/", "blocked_address"),
        (&format!("{}/dentro", web.url), "blocked_address"),
        (&format!("{}/foto", web.url), "not_a_page"),
    ] {
        let item = key.save("save_link", json!({ "url": path })).await;
        let item = key.enriched(&item, "failed").await;
        assert_eq!(item["enrichment"]["reason"], reason, "{path}");
    }
    for path in ["/enorme", "/sem-fim"] {
        let item = key.save("save_link", json!({ "url": format!("{}{path}", web.url) })).await;
        assert_eq!(key.enriched(&item, "done").await["title"], "Enorme", "the beginning is enough");
    }
    let slow = key.save("save_link", json!({ "url": format!("{}/a-conta-gotas", web.url) })).await;
    let slow = until("a page that never ends is left", || async {
        Some(key.item(&slow).await).filter(|item| !item["enrichment"]["reason"].is_null())
    })
    .await;
    assert_eq!(
        (&slow["enrichment"]["state"], &slow["enrichment"]["reason"]),
        (&json!("waiting"), &json!("timed_out"))
    );
    assert!(started.elapsed().as_secs() < 60);
    let private = key.save("save_video", json!({ "url": "https://youtu.be/private123" })).await;
    assert_eq!(key.enriched(&private, "failed").await["enrichment"]["reason"], "private");
}

/// G6: an old menu does not help; system tools cannot be switched off (G5).
#[tokio::test]
async fn g6_a_tool_that_was_switched_off_does_not_run() {
    let (app, _web, key) = with_web().await;
    let admin = app.sign_in("admin@example.org").await;
    let id = key.tool_id("save_note").await;
    let execute = format!("/tools/{id}/execute");
    let body = json!({ "params": { "text": "oi" } });
    let switch =
        async |on| admin.ask("switch_global_tool", &[("tool_name", "save_note"), ("enabled", on)]).await;
    switch("false").await;
    assert_eq!(
        key.refused(Method::POST, &execute, Some(body.clone())).await,
        (403, "tool_disabled".to_owned())
    );
    assert_eq!(app.count("SELECT count(*) FROM items").await, 0);
    switch("true").await;
    key.post(200, &execute, body).await;
    assert_eq!(app.count("SELECT count(*) FROM items").await, 1);
}
