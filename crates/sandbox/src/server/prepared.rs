//! A call, ready for whichever worker takes it.

use crate::{
    Fault, FaultKind, Limits, Script,
    mask::Mask,
    protocol::{self, Job, MAX_JOB, MAX_MESSAGE, Mode, ToWorker},
};
use std::borrow::Cow;

pub(super) struct Prepared {
    pub frame: Vec<u8>,
    pub limits: Limits,
    pub mask: Mask,
}

impl Prepared {
    pub(super) fn new(script: &Script, mode: Mode) -> Result<Self, Fault> {
        let too_large =
            || Fault::new(FaultKind::TooLarge, "code, parameters and secrets are too large together");
        let mask = Mask::new(&script.secrets);
        let limits = script.limits;
        let job = Job {
            mode,
            code: Cow::Borrowed(&script.code),
            params: Cow::Owned(script.params.to_string()),
            context: Cow::Borrowed(&script.context),
            secrets: Cow::Borrowed(&script.secrets),
            time_ms: u64::try_from(limits.time.as_millis()).unwrap_or(u64::MAX),
            memory_bytes: limits.memory_bytes,
            output_bytes: limits.output_bytes,
            log_bytes: limits.log_bytes,
            fetches: limits.fetches,
            longest_secret: mask.longest(),
        };
        let frame = protocol::encode(&ToWorker::Job(Box::new(job))).map_err(|_| too_large())?;
        if frame.len() > MAX_JOB { Err(too_large()) } else { Ok(Self { frame, limits, mask }) }
    }

    pub(super) fn masked(&self, fault: Fault) -> Fault {
        let (message, is_cut) = self.mask.cut(fault.message, MAX_MESSAGE);
        Fault { message: if is_cut { message + "…" } else { message }, ..fault }
    }
}
