//! Entries of the record in the visitor's words, with what changed between before and after.

use super::{AuditPage, AuditRow, ChainView, ChangeOut};
use crate::{api::described::choice, request::Days, texts::Texts};
use domain::{ListOut, ServiceError, status::ExecutionStatus};
use engine::{AuditEntryOut, AuditFilter, ChainOut};
use serde_json::Value;
use std::collections::BTreeSet;

/// As much of a value as a page shows; the export has all of it.
const LONGEST_SHOWN: usize = 2_000;

/// What the record of a tenant can be about, in the order of the list.
pub const AREAS: [&str; 20] = [
    "tool",
    "agent",
    "execution",
    "confirmation",
    "member",
    "invitation",
    "api_key",
    "secret",
    "channel",
    "limits",
    "tenant",
    "contact",
    "deal",
    "pipeline",
    "task",
    "product",
    "conversation",
    "message",
    "scheduled_message",
    "event",
];

pub fn filter(
    days: &Days,
    [area, actor, subject, from, to]: [String; 5],
) -> Result<AuditFilter, ServiceError> {
    let given = |text: String| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    Ok(AuditFilter {
        subject_kind: given(area),
        subject_id: given(subject),
        action: None,
        actor: given(actor),
        from: given(from).map(|day| days.start("from", &day)).transpose()?,
        to: given(to).map(|day| days.end("to", &day)).transpose()?,
    })
}

pub fn page(t: Texts, list: ListOut<AuditEntryOut>, chain: ChainOut, days_in_utc: bool) -> AuditPage {
    let actors: BTreeSet<&String> = list.data.iter().filter_map(|entry| entry.actor_name.as_ref()).collect();
    AuditPage {
        days_in_utc,
        actors: actors.into_iter().map(|name| choice(name, name)).collect(),
        entries: list.data.into_iter().map(|entry| row(t, entry)).collect(),
        next_cursor: list.next_cursor,
        chain: ChainView {
            entries: chain.entries,
            signed: chain.last_checkpoint.as_ref().map_or(0, |signed| signed.seq),
            signed_at: chain.last_checkpoint.map(|signed| signed.at),
            hash: chain.hash,
        },
        areas: AREAS.iter().map(|area| choice(*area, t.audit_area(area))).collect(),
    }
}

fn row(t: Texts, entry: AuditEntryOut) -> AuditRow {
    let (_, verb) = entry.action.split_once('.').unwrap_or(("", &entry.action));
    let what = format!("{}: {}", t.audit_area(&entry.subject_kind), t.audit_verb(verb));
    let calls = entry.after.as_ref().and_then(calls);
    let about = match &calls {
        Some(calls) => Some(calls.len().to_string()),
        None => entry.after.as_ref().and_then(|after| call(t, after)),
    };
    let what = about.map(|about| format!("{what} ({about})")).unwrap_or(what);
    let (before, after) = (entry.before.as_ref(), entry.after.as_ref());
    let changes = calls.unwrap_or_else(|| changes_of(&entry.subject_kind, before, after));
    AuditRow {
        seq: entry.seq,
        at: entry.at,
        actor: entry.actor_name.unwrap_or_else(|| t.audit_erased().to_owned()),
        what,
        subject_id: entry.subject_id,
        // A person's own words, or the product's.
        reason: entry.reason.map(|reason| t.version_note(reason)),
        changes,
        hash: entry.hash,
        action: entry.action,
    }
}

/// The tool of a call, and how it ended or why it was denied.
fn call(t: Texts, after: &Value) -> Option<String> {
    let tool = after["tool"].as_str()?;
    let end = match (after["status"].as_str(), after["code"].as_str()) {
        (Some(status), _) => ExecutionStatus::from_name(status).map(|status| t.execution_status(status)),
        (None, code) => code,
    };
    Some(end.map_or_else(|| tool.to_owned(), |end| format!("{tool}, {end}")))
}

/// Calls that share an entry: a line for each, with how it ended and its id.
fn calls(after: &Value) -> Option<Vec<ChangeOut>> {
    let text = |call: &Value, name: &str| call[name].as_str().unwrap_or_default().to_owned();
    let line = |call: &Value| ChangeOut {
        field: text(call, "tool"),
        before: None,
        after: Some(format!("{} {}", text(call, "status"), text(call, "execution_id"))),
    };
    Some(after["calls"].as_array()?.iter().map(line).collect())
}

/// Elsewhere than in calls and decisions, a name that ends like that of a hash may be one that people gave.
fn changes_of(kind: &str, before: Option<&Value>, after: Option<&Value>) -> Vec<ChangeOut> {
    if !["execution", "confirmation"].contains(&kind) {
        return changes(before, after);
    }
    let [before, after] = [before, after].map(|value| value.cloned().map(without_hashes));
    changes(before.as_ref(), after.as_ref())
}

