//! Pieces that pages are made of.

mod can;
mod confirm;
mod frame;
mod guard;
mod invitation_link;
mod loaded;
mod notices;
mod page;
mod preference_forms;
mod sidebar;
mod when;

pub use can::Can;
pub use confirm::Confirm;
pub use frame::Frame;
pub use guard::RouteGuard;
pub use invitation_link::InvitationLinkCard;
pub use loaded::{load_error, loading};
pub use notices::{Flash, NoticesView, provide_notices, row_errors, use_notices};
pub use page::{badge, empty_state, entry_page, icon, page_header, page_title};
pub use preference_forms::{LanguageForm, ThemeForm};
pub use when::When;
