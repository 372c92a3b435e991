//! A listener that nobody should reach.

use crate::workshop::until;
use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
};
use tokio::net::{TcpListener, TcpStream};

/// On loopback, under one port by IPv4 and, where the machine has it, by IPv6. It remembers everybody who came.
pub struct Canary {
    pub port: u16,
    places: Vec<SocketAddr>,
    heard: Arc<Mutex<Vec<SocketAddr>>>,
}

impl Canary {
    pub async fn start() -> Self {
        let listeners = listeners().await;
        let places: Vec<SocketAddr> =
            listeners.iter().map(|listener| listener.local_addr().unwrap()).collect();
        let canary = Self { port: places[0].port(), places, heard: Arc::default() };
        for listener in listeners {
            let heard = Arc::clone(&canary.heard);
            tokio::spawn(async move {
                while let Ok((_, from)) = listener.accept().await {
                    heard.lock().unwrap().push(from);
                }
            });
        }
        canary
    }

    fn heard(&self) -> Vec<SocketAddr> {
        self.heard.lock().unwrap().clone()
    }

    /// It can be reached, by us: and whoever came before would have been heard before us.
    pub async fn heard_nobody(&self) {
        let mut ours = Vec::new();
        for place in &self.places {
            let knock = TcpStream::connect(place).await.unwrap();
            let us = knock.local_addr().unwrap();
            until("the canary hears us", || async { self.heard().contains(&us).then_some(()) }).await;
            ours.push(us);
        }
        assert_eq!(self.heard(), ours, "somebody else got through");
    }
}

/// A port that is free by IPv4 may be taken by IPv6: then another one.
async fn listeners() -> Vec<TcpListener> {
    let has_ipv6 = TcpListener::bind("[::1]:0").await.is_ok();
    loop {
        let first = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = first.local_addr().unwrap().port();
        match TcpListener::bind(("::1", port)).await {
            Ok(second) => return vec![first, second],
            Err(_) if !has_ipv6 => return vec![first],
            Err(_) => {}
        }
    }
}
