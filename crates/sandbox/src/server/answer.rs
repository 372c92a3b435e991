//! What came of a worker, as a result or a fault.

use super::worker::End;
use crate::{Fault, FaultKind, mask::Mask};
use serde_json::Value;

/// The conversation cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Broken {
    /// The worker is gone.
    Closed,
    /// It says what no worker of ours says.
    Nonsense,
}

pub(super) fn timeout() -> Fault {
    Fault::new(FaultKind::Timeout, "the script ran longer than it may")
}

pub(super) fn nonsense() -> Fault {
    Fault::new(FaultKind::Crashed, "the worker said something that makes no sense, and was stopped")
}

pub(super) fn of_end(end: Option<End>) -> Fault {
    let message = match end.unwrap_or_default() {
        End { signal: Some(libc::SIGSYS), .. } => {
            let forbidden = "the worker asked the kernel for something that no script needs, and was stopped";
            return Fault::new(FaultKind::Forbidden, forbidden);
        }
        End { signal: Some(libc::SIGKILL), .. } => {
            "the worker was killed from outside, as happens when the machine has no memory left".to_owned()
        }
        End { signal: Some(signal), .. } => format!("the worker crashed (signal {signal})"),
        End { status: Some(status), .. } => {
            format!("the worker ended before the script did (status {status})")
        }
        End { .. } => "the worker ended before the script did".to_owned(),
    };
    Fault::new(FaultKind::Crashed, message)
}

pub(super) fn result(text: &str, most: usize, mask: &Mask) -> Result<Value, Fault> {
    if text.len() > most {
        return Err(Fault::new(FaultKind::Output, format!("the result is larger than {most} bytes")));
    }
    let parsed = serde_json::from_str(text).or_else(|_| serde_json::from_str(&without_halves(text)));
    match parsed {
        Ok(value) => Ok(mask.value(value)),
        Err(error) if error.to_string().starts_with("recursion limit") => {
            Err(Fault::new(FaultKind::BadResult, "the result is nested too deeply"))
        }
        Err(_) => Err(Fault::new(FaultKind::BadResult, "the result is not JSON")),
    }
}

/// JavaScript cuts texts between the two halves of a character; JSON can write such a half, Unicode has none.
fn without_halves(text: &str) -> String {
    let mut whole = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        whole.push_str(before);
        let (kept, length) = match (half(escape), escape.get(6..).and_then(half)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => (escape.get(..12), 12),
            (Some(0xd800..=0xdfff), _) => (Some("\u{fffd}"), 6),
            _ => (escape.get(..2), 2),
        };
        whole.push_str(kept.unwrap_or_default());
        rest = escape.get(length..).unwrap_or_default();
    }
    whole.push_str(rest);
    whole
}

/// The number of an escape such as `\u00e9` at the beginning.
fn half(text: &str) -> Option<u32> {
    text.strip_prefix("\\u")
        .and_then(|text| text.get(..4))
        .and_then(|digits| u32::from_str_radix(digits, 16).ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(text: &str) -> Result<Value, FaultKind> {
        result(text, 1 << 20, &Mask::default()).map_err(|fault| fault.kind)
    }

    #[test]
    fn half_characters_become_replacement_characters() {
        assert_eq!(read(r#"["\ud83d","\ude00x","a\ud83d\ude00\ud83db","\\ud83d"]"#), {
            Ok(json!(["\u{fffd}", "\u{fffd}x", "a😀\u{fffd}b", "\\ud83d"]))
        });
    }

    #[test]
    fn s3_what_is_not_json_or_too_deep_is_refused() {
        assert_eq!(read("nope"), Err(FaultKind::BadResult));
        assert_eq!(read(r#""\u"#), Err(FaultKind::BadResult));
        let deep = "[".repeat(100_000);
        assert_eq!(read(&deep), Err(FaultKind::BadResult));
        assert_eq!(result("[1,2]", 4, &Mask::default()).map_err(|fault| fault.kind), Err(FaultKind::Output));
    }

    #[test]
    fn s3_ends_are_told_apart() {
        let kind = |status, signal| of_end(Some(End { status, signal })).kind;
        assert_eq!(kind(None, Some(libc::SIGSYS)), FaultKind::Forbidden);
        assert_eq!(kind(None, Some(libc::SIGSEGV)), FaultKind::Crashed);
        assert_eq!(kind(Some(0), None), FaultKind::Crashed);
        assert!(of_end(Some(End { status: None, signal: Some(11) })).message.contains("signal 11"));
        assert_eq!(of_end(None).kind, FaultKind::Crashed);
    }
}
