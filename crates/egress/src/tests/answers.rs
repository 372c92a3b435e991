use super::*;

fn soon(url: &str, millis: u64) -> Outgoing {
    Outgoing { deadline: Instant::now() + Duration::from_millis(millis), ..get(url) }
}

#[tokio::test]
async fn x6_a_body_is_kept_up_to_its_limit() {
    let upstream = Upstream::start(|_| Reply::ok("12345")).await;
    for (max_body, body, truncated) in
        [(6, "12345", false), (5, "12345", false), (4, "1234", true), (0, "", true)]
    {
        let answer = local().send(Outgoing { max_body, ..get(&upstream.url()) }).await.unwrap();
        assert_eq!((answer.body.as_ref(), answer.truncated), (body.as_bytes(), truncated));
    }
}

#[tokio::test]
async fn x6_an_endless_body_costs_no_more_than_its_limit() {
    let upstream = Upstream::start(|_| Reply::Flood).await;
    let max_body = 100_000;
    let answer = local().send(Outgoing { max_body, ..get(&upstream.url()) }).await.unwrap();
    assert_eq!((answer.body.len(), answer.truncated), (max_body, true));
    upstream.wait_for_closed(1).await;
    // What is in the buffers of two sockets, and not ten gigabytes.
    assert!(upstream.sent() < 20_000_000, "{}", upstream.sent());
}

#[tokio::test]
async fn x4_a_hanging_upstream_ends_at_the_deadline() {
    // From there on nothing but the deadline can happen: the clock goes there by itself.
    let upstream = Upstream::start(|_| {
        tokio::time::pause();
        Reply::Hang
    })
    .await;
    let outgoing = soon(&upstream.url(), 60_000);
    let deadline = outgoing.deadline;
    assert_eq!(code_of(&local(), outgoing).await, "timed_out");
    assert!(Instant::now() >= deadline && deadline.elapsed() < Duration::from_secs(1));
    tokio::time::resume();
    upstream.wait_for_closed(1).await;
}

#[tokio::test]
async fn x4_a_dripping_upstream_ends_at_the_deadline() {
    // From there on the clock goes from drop to drop, and to the deadline.
    let upstream = Upstream::start(|_| {
        tokio::time::pause();
        Reply::Drip
    })
    .await;
    // 12,000 drops by then: more than the usual limit of a body.
    let outgoing = Outgoing { max_body: 1 << 20, ..soon(&upstream.url(), 60_000) };
    let deadline = outgoing.deadline;
    assert_eq!(code_of(&local(), outgoing).await, "timed_out");
    assert!(Instant::now() >= deadline && deadline.elapsed() < Duration::from_secs(1));
    tokio::time::resume();
    upstream.wait_for_closed(1).await;
    assert!(upstream.sent() > 0);
}

#[tokio::test]
async fn x4_after_the_deadline_nothing_is_sent() {
    let upstream = Upstream::start(|_| Reply::ok("")).await;
    let late = Outgoing { deadline: Instant::now(), ..get(&upstream.url()) };
    assert_eq!(code_of(&local(), late).await, "timed_out");
    assert_eq!(upstream.connections(), 0);
}

#[tokio::test]
async fn x4_a_name_that_is_not_found_in_time_ends_at_the_deadline() {
    struct Silent;
    #[async_trait]
    impl Resolve for Silent {
        async fn resolve(&self, _: &str) -> io::Result<Vec<SocketAddr>> {
            std::future::pending().await
        }
    }
    let egress = Egress::with_resolver(AllowList::default(), Arc::new(Silent)).unwrap();
    assert_eq!(code_of(&egress, soon("https://silent.test/", 50)).await, "timed_out");
}

#[tokio::test]
async fn t15_bytes_that_are_no_text_arrive_as_they_are() {
    let upstream = Upstream::start(|_| {
        Reply::Send(
            b"HTTP/1.1 200 OK\r\nx-odd: \xff\xfe\r\ncontent-length: 4\r\n\r\n\xff\xc3\x28\x00".to_vec(),
        )
    })
    .await;
    let answer = local().send(get(&upstream.url())).await.unwrap();
    assert_eq!(answer.body.as_ref(), b"\xff\xc3\x28\x00");
    assert_eq!(answer.headers["x-odd"].as_bytes(), b"\xff\xfe");
}

#[tokio::test]
async fn t15_nothing_is_decompressed() {
    let bomb = b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 3\r\n\r\n\x1f\x8b\x08";
    let upstream = Upstream::start(|_| Reply::Send(bomb.to_vec())).await;
    let answer = local().send(get(&upstream.url())).await.unwrap();
    assert_eq!(answer.body.as_ref(), b"\x1f\x8b\x08");
    assert!(!upstream.heard()[0].contains("accept-encoding"));
}

#[tokio::test]
async fn t15_a_connection_that_closes_early_is_an_error() {
    let replies: [&[u8]; 5] = [
        b"",
        b"HTTP/1.1 20",
        b"HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n12345",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n123",
    ];
    for reply in replies {
        let upstream = Upstream::start(|_| Reply::Close(reply.to_vec())).await;
        assert_eq!(code_of(&local(), get(&upstream.url())).await, "closed_early", "{reply:?}");
    }
}

#[tokio::test]
async fn t15_what_is_not_http_is_an_error() {
    let huge = format!("HTTP/1.1 200 OK\r\nx-a: {}\r\n\r\n", "a".repeat(1_000_000));
    let replies = [
        "SSH-2.0-OpenSSH_9.9\r\n".repeat(9),
        huge,
        "HTTP/1.1 200 OK\r\ncontent-length: 5, 6\r\n\r\n12345".to_owned(),
    ];
    for reply in replies {
        let shown = reply[..20].to_owned();
        let upstream = Upstream::start(move |_| Reply::Close(reply.clone().into_bytes())).await;
        assert_eq!(code_of(&local(), get(&upstream.url())).await, "bad_answer", "{shown}");
    }
}

#[tokio::test]
async fn t15_plain_text_is_no_tls() {
    let upstream = Upstream::start(|_| Reply::ok("")).await;
    let url = format!("https://127.0.0.1:{}/", upstream.port);
    assert_eq!(code_of(&local(), soon(&url, 200)).await, "timed_out");
    assert_eq!(upstream.requests(), 0);
}

#[tokio::test]
async fn s16_errors_name_the_host_and_no_secret() {
    let upstream = Upstream::start(|_| Reply::Close(Vec::new())).await;
    let url = format!("{}hidden?token=hidden#hidden", upstream.url());
    let mut outgoing = Outgoing { body: Some("hidden".into()), ..get(&url) };
    outgoing.headers.insert("authorization", "hidden".parse().unwrap());
    let error = local().send(outgoing).await.unwrap_err();
    assert_eq!(error.to_string(), "127.0.0.1 closed the connection before the answer was complete");
    let refused = [
        egress("").check_url("https://hidden:hidden@example.com/").unwrap_err(),
        egress("").check_url("https://10.0.0.1/hidden?hidden").unwrap_err(),
        error,
    ];
    for error in refused {
        assert!(!format!("{error} {error:?}").contains("hidden"), "{error:?}");
    }
}
