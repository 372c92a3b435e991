//! Keeps the pool filled, and the zygote alive.

use super::{
    config::Config,
    pool::Pool,
    worker::{End, Worker},
    zygote::Zygote,
};
use crate::protocol::FromZygote;
use rustix::process::{WaitId, WaitIdOptions};
use std::{
    collections::HashMap,
    io,
    os::{
        fd::{AsFd, OwnedFd},
        unix::net::UnixStream as StdUnixStream,
    },
    sync::{Arc, atomic::Ordering::Relaxed},
    time::Duration,
};
use tokio::{net::UnixStream, sync::oneshot};

/// Between two attempts that fail: the machine may need a moment.
const PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
/// A killed process is gone as soon as the machine has a moment for it.
const REAPS: u32 = 600;

pub(super) struct Keeper {
    config: Config,
    pool: Arc<Pool>,
    next_id: u64,
    /// Asked for: our end of the socket.
    coming: HashMap<u64, UnixStream>,
    living: HashMap<u64, Living>,
}

struct Living {
    /// Who wants to know how it ended.
    listener: oneshot::Sender<End>,
    pidfd: OwnedFd,
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
            zygote.end().await;
            let orphans = self.living.drain().map(|(_, living)| living.pidfd).collect();
            tokio::spawn(reap(orphans));
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
            (FromZygote::Forked { id }, Some(pidfd)) => self.born(id, pidfd)?,
            (FromZygote::NotForked { id, errno }, _) => {
                self.coming.remove(&id);
                let error = io::Error::from_raw_os_error(errno);
                tracing::warn!(%error, "a worker could not be forked");
                tokio::time::sleep(PAUSE).await;
            }
            (FromZygote::Ended { id, status, signal }, _) => {
                if let Some(living) = self.living.remove(&id) {
                    let _nobody = living.listener.send(End { status, signal });
                }
                self.pool.forget(id);
            }
            _ => return Err(io::ErrorKind::InvalidData.into()),
        }
        Ok(())
    }

    fn born(&mut self, id: u64, pidfd: OwnedFd) -> io::Result<()> {
        if let Some(socket) = self.coming.remove(&id) {
            let (listener, ended) = oneshot::channel();
            self.living.insert(id, Living { listener, pidfd: pidfd.try_clone()? });
            self.pool.counters.starts.fetch_add(1, Relaxed);
            self.pool.add(Worker::new(id, socket, pidfd, ended));
        }
        Ok(())
    }
}

/// Workers of a zygote that died are dead, and belong to the first process now. In a container that is often us.
async fn reap(mut orphans: Vec<OwnedFd>) {
    let is_ours_and_alive = |orphan: &OwnedFd| {
        let how = WaitIdOptions::EXITED | WaitIdOptions::NOHANG;
        matches!(rustix::process::waitid(WaitId::PidFd(orphan.as_fd()), how), Ok(None))
    };
    for _ in 0..REAPS {
        orphans.retain(is_ours_and_alive);
        if orphans.is_empty() {
            return;
        }
        tokio::time::sleep(PAUSE).await;
    }
}
