//! What the server tells an open page: rights have changed, tools were switched, somebody is asked, something was called.
//!
//! Each event moves a counter; a resource that has the counter as its source loads anew.

use crate::{browser, components::effect, session::use_session};
use leptos::prelude::*;

#[derive(Clone, Copy)]
pub struct Live {
    rights: RwSignal<u32>,
    data: RwSignal<u32>,
    tools: RwSignal<u32>,
    confirmations: RwSignal<u32>,
    executions: RwSignal<u32>,
}

pub fn provide_live() -> Live {
    let [rights, data, tools, confirmations, executions] = [(); 5].map(|()| RwSignal::new(0));
    let live = Live { rights, data, tools, confirmations, executions };
    provide_context(live);
    live
}

pub fn use_live() -> Live {
    expect_context()
}

impl Live {
    /// The source of the session.
    pub fn rights(self) -> u32 {
        self.rights.get()
    }

    /// The source of what only some may see. Moves after the session: whoever lost the right is led away and
    /// does not ask again.
    pub fn data(self) -> u32 {
        self.data.get()
    }

    pub fn data_changed(self) {
        self.data.update(|count| *count += 1);
    }

    pub fn rights_untracked(self) -> u32 {
        self.rights.get_untracked()
    }

    /// The source of what shows questions to people.
    pub fn confirmations(self) -> u32 {
        self.confirmations.get()
    }

    /// The source of what shows calls.
    pub fn executions(self) -> u32 {
        self.executions.get()
    }

    /// The source of every list of tools.
    pub fn tools(self) -> u32 {
        self.tools.get()
    }
}

/// Only a browser hears of changes.
#[cfg(not(feature = "ssr"))]
impl Live {
    pub fn rights_changed(self) {
        self.rights.update(|count| *count += 1);
    }

    pub fn tools_changed(self) {
        self.tools.update(|count| *count += 1);
    }

    pub fn confirmations_changed(self) {
        self.confirmations.update(|count| *count += 1);
    }

    pub fn executions_changed(self) {
        self.executions.update(|count| *count += 1);
    }

    /// After silence, anything may have changed.
    pub fn anything_changed(self) {
        self.rights_changed();
        self.tools_changed();
        self.confirmations_changed();
        self.executions_changed();
    }
}

/// Listens while somebody is signed in.
pub fn listen_while_signed_in(live: Live) {
    let session = use_session();
    let mut is_listening = false;
    effect(move || {
        if session.me().is_some() && !is_listening {
            is_listening = true;
            browser::listen(live);
        }
    });
}
