use super::*;
use std::{
    cell::Cell,
    future::{pending, ready},
};

fn patient(url: &str) -> Outgoing {
    Outgoing { retry: Retry::WhenTransient, ..get(url) }
}

async fn failing_until(successful: usize, status: &'static str) -> Upstream {
    let reply = move |n| if n < successful { Reply::status(status, "no") } else { Reply::ok("yes") };
    Upstream::start(reply).await
}

#[tokio::test]
async fn t15_transient_answers_are_tried_again() {
    for status in ["429 Too Many Requests", "500 Oops", "503 Busy"] {
        let upstream = failing_until(2, status).await;
        let answer = local().send(patient(&upstream.url())).await.unwrap();
        assert_eq!((answer.status, answer.attempts, upstream.requests()), (200, 3, 3), "{status}");
        assert_eq!(upstream.connections(), 1);
    }
}

#[tokio::test]
async fn t15_each_attempt_is_noted_with_its_outcome_and_its_pause() {
    let upstream = failing_until(1, "503 Busy").await;
    let noted = Attempts::default();
    local().send_noting(patient(&upstream.url()), &noted).await.unwrap();
    let all = noted.take();
    assert_eq!(all.iter().map(|one| one.ended).collect::<Vec<_>>(), [Some(Ok(503)), Some(Ok(200))]);
    assert!(all[0].wait.is_some() && all[1].wait.is_none());
    assert!(all[0].began <= all[1].began);
    assert_eq!(noted.take(), []);

    let upstream = Upstream::start(|_| Reply::Close(Vec::new())).await;
    local().send_noting(get(&upstream.url()), &noted).await.unwrap_err();
    assert_eq!(noted.take()[0].ended, Some(Err("closed_early")), "a failure is noted by its code");
    let refused = local().send_noting(get("ftp://127.0.0.1/"), &noted).await;
    assert!(refused.is_err() && noted.take().is_empty(), "what was never sent was no attempt");
}

#[tokio::test]
async fn x4_a_call_that_is_dropped_leaves_the_attempt_that_went_on() {
    let upstream = Upstream::start(|_| Reply::Hang).await;
    let noted = Attempts::default();
    let (egress, outgoing) = (local(), get(&upstream.url()));
    let sending = egress.send_noting(outgoing, &noted);
    assert!(tokio::time::timeout(Duration::from_millis(50), sending).await.is_err());
    let all = noted.take();
    assert_eq!((all.len(), all[0].ended), (1, None));
    assert!(all[0].took > Duration::ZERO);
}

#[tokio::test]
async fn t15_after_three_retries_the_last_answer_counts() {
    let upstream = failing_until(9, "503 Busy").await;
    let noted = Attempts::default();
    let answer = local().send_noting(patient(&upstream.url()), &noted).await.unwrap();
    assert_eq!((answer.status, answer.attempts, upstream.requests()), (503, 4, 4));
    let waits: Vec<_> = noted.take().iter().filter_map(|one| one.wait).collect();
    assert!(waits.len() == 3 && waits.iter().sum::<Duration>() <= Duration::from_millis(700), "{waits:?}");
}

#[tokio::test]
async fn s23_who_sends_is_asked_before_each_attempt_but_the_first() {
    let upstream = failing_until(9, "503 Busy").await;
    let asked = Cell::new(0);
    let twice = || {
        asked.set(asked.get() + 1);
        ready((asked.get() <= 2).then(HeaderMap::new))
    };
    let sent = local().send_while(patient(&upstream.url()), &Attempts::default(), twice).await;
    let answer = sent.unwrap();
    assert_eq!((answer.status, answer.attempts, upstream.requests(), asked.get()), (503, 3, 3, 3));

    let upstream = failing_until(0, "").await;
    let no = || ready(None);
    let answer = local().send_while(patient(&upstream.url()), &Attempts::default(), no).await.unwrap();
    assert_eq!((answer.status, upstream.requests()), (200, 1), "the first one is not a question");
}

