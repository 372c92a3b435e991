//! The walls around a worker. Each stops something that another one would stop too, and is tested without the other.
//!
//! Two stages: the zygote gives up what no worker needs, once; a child gives up what the zygote needed to make it.

mod landlock;
mod limits;
mod seccomp;
mod user;

pub(crate) use limits::limit_job;
pub(crate) use seccomp::Filter;

use crate::sys;
use rustix::process::{DumpableBehavior, Pid, Signal};
use std::os::fd::OwnedFd;

/// Which walls stand. In the product all of them do: nothing but the probe of the tests makes another value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Walls {
    pub user: bool,
    pub dumpable: bool,
    pub landlock: bool,
    pub seccomp: bool,
    pub descriptors: bool,
    pub files: bool,
    pub processes: bool,
    pub memory: bool,
}

impl Walls {
    pub(crate) const ALL: Self = Self {
        user: true,
        dumpable: true,
        landlock: true,
        seccomp: true,
        descriptors: true,
        files: true,
        processes: true,
        memory: true,
    };
}

/// What the zygote knows after its stage.
pub(crate) struct Confined {
    /// Why the user is still the server's.
    pub kept_user: Option<String>,
    pub landlock_abi: i32,
    /// What is mapped before any script.
    pub mapped_bytes: u64,
}

/// The zygote's stage, but for its filter: that one comes when nothing else is left to prepare.
pub(crate) fn confine_zygote(walls: Walls) -> Result<Confined, String> {
    sys::close_from(3).map_err(|e| format!("descriptors cannot be closed: {e}"))?;
    let kept_user = if walls.user { user::give_up()? } else { Some("left out".to_owned()) };
    rustix::thread::set_no_new_privs(true).map_err(|e| format!("no_new_privs: {e}"))?;
    if walls.dumpable {
        let never = DumpableBehavior::NotDumpable;
        rustix::process::set_dumpable_behavior(never).map_err(|e| format!("not dumpable: {e}"))?;
    }
    limits::limit_zygote()?;
    sys::prepare_to_step_back().map_err(|e| format!("signal: {e}"))?;
    let mapped_bytes = limits::mapped_bytes()?;
    let landlock_abi = if walls.landlock { landlock::deny_everything()? } else { 0 };
    Ok(Confined { kept_user, landlock_abi, mapped_bytes })
}

/// The child's stage. The socket becomes its standard input and output, and there is nothing else.
pub(crate) fn confine_child(
    walls: Walls,
    zygote: Pid,
    socket: OwnedFd,
    filter: &Filter,
) -> Result<(), String> {
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL)).map_err(|e| e.to_string())?;
    if rustix::process::getppid() != Some(zygote) {
        return Err("the zygote is gone".to_owned());
    }
    rustix::stdio::dup2_stdin(&socket).map_err(|e| e.to_string())?;
    rustix::stdio::dup2_stdout(&socket).map_err(|e| e.to_string())?;
    drop(socket);
    if walls.descriptors {
        sys::close_from(2).map_err(|e| e.to_string())?;
    }
    limits::limit_child(walls)?;
    if walls.seccomp { filter.apply() } else { Ok(()) }
}
