//! What is kept of a call beside its input and output: the agent's words, the gate's decision, the attempts outside.

use super::{Call, Found};
use crate::{
    executors::secrets_among,
    gate::{Decision, Verdict},
};
use domain::{ServiceResult, execution::LONGEST_MESSAGE, text::parse_optional_line};
use egress::Attempt;
use store::{
    Moment,
    circumstances::{Circumstances, Ending, KeptAttempt, KeptDecision},
    executions::Execution,
};
use time::OffsetDateTime;

/// An attempt that went on when the call was given up.
const GIVEN_UP: &str = "cancelled";

pub(super) fn checked_message(message: Option<&str>) -> ServiceResult<Option<String>> {
    Ok(parse_optional_line("message", message, LONGEST_MESSAGE)?)
}

/// At the beginning of a call.
pub(super) fn first(call: &Call, found: &Found, decision: &Decision, policy: &str) -> Option<String> {
    let is_asked = decision.verdict == Verdict::NeedsConfirmation;
    let decision = KeptDecision {
        asked_because: is_asked.then(|| decision.reason.to_string()),
        granted_by: decision.granted_by().map(str::to_owned),
        mode: found.agent.as_ref().map(|agent| agent.confirmation_mode),
        policy: policy.to_owned(),
    };
    let message = without_secrets(call, found);
    Circumstances { message, decision: Some(decision), attempts: Vec::new() }.to_text()
}

/// S16: an agent may repeat a secret among the arguments.
fn without_secrets(call: &Call, found: &Found) -> Option<String> {
    let message = call.message.clone()?;
    Some(secrets_among(&found.tool, &call.params).text(message))
}

/// At its end.
pub(super) fn add_attempts(row: &mut Execution, attempts: Vec<Attempt>) {
    if attempts.is_empty() {
        return;
    }
    // What cannot be read is not worth a call: it is written anew.
    let mut around = Circumstances::of(row).unwrap_or_default();
    around.attempts.extend(attempts.into_iter().map(|attempt| kept(row.executed_at, attempt)));
    row.circumstances = around.to_text();
}

fn kept(called_at: Moment, attempt: Attempt) -> KeptAttempt {
    let began = Moment::from(OffsetDateTime::from(attempt.began));
    let ending = match attempt.ended {
        Some(Ok(status)) => Ending::Status(status),
        Some(Err(code)) => Ending::Failure(code.to_owned()),
        None => Ending::Failure(GIVEN_UP.to_owned()),
    };
    let milliseconds =
        |duration: std::time::Duration| i64::try_from(duration.as_millis()).unwrap_or(i64::MAX);
    let after = (began.0 - called_at.0) / 1_000;
    KeptAttempt(after, milliseconds(attempt.took), ending, attempt.wait.map(milliseconds))
}
