//! The one error of the services: a stable code, a sentence for the caller, and the fields concerned.
//! HTTP is not known here; the doors translate.

use serde::{Deserialize, Serialize};
use std::{fmt, ops::RangeInclusive};

/// Every code that a caller can meet. Adding is free; renaming breaks clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// Not signed in, or the key is unknown, revoked or expired.
    Unauthenticated,
    /// Signed in, but no rule allows it.
    Forbidden,
    /// The request comes from another site.
    CrossOrigin,
    /// E-mail and password do not belong together.
    InvalidCredentials,
    /// Too many attempts; try later.
    RateLimited,
    /// A body that is not what was promised: not JSON, a wrong type, an unknown field.
    InvalidBody,
    /// The body is larger than accepted.
    BodyTooLarge,
    /// The body's content type is not accepted.
    UnsupportedMediaType,
    /// Fields were understood and refused; see `errors`.
    ValidationFailed,
    NotFound,
    MethodNotAllowed,
    ToolNotFound,
    /// System tools are always on.
    SystemTool,
    /// Somebody with that e-mail, or something with that name, is there already.
    AlreadyExists,
    /// The tenant would be left without an owner.
    LastOwner,
    /// The installation would be left without an administrator.
    LastPlatformAdmin,
    /// The setup code is wrong.
    InvalidSetupCode,
    /// The first administrator exists already.
    SetupDone,
    /// An invitation that was used, revoked or has expired, or never was.
    InvitationInvalid,
    /// Somebody else changed it in the meantime.
    Conflict,
    /// The caller works in no tenant: a key of the platform, or a person without an organisation.
    TenantRequired,
    AgentNotFound,
    /// Switched off, for everybody or in the tenant.
    ToolDisabled,
    /// This machine cannot confine code tools: they are not run. `detail` tells why.
    CodeUnavailable,
    /// The agent was not given this tool.
    ToolNotAssigned,
    /// Agents use it; `agents` names them.
    ToolInUse,
    /// The arguments do not fit the tool's schema; see `errors`.
    InvalidParams,
    /// A request with the same key is still running.
    IdempotencyInProgress,
    /// The same key came with another body.
    IdempotencyMismatch,
    /// Somebody decided it already, or cancelled the call.
    AlreadyDecided,
    /// It was not decided in time.
    ConfirmationExpired,
    /// What was to be approved is no longer what would run: tool, arguments, policy or agent changed.
    BindingChanged,
    /// Whoever asked for it cannot approve it.
    SecondPerson,
    /// It has ended and cannot be cancelled.
    ExecutionFinished,
    /// The database does not answer.
    Unavailable,
    /// Somebody else is changing the same right now.
    Busy,
    /// The request took too long to reach the server or ended early.
    RequestIncomplete,
    /// A fault of ours; the log has it under the request id.
    Internal,
}

