//! The conversation with the worker of one call. Everything that comes from there is doubted: its size, its number,
//! its order.

use super::{
    answer::{self, Broken},
    worker::Worker,
};
use crate::{
    Fault, FetchResponse, Limits, Outside,
    mask::Mask,
    protocol::{self, Frames, FromWorker, MAX_JOB, MAX_REQUEST, ToWorker},
};
use futures::{
    StreamExt,
    future::{BoxFuture, FutureExt},
    stream::FuturesUnordered,
};
use serde_json::Value;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// From the job to the first line of the script: our own code, on a machine that may be busy.
const START: Duration = Duration::from_secs(10);

/// What a call left behind, also one that was stopped.
#[derive(Default)]
pub(super) struct Told {
    pub log: Vec<String>,
    pub log_cut: bool,
    kept_bytes: usize,
    raw_bytes: usize,
}

type Answering<'a> = BoxFuture<'a, (u32, Result<FetchResponse, String>)>;

pub(super) struct Conversation<'a> {
    worker: Worker,
    limits: Limits,
    mask: &'a Mask,
    outside: &'a dyn Outside,
    frames: Frames,
    piece: Vec<u8>,
    /// What is on its way to the worker, and how much of it has gone.
    outgoing: Vec<u8>,
    gone: usize,
    fetches: FuturesUnordered<Answering<'a>>,
    asked: u32,
    bytes_left: usize,
    pub told: Told,
}

impl<'a> Conversation<'a> {
    pub(super) fn new(
        worker: Worker,
        job: Vec<u8>,
        limits: Limits,
        mask: &'a Mask,
        outside: &'a dyn Outside,
    ) -> Self {
        let frame = protocol::frame_limit(limits.output_bytes, limits.log_bytes);
        let requests = (limits.fetches as usize).saturating_mul(MAX_REQUEST.saturating_mul(6));
        let bytes_left = frame
            .saturating_mul(2)
            .saturating_add(limits.log_bytes.saturating_mul(32))
            .saturating_add(requests);
        Self {
            worker,
            limits,
            mask,
            outside,
            frames: Frames::new(frame),
            piece: vec![0; 16 << 10],
            outgoing: job,
            gone: 0,
            fetches: FuturesUnordered::new(),
            asked: 0,
            bytes_left,
            told: Told::default(),
        }
    }

    /// Whether the script began. If it did not, nothing of it has run, and another worker may try.
    pub(super) async fn start(&mut self) -> bool {
        matches!(tokio::time::timeout(START, self.next()).await, Ok(Ok(FromWorker::Started)))
    }

    /// The deadline is kept here and nowhere else.
    pub(super) async fn finish(&mut self, started: Instant) -> Result<Value, Fault> {
        let deadline = tokio::time::Instant::from_std(started) + self.limits.time;
        let ended = tokio::time::timeout_at(deadline, self.rest()).await;
        self.worker.kill();
        match ended {
            Err(_) => Err(answer::timeout()),
            Ok(Ok(result)) => result,
            Ok(Err(Broken::Closed)) => Err(answer::of_end(self.worker.end().await)),
            Ok(Err(Broken::Nonsense)) => Err(answer::nonsense()),
        }
    }

    async fn rest(&mut self) -> Result<Result<Value, Fault>, Broken> {
        loop {
            match self.next().await? {
                FromWorker::Log(line) => self.log(line)?,
                FromWorker::LogCut => self.told.log_cut = true,
                FromWorker::Fetch { id, request } => {
                    if id != self.asked || self.asked >= self.limits.fetches {
                        return Err(Broken::Nonsense);
                    }
                    self.asked += 1;
                    let outside = self.outside;
                    self.fetches.push(async move { (id, outside.fetch(request).await) }.boxed());
                }
                FromWorker::Done(text) => {
                    return Ok(answer::result(&text, self.limits.output_bytes, self.mask));
                }
                FromWorker::Failed(fault) => return Ok(Err(fault)),
                FromWorker::Started => return Err(Broken::Nonsense),
            }
        }
    }

    /// The worker has the same budget: one that goes on after its end is not ours any more.
    fn log(&mut self, line: String) -> Result<(), Broken> {
        if self.told.log_cut || self.told.raw_bytes > self.limits.log_bytes {
            return Err(Broken::Nonsense);
        }
        self.told.raw_bytes = self.told.raw_bytes.saturating_add(line.len()).saturating_add(1);
        let left = self.limits.log_bytes.saturating_sub(self.told.kept_bytes);
        let (line, is_cut) = self.mask.cut(line, left);
        self.told.kept_bytes = self.told.kept_bytes.saturating_add(line.len());
        self.told.log_cut |= is_cut;
        self.outside.hear(&line);
        self.told.log.push(line);
        Ok(())
    }

    /// The next message. Meanwhile answers go out and requests are carried out.
    async fn next(&mut self) -> Result<FromWorker, Broken> {
        loop {
            if let Some(message) = self.frames.take().map_err(|_| Broken::Nonsense)? {
                return Ok(message);
            }
            let (mut reader, mut writer) = self.worker.socket.split();
            let outgoing = self.outgoing.get(self.gone..).unwrap_or_default();
            tokio::select! {
                read = reader.read(&mut self.piece) => match read {
                    Ok(read) if read > 0 => self.received(read)?,
                    _ => return Err(Broken::Closed),
                },
                written = writer.write(outgoing), if !outgoing.is_empty() => match written {
                    Ok(written) => self.gone += written,
                    Err(_) => return Err(Broken::Closed),
                },
                Some((id, answer)) = self.fetches.next(), if !self.fetches.is_empty() => self.answer(id, answer)?,
            }
        }
    }

    fn received(&mut self, read: usize) -> Result<(), Broken> {
        self.bytes_left = self.bytes_left.checked_sub(read).ok_or(Broken::Nonsense)?;
        self.frames.push(self.piece.get(..read).unwrap_or_default());
        Ok(())
    }

    fn answer(&mut self, id: u32, answer: Result<FetchResponse, String>) -> Result<(), Broken> {
        let is_too_large = answer.as_ref().is_ok_and(|response| response.body.len() > MAX_JOB);
        let answer =
            if is_too_large { Err("the response is too large for a script".to_owned()) } else { answer };
        let frame = protocol::encode(&ToWorker::Answer { id, answer }).map_err(|_| Broken::Nonsense)?;
        self.outgoing.drain(..self.gone);
        self.gone = 0;
        self.outgoing.extend(frame);
        Ok(())
    }
}
