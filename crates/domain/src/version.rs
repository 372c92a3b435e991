//! Which version a change was made from: what somebody else saved meanwhile is not written over by accident.

use crate::{ErrorCode, ServiceError, ServiceResult};

/// `expected` is the version that the caller saw; nothing is any.
pub fn is_current(expected: Option<i64>, version: i64) -> ServiceResult<()> {
    match expected {
        Some(expected) if expected != version => {
            let detail =
                format!("This is version {version} by now, and the change was made from {expected}.");
            Err(ServiceError::new(ErrorCode::Conflict, detail))
        }
        _ => Ok(()),
    }
}

/// Somebody was faster by less than a question takes.
pub fn changed_meanwhile() -> ServiceError {
    ServiceError::new(ErrorCode::Conflict, "Somebody else changed this in the meantime.")
}
