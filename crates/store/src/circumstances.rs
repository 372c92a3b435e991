//! What stood around a call, beside what went in and came out: what the agent said, what the gate said, how an address
//! outside was tried. One short JSON text in the row of the call, because every call is written and few are looked at:
//! names have one letter, and what is usual is left out.

use crate::{Moment, StoreError, StoreResult, executions::Execution};
use domain::{
    decision::{AttemptOut, DecisionThen, Verdict},
    tool::ConfirmationMode,
};
use serde::{Deserialize, Serialize};
use time::Duration;
use uuid::Uuid;

/// A call that was made before this was kept has none of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Circumstances {
    /// What the agent said, without secrets.
    #[serde(rename = "m", default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    #[serde(rename = "d", default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<KeptDecision>,
    #[serde(rename = "a", default, skip_serializing_if = "Vec::is_empty")]
    pub attempts: Vec<KeptAttempt>,
}

/// What the gate said: yes, or that a person decides first. What it denies never becomes a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptDecision {
    /// Why a person was asked; nothing when nobody was.
    #[serde(rename = "w", default, skip_serializing_if = "Option::is_none")]
    pub asked_because: Option<String>,
    /// The rule of a role behind it.
    #[serde(rename = "b", default, skip_serializing_if = "Option::is_none")]
    pub granted_by: Option<String>,
    #[serde(rename = "c", default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<ConfirmationMode>,
    #[serde(rename = "p")]
    pub policy: String,
}

/// Milliseconds after the call came; how many it took; how it ended; how many were waited before the next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptAttempt(
    pub i64,
    pub i64,
    pub Ending,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub Option<i64>,
);

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Ending {
    Status(u16),
    Failure(String),
}

/// What decides when nothing speaks against a call.
const LAST_CHECK: &str = "confirmation";
const NOBODY_ASKED: &str = "Nobody has to be asked first.";

impl Circumstances {
    pub fn of(row: &Execution) -> StoreResult<Self> {
        row.circumstances.as_deref().map_or_else(|| Ok(Self::default()), |text| Self::read(row.id, text))
    }

    pub(crate) fn read(execution: Uuid, text: &str) -> StoreResult<Self> {
        let corrupt = |error| StoreError::Corrupt(format!("execution {execution}: {error}"));
        serde_json::from_str(text).map_err(corrupt)
    }

    /// Nothing, when there is nothing to say.
    pub fn to_text(&self) -> Option<String> {
        (*self != Self::default()).then(|| serde_json::to_string(self).ok()).flatten()
    }

    pub fn decision(&self, tool_version: i64) -> Option<DecisionThen> {
        let kept = self.decision.clone()?;
        let verdict = match kept.asked_because {
            Some(_) => Verdict::NeedsConfirmation,
            None => Verdict::Allowed,
        };
        Some(DecisionThen {
            verdict,
            reason: kept.asked_because.unwrap_or_else(|| NOBODY_ASKED.to_owned()),
            rule: LAST_CHECK.to_owned(),
            granted_by: kept.granted_by,
            confirmation_mode: kept.mode,
            tool_version,
            policy_version: kept.policy,
        })
    }

    /// `called_at` is the moment that the attempts are counted from.
    pub fn attempts(&self, called_at: Moment) -> Vec<AttemptOut> {
        let view = |(number, KeptAttempt(after, took, ending, wait)): (i64, &KeptAttempt)| {
            let (http_status, error_code) = match ending {
                Ending::Status(status) => (Some(i64::from(*status)), None),
                Ending::Failure(code) => (None, Some(code.clone())),
            };
            let started_at = called_at.plus(Duration::milliseconds(*after)).into();
            AttemptOut { number, started_at, duration_ms: *took, http_status, error_code, wait_ms: *wait }
        };
        (1..).zip(&self.attempts).map(view).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usual() -> Circumstances {
        Circumstances {
            decision: Some(KeptDecision {
                asked_because: None,
                granted_by: Some("execute ToolManagement of the role operator".to_owned()),
                mode: Some(ConfirmationMode::Never),
                policy: "0123456789abcdef".to_owned(),
            }),
            ..Circumstances::default()
        }
    }

    #[test]
    fn b4_a_usual_call_keeps_little_and_an_old_one_nothing() {
        let text = usual().to_text().unwrap();
        assert!(text.len() <= 120, "{text}");
        assert_eq!(serde_json::from_str::<Circumstances>(&text).unwrap(), usual());
        assert_eq!(Circumstances::default().to_text(), None);
        let decision = usual().decision(7).unwrap();
        assert_eq!((decision.verdict, decision.tool_version), (Verdict::Allowed, 7));
    }

    #[test]
    fn t15_an_attempt_is_kept_in_a_few_bytes() {
        let failed = KeptAttempt(3, 12, Ending::Failure("timed_out".to_owned()), Some(87));
        let attempts = vec![failed, KeptAttempt(102, 9, Ending::Status(200), None)];
        let kept = Circumstances { attempts, ..Circumstances::default() };
        let text = kept.to_text().unwrap();
        assert_eq!(text, r#"{"a":[[3,12,"timed_out",87],[102,9,200]]}"#);
        assert_eq!(serde_json::from_str::<Circumstances>(&text).unwrap(), kept);
        let shown = kept.attempts(Moment(1_000_000));
        assert_eq!((shown[0].number, shown[0].wait_ms, shown[0].http_status), (1, Some(87), None));
        assert_eq!(
            (shown[1].number, shown[1].http_status, shown[1].error_code.clone()),
            (2, Some(200), None)
        );
    }
}
