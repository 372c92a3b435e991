//! The few calls of the kernel that no safe wrapper offers. All `unsafe` of the crate is here.
#![allow(unsafe_code)]

use rustix::process::{Pid, Resource, Rlimit};
use std::{io, os::fd::OwnedFd};
use tokio::io::unix::AsyncFd;

pub(crate) enum Fork {
    Child,
    Parent(Pid),
}

/// Only for a process with one thread: a second one could hold a lock that the child would wait for.
pub(crate) fn fork() -> io::Result<Fork> {
    // SAFETY: the zygote has one thread, so the child may go on with everything the zygote had.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        0 => Ok(Fork::Child),
        pid => Pid::from_raw(pid).map(Fork::Parent).ok_or_else(io::Error::last_os_error),
    }
}

/// Without destructors and without anything registered for the end: a child of a fork has no business there.
pub(crate) fn exit_now(status: i32) -> ! {
    // SAFETY: it ends the process; nothing that follows could see a broken promise.
    unsafe { libc::_exit(status) }
}

/// Whatever was open from here on is closed, also what nobody remembers.
pub(crate) fn close_from(first: u32) -> io::Result<()> {
    // SAFETY: called where no value owns one of these descriptors that is still used.
    match unsafe { libc::syscall(libc::SYS_close_range, first, libc::c_uint::MAX, 0) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Others first: the scheduler treats the process as one that computes and does not hurry.
pub(crate) fn low_priority() -> io::Result<()> {
    let parameters = libc::sched_param { sched_priority: 0 };
    // SAFETY: the kernel only reads the parameters, which outlive the call.
    match unsafe { libc::sched_setscheduler(0, libc::SCHED_BATCH, &parameters) } {
        0 => rustix::process::setpriority_process(None, 19).map_err(Into::into),
        _ => Err(io::Error::last_os_error()),
    }
}

/// The program starts with little address space, so that its allocator does not take a gigabyte in advance:
/// what the zygote has mapped, its children have for free.
pub(crate) fn with_address_space(command: &mut tokio::process::Command, bytes: u64) {
    let limit = move || {
        let hard = rustix::process::getrlimit(Resource::As).maximum;
        let soft = hard.map_or(bytes, |hard| hard.min(bytes));
        let limit = Rlimit { current: Some(soft), maximum: hard };
        rustix::process::setrlimit(Resource::As, limit).map_err(Into::into)
    };
    // SAFETY: between fork and exec it makes two system calls and touches no memory but its own stack.
    unsafe { command.pre_exec(limit) };
}

/// A descriptor that the runtime waits for.
pub(crate) fn watched(descriptor: OwnedFd) -> io::Result<AsyncFd<OwnedFd>> {
    // SAFETY: an owned descriptor is the same one for as long as it is registered.
    unsafe { AsyncFd::register(descriptor) }.map_err(Into::into)
}
