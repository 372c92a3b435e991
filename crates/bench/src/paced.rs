//! Requests at a given rate, whether or not the ones before were answered: what `wrk` cannot do, and what tells how
//! long callers wait at a load that is not the heaviest.

use crate::{Outcome, ms};
use reqwest::Client;
use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};
use tokio::task::JoinSet;

/// A request to the product.
#[derive(Clone)]
pub struct Request {
    client: Client,
    url: String,
    key: String,
    body: String,
}

impl Request {
    pub fn new(url: String, key: &str, body: String) -> Self {
        Self { client: Client::new(), url, key: key.to_owned(), body }
    }

    /// How long the answer took.
    pub async fn send(&self) -> Outcome<Duration> {
        let started = Instant::now();
        let request = self.client.post(&self.url).bearer_auth(&self.key);
        let request = request.header("content-type", "application/json").body(self.body.clone());
        request.send().await?.error_for_status()?.bytes().await?;
        Ok(started.elapsed())
    }

    /// The slowest hundredth of so many per second took longer, in milliseconds.
    pub async fn p99_at(&self, rate: f64, lasting: Duration) -> Outcome<f64> {
        let mut clock = tokio::time::interval(Duration::from_secs_f64(1.0 / rate.max(1.0)));
        let until = Instant::now() + lasting;
        let mut calls = JoinSet::new();
        while Instant::now() < until {
            clock.tick().await;
            let request = self.clone();
            calls.spawn(async move { request.send().await.map_err(|error| error.to_string()) });
        }
        let times: Result<Vec<Duration>, String> = calls.join_all().await.into_iter().collect();
        let mut times = times?;
        times.sort();
        times.get(times.len() * 99 / 100).map(|time| ms(*time)).ok_or_else(|| "no call was made".into())
    }

    /// So many calls, over so many connections.
    pub async fn repeat(&self, calls: usize, connections: usize) -> Outcome<()> {
        let left = Arc::new(AtomicUsize::new(calls));
        let mut callers = JoinSet::new();
        for _ in 0..connections {
            let (request, left) = (self.clone(), Arc::clone(&left));
            callers.spawn(async move {
                while left.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_ok() {
                    request.send().await.map_err(|error| error.to_string())?;
                }
                Ok::<(), String>(())
            });
        }
        Ok(callers.join_all().await.into_iter().collect::<Result<(), String>>()?)
    }
}
