//! Forms that work with and without JavaScript: plain HTML first, sent from the page when it is alive.

mod described;
mod draft;
mod field;
mod group;
mod native;
mod post;
mod query;
mod refusal;
mod suggestions;
mod working;

pub use described::{described_facts, described_fields};
pub use draft::DraftForm;
pub use field::{Choice, TextField, role_select};
pub use group::Group;
pub use native::NativeForm;
pub use post::{Again, Answer, Done, Fields, Post, PostForm, submit_button};
pub use query::{DAYS_NOTE, QueryForm, days_note, filter_select, search_input};
pub use refusal::{FirstPage, conflict, error_summary, error_summary_with, not_a_conflict, unfit_arguments};
pub use suggestions::{AGENT_NAMES, TOOL_NAMES, suggested_names, suggestions};
pub use working::working;
