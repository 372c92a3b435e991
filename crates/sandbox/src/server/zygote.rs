//! The zygote as the server sees it: a process, and a socket that takes descriptors.

use super::config::Config;
use crate::{
    protocol::{FromZygote, Hello, fork_request},
    sys,
};
use rustix::{
    fd::{AsFd, OwnedFd},
    net::{
        AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
        SendAncillaryMessage, SendFlags, SocketFlags, SocketType,
    },
};
use std::{
    io::{self, IoSlice, IoSliceMut},
    mem::MaybeUninit,
    os::unix::net::UnixStream,
    process::Stdio,
    time::Duration,
};
use tokio::{
    io::unix::AsyncFd,
    process::{Child, Command},
};

/// On a machine that has nothing else to do it takes a few milliseconds.
const PATIENCE: Duration = Duration::from_secs(20);
/// For a zygote to end its children, when nobody needs it.
const FAREWELL: Duration = Duration::from_secs(5);
/// Enough to start; less than the gigabyte that an allocator takes in advance when it may.
const ADDRESS_SPACE: u64 = 256 << 20;

pub(super) struct Zygote {
    process: Child,
    control: AsyncFd<OwnedFd>,
}

impl Zygote {
    /// The reason, where it cannot be.
    pub(super) async fn start(config: &Config) -> Result<(Self, Hello), String> {
        let (ours, theirs) = control_pair().map_err(|e| format!("no control socket: {e}"))?;
        let process =
            command(config, theirs).spawn().map_err(|e| format!("the worker cannot be started: {e}"))?;
        let control = sys::watched(ours).map_err(|e| format!("no control socket: {e}"))?;
        let zygote = Self { process, control };
        match tokio::time::timeout(PATIENCE, zygote.hear()).await {
            Ok(Ok((FromZygote::Hello(hello), _))) => Ok((zygote, hello)),
            Ok(Ok((FromZygote::Refused(reason), _))) => Err(reason),
            Ok(_) => Err("the worker ended before it was ready".to_owned()),
            Err(_) => Err("the worker was not ready in time".to_owned()),
        }
    }

    /// The worker's end goes over; the answer comes by [`Self::hear`].
    pub(super) async fn ask(&self, id: u64, socket: UnixStream) -> io::Result<()> {
        loop {
            let mut ready = self.control.writable().await?;
            if let Ok(sent) = ready.try_io(|control| Ok(send(control.get_ref(), id, &socket)?)) {
                return sent;
            }
        }
    }

    /// Can be given up and asked again: nothing is lost.
    pub(super) async fn hear(&self) -> io::Result<(FromZygote, Option<OwnedFd>)> {
        loop {
            let mut ready = self.control.readable().await?;
            if let Ok(heard) = ready.try_io(|control| receive(control.get_ref())) {
                return heard;
            }
        }
    }

    /// And its children with it. No zombie stays.
    pub(super) async fn end(self) {
        let Self { mut process, control } = self;
        drop(control);
        if tokio::time::timeout(FAREWELL, process.wait()).await.is_err() {
            let _gone = process.start_kill();
            let _reaped = process.wait().await;
        }
    }
}

/// Our own program again: nothing of our environment, nothing of our descriptors.
fn command(config: &Config, control: OwnedFd) -> Command {
    let mut command = Command::new(&config.program);
    command.args(&config.args).env_clear().kill_on_drop(true);
    command.stdin(Stdio::from(control)).stdout(Stdio::null()).stderr(Stdio::null());
    let size = std::fs::metadata(&config.program).map_or(0, |program| program.len());
    sys::with_address_space(&mut command, size.saturating_add(ADDRESS_SPACE));
    command
}

/// Ours does not block; theirs does.
fn control_pair() -> rustix::io::Result<(OwnedFd, OwnedFd)> {
    let (ours, theirs) =
        rustix::net::socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?;
    rustix::io::ioctl_fionbio(&ours, true)?;
    Ok((ours, theirs))
}

fn send(control: &OwnedFd, id: u64, socket: &UnixStream) -> rustix::io::Result<()> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut beside = SendAncillaryBuffer::new(&mut space);
    let given = [socket.as_fd()];
    beside.push(SendAncillaryMessage::ScmRights(&given));
    rustix::net::sendmsg(control, &[IoSlice::new(&fork_request(id))], &mut beside, SendFlags::NOSIGNAL)
        .map(drop)
}

fn receive(control: &OwnedFd) -> io::Result<(FromZygote, Option<OwnedFd>)> {
    let mut bytes = [0; 2048];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut beside = RecvAncillaryBuffer::new(&mut space);
    let flags = RecvFlags::CMSG_CLOEXEC;
    let heard = rustix::net::recvmsg(control, &mut [IoSliceMut::new(&mut bytes)], &mut beside, flags)?;
    if heard.bytes == 0 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    let pidfd = beside.drain().find_map(|message| match message {
        RecvAncillaryMessage::ScmRights(mut pidfds) => pidfds.next(),
        _ => None,
    });
    let message =
        FromZygote::decode(bytes.get(..heard.bytes).unwrap_or_default()).map_err(io::Error::other)?;
    Ok((message, pidfd))
}
