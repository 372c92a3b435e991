//! A worker as the server sees it: a socket, and a handle to kill it with.

use rustix::process::Signal;
use std::{os::fd::OwnedFd, time::Duration};
use tokio::{net::UnixStream, sync::oneshot};

/// The zygote tells at once; but a process that is being killed may take its time on a busy machine.
const PATIENCE: Duration = Duration::from_secs(5);

/// How a worker ended, as far as anybody knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct End {
    pub status: Option<i32>,
    pub signal: Option<i32>,
}

/// Used once. Whoever drops it kills the process, also one that says it is done.
pub(super) struct Worker {
    pub id: u64,
    pub socket: UnixStream,
    pidfd: OwnedFd,
    ended: oneshot::Receiver<End>,
}

impl Worker {
    pub(super) fn new(id: u64, socket: UnixStream, pidfd: OwnedFd, ended: oneshot::Receiver<End>) -> Self {
        Self { id, socket, pidfd, ended }
    }

    /// By its pidfd: a number might be somebody else's by now.
    pub(super) fn kill(&self) {
        let _gone = rustix::process::pidfd_send_signal(&self.pidfd, Signal::KILL);
    }

    /// Nothing: the zygote went away with the answer.
    pub(super) async fn end(&mut self) -> Option<End> {
        tokio::time::timeout(PATIENCE, &mut self.ended).await.ok()?.ok()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.kill();
    }
}
