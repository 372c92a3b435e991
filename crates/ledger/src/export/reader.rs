//! Reads an export line by line. Strict: what it does not know, it refuses.

use super::{Header, LONGEST_LINE};
use crate::verify::Line;
use serde::de::DeserializeOwned;
use std::io::{self, BufRead, Read};

#[derive(Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct ReadError {
    /// The header is line 1.
    pub line: u64,
    pub problem: Problem,
}

#[derive(Debug, thiserror::Error)]
pub enum Problem {
    #[error("it cannot be read: {0}")]
    Io(#[from] io::Error),
    #[error("it is longer than {LONGEST_LINE} bytes")]
    TooLong,
    #[error("it is damaged: {0}")]
    Damaged(#[from] serde_json::Error),
    #[error("the file is empty")]
    NoHeader,
    #[error("no entry comes after it, so the file proves nothing")]
    NoEntries,
}

/// An iterator over the lines after the header. It ends after the first error.
pub struct Reader<R: BufRead> {
    input: R,
    header: Header,
    buffer: Vec<u8>,
    line: u64,
    failed: bool,
}

impl<R: BufRead> Reader<R> {
    /// Reads the header.
    pub fn new(mut input: R) -> Result<Self, ReadError> {
        let mut buffer = Vec::new();
        let header = read_line(&mut input, &mut buffer).and_then(|header| header.ok_or(Problem::NoHeader));
        let header = header.map_err(|problem| ReadError { line: 1, problem })?;
        Ok(Self { input, header, buffer, line: 1, failed: false })
    }

    pub fn header(&self) -> &Header {
        &self.header
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Line, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        self.line += 1;
        let read = read_line(&mut self.input, &mut self.buffer).transpose()?;
        self.failed = read.is_err();
        Some(read.map_err(|problem| ReadError { line: self.line, problem }))
    }
}

/// `None` at the end of the input.
fn read_line<T: DeserializeOwned>(
    input: &mut impl BufRead,
    buffer: &mut Vec<u8>,
) -> Result<Option<T>, Problem> {
    buffer.clear();
    let one_too_many = LONGEST_LINE as u64 + 1;
    let length = input.by_ref().take(one_too_many).read_until(b'\n', buffer)?;
    match length {
        0 => Ok(None),
        1..=LONGEST_LINE => Ok(Some(serde_json::from_slice(buffer)?)),
        _ => Err(Problem::TooLong),
    }
}
