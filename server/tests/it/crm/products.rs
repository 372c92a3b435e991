//! Full-text search, through the door and with whatever people type.

use super::{NOBODY, get, id, invalid, manager, patch, post, refused, tenant};
use reqwest::Method;
use serde_json::{Value, json};

const HOSTILE: &[&str] = &[
    "",
    " ",
    "\"",
    "'",
    "\"bolo",
    "bolo\" OR \"1",
    "*",
    "bolo*",
    "NEAR(bolo chocolate)",
    "name:bolo",
    "-bolo",
    "bolo AND",
    "AND OR NOT",
    "bolo & | ! <-> :*",
    "bolo:*A",
    "\\",
    "%",
    "%bolo%",
    "_",
    "🥐",
    "🥐 bolo 🥐",
    "bolo\u{0}chocolate",
    "'; DROP TABLE products; --",
    "^bolo",
    "{name sku}: x",
    "(((((",
    "ｂｏｌｏ",
    "½ ²³ ª º ß İ ſ",
    "a\u{301}\u{302}",
    "\u{202e}olob",
];

fn names(list: &Value) -> Vec<&str> {
    list["data"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn t13_products_are_found_by_words() {
    let (app, manager) = manager().await;
    let tx = app.services.db.begin().await.unwrap();
    crm::demo(&tx, tenant(&app).await).await.unwrap();
    app.services.db.commit(tx, &[]).await.unwrap();
    for q in ["pao%20queijo", "P%C3%83O%20QUEIJO", "PAO-003", "queij", "pa%CC%83o%20queijo"] {
        assert_eq!(names(&get(&manager, &format!("/products?q={q}")).await), ["Pão de queijo"], "{q}");
    }
    let found = get(&manager, "/products?q=chocolate&limit=2").await;
    assert_eq!((names(&found).len(), &found["next_cursor"]), (2, &Value::Null));
    assert!(names(&found).iter().all(|name| name.contains("chocolate")), "names weigh more: {found}");
    let any = get(&manager, "/products?q=bolo%20de%20casamento%20quindim").await;
    assert!(names(&any).contains(&"Quindim"), "with any word, when none has all: {any}");
    assert_eq!(names(&get(&manager, "/products?q=parafuso").await), Vec::<&str>::new());
}

/// Whatever else fits better is left out before the best are chosen, not after.
#[tokio::test]
async fn t13_a_search_finds_what_is_not_for_sale_behind_what_is() {
    let (_app, manager) = manager().await;
    for n in 1..=6 {
        post(&manager, "/products", json!({ "name": format!("Bolo {n}"), "price_cents": 500 })).await;
    }
    let old =
        json!({ "name": "Torta", "description": "Quase um bolo", "price_cents": 500, "is_active": false });
    post(&manager, "/products", old).await;
    let found = |rest: &str| format!("/products?q=bolo&limit=3{rest}");
    assert_eq!(names(&get(&manager, &found("&is_active=false")).await), ["Torta"]);
    for rest in ["&is_active=true", ""] {
        let found = get(&manager, &found(rest)).await;
        assert!(names(&found).len() == 3 && !names(&found).contains(&"Torta"), "{rest}: {found}");
    }
    let cursor = found(&format!("&cursor={NOBODY}"));
    assert_eq!(refused(&manager, Method::GET, &cursor, None).await, invalid("cursor"), "there is one page");
}

#[tokio::test]
async fn t13_the_index_follows_the_rows() {
    let (app, manager) = manager().await;
    let made = post(&manager, "/products", json!({ "name": "Sonho", "price_cents": 500 })).await;
    let one = format!("/products/{}", id(&made));
    patch(&manager, &one, json!({ "name": "Rosquinha", "is_active": false })).await;
    assert_eq!(names(&get(&manager, "/products?q=sonho").await), Vec::<&str>::new());
    assert_eq!(names(&get(&manager, "/products?q=rosquinha").await), ["Rosquinha"]);
    assert_eq!(names(&get(&manager, "/products?q=rosquinha&is_active=true").await), Vec::<&str>::new());
    assert_eq!(names(&get(&manager, "/products?q=rosquinha&is_active=false").await), ["Rosquinha"]);
    app.tenant("Outra", "outra").await;
    let other = app.member("other@example.org", "outra", "owner").await;
    assert_eq!(names(&get(&other, "/products?q=rosquinha").await), Vec::<&str>::new(), "s9");
    assert_eq!(manager.api(Method::DELETE, &format!("/api/v1{one}"), None).await.status(), 204);
    assert_eq!(names(&get(&manager, "/products?q=rosquinha").await), Vec::<&str>::new());
}

#[tokio::test]
async fn s15_no_text_breaks_the_search() {
    let (app, manager) = manager().await;
    let (db, tenant) = (&app.services.db, tenant(&app).await);
    for (index, text) in HOSTILE.iter().enumerate() {
        let name = format!("Bolo {}", text.replace(char::is_control, " "));
        post(&manager, "/products", json!({ "name": name, "sku": format!("H-{index}"), "price_cents": 1 }))
            .await;
    }
    let long = "bolo ".repeat(10_000);
    let word = "b".repeat(100_000);
    for text in HOSTILE.iter().copied().chain([long.as_str(), word.as_str()]) {
        let found = store::crm::products::search(db.reader(), tenant, text, None, 200).await;
        assert!(found.is_ok(), "{text:.40}: {found:?}");
    }
    let found = store::crm::products::search(db.reader(), tenant, "\"bolo\"", None, 200).await.unwrap();
    assert_eq!(found.len(), HOSTILE.len());
}
