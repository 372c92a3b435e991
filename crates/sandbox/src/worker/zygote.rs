//! The process that all workers are copies of. It has one thread, holds nobody's data, and does three things: fork,
//! hand over, wait.

use super::channel::{Channel, Lost};
use crate::{
    confine::{self, Confined, Filter, Walls},
    protocol::{FromZygote, Hello, read_fork_request},
    sys::{self, Fork},
};
use rustix::{
    event::{PollFd, PollFlags},
    fd::{AsFd, OwnedFd},
    io::Errno,
    net::{
        RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
        SendFlags, SocketType,
    },
    process::{Pid, PidfdFlags, Signal, WaitId, WaitIdOptions},
};
use std::{
    io::{IoSlice, IoSliceMut},
    mem::MaybeUninit,
    panic::AssertUnwindSafe,
    process::ExitCode,
    rc::Rc,
};

/// What a child knows of where it sits.
#[derive(Clone, Copy)]
pub(crate) struct Seat {
    pub walls: Walls,
    pub mapped_bytes: u64,
}

struct Zygote {
    pid: Pid,
    seat: Seat,
    filter: Filter,
    children: Vec<Child>,
}

struct Child {
    id: u64,
    pidfd: OwnedFd,
}

/// Whether the standard input is a socket of the kind that the server hands over.
pub(super) fn has_control() -> bool {
    let control = rustix::stdio::stdin();
    rustix::net::sockopt::socket_type(control).is_ok_and(|kind| kind == SocketType::SEQPACKET)
}

/// `prepare` makes what every child starts with. It runs before the walls are complete: it is our own code.
pub(crate) fn serve<F>(walls: Walls, prepare: impl FnOnce() -> Result<F, String>) -> ExitCode
where
    F: Fn(Seat, &Rc<Channel>) -> Result<(), Lost>,
{
    match begin(walls, prepare) {
        Ok((mut zygote, hello, duty)) => match tell(&FromZygote::Hello(hello), None) {
            Ok(()) => zygote.attend(&duty),
            Err(_) => ExitCode::FAILURE,
        },
        Err(reason) => {
            let _unheard = tell(&FromZygote::Refused(reason), None);
            ExitCode::FAILURE
        }
    }
}

fn begin<F>(walls: Walls, prepare: impl FnOnce() -> Result<F, String>) -> Result<(Zygote, Hello, F), String> {
    let duty = prepare()?;
    match confined(walls) {
        Ok((zygote, hello)) => Ok((zygote, hello, duty)),
        Err(reason) => {
            // The process ends, and the reason has to be told before: the engine may break off when it is taken down.
            std::mem::forget(duty);
            Err(reason)
        }
    }
}

fn confined(walls: Walls) -> Result<(Zygote, Hello), String> {
    let filter = Filter::child()?;
    let pid = rustix::process::getpid();
    rustix::process::pidfd_open(pid, PidfdFlags::empty())
        .map_err(|e| format!("this kernel has no pidfd: {e}"))?;
    let Confined { kept_user, landlock_abi, mapped_bytes } = confine::confine_zygote(walls)?;
    if walls.seccomp {
        Filter::zygote()?.apply()?;
    }
    let zygote = Zygote { pid, seat: Seat { walls, mapped_bytes }, filter, children: Vec::new() };
    Ok((zygote, Hello { kept_user, landlock_abi }))
}

impl Zygote {
    /// Until the server closes its end: then this process ends, and with it its children.
    fn attend(&mut self, duty: &impl Fn(Seat, &Rc<Channel>) -> Result<(), Lost>) -> ExitCode {
        loop {
            match self.wait() {
                Ok(true) => match hear() {
                    Ok(Some((id, socket))) => self.fork(id, socket, duty),
                    Ok(None) => return self.end(),
                    Err(_) => return ExitCode::FAILURE,
                },
                Ok(false) => {}
                Err(_) => return ExitCode::FAILURE,
            }
        }
    }

    /// Children that outlive it would be left to whoever is the first process here, who may not care for them.
    fn end(&mut self) -> ExitCode {
        for child in self.children.drain(..) {
            let _gone = rustix::process::pidfd_send_signal(&child.pidfd, Signal::KILL);
            let _reaped = rustix::process::waitid(WaitId::PidFd(child.pidfd.as_fd()), WaitIdOptions::EXITED);
        }
        ExitCode::SUCCESS
    }

