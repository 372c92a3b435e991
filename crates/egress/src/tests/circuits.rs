use super::*;
use std::sync::atomic::{AtomicBool, Ordering};

#[tokio::test]
async fn t15_a_failing_host_is_left_alone_and_then_probed() {
    let healthy = Arc::new(AtomicBool::new(false));
    let state = Arc::clone(&healthy);
    let upstream = Upstream::start(move |_| match state.load(Ordering::SeqCst) {
        true => Reply::ok("yes"),
        false => Reply::status("500 Oops", ""),
    })
    .await;
    let egress = local();
    let call = || get(&upstream.url());
    for _ in 0..5 {
        assert_eq!(egress.send(call()).await.unwrap().status, 500);
    }
    let error = egress.clone().send(call()).await.unwrap_err();
    assert_eq!(error.code(), "circuit_open");
    assert_eq!(error.to_string(), "127.0.0.1 failed repeatedly; calls resume in 10 s");
    assert_eq!(upstream.requests(), 5);
    assert_eq!(egress.send(Outgoing { owner: 2, ..call() }).await.unwrap().status, 500);

    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(10)).await;
    tokio::time::resume();
    healthy.store(true, Ordering::SeqCst);
    for _ in 0..3 {
        assert_eq!(egress.send(call()).await.unwrap().status, 200);
    }
}

#[tokio::test]
async fn t15_timeouts_and_lost_connections_count() {
    let upstream = Upstream::start(|n| if n % 2 == 0 { Reply::Hang } else { Reply::Close(Vec::new()) }).await;
    let egress = local();
    let call = || Outgoing { deadline: Instant::now() + Duration::from_millis(50), ..get(&upstream.url()) };
    for _ in 0..5 {
        assert_ne!(code_of(&egress, call()).await, "circuit_open");
    }
    assert_eq!(code_of(&egress, call()).await, "circuit_open");
}

#[tokio::test]
async fn t15_refusals_and_answers_of_the_host_do_not_count() {
    let upstream = Upstream::start(|_| Reply::status("429 Slow Down", "")).await;
    let egress = local();
    for _ in 0..10 {
        assert_eq!(egress.send(get(&upstream.url())).await.unwrap().status, 429);
    }
    let egress = with_names("", Script::new(&[&["10.0.0.1:0"]]), no_roots());
    for _ in 0..10 {
        assert_eq!(code_of(&egress, get("https://inside.test/")).await, "blocked_address");
    }
}

#[tokio::test]
async fn t15_an_open_circuit_ends_the_retries_with_what_was_last_heard() {
    let upstream = Upstream::start(|_| Reply::status("500 Oops", "")).await;
    let egress = local();
    for _ in 0..3 {
        egress.send(get(&upstream.url())).await.unwrap();
    }
    let outgoing = Outgoing { retry: Retry::WhenTransient, ..get(&upstream.url()) };
    let answer = egress.send(outgoing).await.unwrap();
    assert_eq!((answer.status, answer.attempts, upstream.requests()), (500, 2, 5));
}
