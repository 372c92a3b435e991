//! The error of every server function: the services' own, with its status set on the response.

use domain::{ErrorCode, ServiceError};
use leptos::{
    prelude::{FromServerFnError, ServerFnErrorErr},
    server_fn::codec::JsonEncoding,
};
use serde::{Deserialize, Serialize};
use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ApiError(pub ServiceError);

impl ApiError {
    pub fn code(&self) -> ErrorCode {
        self.0.code
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for ApiError {}

impl From<ServiceError> for ApiError {
    #[cfg(feature = "ssr")]
    fn from(mut error: ServiceError) -> Self {
        crate::request::answer_with_status(&error);
        crate::request::reader_texts().reword(&mut error.errors);
        Self(error)
    }

    #[cfg(not(feature = "ssr"))]
    fn from(error: ServiceError) -> Self {
        Self(error)
    }
}

impl From<ability::Denied> for ApiError {
    fn from(denied: ability::Denied) -> Self {
        ServiceError::from(denied).into()
    }
}

impl FromServerFnError for ApiError {
    type Encoder = JsonEncoding;

    /// The framework's own failures. Without this mapping each would leave with status 500 and its inner text.
    fn from_server_fn_error(error: ServerFnErrorErr) -> Self {
        let (code, detail) = match error {
            ServerFnErrorErr::Args(_)
            | ServerFnErrorErr::MissingArg(_)
            | ServerFnErrorErr::Deserialization(_)
            | ServerFnErrorErr::UnsupportedRequestMethod(_) => {
                (ErrorCode::InvalidBody, "The form was not understood.")
            }
            ServerFnErrorErr::Request(_) => (ErrorCode::Unavailable, "The server could not be reached."),
            _ => (ErrorCode::Internal, "Something went wrong on the server."),
        };
        ServiceError::new(code, detail).into()
    }
}
