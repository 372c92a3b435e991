//! The first start: one administrator, made with the code that the log shows.

use super::{ApiError, Form};
use leptos::prelude::*;

/// What the form said, for the page that comes next when it is refused; never the password.
#[derive(Default)]
#[cfg_attr(feature = "ssr", derive(serde::Serialize, serde::Deserialize))]
pub struct Said {
    pub code: String,
    pub name: String,
    pub email: String,
    pub organisation: String,
    pub demo_data: bool,
}

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
    let said = Said {
        code: code.clone(),
        name: name.clone(),
        email: email.clone(),
        organisation: organisation.clone(),
        demo_data,
    };
    let form = accounts::SetupForm { code, name, email, password, organisation, demo_data };
    let backend = crate::request::backend();
    let outcome = backend.accounts.complete_setup(form, visitor.address).await;
    if outcome.is_err() {
        crate::request::keep_setup(&said);
    }
    let (user, demo) = outcome?;
    crate::request::start_session(&visitor, user).await?;
    if let Some(tenant) = demo {
        backend.engine.seed_demo(tenant).await?;
    }
    leptos_axum::redirect("/");
    Ok(())
}
