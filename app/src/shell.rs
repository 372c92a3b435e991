//! The HTML document around every page.
//!
//! Nothing inline but one script with the page's nonce: the content security policy refuses the rest.

use crate::{App, request::ZONE};
use domain::{Language, Theme};
use leptos::{nonce::use_nonce, prelude::*};
use leptos_meta::MetaTags;

/// What the server knows about a page before it renders.
#[derive(Clone, Debug)]
pub struct ShellOptions {
    pub language: Language,
    pub theme: Theme,
    pub assets: Assets,
}

/// Addresses of the built files, with their hashes in the names.
#[derive(Clone, Debug)]
pub struct Assets {
    pub css: String,
    pub js: String,
    pub wasm: String,
    /// Further wasm that this page needs.
    pub pieces: Vec<String>,
}

/// The mark of the product: an arch with a cedilla.
const FAVICON: &str = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E\
    %3Crect width='32' height='32' rx='8' fill='%23155e4b'/%3E%3Cpath d='M8.5 21.5 16 7l7.5 14.5M11.6 16.5h8.8\
    M16 21.5v2.2c2.2 0 2.6 3.3-.6 3.3' fill='none' stroke='%23fff' stroke-width='2.6' stroke-linecap='round' \
    stroke-linejoin='round'/%3E%3C/svg%3E";

pub fn shell(options: ShellOptions) -> impl IntoView {
    let ShellOptions { language, theme, assets } = options;
    let start = start_script(&assets);
    view! {
        <!DOCTYPE html>
        <html lang=language.tag() data-theme=theme.as_str()>
            <head>
                <meta charset="utf-8"/>
                <meta name="viewport" content="width=device-width, initial-scale=1"/>
                <meta name="color-scheme" content=color_scheme(theme)/>
                <link rel="icon" type="image/svg+xml" href=FAVICON/>
                <link rel="stylesheet" href=assets.css/>
                <link rel="modulepreload" href=assets.js nonce=use_nonce()/>
                <script type="module" nonce=use_nonce() inner_html=start></script>
                <MetaTags/>
            </head>
            <body>
                <App/>
            </body>
        </html>
    }
}

/// All files are on their way at once, and none is asked for where scripts do not run. Then the cookie for the days of
/// filters, before anything is asked for from the page: the name of the browser's zone.
/// The addresses come from our own build; a quote in one would be a fault there, so it is not let through.
fn start_script(assets: &Assets) -> String {
    let clean = |url: &str| url.replace(['\'', '<', '\\'], "");
    let pieces: Vec<String> = assets.pieces.iter().map(|url| format!("'{}'", clean(url))).collect();
    format!(
        "const w=fetch('{}');for(const u of [{}]){{const l=document.createElement('link');l.rel='preload';\
         l.as='fetch';l.crossOrigin='';l.href=u;document.head.append(l)}}\
         import('{}').then(m=>m.default({{module_or_path:w}}).then(()=>m.hydrate()));\
         document.cookie='{ZONE}='+Intl.DateTimeFormat().resolvedOptions().timeZone+\
         ';path=/;max-age=31536000;samesite=lax'+(location.protocol=='https:'?';secure':'')",
        clean(&assets.wasm),
        pieces.join(","),
        clean(&assets.js)
    )
}

fn color_scheme(theme: Theme) -> &'static str {
    match theme {
        Theme::System => "light dark",
        Theme::Light => "light",
        Theme::Dark => "dark",
    }
}
