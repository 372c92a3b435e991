//! Limits of one process, on a clock that the tests drive.

#![allow(clippy::unwrap_used)]

mod help;

use help::{Clock, key, of};
use limits::{Limit, Limiter};
use std::time::Duration;

#[tokio::test]
async fn t17_exactly_the_count_passes() {
    let limiter = Clock::default().limiter();
    for count in [1, 3, 7, 1000] {
        let wanted = key(&format!("{count} an hour"), count, 3600);
        for _ in 0..count {
            limiter.take(&wanted).await.unwrap();
        }
        let wait = limiter.take(&wanted).await.unwrap_err();
        assert_eq!(wait.key, wanted[0].0);
        // Rounded to whole microseconds, upwards.
        let exact = Duration::from_secs(3600) / count;
        assert!(wait.retry_after >= exact && wait.retry_after - exact <= Duration::from_micros(1));
    }
}

#[tokio::test]
async fn t17_the_count_comes_back_evenly() {
    let clock = Clock::default();
    let limiter = clock.limiter();
    let wanted = key("tool", 4, 60);
    assert_eq!(of(&limiter, &wanted, 10).await, 4);
    clock.forward(Duration::from_secs(14));
    assert_eq!(of(&limiter, &wanted, 10).await, 0);
    clock.forward(Duration::from_secs(1));
    assert_eq!(of(&limiter, &wanted, 10).await, 1);
    clock.forward(Duration::from_secs(30));
    assert_eq!(of(&limiter, &wanted, 10).await, 2);
    clock.forward(Duration::from_secs(86_400));
    assert_eq!(of(&limiter, &wanted, 10).await, 4, "never more than the count at once");
}

#[tokio::test]
async fn t17_when_one_refuses_none_is_charged() {
    let limiter = Clock::default().limiter();
    let (tool, tenant, agent) = (key("tool", 5, 60), key("tenant", 2, 60), key("agent", 9, 60));
    let all = [tool.clone(), tenant.clone(), agent.clone()].concat();
    assert_eq!(of(&limiter, &all, 10).await, 2);
    assert_eq!(limiter.take(&all).await.unwrap_err().key, "tenant");
    assert_eq!(of(&limiter, &tool, 10).await, 3);
    assert_eq!(of(&limiter, &agent, 10).await, 7);
}

#[tokio::test]
async fn t17_a_look_says_what_a_call_would_get_and_charges_nothing() {
    let limiter = Clock::default().limiter();
    let (tool, tenant) = (key("tool", 2, 60), key("tenant", 1, 60));
    for _ in 0..10 {
        limiter.look(&[tool.clone(), tenant.clone()].concat()).await.unwrap();
    }
    assert_eq!(of(&limiter, &tenant, 10).await, 1);
    let looked = limiter.look(&[tool.clone(), tenant.clone()].concat()).await.unwrap_err();
    assert_eq!((looked.key.as_str(), looked.retry_after), ("tenant", Duration::from_secs(60)));
    assert_eq!(limiter.take(&tenant).await.unwrap_err(), looked);
    assert_eq!(of(&limiter, &tool, 10).await, 2, "a look that is refused charges nothing either");
}

#[tokio::test]
async fn t17_the_longest_wait_is_told_and_is_enough() {
    let clock = Clock::default();
    let limiter = clock.limiter();
    let all = [key("fast", 1, 10), key("slow", 1, 60), key("middle", 1, 30)].concat();
    limiter.take(&all).await.unwrap();
    let wait = limiter.take(&all).await.unwrap_err();
    assert_eq!((wait.key.as_str(), wait.retry_after), ("slow", Duration::from_secs(60)));
    clock.forward(wait.retry_after);
    limiter.take(&all).await.unwrap();
}

#[tokio::test]
async fn t17_one_key_may_have_several_limits() {
    let clock = Clock::default();
    let limiter = clock.limiter();
    let all = [key("agent", 2, 1), key("agent", 5, 3600)].concat();
    assert_eq!(of(&limiter, &all, 10).await, 2);
    clock.forward(Duration::from_secs(1));
    assert_eq!(of(&limiter, &all, 10).await, 2);
    clock.forward(Duration::from_secs(1));
    assert_eq!(of(&limiter, &all, 10).await, 1);
    let twice = [key("named twice", 2, 60), key("named twice", 2, 60)].concat();
    assert_eq!(of(&limiter, &twice, 10).await, 2);
}

#[tokio::test]
async fn t17_zero_and_huge_limits_do_what_they_say() {
    let limiter = Clock::default().limiter();
    assert_eq!(limiter.take(&key("never", 0, 60)).await.unwrap_err().retry_after, Duration::from_secs(60));
    assert_eq!(of(&limiter, &key("always", 1, 0), 100).await, 100);
    assert_eq!(of(&limiter, &key("most", u32::MAX, 1), 1000).await, 1000);
    let once = [("once".to_owned(), Limit { count: 1, window: Duration::MAX })];
    assert_eq!(of(&limiter, &once, 10).await, 1);
    limiter.take(&[]).await.unwrap();
}

#[tokio::test]
async fn t17_a_clock_that_jumps_locks_nobody_out() {
    let clock = Clock::default();
    let limiter = clock.limiter();
    let (wanted, window) = (key("tenant", 3, 60), Duration::from_secs(60));
    clock.set(Duration::from_secs(1_000_000));
    assert_eq!(of(&limiter, &wanted, 3).await, 3);
    clock.set(Duration::ZERO);
    assert!(limiter.take(&wanted).await.unwrap_err().retry_after <= window);
    clock.forward(window);
    assert_eq!(of(&limiter, &wanted, 10).await, 3);
    clock.set(Duration::from_secs(9_000_000));
    assert_eq!(of(&limiter, &wanted, 10).await, 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn t17_many_at_once_get_no_more_than_the_count() {
    let limiter = Limiter::in_process();
    let calls = (0..200).map(|_| {
        let limiter = limiter.clone();
        tokio::spawn(async move { limiter.take(&key("tenant", 50, 86_400)).await.is_ok() })
    });
    let mut passed = 0;
    for call in calls.collect::<Vec<_>>() {
        passed += usize::from(call.await.unwrap());
    }
    assert_eq!(passed, 50);
}
