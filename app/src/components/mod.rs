//! Pieces that pages are made of.

mod arguments;
mod can;
mod chart;
mod code;
mod confirm;
mod copyable;
mod destinations;
mod frame;
mod guard;
mod invitation_link;
mod json_view;
mod keyed;
mod loaded;
mod no_access;
mod notices;
mod page;
mod pager;
mod palette;
mod palette_opener;
mod preference_forms;
mod settings_tabs;
mod shown_once;
mod sidebar;
mod spark;
mod switch;
mod table;
mod time_left;
mod when;

pub use arguments::{argument_facts, argument_fields};
pub use can::Can;
pub use chart::chart;
pub use code::{code_block, highlighted, line_numbers, text_area, textarea_content};
pub use confirm::Confirm;
pub use copyable::copy_button;
pub use frame::Frame;
pub use invitation_link::invitation_link;
pub use json_view::json_view;
pub use keyed::{Item, keyed_list};
pub use loaded::{awaited, effect, load_error, loaded, loading, nothing};
pub use no_access::{no_access, why_not};
#[cfg(not(feature = "ssr"))]
pub use notices::say_in_corner;
pub use notices::{
    breaking_change, flash_message, notices_view, provide_notices, row_errors, say_and_reload, use_notices,
};
pub use page::{badge, empty_state, entry_page, heading, icon, page_header, page_title, shortcut};
pub use pager::{cursor_pager, page_of, pager};
pub use palette::palette;
pub use palette_opener::{palette_button, palette_place};
pub use preference_forms::{language_form, theme_form};
pub use settings_tabs::settings_tabs;
pub use shown_once::{decided, shown_secret, test_outcome, verified};
pub use spark::{Bar, bar_chart};
pub use switch::{Lever, switch_button, switch_errors};
pub use table::{Column, table};
pub use time_left::time_left;
pub use when::{when, when_exactly, when_text};
