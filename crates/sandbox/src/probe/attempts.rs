//! What somebody would try who has taken a worker over.
#![allow(unsafe_code)]

use crate::{protocol::FromWorker, sys, worker::Channel};
use serde_json::{Value, json};
use std::{io, process::ExitCode, time::Duration};

/// How the probe knows that it was executed by itself.
pub(super) const EXECUTED: &str = "--executed";

/// What was seen, or why it failed. An attempt that the kernel answers with a kill says neither.
pub(super) fn attempt(name: &str, parameters: &str) -> Result<Value, String> {
    let number = parameters.parse::<i64>().unwrap_or_default();
    match name {
        "open" => open(),
        "socket" => socket(),
        "exec" => exec(),
        "fork" => fork(),
        "thread" => call(libc::SYS_clone3, [0, 0, 0]).map(Value::from),
        "ptrace" => call(libc::SYS_ptrace, [libc::PTRACE_TRACEME as i64, 0, 0]).map(Value::from),
        "signal" => call(libc::SYS_kill, [number, 0, 0]).map(Value::from),
        "memory" => memory(usize::try_from(number).unwrap_or_default()),
        "code" => code(),
        "environment" => Ok(json!(std::env::vars().map(|(name, _)| name).collect::<Vec<_>>())),
        "descriptors" => descriptors(),
        "read" => call(libc::SYS_read, [number, 0, 0]).map(Value::from),
        "raise" => raise(),
        "dumpable" => call(libc::SYS_prctl, [libc::PR_GET_DUMPABLE as i64, 0, 0]).map(Value::from),
        "user" => Ok(json!([call(libc::SYS_getuid, [0; 3])?, call(libc::SYS_getgid, [0; 3])?])),
        "groups" => call(libc::SYS_getgroups, [0; 3]).map(Value::from),
        "capabilities" => capabilities(),
        "limits" => limits(),
        "priority" => priority(),
        "late-priority" => {
            spin(Duration::from_millis(200));
            priority()
        }
        "crash" => std::process::abort(),
        "loop" => loop {
            std::hint::spin_loop();
        },
        "flood" => flood(),
        "nonsense" => nonsense(),
        "endless" => endless(),
        _ => Ok(json!("nothing to try")),
    }
}

/// A raw call: no wrapper of a library stands between.
fn call(number: i64, [a, b, c]: [i64; 3]) -> Result<i64, String> {
    // SAFETY: the calls above take numbers, or null where they take a pointer.
    match unsafe { libc::syscall(number, a, b, c) } {
        -1 => Err(io::Error::last_os_error().to_string()),
        value => Ok(value),
    }
}

fn open() -> Result<Value, String> {
    let opened = std::fs::read("/etc/passwd").map_err(|e| e.to_string())?;
    Ok(json!(opened.len()))
}

fn socket() -> Result<Value, String> {
    std::net::TcpListener::bind("127.0.0.1:0").map(|_| json!("listens")).map_err(|e| e.to_string())
}

/// The server hears it from the new program.
fn exec() -> Result<Value, String> {
    use std::os::unix::process::CommandExt;
    let failed = std::process::Command::new("/proc/self/exe").arg(EXECUTED).exec();
    Err(failed.to_string())
}

pub(super) fn executed() -> ExitCode {
    let done = FromWorker::Done(json!({"succeeded": "executed"}).to_string());
    match Channel::new().send(&done) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn fork() -> Result<Value, String> {
    match sys::fork() {
        Ok(sys::Fork::Child) => sys::exit_now(0),
        Ok(sys::Fork::Parent(_)) => Ok(json!("forked")),
        Err(error) => Err(error.to_string()),
    }
}

/// Taken and written to.
fn memory(bytes: usize) -> Result<Value, String> {
    let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: an anonymous mapping of our own, written within its length.
    unsafe {
        let memory = libc::mmap(std::ptr::null_mut(), bytes, access, kind, -1, 0);
        if memory == libc::MAP_FAILED {
            return Err(io::Error::last_os_error().to_string());
        }
        for page in (0..bytes).step_by(4096) {
            memory.cast::<u8>().add(page).write_volatile(1);
        }
    }
    Ok(json!(bytes))
}

/// Memory that is a program.
fn code() -> Result<Value, String> {
    let access = libc::PROT_READ | libc::PROT_EXEC;
    let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
    // SAFETY: a new mapping that nobody uses.
    let mapped = unsafe { libc::mmap(std::ptr::null_mut(), 4096, access, kind, -1, 0) };
    if mapped == libc::MAP_FAILED { Err(io::Error::last_os_error().to_string()) } else { Ok(json!("mapped")) }
}

fn descriptors() -> Result<Value, String> {
    let is_open = |descriptor: &i64| call(libc::SYS_fcntl, [*descriptor, libc::F_GETFD as i64, 0]).is_ok();
    Ok(json!((0..4096).filter(is_open).collect::<Vec<_>>()))
}

/// Its own limit of address space, up again.
fn raise() -> Result<Value, String> {
    let all = libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: libc::RLIM_INFINITY };
    // SAFETY: the kernel only reads the limit.
    match unsafe { libc::setrlimit(libc::RLIMIT_AS, &all) } {
        0 => Ok(json!("raised")),
        _ => Err(io::Error::last_os_error().to_string()),
    }
}

fn capabilities() -> Result<Value, String> {
    let sets = rustix::thread::capabilities(None).map_err(|e| e.to_string())?;
    Ok(json!(sets.effective.bits() | sets.permitted.bits() | sets.inheritable.bits()))
}

fn limits() -> Result<Value, String> {
    use rustix::process::{Resource, getrlimit};
    let hard = |resource| getrlimit(resource).maximum;
    Ok(json!({
        "core": hard(Resource::Core), "files": hard(Resource::Nofile), "size": hard(Resource::Fsize),
        "processes": hard(Resource::Nproc), "memory": hard(Resource::As), "cpu": hard(Resource::Cpu),
        "locked": hard(Resource::Memlock), "stack": hard(Resource::Stack),
    }))
}

fn priority() -> Result<Value, String> {
    let nice = rustix::process::getpriority_process(None).map_err(|e| e.to_string())?;
    let processors = rustix::thread::sched_getaffinity(None).map_err(|e| e.to_string())?.count();
    let turn = sys::turn().map_err(|e| e.to_string())?;
    Ok(json!({"nice": nice, "processors": processors, "turn_ms": turn.as_millis() as u64}))
}

/// Of its own processor time.
fn spin(time: Duration) {
    use rustix::time::{ClockId, clock_gettime};
    let now = || Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap_or_default();
    let end = now() + time;
    while now() < end {}
}

/// Past the server's patience: its memory must not follow.
fn flood() -> Result<Value, String> {
    let line = FromWorker::Log("x".repeat(1000));
    loop {
        Channel::new().send(&line).map_err(|_| "the server is gone".to_owned())?;
    }
}

/// The beginning of a frame of four gigabytes.
fn nonsense() -> Result<Value, String> {
    rustix::io::write(rustix::stdio::stdout(), &[0xff; 4]).map_err(|e| e.to_string())?;
    loop {
        std::hint::spin_loop();
    }
}

/// Done, and not gone.
fn endless() -> Result<Value, String> {
    let done = FromWorker::Done(json!({"succeeded": std::process::id()}).to_string());
    Channel::new().send(&done).map_err(|_| "the server is gone".to_owned())?;
    loop {
        std::hint::spin_loop();
    }
}
