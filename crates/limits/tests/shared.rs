//! Limits that are shared through a real Redis, which comes and goes.

#![allow(clippy::unwrap_used)]

mod help;

use help::{key, log::Log, of, server::Server};
use limits::{BadAddress, Limiter};
use std::time::{Duration, Instant};

const DAY: u64 = 86_400;

/// Waits for a Redis that is slow because the machine is.
fn limiter(server: &Server) -> Limiter {
    Limiter::shared_with(&server.url(), server.certificate(), Duration::from_secs(60)).unwrap()
}

#[tokio::test]
async fn t17_two_processes_share_one_count() {
    let server = Server::start().await;
    let (one, two) = (limiter(&server), limiter(&server));
    let wanted = key("tenant", 5, DAY);
    assert_eq!(of(&one, &wanted, 3).await, 3);
    assert_eq!(of(&two, &wanted, 10).await, 2);
    let wait = one.take(&wanted).await.unwrap_err();
    assert_eq!(wait.key, "tenant");
    let interval = Duration::from_secs(DAY / 5);
    assert!(wait.retry_after <= interval && wait.retry_after > interval - Duration::from_secs(60));
}

#[tokio::test]
async fn t17_counts_are_shared_over_tls_with_a_redis_that_is_trusted() {
    let server = Server::start_with_tls().await;
    let (one, two) = (limiter(&server), limiter(&server));
    let wanted = key("tenant", 5, DAY);
    assert_eq!(of(&one, &wanted, 3).await, 3);
    assert_eq!(of(&two, &wanted, 10).await, 2);
    // Nobody vouches for it here: not asked, so this process counts for itself.
    let alone = Limiter::shared_with(&server.url(), None, Duration::from_secs(60)).unwrap();
    assert_eq!(of(&alone, &wanted, 10).await, 5);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn t17_many_at_once_get_no_more_than_the_shared_count() {
    let server = Server::start().await;
    let limiters = [limiter(&server), limiter(&server)];
    let call = |number: usize| {
        let limiter = limiters[number % 2].clone();
        tokio::spawn(async move { limiter.take(&key("tenant", 50, DAY)).await.is_ok() })
    };
    let mut passed = 0;
    for call in (0..200).map(call).collect::<Vec<_>>() {
        passed += usize::from(call.await.unwrap());
    }
    assert_eq!(passed, 50);
}

#[tokio::test]
async fn t17_when_one_refuses_none_is_charged_in_redis() {
    let server = Server::start().await;
    let limiter = limiter(&server);
    let (tool, tenant, agent) = (key("tool", 5, DAY), key("tenant", 2, DAY), key("agent", 9, DAY));
    let all = [tool.clone(), tenant.clone(), agent.clone()].concat();
    assert_eq!(of(&limiter, &all, 10).await, 2);
    assert_eq!(limiter.take(&all).await.unwrap_err().key, "tenant");
    assert_eq!(of(&limiter, &tool, 10).await, 3);
    assert_eq!(of(&limiter, &agent, 10).await, 7);
}

#[tokio::test]
async fn t17_a_look_at_redis_charges_nothing() {
    let server = Server::start().await;
    let (one, two) = (limiter(&server), limiter(&server));
    let wanted = key("tenant", 2, DAY);
    for _ in 0..10 {
        one.look(&wanted).await.unwrap();
    }
    let keys: Vec<String> = server.ask(&["KEYS", "*"]).await;
    assert_eq!(keys, Vec::<String>::new());
    assert_eq!(of(&two, &wanted, 10).await, 2);
    assert_eq!(one.look(&wanted).await.unwrap_err().key, "tenant", "what another process used up is seen");
}

#[tokio::test]
async fn t17_the_wait_that_redis_tells_is_enough() {
    let server = Server::start().await;
    let limiter = limiter(&server);
    let wanted = key("tool", 4, 2);
    // Not exactly four: on a slow machine some come back meanwhile.
    let wait = loop {
        if let Err(wait) = limiter.take(&wanted).await {
            break wait;
        }
    };
    // Time itself is what is waited for. Tokio's timers may end a millisecond early.
    tokio::time::sleep(wait.retry_after + Duration::from_millis(2)).await;
    limiter.take(&wanted).await.unwrap();
}

#[tokio::test]
async fn t17_keys_in_redis_have_our_prefix_and_expire() {
    let server = Server::start().await;
    let limiter = limiter(&server);
    limiter.take(&[key("tool", 10, 100), key("free", 10, 0)].concat()).await.unwrap();
    let keys: Vec<String> = server.ask(&["KEYS", "*"]).await;
    assert_eq!(keys, ["alcada:limit:10/100000000:tool"]);
    let milliseconds: i64 = server.ask(&["PTTL", &keys[0]]).await;
    assert!((1..=10_000).contains(&milliseconds), "{milliseconds}");
}

#[tokio::test]
async fn t17_a_clock_of_redis_that_went_back_locks_nobody_out() {
    let server = Server::start().await;
    let limiter = limiter(&server);
    let name = "alcada:limit:2/100000000:tool";
    let () = server.ask(&["SET", name, "9000000000000000"]).await;
    let wait = limiter.take(&key("tool", 2, 100)).await.unwrap_err();
    assert_eq!(wait.retry_after, Duration::from_secs(50));
    let milliseconds: i64 = server.ask(&["PTTL", name]).await;
    assert!((1..=100_000).contains(&milliseconds), "{milliseconds}");
}

#[tokio::test]
async fn t17_zero_and_huge_limits_do_what_they_say_in_redis() {
    let log = Log::default();
    let _listening = log.listen();
    let server = Server::start().await;
    let limiter = limiter(&server);
    assert_eq!(limiter.take(&key("never", 0, 60)).await.unwrap_err().retry_after, Duration::from_secs(60));
    assert_eq!(of(&limiter, &key("always", 1, 0), 20).await, 20);
    assert_eq!(of(&limiter, &key("most", u32::MAX, 1), 20).await, 20);
    assert_eq!(of(&limiter, &key("once", 1, u64::MAX), 10).await, 1);
    limiter.take(&[]).await.unwrap();
    assert_eq!(log.count("WARN"), 0, "Redis refused something");
}

/// Calls until the log says so; the calls are what finds out.
async fn call_until(limiter: &Limiter, log: &Log, text: &str, times: usize) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while log.count(text) < times {
        assert!(Instant::now() < deadline, "never logged: {text}");
        let _ = limiter.take(&key("probe", 1, 1)).await;
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn t17_without_redis_each_counts_alone_until_it_returns() {
    let log = Log::default();
    let _listening = log.listen();
    let mut server = Server::start().await;
    let limiter = limiter(&server);
    let wanted = key("tenant", 3, DAY);
    for outage in 1..=2 {
        assert_eq!(of(&limiter, &wanted, 10).await, 3, "in Redis, which forgets when it is killed");
        server.kill().await;
        let alone = key(&format!("tenant {outage}"), 3, DAY);
        assert_eq!(of(&limiter, &alone, 10).await, 3, "still limited");
        call_until(&limiter, &log, "does not answer", outage).await;
        assert_eq!(of(&limiter, &alone, 10).await, 0);

        server.come_back().await;
        call_until(&limiter, &log, "answers again", outage).await;
        assert_eq!(log.count("WARN"), outage, "one warning per outage");
    }
    assert_eq!(of(&limiter, &wanted, 10).await, 3, "in Redis again");
    let keys: Vec<String> = server.ask(&["KEYS", "*tenant"]).await;
    assert_eq!(keys.len(), 1);
}

#[tokio::test]
async fn t17_a_redis_that_hangs_holds_nobody_up() {
    let log = Log::default();
    let _listening = log.listen();
    let server = Server::start().await;
    let limiter = Limiter::shared(&server.url(), None).unwrap();
    limiter.take(&key("tenant", 3, DAY)).await.unwrap();
    server.signal("-STOP").await;
    let start = Instant::now();
    assert_eq!(of(&limiter, &key("tenant", 3, DAY), 100).await, 3);
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    server.signal("-CONT").await;
    call_until(&limiter, &log, "answers again", 1).await;
    assert_eq!(log.count("WARN"), 1);
}

#[tokio::test]
async fn t17_it_starts_without_redis_and_finds_it_later() {
    let log = Log::default();
    let _listening = log.listen();
    let mut server = Server::start().await;
    server.kill().await;
    let limiter = limiter(&server);
    assert_eq!(of(&limiter, &key("tenant", 3, DAY), 10).await, 3);
    server.come_back().await;
    call_until(&limiter, &log, "answers again", 1).await;
    assert_eq!(log.count("WARN"), 1);
}

#[test]
fn t17_a_wrong_address_is_refused_and_not_repeated() {
    for wrong in ["", "localhost", "http://:secret@localhost", "rediss:///:secret"] {
        let error = Limiter::shared(wrong, None).err();
        assert_eq!(error, Some(BadAddress), "{wrong}");
    }
    assert!(!BadAddress.to_string().contains("secret"));
}
