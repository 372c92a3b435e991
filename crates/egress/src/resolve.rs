//! From a name to addresses.

use async_trait::async_trait;
use std::{
    io,
    net::{SocketAddr, ToSocketAddrs},
    sync::Arc,
};
use tokio::sync::Semaphore;

/// Asked once for each connection. A port of 0 stands for the port of the request.
#[async_trait]
pub trait Resolve: Send + Sync + 'static {
    async fn resolve(&self, host: &str) -> io::Result<Vec<SocketAddr>>;
}

/// As the machine resolves names. A slow name server holds a thread for each question, so there is a limit: the others
/// wait, and their deadlines end the wait.
pub struct SystemResolver {
    threads: Arc<Semaphore>,
}

const THREADS: usize = 64;

impl Default for SystemResolver {
    fn default() -> Self {
        Self { threads: Arc::new(Semaphore::new(THREADS)) }
    }
}

#[async_trait]
impl Resolve for SystemResolver {
    async fn resolve(&self, host: &str) -> io::Result<Vec<SocketAddr>> {
        let permit = Arc::clone(&self.threads).acquire_owned().await.map_err(io::Error::other)?;
        let host = host.to_owned();
        let lookup = move || {
            // Given back when the thread is free, not when the caller stops waiting.
            let _permit = permit;
            (host.as_str(), 0).to_socket_addrs().map(Iterator::collect)
        };
        tokio::task::spawn_blocking(lookup).await.map_err(io::Error::other)?
    }
}
