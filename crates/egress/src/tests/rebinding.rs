use super::*;

fn at(address: &str, port: u16) -> String {
    format!("{address}:{port}")
}

const GONE: &str = "HTTP/1.1 200 OK\r\ncontent-length: 5\r\nconnection: close\r\n\r\nhello";

#[tokio::test]
async fn s2_a_name_that_turns_private_is_not_followed() {
    let canary = Upstream::start(|_| Reply::ok("secret")).await;
    let (public, tls) = Upstream::start_tls("rebind.test", |_| Reply::Close(GONE.into())).await;
    let (first, second) = (at("93.184.216.34", public.port), at("127.0.0.1", canary.port));
    let names = Script::new(&[&[&first], &[&second]]);
    let egress = with_names("", Arc::clone(&names), tls);
    assert_eq!(egress.send(get("https://rebind.test/")).await.unwrap().body, "hello");
    public.wait_for_closed(1).await;
    for _ in 0..3 {
        assert_eq!(code_of(&egress, get("https://rebind.test/")).await, "blocked_address");
    }
    assert_eq!((public.connections(), canary.connections()), (1, 0));
}

#[tokio::test]
async fn s2_a_connection_asks_once_and_goes_there() {
    let (public, tls) = Upstream::start_tls("rebind.test", |_| Reply::ok("hello")).await;
    let first = at("93.184.216.34", public.port);
    let names = Script::new(&[&[&first], &["127.0.0.1:1"]]);
    let egress = with_names("", Arc::clone(&names), tls);
    for _ in 0..5 {
        assert_eq!(egress.send(get("https://rebind.test/")).await.unwrap().body, "hello");
    }
    assert_eq!((names.asked(), public.connections()), (1, 1));
}

#[tokio::test]
async fn s2_a_retry_looks_again() {
    let canary = Upstream::start(|_| Reply::ok("secret")).await;
    let (public, tls) = Upstream::start_tls("rebind.test", |_| Reply::Close(Vec::new())).await;
    let (first, second) = (at("93.184.216.34", public.port), at("127.0.0.1", canary.port));
    let egress = with_names("", Script::new(&[&[&first], &[&second]]), tls);
    let outgoing = Outgoing { retry: Retry::WhenTransient, ..get("https://rebind.test/") };
    assert_eq!(code_of(&egress, outgoing).await, "blocked_address");
    assert_eq!((public.connections(), canary.connections()), (1, 0));
}

#[tokio::test]
async fn s2_an_answer_that_mixes_public_and_private_is_refused_whole() {
    let canary = Upstream::start(|_| Reply::ok("secret")).await;
    let (public, tls) = Upstream::start_tls("rebind.test", |_| Reply::ok("hello")).await;
    let (good, bad) = (at("93.184.216.34", public.port), at("127.0.0.1", canary.port));
    for answer in [[good.as_str(), &bad], [&bad, &good]] {
        let egress = with_names("", Script::new(&[&answer]), tls.clone());
        assert_eq!(code_of(&egress, get("https://rebind.test/")).await, "blocked_address");
    }
    assert_eq!((public.connections(), canary.connections()), (0, 0));
}

#[tokio::test]
async fn a_certificate_must_be_of_the_name() {
    let (public, tls) = Upstream::start_tls("other.test", |_| Reply::ok("hello")).await;
    let names = Script::new(&[&[&at("93.184.216.34", public.port)]]);
    let egress = with_names("", Arc::clone(&names), tls);
    assert_eq!(code_of(&egress, get("https://rebind.test/")).await, "tls_failed");
    assert_eq!(code_of(&egress, get("https://other.test/")).await, "ok");
    assert_eq!(code_of(&with_names("", names, no_roots()), get("https://other.test/")).await, "tls_failed");
}