#[tokio::test]
async fn s23_no_answer_in_time_is_a_no() {
    let upstream = failing_until(1, "503 Busy").await;
    let deadline = Instant::now() + Duration::from_secs(60);
    let outgoing = Outgoing { deadline, ..patient(&upstream.url()) };
    // From here on nothing but the deadline can happen: the clock goes there by itself.
    let silent = || {
        tokio::time::pause();
        pending::<Option<HeaderMap>>()
    };
    let answer = local().send_while(outgoing, &Attempts::default(), silent).await.unwrap();
    assert_eq!((answer.status, answer.attempts, upstream.requests()), (503, 1, 1));
}

#[tokio::test]
async fn t15_other_answers_are_final() {
    for status in ["400 Bad", "401 Who", "404 Not Found", "302 Found"] {
        let upstream = failing_until(9, status).await;
        assert_eq!(local().send(patient(&upstream.url())).await.unwrap().attempts, 1);
    }
}

#[tokio::test]
async fn t15_never_means_never() {
    let upstream = failing_until(1, "503 Busy").await;
    let answer = local().send(get(&upstream.url())).await.unwrap();
    assert_eq!((answer.status, answer.attempts, upstream.requests()), (503, 1, 1));
    let upstream = Upstream::start(|_| Reply::Close(Vec::new())).await;
    assert_eq!(code_of(&local(), get(&upstream.url())).await, "closed_early");
    assert_eq!(upstream.requests(), 1);
}

#[tokio::test]
async fn t15_lost_connections_are_tried_again() {
    let lost = |n| if n < 2 { Reply::Close(Vec::new()) } else { Reply::ok("yes") };
    let upstream = Upstream::start(lost).await;
    let answer = local().send(patient(&upstream.url())).await.unwrap();
    assert_eq!((answer.status, answer.attempts), (200, 3));
}

#[tokio::test]
async fn t15_connections_that_fail_are_tried_four_times() {
    let names = Script::new(&[&["127.0.0.1:1"]]);
    let egress = with_names("nobody.test:80", Arc::clone(&names), no_roots());
    assert_eq!(code_of(&egress, patient("http://nobody.test/")).await, "connection_failed");
    assert_eq!(names.asked(), 4);
}

#[tokio::test]
async fn t15_names_that_are_not_found_are_tried_four_times() {
    let names = Script::new(&[]);
    let egress = with_names("", Arc::clone(&names), no_roots());
    assert_eq!(code_of(&egress, patient("https://nobody.test/")).await, "unknown_host");
    assert_eq!(names.asked(), 4);
}

#[tokio::test]
async fn t15_a_refusal_is_not_tried_again() {
    let names = Script::new(&[&["10.0.0.1:0"]]);
    let egress = with_names("", Arc::clone(&names), no_roots());
    assert_eq!(code_of(&egress, patient("https://inside.test/")).await, "blocked_address");
    assert_eq!(names.asked(), 1);
}

async fn asking_for(seconds: u32) -> Upstream {
    let head = format!("HTTP/1.1 503 Busy\r\nretry-after: {seconds}\r\ncontent-length: 0\r\n\r\n");
    Upstream::start(move |n| if n == 0 { Reply::Send(head.clone().into_bytes()) } else { Reply::ok("yes") })
        .await
}

#[tokio::test]
async fn t15_retry_after_is_honoured() {
    let upstream = asking_for(1).await;
    let started = Instant::now();
    assert_eq!(local().send(patient(&upstream.url())).await.unwrap().attempts, 2);
    assert!(started.elapsed() >= Duration::from_secs(1));
}

#[tokio::test]
async fn x4_what_lies_past_the_deadline_is_not_waited_for() {
    let upstream = asking_for(3600).await;
    let started = Instant::now();
    let answer = local().send(patient(&upstream.url())).await.unwrap();
    assert_eq!((answer.status, answer.attempts), (503, 1));
    assert!(started.elapsed() < Duration::from_secs(5));
}

#[tokio::test]
async fn x4_the_deadline_is_of_all_attempts_together() {
    let upstream = Upstream::start(|n| match n {
        0 => Reply::status("503 Busy", ""),
        _ => {
            tokio::time::pause();
            Reply::Hang
        }
    })
    .await;
    let deadline = Instant::now() + Duration::from_secs(60);
    assert_eq!(code_of(&local(), Outgoing { deadline, ..patient(&upstream.url()) }).await, "timed_out");
    assert!(deadline.elapsed() < Duration::from_secs(1), "not a new one for each attempt");
    assert_eq!(upstream.requests(), 2);
}