    /// Whether the server has something to say. Children that ended are reported on the way.
    fn wait(&mut self) -> rustix::io::Result<bool> {
        let control = rustix::stdio::stdin();
        let mut polled = vec![PollFd::new(&control, PollFlags::IN)];
        polled.extend(self.children.iter().map(|child| PollFd::new(&child.pidfd, PollFlags::IN)));
        match rustix::event::poll(&mut polled, None) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(errno) => return Err(errno),
        }
        let ready: Vec<bool> = polled.iter().map(|polled| !polled.revents().is_empty()).collect();
        drop(polled);
        let mut ended = ready.iter().skip(1);
        let (ended, alive) =
            std::mem::take(&mut self.children).into_iter().partition(|_| ended.next() == Some(&true));
        self.children = alive;
        Vec::into_iter(ended).try_for_each(report)?;
        Ok(ready.first() == Some(&true))
    }

    fn fork(&mut self, id: u64, socket: OwnedFd, duty: &impl Fn(Seat, &Rc<Channel>) -> Result<(), Lost>) {
        let told = match sys::fork() {
            Ok(Fork::Child) => self.be_child(socket, duty),
            Ok(Fork::Parent(pid)) => match rustix::process::pidfd_open(pid, PidfdFlags::empty()) {
                Ok(pidfd) => {
                    let told = tell(&FromZygote::Forked { id }, Some(&pidfd));
                    self.children.push(Child { id, pidfd });
                    told
                }
                // Its end of the socket is all that the server waits for: it closes with the child.
                Err(errno) => tell(&FromZygote::NotForked { id, errno: errno.raw_os_error() }, None),
            },
            Err(error) => {
                let errno = error.raw_os_error().unwrap_or_default();
                tell(&FromZygote::NotForked { id, errno }, None)
            }
        };
        if told.is_err() {
            sys::exit_now(1);
        }
    }

    /// Never returns: whatever happens, this process is not a second zygote.
    fn be_child(&self, socket: OwnedFd, duty: &impl Fn(Seat, &Rc<Channel>) -> Result<(), Lost>) -> ! {
        let live = || {
            confine::confine_child(self.seat.walls, self.pid, socket, &self.filter)?;
            duty(self.seat, &Rc::new(Channel::new())).map_err(|_| String::new())
        };
        match std::panic::catch_unwind(AssertUnwindSafe(live)) {
            Ok(Ok(())) => sys::exit_now(0),
            Ok(Err(_)) => sys::exit_now(1),
            Err(_) => sys::exit_now(101),
        }
    }
}

fn report(child: Child) -> rustix::io::Result<()> {
    let how = rustix::process::waitid(WaitId::PidFd(child.pidfd.as_fd()), WaitIdOptions::EXITED)?;
    let (status, signal) = match &how {
        Some(how) => (how.exit_status(), how.terminating_signal()),
        None => (None, None),
    };
    tell(&FromZygote::Ended { id: child.id, status, signal }, None)
}

/// Nothing: the server is gone.
fn hear() -> rustix::io::Result<Option<(u64, OwnedFd)>> {
    let mut bytes = [0; 16];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut beside = RecvAncillaryBuffer::new(&mut space);
    let control = rustix::stdio::stdin();
    let flags = RecvFlags::CMSG_CLOEXEC;
    let heard = rustix::net::recvmsg(control, &mut [IoSliceMut::new(&mut bytes)], &mut beside, flags)?;
    if heard.bytes == 0 {
        return Ok(None);
    }
    let socket = beside.drain().find_map(|message| match message {
        RecvAncillaryMessage::ScmRights(mut sockets) => sockets.next(),
        _ => None,
    });
    let id = bytes.get(..heard.bytes).and_then(|bytes| read_fork_request(bytes).ok());
    id.zip(socket).map(Some).ok_or(Errno::PROTO)
}

fn tell(message: &FromZygote, pidfd: Option<&OwnedFd>) -> rustix::io::Result<()> {
    let bytes = message.encode().map_err(|_| Errno::PROTO)?;
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut beside = SendAncillaryBuffer::new(&mut space);
    let given = pidfd.map(|pidfd| [pidfd.as_fd()]);
    if let Some(given) = &given {
        beside.push(SendAncillaryMessage::ScmRights(given));
    }
    let control = rustix::stdio::stdin();
    rustix::net::sendmsg(control, &[IoSlice::new(&bytes)], &mut beside, SendFlags::NOSIGNAL).map(drop)
}
