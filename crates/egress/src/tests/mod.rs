//! Against listeners of this machine; nothing goes to the internet.
#![allow(clippy::unwrap_used)]

mod addresses;
mod allow;
mod answers;
mod circuits;
mod connections;
mod forgery;
mod hosts;
mod rebinding;
mod retries;
mod signatures;
mod upstream;

use crate::{AllowList, Attempts, Egress, EgressError, Outgoing, Resolve, Retry, tls};
use async_trait::async_trait;
use http::{HeaderMap, Method};
use rustls::{ClientConfig, RootCertStore};
use std::{
    io,
    net::{Ipv4Addr, SocketAddr},
    sync::{Arc, Mutex},
    time::Duration,
};
use tokio::time::Instant;
use upstream::{Reply, Upstream};
use url::Url;

pub const LOCAL: Ipv4Addr = Ipv4Addr::LOCALHOST;

/// Gives its answers in turn, the last one for ever, and remembers how often it was asked.
#[derive(Default)]
pub struct Script {
    answers: Vec<Vec<SocketAddr>>,
    asked: Mutex<usize>,
}

impl Script {
    pub fn new(answers: &[&[&str]]) -> Arc<Self> {
        let read = |answer: &&[&str]| answer.iter().map(|address| address.parse().unwrap()).collect();
        Arc::new(Self { answers: answers.iter().map(read).collect(), asked: Mutex::new(0) })
    }

    pub fn asked(&self) -> usize {
        *self.asked.lock().unwrap()
    }
}

#[async_trait]
impl Resolve for Script {
    async fn resolve(&self, _: &str) -> io::Result<Vec<SocketAddr>> {
        let mut asked = self.asked.lock().unwrap();
        *asked += 1;
        let answer = self.answers.get(*asked - 1).or(self.answers.last());
        answer.cloned().ok_or_else(|| io::Error::other("no such name"))
    }
}

pub fn no_roots() -> ClientConfig {
    tls::with_roots(RootCertStore::empty()).unwrap()
}

pub fn egress(allow: &str) -> Egress {
    let allow = AllowList::parse(allow).unwrap();
    Egress::with_parts(allow, Arc::new(Script::default()), no_roots(), |address| address)
}

/// Names lead where the script says. Public addresses lead to this machine: its listeners stand for the internet.
pub fn with_names(allow: &str, names: Arc<Script>, tls: ClientConfig) -> Egress {
    let internet = |address: SocketAddr| SocketAddr::from((LOCAL, address.port()));
    Egress::with_parts(AllowList::parse(allow).unwrap(), names, tls, internet)
}

/// May reach the listeners of this machine.
pub fn local() -> Egress {
    egress("127.0.0.1")
}

pub fn get(url: &str) -> Outgoing {
    Outgoing {
        owner: 1,
        method: Method::GET,
        url: Url::parse(url).unwrap(),
        headers: HeaderMap::new(),
        body: None,
        deadline: Instant::now() + Duration::from_secs(10),
        max_body: 1024,
        retry: Retry::Never,
    }
}

pub async fn code_of(egress: &Egress, outgoing: Outgoing) -> &'static str {
    egress.send(outgoing).await.map_or_else(|error| error.code(), |_| "ok")
}

pub fn error_code<T>(result: Result<T, EgressError>) -> &'static str {
    result.map_or_else(|error| error.code(), |_| "ok")
}
