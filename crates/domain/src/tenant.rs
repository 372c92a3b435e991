//! Views of tenants, members and invitations.

use crate::{Email, InvitationId, TenantId, TenantRole, Timestamp, UserId};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TenantOut {
    pub id: TenantId,
    pub name: String,
    pub slug: String,
    pub member_count: u64,
    pub created_at: Timestamp,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemberOut {
    pub user_id: UserId,
    pub name: String,
    pub email: Email,
    pub role: TenantRole,
    pub is_disabled: bool,
    pub since: Timestamp,
}

/// An invitation that waits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InvitationOut {
    pub id: InvitationId,
    pub email: Email,
    pub role: TenantRole,
    pub invited_by: String,
    pub expires_at: Timestamp,
}

/// What the invited person sees before accepting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InvitationPreview {
    pub email: Email,
    pub tenant_name: String,
    pub role: TenantRole,
    /// The address has an account already: its password is asked for instead of a new one.
    pub has_account: bool,
}

/// A link that is shown once: whoever opens it may join.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InvitationLink {
    pub email: Email,
    pub url: String,
}
