//! T4: a change of parameters that calls of today may not survive, and why.

use crate::AgentRef;
use serde::{Serialize, Serializer};
use std::fmt;

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BreakingChange {
    /// What calls of today would stumble over.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<String>))]
    pub reasons: Vec<Narrowing>,
    pub agents: Vec<AgentRef>,
}

/// Something that accepts less than before, or may.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Narrowing {
    /// `params` for the arguments as a whole, otherwise the path of a field.
    pub place: String,
    pub how: Narrowed,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Narrowed {
    Removed,
    Required,
    NotAccepted,
    AnotherType,
    FewerValues,
    OnlySomeValues,
    NoRepeats,
    NoOtherFields,
    OwnRules,
    Tighter { keyword: &'static str },
    Another { keyword: String },
    Lost { keyword: &'static str, relying: &'static str },
    RefersTo { reference: String },
}

/// In English, for those who call over REST.
impl fmt::Display for Narrowing {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = &self.place;
        match &self.how {
            Narrowed::Removed => write!(to, "{place} was removed"),
            Narrowed::Required => write!(to, "{place} is now required"),
            Narrowed::NotAccepted => write!(to, "{place} is no longer accepted"),
            Narrowed::AnotherType => write!(to, "{place} changed its type"),
            Narrowed::FewerValues => write!(to, "{place} lost some of its values"),
            Narrowed::OnlySomeValues => write!(to, "{place} is now limited to some values"),
            Narrowed::NoRepeats => write!(to, "{place} no longer accepts an item twice"),
            Narrowed::NoOtherFields => write!(to, "{place} no longer accepts other fields"),
            Narrowed::OwnRules => write!(to, "{place} has its own rules now"),
            Narrowed::Tighter { keyword } => write!(to, "{place} has a tighter {keyword}"),
            Narrowed::Another { keyword } => {
                write!(to, "{place} has another {keyword}, which may refuse more")
            }
            Narrowed::Lost { keyword, relying } => {
                write!(to, "{place} lost its {keyword}, so {relying} may refuse more")
            }
            Narrowed::RefersTo { reference } => {
                write!(to, "{place} refers to {reference}, which may refuse more")
            }
        }
    }
}

impl Serialize for Narrowing {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
