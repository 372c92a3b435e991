//! Language and colours: remembered in cookies, so that they hold before anybody signs in.

use super::{ApiError, Form};
use domain::{Language, Theme};
use leptos::prelude::*;

#[server(prefix = "/fn", endpoint = "set_language", input = Form)]
pub async fn set_language(language: Language) -> Result<(), ApiError> {
    crate::request::remember("language", language.tag());
    crate::request::back_to_referer();
    Ok(())
}

#[server(prefix = "/fn", endpoint = "set_theme", input = Form)]
pub async fn set_theme(theme: Theme) -> Result<(), ApiError> {
    crate::request::remember("theme", theme.as_str());
    crate::request::back_to_referer();
    Ok(())
}
