//! The pages in pieces: a browser loads the code of a page when somebody goes there, not before.
//!
//! Each group below becomes one file (`cargo xtask site` cuts them out of the wasm); what most groups need becomes one
//! too, and what the frame needs stays in the first file. Without the feature `split`, and on the server, a page is
//! just called. A page that is not named here works all the same: its code is in the first file.

use crate::route::Page;
use leptos::prelude::AnyView;
use std::{future::Future, pin::Pin};

/// Whether the code of a page could be loaded.
pub type Fetching = Pin<Box<dyn Future<Output = bool>>>;

/// `group { "/path" => name: view }`: the view under that name, cut out when the feature says so.
macro_rules! chunks {
    ($($group:ident { $($path:literal => $name:ident: $view:path),+ $(,)? })+) => {
        $($(
            #[cfg(not(feature = "split"))]
            pub fn $name() -> AnyView {
                $view()
            }

            #[cfg(feature = "split")]
            pub fn $name() -> AnyView {
                split::now(split::$name::$name())
            }
        )+)+

        /// Where a page is cut: the calls go through the table that links the pieces, and are unsafe in name only.
        #[cfg(feature = "split")]
        #[allow(unsafe_code, reason = "written by the macro that marks where to cut")]
        mod split {
            $($(
                pub mod $name {
                    use leptos::{prelude::AnyView, wasm_split::{SplitLoaderError, wasm_split}};

                    #[wasm_split($group, wasm_split_path = ::leptos::wasm_split, preload(fetch), fallible)]
                    pub fn $name() -> Result<AnyView, SplitLoaderError> {
                        Ok($view())
                    }
                }
            )+)+

            pub use super::at_once::now;
        }

        /// Brings the code of a page or of what stands beside the pages; done at once when it is here.
        pub fn fetch(path: &str) -> Fetching {
            match path {
                $($(
                    #[cfg(feature = "split")]
                    $path => Box::pin(async { split::$name::fetch().await.is_ok() }),
                )+)+
                _ => Box::pin(std::future::ready(true)),
            }
        }

        /// The file that a page's own code is in.
        pub fn group(page: &Page) -> Option<&'static str> {
            match page.path {
                $($($path)|+ => Some(stringify!($group)),)+
                _ => None,
            }
        }
    };
}

chunks! {
    everyday {
        "/" => home: crate::pages::home::home,
        "/account" => account: crate::pages::account::account,
        "/members" => members: crate::pages::members::members,
        "/login" => login: crate::pages::login::login,
        "/invite/:token" => invitation: crate::pages::invitation::invitation,
        "/setup" => setup: crate::pages::setup::setup,
    }
    work {
        "/confirmations" => confirmations: crate::pages::confirmations::confirmations,
        "/confirmations/:id" => confirmation: crate::pages::confirmations::confirmation,
        "/executions" => executions: crate::pages::executions::executions,
        "/executions/:id" => execution: crate::pages::executions::detail::execution,
        "/explain" => why: crate::pages::explain::explain,
    }
    watch {
        "/audit" => audit: crate::pages::audit::audit,
        "/analytics" => analytics: crate::pages::analytics::analytics,
        "/admin/tools" => global_tools: crate::pages::admin::tools::tools,
        "/admin/tenants" => tenants: crate::pages::admin::tenants::tenants,
        "/admin/users" => users: crate::pages::admin::users::users,
        "/admin/explain" => explain: crate::pages::admin::explain::explain,
    }
    tools {
        "/tools" => toolbox: crate::pages::tools::tools,
        "/tools/:id/test" => trial: crate::pages::tools::trial,
        "/tools/:id/versions" => versions: crate::pages::tools::versions,
    }
    new_tool {
        "/tools/new" => new_tool: crate::pages::tools::new_tool,
    }
    one_tool {
        "/tools/:id" => tool: crate::pages::tools::tool,
    }
    agents {
        "/agents" => agents: crate::pages::agents::agents,
        "/agents/matrix" => matrix: crate::pages::agents::matrix,
        "/agents/new" => new_agent: crate::pages::agents::new_agent,
        "/agents/:id" => agent: crate::pages::agents::agent,
        "/agents/:id/tools" => agent_tools: crate::pages::agents::agent_tools,
        "/agents/:id/preview" => preview: crate::pages::agents::preview,
    }
    settings {
        "/settings" => settings: crate::pages::settings::settings,
        "/settings/api-keys" => api_keys: crate::pages::settings::api_keys::api_keys,
        "/settings/secrets" => secrets: crate::pages::settings::secrets::secrets,
        "/settings/channels" => channels: crate::pages::settings::channels::channels,
        "/settings/channels/:kind" => channel: crate::pages::settings::channel::channel,
        "/settings/limits" => limits: crate::pages::settings::limits::limits,
    }
    data {
        "/contacts" => contacts: crate::pages::records::records,
        "/contacts/new" => new_contact: crate::pages::records::record,
        "/contacts/:id" => contact: crate::pages::records::record,
        "/pipeline" => deals: crate::pages::records::records,
        "/pipeline/new" => new_deal: crate::pages::records::record,
        "/pipeline/:id" => deal: crate::pages::records::record,
        "/pipelines" => pipelines: crate::pages::records::records,
        "/pipelines/new" => new_pipeline: crate::pages::records::record,
        "/pipelines/:id" => pipeline: crate::pages::records::record,
        "/tasks" => tasks: crate::pages::records::records,
        "/tasks/new" => new_task: crate::pages::records::record,
        "/tasks/:id" => task: crate::pages::records::record,
        "/products" => products: crate::pages::records::records,
        "/products/new" => new_product: crate::pages::records::record,
        "/products/:id" => product: crate::pages::records::record,
        "/conversations" => conversations: crate::pages::records::records,
        "/conversations/new" => new_conversation: crate::pages::records::record,
        "/conversations/:id" => conversation: crate::pages::records::record,
        "/scheduled" => scheduled: crate::pages::records::records,
        "/scheduled/new" => new_scheduled_message: crate::pages::records::record,
        "/scheduled/:id" => scheduled_message: crate::pages::records::record,
        "/assistant" => assistant: crate::pages::assistant::assistant,
        "/items" => items: crate::pages::items::items,
    }
    palette {
        "palette" => palette: crate::components::palette,
    }
}

/// Beside the pages: brought when somebody asks for it, not when a page is opened.
pub const PALETTE: &str = "palette";

#[cfg(feature = "split")]
mod at_once {
    use leptos::{prelude::*, wasm_split::SplitLoaderError};
    use std::{
        future::Future,
        pin::pin,
        task::{Context, Poll, Waker},
    };

    /// The view of a page whose code is here: nobody is led to a page before (`Location::arrived`).
    pub fn now(view: impl Future<Output = Result<AnyView, SplitLoaderError>>) -> AnyView {
        match pin!(view).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(Ok(view)) => view,
            Poll::Ready(Err(_)) | Poll::Pending => ().into_any(),
        }
    }
}
