//! Bytes to frames, whatever the pieces they arrive in.

use super::FromWorker;
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

/// Everything that a worker said in these bytes, arriving so many at a time, and where they stopped making sense.
/// For those who try to break it: the tests and the fuzzer.
pub fn replay(bytes: &[u8], piece: usize, limit: usize) -> (Vec<FromWorker>, Option<Malformed>) {
    let mut frames = Frames::new(limit);
    let mut said = Vec::new();
    for piece in bytes.chunks(piece.clamp(1, bytes.len().max(1))) {
        frames.push(piece);
        loop {
            match frames.take() {
                Ok(Some(message)) => said.push(message),
                Ok(None) => break,
                Err(malformed) => return (said, Some(malformed)),
            }
        }
    }
    (said, None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Fault, FaultKind, FetchRequest};
    use proptest::{collection::vec, prelude::*, test_runner::RngSeed};

    const LIMIT: usize = 4096;

    fn message() -> impl Strategy<Value = FromWorker> {
        prop_oneof![
            Just(FromWorker::Started),
            ".{0,40}".prop_map(FromWorker::Log),
            Just(FromWorker::LogCut),
            (any::<u32>(), ".{0,20}", "[A-Z]{0,6}", any::<Option<String>>()).prop_map(
                |(id, url, method, body)| {
                    let headers = vec![(method.clone(), url.clone())];
                    FromWorker::Fetch { id, request: FetchRequest { url, method, headers, body } }
                }
            ),
            ".{0,40}".prop_map(FromWorker::Done),
            (".{0,40}", any::<Option<u32>>()).prop_map(|(message, line)| {
                FromWorker::Failed(Fault { kind: FaultKind::Thrown, message, line, column: line })
            }),
        ]
    }

    fn frames(messages: &[FromWorker]) -> Vec<u8> {
        messages.iter().flat_map(|message| encode(message).unwrap()).collect()
    }

    /// The same cases everywhere; new ones are the fuzzer's.
    fn settings() -> ProptestConfig {
        ProptestConfig {
            failure_persistence: None,
            rng_seed: RngSeed::Fixed(4),
            ..ProptestConfig::with_cases(300)
        }
    }

    proptest! {
        #![proptest_config(settings())]

        #[test]
        fn s3_messages_arrive_whole_whatever_the_pieces(messages in vec(message(), 0..8), piece in 1_usize..64) {
            let (said, malformed) = replay(&frames(&messages), piece, 1 << 20);
            prop_assert_eq!(said, messages);
            prop_assert_eq!(malformed, None);
        }

        #[test]
        fn s3_any_bytes_are_taken_or_refused_whatever_the_pieces(bytes in vec(any::<u8>(), 0..512), piece in 1_usize..64) {
            prop_assert_eq!(replay(&bytes, piece, LIMIT), replay(&bytes, bytes.len(), LIMIT));
        }

        #[test]
        fn s3_a_changed_byte_is_taken_or_refused(
            messages in vec(message(), 1..4), at in any::<prop::sample::Index>(), byte in any::<u8>(), piece in 1_usize..64,
        ) {
            let mut bytes = frames(&messages);
            let at = at.index(bytes.len());
            bytes[at] = byte;
            prop_assert_eq!(replay(&bytes, piece, LIMIT), replay(&bytes, bytes.len(), LIMIT));
        }
    }

    #[test]
    fn s3_a_long_frame_is_refused_before_it_arrives() {
        let length = u32::try_from(LIMIT + 1).unwrap().to_le_bytes();
        assert_eq!(replay(&length, 4, LIMIT), (vec![], Some(Malformed::TooLong)));
        assert_eq!(replay(&[0xff; 4], 1, usize::MAX), (vec![], None), "only its length is known");
    }

    #[test]
    fn s3_unknown_messages_and_unknown_fields_are_refused() {
        for text in ["{}", "null", "\"exec\"", "{\"log\":1}", "{\"fetch\":{\"id\":1}}", "\"started\" 1", ""] {
            let mut bytes = u32::try_from(text.len()).unwrap().to_le_bytes().to_vec();
            bytes.extend(text.as_bytes());
            assert_eq!(replay(&bytes, 3, LIMIT), (vec![], Some(Malformed::NotAMessage)), "{text}");
        }
    }
}
