//! What people save is looked up: no link, no video and no source of the operator's leads inside.

use super::{INSIDE, Installation, TRICKS, canary::Canary};
use crate::workshop::Backend;
use serde_json::{Value, json};

/// Nothing was fetched for any of them, and nothing will be.
async fn assert_never_fetched(owner: &Backend, items: &[Value]) {
    for item in items {
        let item = owner.enriched(item, "failed").await;
        assert_eq!(item["enrichment"]["reason"], "blocked_address", "{item}");
        assert_eq!(item["enrichment"]["next_attempt_at"], json!(null), "{item}");
    }
}

#[tokio::test]
async fn s1_g13_no_preview_is_fetched_from_inside() {
    let (installation, canary) = (Installation::new().await, Canary::start().await);
    let (_serving, owner) = installation.start(&[]).await;
    let mut items = Vec::new();
    for (number, host) in INSIDE.iter().enumerate() {
        for (tool, scheme) in [("save_link", "https"), ("save_video", "http")] {
            let url = format!("{scheme}://{host}:{}/{tool}/{number}", canary.port);
            items.push(owner.save(tool, json!({ "url": url })).await);
        }
    }
    let name = format!("https://localhost.:{}/", canary.port);
    items.push(owner.save("save_link", json!({ "url": name })).await);
    for host in TRICKS {
        let url = format!("https://{host}:{}/", canary.port);
        let answer = owner.run("save_link", json!({ "url": url })).await;
        assert_eq!(
            (&answer["success"], &answer["error_code"]),
            (&json!(false), &json!("invalid_params")),
            "{url}"
        );
    }
    let menu = owner.say(None, &format!("veja http://127.0.0.1:{}/conversa", canary.port)).await;
    let done = owner.say(Some(&menu), "Salvar como link").await;
    assert_eq!(done["state"], "done", "{done}");
    items.push(owner.get("/items").await["data"][0].clone());
    assert_never_fetched(&owner, &items).await;
    canary.heard_nobody().await;
}

/// They are the operator's to say, and pass the one way out all the same.
#[tokio::test]
async fn s1_g13_sources_inside_are_not_asked_until_the_operator_opens_them() {
    let (installation, canary) = (Installation::new().await, Canary::start().await);
    let inside = |path: &str| format!("http://127.0.0.1:{}/{path}", canary.port);
    let (_serving, owner) = installation
        .start(&[
            ("ALCADA_TMDB_KEY", "0123456789abcdef0123456789abcdef"),
            ("ALCADA_TMDB_URL", &inside("3")),
            ("ALCADA_YOUTUBE_OEMBED_URL", &inside("youtube")),
            ("ALCADA_VIMEO_OEMBED_URL", &inside("vimeo")),
        ])
        .await;
    let items = [
        owner.save("save_movie", json!({ "title": "Matrix" })).await,
        owner.save("save_tv_show", json!({ "title": "Dark" })).await,
        owner.save("save_video", json!({ "url": "https://youtu.be/dQw4w9WgXcQ" })).await,
        owner.save("save_video", json!({ "url": "https://vimeo.com/76979871" })).await,
    ];
    assert_never_fetched(&owner, &items).await;
    canary.heard_nobody().await;
}
