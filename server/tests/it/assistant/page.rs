//! The pages `/assistant` and `/items`, as a browser without JavaScript uses them.

use crate::app::{Person, TestApp, location};
use reqwest::Method;
use serde_json::Value;

async fn html(person: &Person, path: &str) -> String {
    person.get(path).await.text().await.unwrap()
}

/// The value of the hidden field with that name, the first after `mark`.
fn hidden(html: &str, name: &str) -> String {
    let start = html.find(&format!("name=\"{name}\"")).unwrap_or_else(|| panic!("no {name} in {html}"));
    html[start..].split("value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned()
}

#[tokio::test]
async fn g9_the_conversation_works_with_plain_forms() {
    let (app, _) = TestApp::with_admin().await;
    let viewer = app.member("viewer@example.org", "padaria-central", "viewer").await;
    assert!(html(&viewer, "/assistant").await.contains("Nenhuma mensagem ainda"));
    let answer = viewer.submit("/assistant", "send_to_assistant", &[("text", "Comprar pão & leite")]).await;
    assert_eq!(answer.status(), 302);
    assert!(location(&answer).contains("/assistant"), "back to the page");
    let page = html(&viewer, "/assistant").await;
    assert!(
        page.contains("Recebi sua mensagem. O que deseja fazer?") && page.contains("Comprar pão &amp; leite"),
        "{page}"
    );
    let id = hidden(&page, "conversation_id");
    viewer.submit("/assistant", "send_to_assistant", &[("text", "1"), ("conversation_id", &id)]).await;
    assert!(html(&viewer, "/assistant").await.contains("Nota salva."));
    let page = html(&viewer, "/items").await;
    assert!(page.contains("Comprar pão &amp; leite"), "{page}");
    let item = hidden(&page, "item_id");
    let form = [
        ("item_id", item.as_str()),
        ("title", "Feira"),
        ("text", "pão\n</textarea><script>x</script>"),
        ("tags", "Casa, fim de semana"),
    ];
    viewer.submit("/items", "update_item", &form).await;
    let page = html(&viewer, "/items?tag=casa").await;
    assert!(page.contains("Feira") && page.contains("#fim de semana"), "{page}");
    assert!(!page.contains("<script>x") && page.contains("&lt;/textarea&gt;"), "what is edited is text");
    let form = [("item_id", item.as_str())];
    viewer.submit("/items", "delete_item", &form).await;
    let page = html(&viewer, "/items").await;
    assert!(!page.contains("Feira") && page.contains("/fn/restore_item"), "deleted, with the way back");
    viewer.submit("/items", "restore_item", &form).await;
    assert!(html(&viewer, "/items?q=feira").await.contains("Feira"));
    let export = viewer.api(Method::GET, "/api/v1/items/export", None).await.text().await.unwrap();
    assert_eq!(serde_json::from_str::<Value>(export.trim()).unwrap()["title"], "Feira");
}

#[tokio::test]
async fn g9_the_page_gives_a_code_for_a_phone_once() {
    let (app, _) = TestApp::with_admin().await;
    let viewer = app.member("viewer@example.org", "padaria-central", "viewer").await;
    viewer.submit("/assistant", "create_link_code", &[]).await;
    let page = html(&viewer, "/assistant").await;
    assert!(page.contains("aria-label=\"Código\""), "{page}");
    assert!(!html(&viewer, "/assistant").await.contains("aria-label=\"Código\""), "once");
}

#[tokio::test]
async fn g9_whoever_is_in_no_organisation_is_told() {
    let (app, _) = TestApp::with_admin().await;
    let permit = ability::Caller::operator().permit().unwrap();
    app.services
        .accounts
        .create_user(&permit, "solo@example.org", crate::app::PASSWORD, false, None)
        .await
        .unwrap();
    let solo = app.sign_in("solo@example.org").await;
    for path in ["/assistant", "/items"] {
        let answer = solo.get(path).await;
        assert_eq!(answer.status(), 200, "{path}");
        assert!(answer.text().await.unwrap().contains("Sem organização"), "{path}");
    }
    assert_eq!(
        solo.refused("send_to_assistant", &[("text", "oi")]).await,
        (403, "tenant_required".to_owned())
    );
}
