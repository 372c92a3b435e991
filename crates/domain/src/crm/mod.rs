//! A tenant's contacts, deals, tasks, products and conversations, as REST takes and shows them.
//!
//! Every resource has three types: `…In` makes one, `…Patch` changes one, `…Out` shows one. A patch is laid onto what is
//! there and the whole is checked again by `…In::checked`: there is one set of rules, not two.

pub mod check;
mod contact;
mod conversation;
mod deal;
pub(crate) mod patch;
mod pipeline;
mod product;
mod scheduled_message;
mod task;
pub(crate) mod words;

pub use contact::{ContactHistoryOut, ContactIn, ContactOut, ContactPatch, ContactQuery, HistoryQuery};
pub use conversation::{
    AgentName, ConversationIn, ConversationOut, ConversationPatch, ConversationQuery, MessageIn, MessageOut,
    MessageQuery,
};
pub use deal::{DealIn, DealOut, DealPatch, DealQuery};
#[cfg(feature = "server")]
pub(crate) use patch::given;
pub use pipeline::{PipelineIn, PipelineOut, PipelinePatch, PipelineQuery, Stage};
pub use product::{ProductIn, ProductOut, ProductPatch, ProductQuery};
pub use scheduled_message::{ScheduledMessageIn, ScheduledMessageOut, ScheduledMessageQuery};
pub use task::{TaskIn, TaskOut, TaskPatch, TaskQuery};
pub use words::{
    Channel, ContactStatus, ConversationStatus, DealStatus, Direction, ScheduledStatus, TaskStatus,
    UnknownWord,
};
