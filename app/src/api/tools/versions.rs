//! Every definition that a tool had, with what each changed; and back to an old one.

use super::edit::ToolChanged;
use crate::api::{ApiError, Form};
use domain::{Timestamp, ToolId};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VersionList {
    pub display_name: String,
    pub is_system: bool,
    /// The version of now.
    pub version: i64,
    /// Newest first.
    pub versions: Vec<VersionOut>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VersionOut {
    pub version: i64,
    pub changed_by: String,
    pub note: Option<String>,
    pub at: Timestamp,
    pub changes: Vec<ChangeOut>,
}

/// One field, line by line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChangeOut {
    pub field: String,
    pub lines: Vec<LineOut>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LineOut {
    pub side: Side,
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Side {
    Same,
    Gone,
    New,
}

#[server(prefix = "/fn", endpoint = "list_tool_versions", input = Form)]
pub async fn list_tool_versions(tool_id: String) -> Result<VersionList, ApiError> {
    let tool_id = super::id_in(&tool_id)?;
    let visitor = crate::request::visitor();
    let engine = crate::request::backend().engine;
    let tool = engine.get_tool(&visitor.tenant_permit()?, tool_id).await?;
    let versions = engine.tool_versions(&visitor.tenant_permit()?, tool_id).await?;
    let t = crate::texts::Texts::of(visitor.language);
    Ok(VersionList {
        display_name: t.label_of(tool.is_system, &tool.definition),
        is_system: tool.is_system,
        version: tool.version,
        versions: versions.into_iter().map(|version| difference::version(t, version)).collect(),
    })
}

/// An old definition becomes the newest version.
#[server(prefix = "/fn", endpoint = "restore_tool", input = Form)]
pub async fn restore_tool(tool_id: ToolId, version: i64, seen_version: i64) -> Result<ToolChanged, ApiError> {
    let visitor = crate::request::visitor();
    let engine = crate::request::backend().engine;
    let tool = engine.restore_tool(&visitor.tenant_permit()?, tool_id, version, Some(seen_version)).await?;
    let changed = ToolChanged {
        version: tool.version,
        breaking: tool.breaking_change.map(|change| super::edit::breaking(&visitor, change)),
    };
    crate::request::changed(&visitor, changed.breaking.as_ref()).await?;
    Ok(changed)
}

#[cfg(feature = "ssr")]
mod difference {
    use super::{ChangeOut, LineOut, Side, VersionOut};
    use crate::texts::Texts;
    use domain::tool::{FieldChange, ToolVersionOut};
    use serde_json::Value;

    /// Beyond it, the old text and the new stand one after the other: comparing every pair of lines takes too long.
    const MOST_LINES: usize = 1_500;

    pub fn version(t: Texts, version: ToolVersionOut) -> VersionOut {
        VersionOut {
            version: version.version,
            changed_by: version.changed_by,
            note: version.note.map(|note| t.version_note(note)),
            at: version.at,
            changes: version.changes.into_iter().map(change).collect(),
        }
    }

    fn change(change: FieldChange) -> ChangeOut {
        // A value that is never shown: that it was replaced is all that there is to see.
        if change.before == change.after {
            let value = readable(&change.after);
            let lines = vec![line(Side::Gone, &value), line(Side::New, &value)];
            return ChangeOut { field: change.field, lines };
        }
        let lines = lines(&readable(&change.before), &readable(&change.after));
        ChangeOut { field: change.field, lines }
    }

    /// Text as it is, nothing as nothing, the rest as JSON.
    fn readable(value: &Value) -> String {
        match value {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            other => serde_json::to_string_pretty(other).unwrap_or_default(),
        }
    }

    fn lines(before: &str, after: &str) -> Vec<LineOut> {
        let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
        let start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
        let rest = old.len().min(new.len()) - start;
        let end = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
        let (head, middle_old, tail) = (&old[..start], &old[start..old.len() - end], &old[old.len() - end..]);
        let middle_new = &new[start..new.len() - end];
        let same = |text: &&str| line(Side::Same, text);
        let mut all: Vec<LineOut> = head.iter().map(same).collect();
        all.extend(middle(middle_old, middle_new));
        all.extend(tail.iter().map(same));
        all
    }

    fn line(side: Side, text: &str) -> LineOut {
        LineOut { side, text: text.to_owned() }
    }

    /// The longest common part stays; what is before it on either side went or came.
    fn middle(old: &[&str], new: &[&str]) -> Vec<LineOut> {
        let gone = |text: &&str| line(Side::Gone, text);
        let came = |text: &&str| line(Side::New, text);
        if old.len() > MOST_LINES || new.len() > MOST_LINES {
            return old.iter().map(gone).chain(new.iter().map(came)).collect();
        }
        let common = common(old, new);
        let (mut i, mut j, mut all) = (0, 0, Vec::new());
        while i < old.len() || j < new.len() {
            if i < old.len() && j < new.len() && old[i] == new[j] {
                all.push(line(Side::Same, old[i]));
                (i, j) = (i + 1, j + 1);
            } else if j == new.len() || (i < old.len() && common[i + 1][j] >= common[i][j + 1]) {
                all.push(line(Side::Gone, old[i]));
                i += 1;
            } else {
                all.push(line(Side::New, new[j]));
                j += 1;
            }
        }
        all
    }

    /// How many lines the ends from `i` and `j` have in common.
    fn common(old: &[&str], new: &[&str]) -> Vec<Vec<u16>> {
        let mut table = vec![vec![0; new.len() + 1]; old.len() + 1];
        for i in (0..old.len()).rev() {
            for j in (0..new.len()).rev() {
                table[i][j] = if old[i] == new[j] {
                    table[i + 1][j + 1] + 1
                } else {
                    table[i + 1][j].max(table[i][j + 1])
                };
            }
        }
        table
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        fn shown(before: &str, after: &str) -> String {
            let mark = |side| match side {
                Side::Same => ' ',
                Side::Gone => '-',
                Side::New => '+',
            };
            let all: Vec<String> =
                lines(before, after).iter().map(|line| format!("{}{}", mark(line.side), line.text)).collect();
            all.join("|")
        }

        #[test]
        fn what_stays_stays_and_the_rest_goes_or_comes() {
            assert_eq!(shown("a\nb\nc", "a\nx\nc"), " a|-b|+x| c");
            assert_eq!(shown("", "new"), "+new");
            assert_eq!(shown("old", ""), "-old");
            assert_eq!(shown("a\nb\nc\nd", "b\nd\ne"), "-a| b|-c| d|+e");
            assert_eq!(shown("x\nx", "x"), " x|-x");
        }
    }
}
