//! The first start: one administrator, made with the code that the log shows.

use super::{ApiError, Form};
use leptos::prelude::*;

/// Creates the first platform administrator, optionally with demo data, and signs in.
#[server(prefix = "/fn", endpoint = "complete_setup", input = Form)]
pub async fn complete_setup(
    code: String,
    name: String,
    email: String,
    password: String,
    organisation: String,
    #[server(default)] demo_data: bool,
) -> Result<(), ApiError> {
    let visitor = crate::request::visitor();
    let form = accounts::SetupForm { code, name, email, password, organisation, demo_data };
    let backend = crate::request::backend();
    let (user, demo) = backend.accounts.complete_setup(form, visitor.address).await?;
    crate::request::start_session(&visitor, user).await?;
    if let Some(tenant) = demo {
        backend.engine.seed_demo(tenant).await?;
    }
    leptos_axum::redirect("/");
    Ok(())
}
