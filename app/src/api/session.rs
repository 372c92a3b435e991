//! Who is here, signing in and out, choosing a tenant.

use super::{ApiError, Form, tools::edit::BreakingOut, undo::Undo};
use ability::{Ability, Action, Subject};
use domain::{ItemId, TenantId, account::Me, assistant::LinkCodeOut, tenant::InvitationLink};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// What every page knows: the person, their rules, and a message left by the last form.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SessionState {
    pub me: Option<Me>,
    pub ability: Ability,
    pub flash: Option<Flash>,
}

/// Left by a form that was sent without JavaScript, shown once on the next page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Flash {
    Saved,
    Invited(InvitationLink),
    LinkCode(LinkCodeOut),
    /// An item, to be brought back.
    Deleted(ItemId),
    /// The person was led home from a page, for want of this right.
    NoAccess(Lacked),
    /// A change that can be taken back.
    Undo(Undo),
    Secret(ShownSecret),
    /// How a test message to the outside ended.
    Tested(TestOutcome),
    /// What became of a decision.
    Decided(super::confirmations::DecisionMade),
    /// How a check of the record ended.
    Verified(super::audit::Verified),
    /// Saved, and calls of today may stumble over it.
    Breaking(BreakingOut),
    /// The session had ended while somebody typed; what they typed is on this page.
    Kept,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lacked {
    pub action: Action,
    pub subject: Subject,
}

/// A secret that nobody sees again, and what it is for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShownSecret {
    pub name: String,
    pub secret: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TestOutcome {
    pub success: bool,
    /// What the other side said, or why it was not reached.
    pub detail: Option<String>,
}

#[server(prefix = "/fn", endpoint = "get_session", input = Form)]
pub async fn get_session() -> Result<SessionState, ApiError> {
    let visitor = crate::request::visitor();
    Ok(SessionState { flash: crate::request::take_flash(), ability: visitor.ability(), me: visitor.me })
}

/// Signs in and leads to `next`, when that is a page of ours.
#[server(prefix = "/fn", endpoint = "sign_in", input = Form)]
pub async fn sign_in(email: String, password: String, next: Option<String>) -> Result<(), ApiError> {
    let visitor = crate::request::visitor();
    let user = crate::request::backend().accounts.sign_in(&email, &password, visitor.address).await?;
    if crate::request::start_session(&visitor, user).await? {
        crate::request::leave_flash(&visitor, Flash::Kept).await?;
    }
    leptos_axum::redirect(&crate::request::next_after_sign_in(next.as_deref()));
    Ok(())
}

#[server(prefix = "/fn", endpoint = "sign_out", input = Form)]
pub async fn sign_out() -> Result<(), ApiError> {
    crate::request::end_session(&crate::request::visitor()).await?;
    leptos_axum::redirect("/login");
    Ok(())
}

/// The pages show this tenant from now on.
#[server(prefix = "/fn", endpoint = "switch_tenant", input = Form)]
pub async fn switch_tenant(tenant_id: TenantId) -> Result<(), ApiError> {
    let visitor = crate::request::visitor();
    let user = visitor.user()?;
    crate::request::backend().accounts.check_membership(user, tenant_id).await?;
    crate::request::choose_tenant(&visitor, tenant_id).await?;
    leptos_axum::redirect("/");
    Ok(())
}
