//! Bytes to frames, whatever the pieces they arrive in.

use serde::{Serialize, de::DeserializeOwned};
use std::fmt;

const PREFIX: usize = 4;

/// Not what a worker says. What it was is nobody's business: it may hold somebody's data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Malformed {
    TooLong,
    NotAMessage,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooLong => "a message of the worker is too long",
            Self::NotAMessage => "a message of the worker makes no sense",
        })
    }
}

impl std::error::Error for Malformed {}

/// The length in four bytes, little endian, then the JSON.
pub fn encode(message: &impl Serialize) -> Result<Vec<u8>, Malformed> {
    let mut frame = vec![0; PREFIX];
    serde_json::to_writer(&mut frame, message).map_err(|_| Malformed::NotAMessage)?;
    let length = u32::try_from(frame.len() - PREFIX).map_err(|_| Malformed::TooLong)?;
    frame[..PREFIX].copy_from_slice(&length.to_le_bytes());
    Ok(frame)
}

/// Never holds more than one frame's limit and one read.
#[derive(Debug)]
pub struct Frames {
    buffer: Vec<u8>,
    /// What of the buffer has been taken.
    taken: usize,
    limit: usize,
}

impl Frames {
    pub fn new(limit: usize) -> Self {
        Self { buffer: Vec::new(), taken: 0, limit }
    }

    pub fn push(&mut self, bytes: &[u8]) {
        self.buffer.drain(..self.taken);
        self.taken = 0;
        self.buffer.extend_from_slice(bytes);
    }

    /// Nothing: the rest has yet to arrive.
    pub fn take<T: DeserializeOwned>(&mut self) -> Result<Option<T>, Malformed> {
        let rest = self.buffer.get(self.taken..).unwrap_or_default();
        let Some((prefix, rest)) = rest.split_first_chunk::<PREFIX>() else {
            return Ok(None);
        };
        let length = usize::try_from(u32::from_le_bytes(*prefix)).map_err(|_| Malformed::TooLong)?;
        if length > self.limit {
            return Err(Malformed::TooLong);
        }
        let Some(frame) = rest.get(..length) else {
            return Ok(None);
        };
        let message = serde_json::from_slice(frame).map_err(|_| Malformed::NotAMessage)?;
        self.taken += PREFIX + length;
        Ok(Some(message))
    }

    /// For the worker, which reads exactly what is missing.
    pub fn missing(&self) -> usize {
        let rest = self.buffer.get(self.taken..).unwrap_or_default();
        match rest.split_first_chunk::<PREFIX>() {
            None => PREFIX - rest.len(),
            Some((prefix, rest)) => {
                (u32::from_le_bytes(*prefix) as usize).min(self.limit).saturating_sub(rest.len())
            }
        }
    }
}
