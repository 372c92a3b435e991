//! Why a tool did not do it.

use domain::{FieldCode, FieldError};
use store::StoreError;

#[derive(Debug, thiserror::Error)]
pub enum ToolFailure {
    /// The call is at fault; trying it again as it is does not help.
    #[error("{message}")]
    Refused { code: &'static str, message: String },
    /// The database is.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl ToolFailure {
    pub fn refused(code: &'static str, message: impl Into<String>) -> Self {
        Self::Refused { code, message: message.into() }
    }

    /// Stable; made for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Refused { code, .. } => code,
            Self::Store(StoreError::Unavailable(_)) => "unavailable",
            Self::Store(StoreError::Busy(_)) => "busy",
            Self::Store(_) => "internal",
        }
    }

    /// The database may answer later.
    pub fn is_outage(&self) -> bool {
        matches!(self, Self::Store(StoreError::Unavailable(_) | StoreError::Busy(_)))
    }
}

impl From<FieldError> for ToolFailure {
    fn from(error: FieldError) -> Self {
        let what = match error.code {
            FieldCode::Required => "é obrigatório",
            FieldCode::TooShort => "é curto demais",
            FieldCode::TooLong => "é longo demais",
            FieldCode::Unknown => "não existe",
            _ => "não é válido",
        };
        Self::refused("invalid_params", format!("O campo {} {what}.", error.field))
    }
}