impl ErrorCode {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unauthenticated => "unauthenticated",
            Self::Forbidden => "forbidden",
            Self::CrossOrigin => "cross_origin",
            Self::InvalidCredentials => "invalid_credentials",
            Self::RateLimited => "rate_limited",
            Self::InvalidBody => "invalid_body",
            Self::BodyTooLarge => "body_too_large",
            Self::UnsupportedMediaType => "unsupported_media_type",
            Self::ValidationFailed => "validation_failed",
            Self::NotFound => "not_found",
            Self::MethodNotAllowed => "method_not_allowed",
            Self::ToolNotFound => "tool_not_found",
            Self::SystemTool => "system_tool",
            Self::AlreadyExists => "already_exists",
            Self::LastOwner => "last_owner",
            Self::LastPlatformAdmin => "last_platform_admin",
            Self::InvalidSetupCode => "invalid_setup_code",
            Self::SetupDone => "setup_done",
            Self::InvitationInvalid => "invitation_invalid",
            Self::Conflict => "conflict",
            Self::TenantRequired => "tenant_required",
            Self::AgentNotFound => "agent_not_found",
            Self::ToolDisabled => "tool_disabled",
            Self::CodeUnavailable => "code_unavailable",
            Self::ToolNotAssigned => "tool_not_assigned",
            Self::ToolInUse => "tool_in_use",
            Self::InvalidParams => "invalid_params",
            Self::IdempotencyInProgress => "idempotency_in_progress",
            Self::IdempotencyMismatch => "idempotency_mismatch",
            Self::AlreadyDecided => "already_decided",
            Self::ConfirmationExpired => "confirmation_expired",
            Self::BindingChanged => "binding_changed",
            Self::SecondPerson => "second_person_required",
            Self::ExecutionFinished => "execution_finished",
            Self::Unavailable => "unavailable",
            Self::Busy => "busy",
            Self::RequestIncomplete => "request_incomplete",
            Self::Internal => "internal",
        }
    }

    /// The status that every door answers with for this code.
    pub fn http_status(self) -> u16 {
        match self {
            Self::Unauthenticated | Self::InvalidCredentials => 401,
            Self::Forbidden
            | Self::CrossOrigin
            | Self::InvalidSetupCode
            | Self::TenantRequired
            | Self::ToolDisabled
            | Self::CodeUnavailable
            | Self::ToolNotAssigned
            | Self::SecondPerson => 403,
            Self::NotFound | Self::ToolNotFound | Self::AgentNotFound => 404,
            Self::MethodNotAllowed => 405,
            Self::SystemTool
            | Self::AlreadyExists
            | Self::LastOwner
            | Self::LastPlatformAdmin
            | Self::SetupDone
            | Self::Conflict
            | Self::ToolInUse
            | Self::IdempotencyInProgress
            | Self::AlreadyDecided
            | Self::ConfirmationExpired
            | Self::BindingChanged
            | Self::ExecutionFinished => 409,
            Self::InvitationInvalid => 410,
            Self::BodyTooLarge => 413,
            Self::UnsupportedMediaType => 415,
            Self::InvalidBody | Self::RequestIncomplete => 400,
            Self::ValidationFailed | Self::InvalidParams | Self::IdempotencyMismatch => 422,
            Self::RateLimited => 429,
            Self::Unavailable | Self::Busy => 503,
            Self::Internal => 500,
        }
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What is wrong with one field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum FieldCode {
    Required,
    TooShort,
    TooLong,
    Invalid,
    TooCommon,
    Mismatch,
    Taken,
    Unknown,
    Reserved,
    /// Something needs it as it is.
    InUse,
    /// What is kept was not given for this: it has to be given again, or to go.
    NeededAnew,
    /// An address that is not public, or not spoken to encrypted: only the operator's setting opens it.
    OutOfReach,
}

impl FieldCode {
    /// The English sentence for REST; pages translate the code.
    pub fn message(self) -> &'static str {
        match self {
            Self::Required => "is required",
            Self::TooShort => "is too short",
            Self::TooLong => "is too long",
            Self::Invalid => "is not valid",
            Self::TooCommon => "is too easy to guess",
            Self::Mismatch => "does not match",
            Self::Taken => "is taken already",
            Self::Unknown => "is not known",
            Self::Reserved => "is reserved",
            Self::InUse => "is in use",
            Self::NeededAnew => "must be given anew, or removed",
            Self::OutOfReach => {
                "is not public, or not encrypted: such addresses are reached only where the operator lists them in \
                 ALCADA_EGRESS_ALLOW (a network, an address or host:port)"
            }
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FieldError {
    pub field: String,
    pub code: FieldCode,
    pub message: String,
    /// Where in the text of the field, from 1, when that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// Of arguments: the rule of the tool's schema that they do not fit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    // A browser reads the words that the server has put in its place.
    #[cfg_attr(target_arch = "wasm32", serde(skip_deserializing))]
    pub rule: Option<SchemaRule>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SchemaRule {
    /// Of JSON Schema: `type`, `maxLength`, `enum` …
    pub keyword: String,
    /// What the schema wants, where that is said in a few words: `integer`, `5`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
}

impl FieldError {
    pub fn new(field: &str, code: FieldCode) -> Self {
        let (field, message) = (field.to_owned(), code.message().to_owned());
        Self { field, code, message, line: None, column: None, rule: None }
    }

    /// The number, if it is within the range; else what it has to be.
    pub fn within(field: &str, number: u32, range: RangeInclusive<u32>) -> Result<u32, Self> {
        if range.contains(&number) {
            return Ok(number);
        }
        let message = format!("has to be from {} to {}", range.start(), range.end());
        Err(Self { message, ..Self::new(field, FieldCode::Invalid) })
    }
}

/// What a service answers when it does not do what was asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServiceError {
    pub code: ErrorCode,
    /// A sentence for the caller; never a secret, never an internal detail.
    pub detail: String,
    pub errors: Vec<FieldError>,
    /// Seconds to wait before trying again, when waiting helps.
    pub retry_after: Option<u64>,
    /// The agents concerned, when a tool cannot be removed because of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<AgentRef>,
    /// Whose rate limit it was, when a call came too soon.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exceeded: Option<LimitOf>,
}

/// Whose limit a call counts against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum LimitOf {
    Tool,
    Agent,
    Tenant,
}

/// An agent, named.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AgentRef {
    pub id: crate::AgentId,
    pub slug: String,
    pub name: String,
}

pub type ServiceResult<T> = Result<T, ServiceError>;

impl ServiceError {
    pub fn new(code: ErrorCode, detail: impl Into<String>) -> Self {
        let (detail, errors, agents) = (detail.into(), Vec::new(), Vec::new());
        Self { code, detail, errors, retry_after: None, agents, exceeded: None }
    }

    pub fn field(field: &str, code: FieldCode) -> Self {
        FieldError::new(field, code).into()
    }

    pub fn fields(errors: Vec<FieldError>) -> Self {
        Self { errors, ..Self::new(ErrorCode::ValidationFailed, "Some fields were refused.") }
    }
}

impl From<FieldError> for ServiceError {
    fn from(error: FieldError) -> Self {
        Self::fields(vec![error])
    }
}

impl fmt::Display for ServiceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.detail)
    }
}

impl std::error::Error for ServiceError {}
