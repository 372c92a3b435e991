//! Changes that can be taken back: the form that does it, for a notice or for the page after a plain form.

use super::{
    admin_tools::SwitchGlobalTool,
    agents::{ToggleAgent, assignments::SaveAssignments},
    tools::ToggleTool,
};
use leptos::server_fn::ServerFn;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Undo {
    pub change: Change,
    pub fields: Vec<Sent>,
}

/// Which form it was. Not its address: what a cookie carries must not say where a form goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Change {
    Tool,
    Agent,
    GlobalTool,
    Assignments,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sent {
    pub name: String,
    pub value: String,
}

impl Change {
    pub fn url(self) -> &'static str {
        match self {
            Self::Tool => ToggleTool::PATH,
            Self::Agent => ToggleAgent::PATH,
            Self::GlobalTool => SwitchGlobalTool::PATH,
            Self::Assignments => SaveAssignments::PATH,
        }
    }
}

impl Undo {
    fn new<const N: usize>(change: Change, fields: [(&str, String); N]) -> Self {
        let sent = |(name, value): (&str, String)| Sent { name: name.to_owned(), value };
        Self { change, fields: fields.into_iter().map(sent).collect() }
    }

    /// The switch goes back to where it was, unless somebody has made another version of the agent since: `version` is the
    /// one after the change.
    pub fn agent(id: String, was_on: bool, version: i64) -> Self {
        let state = ("is_active", was_on.to_string());
        Self::new(Change::Agent, [("agent_id", id), state, ("seen_version", version.to_string())])
    }

    /// As with agents.
    pub fn global_tool(name: String, was_on: bool, version: i64) -> Self {
        let state = ("enabled", was_on.to_string());
        Self::new(Change::GlobalTool, [("tool_name", name), state, ("seen_version", version.to_string())])
    }

    /// Switching a tool makes no version of it: `moment` is when it was done, and nothing may have followed it.
    pub fn tool(id: String, was_on: bool, moment: i64) -> Self {
        let state = ("is_active", was_on.to_string());
        Self::new(Change::Tool, [("tool_id", id), state, ("since", moment.to_string())])
    }

    /// What was given is taken, and what was taken is given. `versions` are those before the change, which adds one.
    pub fn assignments(give: &str, take: &str, versions: &str, back: &str) -> Self {
        let next = |pair: &str| {
            let (agent, version) = pair.split_once('~')?;
            Some(format!("{agent}~{}", version.parse::<i64>().ok()? + 1))
        };
        let versions: Vec<String> = versions.split(',').filter_map(next).collect();
        let fields = [
            ("give", take.to_owned()),
            ("take", give.to_owned()),
            ("versions", versions.join(",")),
            ("back", back.to_owned()),
        ];
        Self::new(Change::Assignments, fields)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d6_what_was_given_is_taken_from_the_agents_that_the_change_made() {
        let undo = Undo::assignments("a~x,b~y", "a~z", "a~3,b~1", "/agents/matrix?plan=1");
        let value = |name: &str| undo.fields.iter().find(|sent| sent.name == name).unwrap().value.clone();
        assert_eq!((value("give"), value("take")), ("a~z".to_owned(), "a~x,b~y".to_owned()));
        assert_eq!(value("versions"), "a~4,b~2");
    }
}
