//! Keeps the pool filled, and the zygote alive.

use super::{
    pool::Pool,
    sandbox::Config,
    worker::{End, Worker},
    zygote::Zygote,
};
use crate::protocol::FromZygote;
use std::{
    collections::HashMap,
    io,
    os::{fd::OwnedFd, unix::net::UnixStream as StdUnixStream},
    sync::{Arc, atomic::Ordering::Relaxed},
    time::Duration,
};
use tokio::{net::UnixStream, sync::oneshot};

/// Between two attempts that fail: the machine may need a moment.
const PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

pub(super) struct Keeper {
    config: Config,
    pool: Arc<Pool>,
    next_id: u64,
    /// Asked for: our end of the socket.
    coming: HashMap<u64, UnixStream>,
    /// Alive: who wants to know how it ended.
    living: HashMap<u64, oneshot::Sender<End>>,
}

impl Keeper {
    pub(super) fn new(config: Config, pool: Arc<Pool>) -> Self {
        Self { config, pool, next_id: 0, coming: HashMap::new(), living: HashMap::new() }
    }

    /// Until the sandbox is dropped.
    pub(super) async fn keep(mut self, mut zygote: Zygote) {
        loop {
            self.pool.counters.zygote_starts.fetch_add(1, Relaxed);
            let why = self.attend(&zygote).await;
            self.pool.clear();
            self.coming.clear();
            self.living.clear();
            zygote.end().await;
            if self.pool.is_closed() {
                return;
            }
            tracing::warn!(error = ?why.err(), "the workers' zygote ended: starting another");
            zygote = match self.restart().await {
                Some(zygote) => zygote,
                None => return,
            };
        }
    }

    async fn restart(&self) -> Option<Zygote> {
        let mut pause = PAUSE;
        while !self.pool.is_closed() {
            match Zygote::start(&self.config).await {
                Ok((zygote, _)) => return Some(zygote),
                Err(reason) => tracing::error!(reason, "no worker can be started"),
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
        None
    }

    /// One zygote's life. `Ok`: nobody needs it any more.
    async fn attend(&mut self, zygote: &Zygote) -> io::Result<()> {
        while !self.pool.is_closed() {
            self.fill(zygote).await?;
            tokio::select! {
                heard = zygote.hear() => {
                    let (message, pidfd) = heard?;
                    self.hear(message, pidfd).await?;
                }
                () = self.pool.wake.notified() => {}
            }
        }
        Ok(())
    }

    async fn fill(&mut self, zygote: &Zygote) -> io::Result<()> {
        let target = self.config.waiting.max(1) + self.pool.wanted();
        while self.pool.len() + self.coming.len() < target {
            let (ours, theirs) = StdUnixStream::pair()?;
            ours.set_nonblocking(true)?;
            self.next_id += 1;
            self.coming.insert(self.next_id, UnixStream::from_std(ours)?);
            zygote.ask(self.next_id, theirs).await?;
        }
        Ok(())
    }

    async fn hear(&mut self, message: FromZygote, pidfd: Option<OwnedFd>) -> io::Result<()> {
        match (message, pidfd) {
            (FromZygote::Forked { id }, Some(pidfd)) => self.born(id, pidfd),
            (FromZygote::NotForked { id, errno }, _) => {
                self.coming.remove(&id);
                let error = io::Error::from_raw_os_error(errno);
                tracing::warn!(%error, "a worker could not be forked");
                tokio::time::sleep(PAUSE).await;
            }
            (FromZygote::Ended { id, status, signal }, _) => {
                if let Some(listener) = self.living.remove(&id) {
                    let _nobody = listener.send(End { status, signal });
                }
                self.pool.forget(id);
            }
            _ => return Err(io::ErrorKind::InvalidData.into()),
        }
        Ok(())
    }

    fn born(&mut self, id: u64, pidfd: OwnedFd) {
        if let Some(socket) = self.coming.remove(&id) {
            let (sender, receiver) = oneshot::channel();
            self.living.insert(id, sender);
            self.pool.counters.starts.fetch_add(1, Relaxed);
            self.pool.add(Worker::new(id, socket, pidfd, receiver));
        }
    }
}