/// Hashes are for whoever verifies the chain: people read nothing out of them.
fn without_hashes(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let told = fields.into_iter().filter(|(name, _)| !name.ends_with("_sha256"));
            told.map(|(name, value)| (name, without_hashes(value))).collect()
        }
        Value::Array(items) => items.into_iter().map(without_hashes).collect(),
        other => other,
    }
}

/// The same for what an entry about a call keeps as text.
pub fn text_without_hashes(text: String) -> String {
    serde_json::from_str(&text).map_or(text, |value| without_hashes(value).to_string())
}

/// The fields that differ; where something was made or removed, all that it had.
fn changes(before: Option<&Value>, after: Option<&Value>) -> Vec<ChangeOut> {
    let fields = |value: Option<&Value>| match value {
        Some(Value::Object(fields)) => fields.keys().cloned().collect::<BTreeSet<_>>(),
        _ => BTreeSet::new(),
    };
    let names: BTreeSet<String> = fields(before).union(&fields(after)).cloned().collect();
    let of = |value: Option<&Value>, name: &str| {
        value.and_then(|value| value.get(name)).filter(|value| !value.is_null()).map(shown)
    };
    let change = |name: String| ChangeOut { before: of(before, &name), after: of(after, &name), field: name };
    names.into_iter().map(change).filter(|change| change.before != change.after).collect()
}

fn shown(value: &Value) -> String {
    let text = match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    match text.char_indices().nth(LONGEST_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn b4_only_what_changed_is_shown() {
        let before = json!({ "name": "a", "tags": ["x"], "notes": null });
        let after = json!({ "name": "b", "tags": ["x"], "notes": "n" });
        let found = changes(Some(&before), Some(&after));
        let change = |field: &str, before: Option<&str>, after: Option<&str>| ChangeOut {
            field: field.into(),
            before: before.map(Into::into),
            after: after.map(Into::into),
        };
        assert_eq!(found, [change("name", Some("a"), Some("b")), change("notes", None, Some("n"))]);
        assert_eq!(changes(None, Some(&json!({ "n": 1 }))), [change("n", None, Some("1"))]);
        assert_eq!(changes(None, None), []);
    }

    #[test]
    fn b4_hashes_of_calls_and_decisions_are_not_shown() {
        let after = json!({
            "status": "pending", "question_sha256": "q", "call_sha256": null, "params_sha256": "p",
            "question": { "asked_sha256": "a", "confirmation_id": "1" },
        });
        let fields = |kind: &str| -> Vec<String> {
            changes_of(kind, None, Some(&after)).into_iter().map(|change| change.field).collect()
        };
        assert_eq!(fields("execution"), ["question", "status"]);
        assert_eq!(fields("confirmation"), ["question", "status"]);
        assert_eq!(fields("contact"), ["params_sha256", "question", "question_sha256", "status"]);
        let question = changes_of("execution", None, Some(&after)).remove(0);
        assert_eq!(question.after.as_deref(), Some(r#"{"confirmation_id":"1"}"#));
    }

    #[test]
    fn b4_the_record_of_a_call_is_shown_without_hashes() {
        let told = |text: &str| text_without_hashes(text.to_owned());
        assert_eq!(told(r#"{"status":"success","result_sha256":"r"}"#), r#"{"status":"success"}"#);
        assert_eq!(told(r#"{"call_sha256":"c"}"#), "{}");
        assert_eq!(told("no JSON"), "no JSON");
    }

    #[test]
    fn b4_calls_that_share_an_entry_are_told_apart() {
        let call =
            |id: &str, status: &str| json!({ "execution_id": id, "tool": "createTask", "status": status });
        let shared = json!({ "calls": [call("1", "success"), call("2", "error")] });
        let lines = calls(&shared).unwrap();
        let told: Vec<_> = lines.iter().map(|line| (line.field.as_str(), line.after.as_deref())).collect();
        assert_eq!(told, [("createTask", Some("success 1")), ("createTask", Some("error 2"))]);
        assert_eq!(calls(&call("1", "success")), None, "one alone has its fields");
    }

    #[test]
    fn b4_the_list_says_which_tool_was_called_and_how_it_ended() {
        let pt = Texts::of(domain::Language::PtBr);
        let ended = json!({ "tool": "createTask", "status": "success" });
        assert_eq!(call(pt, &ended).as_deref(), Some("createTask, Sucesso"));
        let denied = json!({ "tool": "createTask", "code": "tool_disabled" });
        assert_eq!(call(pt, &denied).as_deref(), Some("createTask, tool_disabled"));
        assert_eq!(call(pt, &json!({ "name": "vendas" })), None);
    }

    #[test]
    fn every_area_has_words_in_both_languages() {
        for language in [domain::Language::En, domain::Language::PtBr] {
            for area in AREAS {
                assert_ne!(Texts::of(language).audit_area(area), area, "{area}");
            }
        }
    }
}
