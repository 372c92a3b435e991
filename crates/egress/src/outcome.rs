//! What the layers below report, in our words.

use crate::EgressError;
use hyper_util::client::legacy;
use std::{error::Error, io};

pub(crate) fn of_request(error: &legacy::Error, host: &str) -> EgressError {
    let host = || host.to_owned();
    if let Some(ours) = find::<EgressError>(error) {
        ours.clone()
    } else if find::<rustls::Error>(error).is_some() {
        EgressError::TlsFailed { host: host() }
    } else if error.is_connect() {
        EgressError::ConnectionFailed { host: host() }
    } else {
        of_answer(find::<hyper::Error>(error), &host())
    }
}

pub(crate) fn of_answer(error: Option<&hyper::Error>, host: &str) -> EgressError {
    let host = host.to_owned();
    match error {
        Some(error) if error.is_parse() || error.is_user() => EgressError::BadAnswer { host },
        _ => EgressError::ClosedEarly { host },
    }
}

/// `io::Error` does not name what it wraps as its source, only the source of that.
fn find<'a, T: Error + 'static>(error: &'a (dyn Error + 'static)) -> Option<&'a T> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(found) = error.downcast_ref() {
            return Some(found);
        }
        next = match error.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
            Some(inner) => Some(inner),
            None => error.source(),
        };
    }
    None
}
