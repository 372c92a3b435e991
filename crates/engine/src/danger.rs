//! X5: what counts as dangerous. `docs/confirmations.md` tells people the same: change both.
//!
//! - A tool that writes, deletes, moves money or speaks to people is dangerous by its effect.
//! - Webhooks and code tools say their effect themselves; one that says nothing writes, unless it is called with GET.
//! - A tool that only reads is dangerous when its arguments reach widely: everything at once, very many rows, or a
//!   long list of things.

use domain::ToolEffect;
use serde_json::Value;

const MANY_ROWS: f64 = 200.0;
const MANY_THINGS: usize = 50;
/// Arguments that say how many rows are wanted, without what stands between the words.
const ROW_COUNTS: &[&str] = &[
    "batchsize",
    "count",
    "first",
    "last",
    "limit",
    "limite",
    "maxitems",
    "maxresults",
    "maxrows",
    "pagesize",
    "perpage",
    "take",
    "top",
];
/// And those that ask for everything when they are true.
const EVERYTHING: &[&str] = &["all", "everything", "fetchall", "includeall", "selectall", "todos", "tudo"];

/// Why a person should look at the call; nothing when they need not.
pub fn judge(effect: ToolEffect, params: &Value) -> Option<&'static str> {
    match effect {
        ToolEffect::Write => Some("it writes"),
        ToolEffect::Delete => Some("it deletes"),
        ToolEffect::Money => Some("it moves money"),
        ToolEffect::Message => Some("it speaks to people"),
        ToolEffect::Read => reaches_widely(None, params).then_some("it reaches widely"),
    }
}

fn reaches_widely(name: Option<&str>, value: &Value) -> bool {
    match value {
        Value::Array(items) => {
            items.len() > MANY_THINGS || items.iter().any(|item| reaches_widely(name, item))
        }
        Value::Object(members) => members.iter().any(|(name, value)| reaches_widely(Some(name), value)),
        Value::String(text) => matches!(text.trim(), "*" | "%"),
        Value::Number(number) => {
            let counts_rows = |name| ROW_COUNTS.contains(&plain(name).as_str());
            name.is_some_and(counts_rows) && number.as_f64().is_some_and(|rows| rows > MANY_ROWS)
        }
        Value::Bool(true) => name.is_some_and(|name| EVERYTHING.contains(&plain(name).as_str())),
        Value::Null | Value::Bool(false) => false,
    }
}

/// However it is written: `page_size`, `pageSize`, `PAGE-SIZE`.
fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).map(|c| c.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn x5_effects_and_wide_selections_are_dangerous() {
        for effect in [ToolEffect::Write, ToolEffect::Delete, ToolEffect::Money, ToolEffect::Message] {
            assert!(judge(effect, &json!({})).is_some());
        }
        let reads = |params| judge(ToolEffect::Read, &params).is_some();
        assert!(!reads(json!({ "q": "pão", "limit": 20, "year": 2026 })));
        assert!(reads(json!({ "q": "*" })));
        assert!(reads(json!({ "limit": 5000 })));
        for name in ["pageSize", "per_page", "MAX-RESULTS", "top"] {
            assert!(reads(json!({ "where": { name: 201 } })) && !reads(json!({ name: 200 })), "{name}");
        }
        assert!(reads(json!({ "fetchAll": true })) && !reads(json!({ "all": false, "overall": true })));
        assert!(reads(json!({ "ids": (0..60).collect::<Vec<_>>() })));
    }
}
