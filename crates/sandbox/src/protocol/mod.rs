//! What server and worker say to each other: JSON, each frame after its length.
//!
//! The server reads what a process wrote that may have been taken over by somebody's script. So reading is pure,
//! bounded, and knows nothing but the frames below; anything else is [`Malformed`], and the worker is killed.

mod control;
mod frames;
mod messages;

pub use control::{ControlError, FromZygote, Hello, fork_request, read_fork_request};
pub use frames::{Frames, Malformed, encode, replay};
pub use messages::{FromWorker, Job, Mode, ToWorker};

/// Code, parameters and secrets together: more than any tool needs, and no more than a worker reads.
pub const MAX_JOB: usize = 8 << 20;
/// Of one request of `ctx.fetch`, as the script gives it.
pub const MAX_REQUEST: usize = 1 << 20;
/// Of the message of a fault.
pub const MAX_MESSAGE: usize = 2 << 10;

/// What one frame of a worker may take. A character needs up to six bytes as JSON.
pub fn frame_limit(output_bytes: usize, log_bytes: usize) -> usize {
    output_bytes.max(log_bytes).max(MAX_REQUEST).saturating_mul(6).saturating_add(64 << 10)
}
