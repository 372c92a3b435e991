//! How a form's fields arrive: as a browser writes them, and none that nobody asked for (S5).

use leptos::server_fn::{Bytes, ContentType, Decodes, Encodes, Format, FormatType, codec::Post};

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
