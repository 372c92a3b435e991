//! The states and kinds, as words that are the same on the wire and in the database.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// A word that no version knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownWord;

impl fmt::Display for UnknownWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not one of the known words")
    }
}

impl std::error::Error for UnknownWord {}

/// The first word is the default.
macro_rules! words {
    ($($(#[$doc:meta])* $name:ident { $first:ident = $first_word:literal $(, $(#[$note:meta])* $variant:ident = $word:literal)* $(,)? })+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        #[serde(rename_all = "snake_case")]
        pub enum $name {
            #[default]
            $first,
            $($(#[$note])* $variant),*
        }

        impl $name {
            pub const ALL: &'static [Self] = &[Self::$first $(, Self::$variant)*];

            pub fn as_str(self) -> &'static str {
                match self {
                    Self::$first => $first_word,
                    $(Self::$variant => $word),*
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl FromStr for $name {
            type Err = UnknownWord;

            fn from_str(text: &str) -> Result<Self, UnknownWord> {
                Self::ALL.iter().copied().find(|word| word.as_str() == text).ok_or(UnknownWord)
            }
        }
    )+};
}
pub(crate) use words;

words! {
    /// How far somebody is on the way to being a customer.
    ContactStatus {
        Lead = "lead", Qualified = "qualified", Customer = "customer", Inactive = "inactive", Lost = "lost",
    }
    DealStatus { Open = "open", Won = "won", Lost = "lost" }
    TaskStatus { Open = "open", Done = "done" }
    /// The way on which people are reached.
    Channel { Whatsapp = "whatsapp", Email = "email", Web = "web", Other = "other" }
    ConversationStatus {
        Open = "open",
        /// An agent handed it over.
        WaitingHuman = "waiting_human",
        Resolved = "resolved",
    }
    Direction {
        Inbound = "inbound",
        Outbound = "outbound",
        /// For colleagues only.
        Note = "note",
    }
    ScheduledStatus {
        Scheduled = "scheduled",
        /// A sender has taken it.
        Sending = "sending",
        Sent = "sent",
        Failed = "failed",
        Cancelled = "cancelled",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_the_same_on_the_wire() {
        for word in ConversationStatus::ALL {
            assert_eq!(serde_json::to_value(word).unwrap(), word.as_str());
            assert_eq!(word.as_str().parse(), Ok(*word));
        }
        for word in ScheduledStatus::ALL {
            assert_eq!(serde_json::to_value(word).unwrap(), word.as_str());
        }
        assert!("Lead".parse::<ContactStatus>().is_err());
    }
}
