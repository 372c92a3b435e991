//! Resource limits. Hard ones: without capabilities nobody raises them again.

use super::Walls;
use crate::sys;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::time::Duration;

/// On top of what the script may use: the engine's own stack, and room for its messages.
const SLACK_BYTES: u64 = 64 << 20;
const STACK_BYTES: u64 = 8 << 20;
/// A child has its socket twice, as 0 and as 1.
const CHILD_FILES: u64 = 2;

pub(super) fn limit_zygote() -> Result<(), String> {
    // Without the last two, whoever has stepped back could come forward again.
    for resource in [Resource::Core, Resource::Fsize, Resource::Memlock, Resource::Nice, Resource::Rtprio] {
        set(resource, 0)?;
    }
    // Of address space it keeps the little that it started with: so does a child until it knows its job.
    lower_to(Resource::Stack, STACK_BYTES)
}

pub(super) fn limit_child(walls: Walls) -> Result<(), String> {
    if walls.files {
        set(Resource::Nofile, CHILD_FILES)?;
    }
    if walls.processes {
        set(Resource::Nproc, 0)?;
    }
    Ok(())
}

/// What a script may compute before it steps back behind everybody else.
const SHORT: Duration = Duration::from_millis(20);

/// Known only when the job has come. Processor time has whole seconds: it is for a server that cannot kill any more.
pub(crate) fn limit_job(
    walls: Walls,
    mapped_bytes: u64,
    memory_bytes: u64,
    time_ms: u64,
) -> Result<(), String> {
    let room = mapped_bytes.saturating_add(memory_bytes).saturating_add(SLACK_BYTES);
    lower_to(Resource::As, if walls.memory { room } else { u64::MAX })?;
    lower_to(Resource::Cpu, time_ms.div_ceil(1000).saturating_add(1))?;
    sys::step_back_after(SHORT).map_err(|e| format!("timer: {e}"))?;
    // Not before: what comes until here is our own code, and somebody waits for it.
    sys::low_priority().map_err(|e| format!("priority: {e}"))
}

fn set(resource: Resource, value: u64) -> Result<(), String> {
    let limit = Rlimit { current: Some(value), maximum: Some(value) };
    setrlimit(resource, limit).map_err(|e| format!("{resource:?}: {e}"))
}

/// Never up: a limit that the operator set below ours stays.
fn lower_to(resource: Resource, value: u64) -> Result<(), String> {
    let before = getrlimit(resource).maximum;
    set(resource, before.map_or(value, |before| before.min(value)))
}

/// The first number of `statm`: pages of address space.
pub(super) fn mapped_bytes() -> Result<u64, String> {
    let unreadable = |why: String| format!("/proc/self/statm: {why}");
    let text = std::fs::read_to_string("/proc/self/statm").map_err(|e| unreadable(e.to_string()))?;
    let pages = text.split_ascii_whitespace().next().and_then(|pages| pages.parse::<u64>().ok());
    let page = rustix::param::page_size() as u64;
    pages.map(|pages| pages * page).ok_or_else(|| unreadable("not understood".to_owned()))
}
