//! The words that a tool's fields choose from: the browser shows them in its own language.

use serde::{Deserialize, Serialize};

// The words are taken as `tt`: utoipa does not see through what a macro took as `literal`.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:tt),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        pub enum $name {
            $($(#[$variant_doc])* #[serde(rename = $text)] $variant),+
        }

        impl $name {
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $text),+
                }
            }

            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|word| word.as_str() == name)
            }
        }
    };
}
pub(crate) use words;

words! {
    /// What a tool is to the people who manage it.
    ToolType { Function = "function", Webhook = "webhook", Integration = "integration" }
}

words! {
    /// Who does the work.
    ExecutionType {
        /// The product itself.
        Internal = "internal",
        /// An address outside.
        Webhook = "webhook",
        /// JavaScript, in isolation.
        Code = "code",
    }
}

words! {
    WebhookMethod { Get = "GET", Post = "POST" }
}

words! {
    /// When an agent's calls wait for a person. A tool that itself requires confirmation waits in every mode.
    ConfirmationMode {
        /// Every call.
        Always = "always",
        /// Calls that write, delete, move money, speak to people, or reach widely.
        Dangerous = "dangerous",
        /// Only tools that require it themselves.
        Never = "never",
    }
}
