//! G14: full-text search of one's own items.

use super::{titles, with_web};
use crate::app::on_postgres;
use serde_json::json;

#[tokio::test]
async fn g14_items_are_found_by_their_words_whatever_the_accents() {
    let (_app, _web, key) = with_web().await;
    for text in ["Receita de PÃO de queijo", "Filmes para as crianças", "Reunião: ações do mês", "pão"]
    {
        key.save("save_note", json!({ "text": text })).await;
    }
    key.save("save_link", json!({ "url": "https://padaria.example.org/bolo" })).await;
    let search = |query: &'static str| {
        let key = key.clone();
        async move {
            let answer = key.run("search_items", json!({ "query": query })).await;
            assert_eq!(answer["success"], true, "{answer}");
            let by_route =
                key.get(&format!("/items?q={}", query.replace(' ', "%20").replace('"', "%22"))).await;
            assert_eq!(
                by_route["data"].as_array().unwrap().len(),
                answer["result"]["items"].as_array().unwrap().len()
            );
            titles(&answer["result"]["items"]).into_iter().map(str::to_owned).collect::<Vec<_>>()
        }
    };
    assert_eq!(search("pao queijo").await, ["Receita de PÃO de queijo"]);
    assert_eq!(search("PÃO").await, ["pão", "Receita de PÃO de queijo"], "the newest first");
    assert_eq!(search("criancas").await, ["Filmes para as crianças"]);
    assert_eq!(search("padaria").await, ["padaria.example.org/bolo"], "by its address");
    assert_eq!(
        search("receita inexistente").await,
        ["Receita de PÃO de queijo"],
        "any word, when none has all"
    );
    assert_eq!(search("fil").await, ["Filmes para as crianças"], "the beginning of a word");
    for odd in ["\" OR 1=1 --", "*", "NEAR(x y)", "🥐", "a\u{200b}b"] {
        search(odd).await;
    }
    assert_eq!(search("filme").await, ["Filmes para as crianças"], "one and many");
    assert_eq!(search("ação").await, ["Reunião: ações do mês"]);
    if on_postgres() {
        assert_eq!(search("criança").await, ["Filmes para as crianças"], "by its stem");
    }
    let links = key.run("search_items", json!({ "query": "pao", "kind": "link" })).await;
    assert_eq!(links["result"]["count"], 0);
}

#[tokio::test]
async fn g14_details_are_searched_too_and_titles_come_first() {
    let (_app, _web, key) = with_web().await;
    let film = key.save("save_movie", json!({ "title": "The Matrix" })).await;
    key.enriched(&film, "done").await;
    key.save("save_note", json!({ "text": "Lista\nrever Matrix com a Ana" })).await;
    let found = key.get("/items?q=matrix").await;
    assert_eq!(titles(&found["data"]), ["Matrix", "Lista"], "in the title before in the text");
    assert_eq!(titles(&key.get("/items?q=programador").await["data"]), ["Matrix"], "by what TMDB says");
}

#[tokio::test]
async fn g14_a_search_within_a_kind_a_tag_or_what_was_deleted() {
    let (_app, _web, key) = with_web().await;
    let old = key.save("save_link", json!({ "url": "https://example.org/pao", "tags": ["Casa"] })).await;
    // More of another kind than a search looks at.
    for n in 0..210 {
        key.save("save_note", json!({ "text": format!("pão {n}") })).await;
    }
    let ids = async |query: &str| {
        let found = key.get(&format!("/items?q=pao{query}")).await;
        found["data"].as_array().unwrap().iter().map(|item| item["id"].clone()).collect::<Vec<_>>()
    };
    for query in ["&kind=link", "&tag=casa", "&tag=CASA&kind=link", "&tag=cas"] {
        assert_eq!(ids(query).await, [old["id"].clone()], "{query}");
    }
    for query in ["&kind=movie", "&tag=asa", "&tag=%25", "&tag=casa&kind=note", "&deleted=true"] {
        assert!(ids(query).await.is_empty(), "{query}");
    }
    let path = format!("/items/{}", old["id"].as_str().unwrap());
    key.send(reqwest::Method::DELETE, &path, None).await;
    assert_eq!(ids("&deleted=true").await, [old["id"].clone()]);
    assert!(ids("&kind=link").await.is_empty());
}

/// A tag is found as people type it: in any case, with or without accents, with `#`, several at once, or half typed.
#[tokio::test]
async fn g14_items_are_found_by_their_tags_as_people_type_them() {
    let (_app, _web, key) = with_web().await;
    for (text, tags) in [
        ("feira", json!(["Casa", "Sábado"])),
        ("bolo", json!(["#casamento", "fim  de semana"])),
        ("lista", json!(["casa", "100%"])),
        ("código", json!(["a_b", "c++"])),
        ("outro", json!(["axb", "1000"])),
        ("nada", json!([])),
    ] {
        key.save("save_note", json!({ "text": text, "tags": tags })).await;
    }
    // With words as well, the search goes another way to the same items.
    for words in ["", "&q=feira+bolo+lista+codigo+outro+nada"] {
        let found = async |tag: &str| {
            let list = key.get(&format!("/items?tag={tag}{words}")).await;
            let mut titles: Vec<String> = titles(&list["data"]).into_iter().map(str::to_owned).collect();
            titles.sort();
            titles.join(" ")
        };
        for (tag, wanted) in [
            ("casa", "feira lista"),
            ("%23CASA", "feira lista"),
            ("cas", "bolo feira lista"),
            ("sabado", "feira"),
            ("S%C3%81BADO", "feira"),
            ("fim+de+semana", "bolo"),
            ("semana", "bolo"),
            ("casa,s%C3%A1bado", "feira"),
            ("casa,+100%25", "lista"),
            ("casa,semana", ""),
            ("100%25", "lista"),
            ("10%25", ""),
            ("a_b", "código"),
            ("a_", "código"),
            ("c%2B%2B", "código"),
            ("_", ""),
            ("domingo", ""),
            ("%5C", ""),
            ("'+OR+1=1+--", ""),
        ] {
            assert_eq!(found(tag).await, wanted, "{tag}{words}");
        }
        let everything = key.get(&format!("/items?tag=%20,%23{words}")).await;
        assert_eq!(everything["data"].as_array().unwrap().len(), 6, "what names no tag asks for none");
    }
    let lista = key.get("/items?tag=100%25").await["data"][0]["id"].as_str().unwrap().to_owned();
    key.send(reqwest::Method::DELETE, &format!("/items/{lista}"), None).await;
    assert_eq!(titles(&key.get("/items?deleted=true&tag=CASA").await["data"]), ["lista"]);
    assert_eq!(titles(&key.get("/items?deleted=true&tag=cas&q=lista").await["data"]), ["lista"]);
    assert_eq!(titles(&key.get("/items?tag=casa").await["data"]), ["feira"]);
}
