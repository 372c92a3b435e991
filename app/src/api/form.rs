//! How a form's fields arrive: as a browser writes them, and none that nobody asked for (S5).

use leptos::server_fn::{Bytes, ContentType, Decodes, Encodes, Format, FormatType, codec::Post};
#[cfg(feature = "ssr")]
use serde::{Deserializer, de::Visitor};
#[cfg(feature = "ssr")]
use std::fmt;

/// The input of every server function.
pub type Form = Post<StrictForm>;

/// Form fields; an unknown one is refused, where the framework's own encoding passes over it.
pub struct StrictForm;

impl ContentType for StrictForm {
    const CONTENT_TYPE: &'static str = "application/x-www-form-urlencoded";
}

impl FormatType for StrictForm {
    const FORMAT_TYPE: Format = Format::Text;
}

/// The browser sends its forms itself ([`crate::browser`]): nothing is encoded here.
impl<T> Encodes<T> for StrictForm {
    type Error = &'static str;

    fn encode(_: &T) -> Result<Bytes, Self::Error> {
        Err("forms are sent as the browser writes them")
    }
}

#[cfg(feature = "ssr")]
impl<T: serde::de::DeserializeOwned> Decodes<T> for StrictForm {
    type Error = String;

    fn decode(bytes: Bytes) -> Result<T, String> {
        let mut unknown = None;
        let reader = serde_qs::Deserializer::with_config(&serde_qs::Config::new(5, false), &bytes);
        let reader = reader.map_err(|error| error.to_string())?;
        let fields = serde_ignored::deserialize(reader, |path| unknown = Some(path.to_string()));
        match unknown {
            Some(name) => Err(format!("unknown field {name}")),
            None => fields.map_err(|error| error.to_string()),
        }
    }
}

#[cfg(not(feature = "ssr"))]
impl<T> Decodes<T> for StrictForm {
    type Error = &'static str;

    fn decode(_: Bytes) -> Result<T, Self::Error> {
        Err("only the server reads forms")
    }
}

/// A field that may be cleared: an empty one was typed too. As an `Option` alone, it would be none. Only the server reads
/// forms; the browser's reader of answers takes every value as what it is asked for.
#[cfg(feature = "ssr")]
pub fn typed<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    struct Typed;

    impl Visitor<'_> for Typed {
        type Value = Option<String>;

        fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
            to.write_str("a text")
        }

        fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
            Ok(Some(text.to_owned()))
        }

        fn visit_unit<E>(self) -> Result<Self::Value, E> {
            Ok(None)
        }
    }
    from.deserialize_any(Typed)
}
