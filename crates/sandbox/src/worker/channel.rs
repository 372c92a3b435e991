//! The worker's one connection: frames on standard input and output, blocking.

use crate::protocol::{self, Frames, MAX_JOB};
use rustix::io::Errno;
use serde::{Serialize, de::DeserializeOwned};
use std::cell::RefCell;

/// The server is gone, or says things that make no sense: there is nobody left to tell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lost;

pub(crate) struct Channel(RefCell<Frames>);

impl Channel {
    /// Answers of `fetch` may be longer than jobs; the server is trusted with their size.
    pub(crate) fn new() -> Self {
        Self(RefCell::new(Frames::new(MAX_JOB.saturating_mul(8))))
    }

    pub(crate) fn receive<T: DeserializeOwned>(&self) -> Result<T, Lost> {
        let mut frames = self.0.borrow_mut();
        let mut piece = [0; 64 << 10];
        loop {
            if let Some(message) = frames.take().map_err(|_| Lost)? {
                return Ok(message);
            }
            let room = frames.missing().clamp(1, piece.len());
            match rustix::io::read(rustix::stdio::stdin(), &mut piece[..room]) {
                Ok(0) => return Err(Lost),
                Ok(read) => frames.push(&piece[..read]),
                Err(Errno::INTR) => {}
                Err(_) => return Err(Lost),
            }
        }
    }

    pub(crate) fn send(&self, message: &impl Serialize) -> Result<(), Lost> {
        let frame = protocol::encode(message).map_err(|_| Lost)?;
        let mut rest = frame.as_slice();
        while !rest.is_empty() {
            match rustix::io::write(rustix::stdio::stdout(), rest) {
                Ok(written) => rest = rest.get(written..).unwrap_or_default(),
                Err(Errno::INTR) => {}
                Err(_) => return Err(Lost),
            }
        }
        Ok(())
    }
}
