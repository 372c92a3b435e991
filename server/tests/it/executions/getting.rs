//! Webhook tools that are called with GET: what stands in the address, and what a header has to say (T7, T15).

use crate::workshop::{Backend, Upstream, id, json_answer, webhook_tool, workshop};
use axum::http::HeaderValue;
use serde_json::{Value, json};

/// A tool that is called by this method and takes any arguments: the path that runs it.
async fn open_tool(owner: &Backend, method: &str, url: &str) -> String {
    let mut body = webhook_tool(&format!("by{method}"), url);
    body["webhook_method"] = json!(method);
    body["parameters"] = json!({ "type": "object", "properties": {} });
    format!("/tools/{}/execute", id(&owner.post(201, "/tools", body).await))
}

#[tokio::test]
async fn t15_what_stands_in_the_address_is_not_overridden_by_an_argument() {
    let (_app, owner) = workshop().await;
    let upstream = Upstream::start(|_| json_answer(json!([]))).await;
    let path = open_tool(&owner, "GET", &format!("{}?fixed=1&a%20b=2", upstream.url)).await;
    let query = async |params: Value| {
        owner.post(200, &path, json!({ "params": params })).await;
        upstream.asked().pop().unwrap().query
    };
    assert_eq!(query(json!({ "fixed": "over" })).await, "fixed=1&a%20b=2");
    let found = query(json!({ "a b": [3], "free": "yes", "fixed": null })).await;
    assert_eq!(found, "fixed=1&a%20b=2&free=yes", "names are compared as they are read");
}

#[tokio::test]
async fn t7_a_header_tells_that_it_is_a_test_whatever_the_method() {
    let (_app, owner) = workshop().await;
    let upstream = Upstream::start(|_| json_answer(json!([]))).await;
    for method in ["GET", "POST"] {
        let path = open_tool(&owner, method, &upstream.url).await;
        for test_mode in [true, false] {
            owner.post(200, &path, json!({ "params": {}, "test_mode": test_mode })).await;
            let asked = upstream.asked().pop().unwrap();
            let told = asked.headers.get("alcada-test-mode").map(HeaderValue::as_bytes);
            assert_eq!(told, test_mode.then_some(&b"true"[..]), "{method}");
        }
    }
}
