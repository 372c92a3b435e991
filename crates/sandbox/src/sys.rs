//! The few calls of the kernel that no safe wrapper offers. All `unsafe` of the crate is here.
#![allow(unsafe_code)]

use rustix::{
    process::{Pid, Resource, Rlimit},
    thread::{CpuSet, sched_getaffinity, sched_setaffinity},
};
use std::{io, os::fd::OwnedFd, sync::OnceLock, time::Duration};
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

/// Behind the server. Short scripts are answered soon also when the machine is busy.
pub(crate) fn low_priority() -> io::Result<()> {
    rustix::process::setpriority_process(None, NICE).map_err(Into::into)
}

const NICE: i32 = 10;
const NICEST: i32 = 19;

/// Where scripts go on that have stepped back. Of the other processors one is always free of endless loops.
static BACK_SEATS: OnceLock<CpuSet> = OnceLock::new();

/// Whatever computes for longer than this gets what others leave. By a signal: much of the engine is one long function
/// that never looks at a clock. To be set once; a fork inherits it.
pub(crate) fn prepare_to_step_back() -> io::Result<()> {
    let _known = BACK_SEATS.set(back_half(&sched_getaffinity(None)?));
    // SAFETY: the handler makes two system calls and changes nothing; an action of zeroes is a valid one.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = step_back as *const () as libc::sighandler_t;
        action.sa_flags = libc::SA_RESTART;
        succeeded(libc::sigaction(libc::SIGPROF, &action, std::ptr::null_mut()))
    }
}

/// From now on, processor time of this process counts.
pub(crate) fn step_back_after(time: Duration) -> io::Result<()> {
    let micros = libc::suseconds_t::from(time.subsec_micros() as i32);
    let once = libc::timeval { tv_sec: 0, tv_usec: 0 };
    let timer = libc::itimerval { it_interval: once, it_value: libc::timeval { tv_sec: 0, tv_usec: micros } };
    // SAFETY: the kernel only reads the timer.
    succeeded(unsafe { libc::setitimer(libc::ITIMER_PROF, &timer, std::ptr::null_mut()) })
}

/// As long as Linux grants. From 6.12 on, whoever wakes up and wants a shorter turn takes the processor at once; with a
/// turn like everybody's, the loop would keep it until the next tick. An older kernel takes no notice of it.
const LONG_TURN: Duration = Duration::from_millis(100);

/// Not `SCHED_IDLE`: Linux takes a processor that runs nothing else for an idle one, wakes others there, and some of them
/// wait for the next tick. Beside eight endless loops that made the slowest calls of others four times as slow.
extern "C" fn step_back(_signal: libc::c_int) {
    if take_long_turns().is_err() {
        let _kept = rustix::process::setpriority_process(None, NICEST);
    }
    if let Some(seats) = BACK_SEATS.get() {
        let _kept = sched_setaffinity(None, seats);
    }
}

/// The lowest priority, in long turns.
fn take_long_turns() -> io::Result<()> {
    // SAFETY: an attribute of zeroes is a valid one, and the kernel only reads it.
    let status = unsafe {
        let mut wanted: libc::sched_attr = std::mem::zeroed();
        wanted.size = size_of::<libc::sched_attr>() as u32;
        wanted.sched_policy = libc::SCHED_OTHER as u32;
        wanted.sched_nice = NICEST;
        wanted.sched_runtime = LONG_TURN.as_nanos() as u64;
        libc::syscall(libc::SYS_sched_setattr, 0, &raw const wanted, 0)
    };
    if status == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// How long a turn of this process is; nothing where the kernel has no turns of different lengths.
#[cfg(feature = "probe")]
pub(crate) fn turn() -> io::Result<Duration> {
    // SAFETY: an attribute of zeroes is a valid one, and the kernel writes no more than the size that it is told.
    unsafe {
        let mut ours: libc::sched_attr = std::mem::zeroed();
        match libc::syscall(libc::SYS_sched_getattr, 0, &raw mut ours, size_of::<libc::sched_attr>(), 0) {
            0 => Ok(Duration::from_nanos(ours.sched_runtime)),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

/// Of the processors that we may use; of one, that one.
fn back_half(ours: &CpuSet) -> CpuSet {
    let mut half = CpuSet::new();
    let ours = (0..CpuSet::MAX_CPU).filter(|cpu| ours.is_set(*cpu));
    let all: Vec<usize> = ours.collect();
    all.iter().skip(all.len() / 2).for_each(|cpu| half.set(*cpu));
    half
}

fn succeeded(status: libc::c_int) -> io::Result<()> {
    if status == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
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
