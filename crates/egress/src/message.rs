//! What is sent and what comes back.

use crate::Retry;
use bytes::{Bytes, BytesMut};
use http::{HeaderMap, Method};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use std::fmt;
use tokio::time::Instant;
use url::Url;

#[derive(Clone)]
pub struct Outgoing {
    /// Whose failures count together, such as a tenant's id.
    pub owner: u128,
    pub method: Method,
    pub url: Url,
    pub headers: HeaderMap,
    pub body: Option<Bytes>,
    /// Of all attempts together.
    pub deadline: Instant,
    pub max_body: usize,
    pub retry: Retry,
}

#[derive(Clone)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    /// As it came: nothing is decompressed.
    pub body: Bytes,
    /// There was more than `max_body`.
    pub truncated: bool,
    pub attempts: u32,
}

/// Without what the other side said: it does not belong into a log.
impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { status, body, truncated, attempts, .. } = self;
        let length = body.len();
        write!(f, "Answer({status}, {length} bytes, truncated: {truncated}, attempts: {attempts})")
    }
}

/// Reads no further than it must: to stop in the middle of a body closes the connection.
pub(crate) async fn read(mut body: Incoming, most: usize) -> Result<(Bytes, bool), hyper::Error> {
    let mut kept = BytesMut::new();
    while let Some(frame) = body.frame().await {
        let Ok(chunk) = frame?.into_data() else { continue };
        let room = most - kept.len();
        kept.extend_from_slice(&chunk[..chunk.len().min(room)]);
        if chunk.len() > room {
            return Ok((kept.freeze(), true));
        }
    }
    Ok((kept.freeze(), false))
}
