//! JSON bodies: what cannot be understood is refused with the field's name.

use super::Problem;
use axum::{
    body::Bytes,
    extract::{FromRequest, Request},
};
use domain::{ErrorCode, FieldCode, FieldError, ServiceError};
use http::{HeaderMap, header};
use serde::de::DeserializeOwned;

/// A body of type `T`; its type refuses unknown fields.
pub struct JsonBody<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for JsonBody<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let JsonBytes(bytes) = JsonBytes::from_request(request, state).await?;
        Ok(Self(parse(&bytes)?))
    }
}

/// A body of JSON as it came: for whoever checks its signature before they read it.
pub struct JsonBytes(pub Bytes);

impl<S: Send + Sync> FromRequest<S> for JsonBytes {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        if !is_json(request.headers()) {
            let detail = "Send the body as application/json.";
            return Err(ServiceError::new(ErrorCode::UnsupportedMediaType, detail).into());
        }
        let bytes = Bytes::from_request(request, state).await.map_err(|rejection| {
            let too_large = rejection.status() == http::StatusCode::PAYLOAD_TOO_LARGE;
            if too_large { super::super::web::too_large() } else { incomplete() }
        })?;
        Ok(Self(bytes))
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = value.split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("application/json")
}

fn incomplete() -> ServiceError {
    ServiceError::new(ErrorCode::RequestIncomplete, "The body did not arrive whole.")
}

/// For a body whose bytes were looked at first.
pub fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ServiceError> {
    // serde would take a list for an object whose fields come without their names.
    if bytes.trim_ascii_start().starts_with(b"[") {
        let message = "must be an object, not a list".to_owned();
        let field = FieldError { message, ..FieldError::new(".", FieldCode::Invalid) };
        return Err(ServiceError::fields(vec![field]));
    }
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let parsed = serde_path_to_error::deserialize(&mut json).map_err(|error| describe(&error))?;
    json.end().map_err(|_| {
        ServiceError::new(ErrorCode::InvalidBody, "There is something behind the JSON value.")
    })?;
    match domain::exact::refused_in(bytes) {
        Some(field) => Err(changed(field)),
        None => Ok(parsed),
    }
}

/// B3: a number that would be another one when it arrives. Among arguments it is refused as any that does not fit.
fn changed(field: FieldError) -> ServiceError {
    let is_argument = field.field == "params" || field.field.starts_with("params.");
    let code = if is_argument { ErrorCode::InvalidParams } else { ErrorCode::ValidationFailed };
    let detail = format!("The body was refused: {} {}.", field.field, field.message);
    ServiceError { errors: vec![field], ..ServiceError::new(code, detail) }
}

fn describe(error: &serde_path_to_error::Error<serde_json::Error>) -> ServiceError {
    let message = error.inner().to_string();
    if !error.inner().is_data() {
        return ServiceError::new(ErrorCode::InvalidBody, format!("The body is not JSON: {message}."));
    }
    let field = refused_field(&error.path().to_string(), &message);
    ServiceError { detail: format!("The body was refused: {message}."), ..ServiceError::fields(vec![field]) }
}

/// What serde says of the field at that path; one that is missing, unknown or there twice stands in the message.
pub(super) fn refused_field(path: &str, message: &str) -> FieldError {
    let (field, code) = match message.split('`').nth(1) {
        Some(name) if message.starts_with("missing field") => (within(path, name), FieldCode::Required),
        Some(name) if message.starts_with("unknown field") => (named(path, name), FieldCode::Unknown),
        Some(name) if message.starts_with("duplicate field") => (named(path, name), FieldCode::Invalid),
        _ => (path.to_owned(), FieldCode::Invalid),
    };
    FieldError { message: message.to_owned(), ..FieldError::new(&field, code) }
}

/// The field of what is at that path; the whole is at `.`.
fn within(path: &str, name: &str) -> String {
    if matches!(path, "" | ".") { name.to_owned() } else { format!("{path}.{name}") }
}

/// The same of a field that is there: then the path may lead to it already.
fn named(path: &str, name: &str) -> String {
    let leads_there =
        path.strip_suffix(name).is_some_and(|before| before.is_empty() || before.ends_with('.'));
    if leads_there { path.to_owned() } else { within(path, name) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    struct In {
        #[allow(dead_code)]
        enabled: bool,
    }

    fn refused(text: &str) -> ServiceError {
        parse::<In>(text.as_bytes()).unwrap_err()
    }

    #[test]
    fn every_bad_body_names_what_is_wrong() {
        assert_eq!(refused("{").code, ErrorCode::InvalidBody);
        assert_eq!(refused("").code, ErrorCode::InvalidBody);
        assert_eq!(refused("{\"enabled\":true} x").code, ErrorCode::InvalidBody);
        assert_eq!(refused(" [true]").code, ErrorCode::ValidationFailed);
        let field = |text| {
            let error = refused(text).errors.remove(0);
            (error.field, error.code)
        };
        assert_eq!(field("{}"), ("enabled".to_owned(), FieldCode::Required));
        assert_eq!(field("{\"enabled\":true,\"role\":1}"), ("role".to_owned(), FieldCode::Unknown));
        assert_eq!(field("{\"enabled\":\"yes\"}"), ("enabled".to_owned(), FieldCode::Invalid));
    }

    #[derive(Debug, serde::Deserialize)]
    struct Outer {
        #[allow(dead_code)]
        inner: Option<In>,
        #[allow(dead_code)]
        list: Vec<In>,
    }

    #[test]
    fn t2_a_field_within_another_is_named_with_its_path() {
        for (text, field, code) in [
            ("{\"list\":[],\"inner\":{}}", "inner.enabled", FieldCode::Required),
            ("{\"list\":[],\"inner\":{\"role\":1}}", "inner.role", FieldCode::Unknown),
            ("{\"inner\":{\"enabled\":true,\"enabled\":true}}", "inner.enabled", FieldCode::Invalid),
            ("{\"list\":[{\"enabled\":true},{}]}", "list[1].enabled", FieldCode::Required),
            ("{\"inner\":null}", "list", FieldCode::Required),
        ] {
            let error = parse::<Outer>(text.as_bytes()).unwrap_err().errors.remove(0);
            assert_eq!((error.field.as_str(), error.code), (field, code), "{text}");
        }
    }
}
