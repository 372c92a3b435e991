use super::*;

#[tokio::test]
async fn t15_twenty_calls_share_one_connection() {
    let upstream = Upstream::start(|_| Reply::ok("hello")).await;
    let egress = local();
    for _ in 0..20 {
        assert_eq!(egress.clone().send(get(&upstream.url())).await.unwrap().body, "hello");
    }
    assert_eq!((upstream.requests(), upstream.connections()), (20, 1));
}

#[tokio::test]
async fn t15_twenty_calls_share_one_tls_connection() {
    let (upstream, tls) = Upstream::start_tls("kept.test", |_| Reply::ok("hello")).await;
    let answer = format!("93.184.216.34:{}", upstream.port);
    let names = Script::new(&[&[&answer]]);
    let egress = with_names("", Arc::clone(&names), tls);
    for _ in 0..20 {
        assert_eq!(egress.send(get("https://kept.test/")).await.unwrap().body, "hello");
    }
    assert_eq!((upstream.requests(), upstream.connections(), names.asked()), (20, 1, 1));
}

#[tokio::test]
async fn x4_to_drop_the_future_closes_the_connection() {
    for reply in [|| Reply::Hang, || Reply::Drip] {
        let upstream = Upstream::start(move |_| reply()).await;
        let egress = local();
        let call = tokio::spawn({
            let (egress, outgoing) = (egress.clone(), get(&upstream.url()));
            async move { egress.send(outgoing).await }
        });
        upstream.wait_for_requests(1).await;
        call.abort();
        upstream.wait_for_closed(1).await;
        assert!(call.await.unwrap_err().is_cancelled());
    }
}

#[tokio::test]
async fn t15_a_kept_connection_that_was_closed_meanwhile_is_replaced() {
    let goodbye = "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello";
    let upstream = Upstream::start(move |_| Reply::Close(goodbye.into())).await;
    let egress = local();
    for calls in 1..=3 {
        assert_eq!(egress.send(get(&upstream.url())).await.unwrap().body, "hello");
        upstream.wait_for_closed(calls).await;
    }
    assert_eq!(upstream.connections(), 3);
}

#[tokio::test]
async fn t15_calls_at_the_same_time_do_not_wait_for_each_other() {
    let upstream = Upstream::start(|n| if n == 0 { Reply::Hang } else { Reply::ok("hello") }).await;
    let egress = local();
    let hanging = tokio::spawn({
        let (egress, outgoing) = (egress.clone(), get(&upstream.url()));
        async move { egress.send(outgoing).await }
    });
    upstream.wait_for_requests(1).await;
    assert_eq!(egress.send(get(&upstream.url())).await.unwrap().body, "hello");
    hanging.abort();
}
