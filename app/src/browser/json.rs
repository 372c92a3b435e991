//! Reading what the server sent, with the browser's own parser.
//!
//! `serde_json` would do the same with a second parser, number tables and error texts that nobody reads: a tenth
//! of the download.

use js_sys::{Array, JSON, Object};
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess,
    SeqAccess, VariantAccess, Visitor, value::StringDeserializer,
};
use std::fmt;
use wasm_bindgen::{JsCast, JsValue};

pub fn read_json<T: DeserializeOwned>(text: &str) -> Option<T> {
    T::deserialize(Value(JSON::parse(text).ok()?)).ok()
}

/// The text was not what was promised; where and why helps nobody here.
#[derive(Debug)]
pub struct Unreadable;

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unreadable")
    }
}

impl std::error::Error for Unreadable {}

impl de::Error for Unreadable {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }

    fn invalid_type(_: de::Unexpected<'_>, _: &dyn de::Expected) -> Self {
        Self
    }

    fn invalid_value(_: de::Unexpected<'_>, _: &dyn de::Expected) -> Self {
        Self
    }

    fn invalid_length(_: usize, _: &dyn de::Expected) -> Self {
        Self
    }

    fn unknown_variant(_: &str, _: &'static [&'static str]) -> Self {
        Self
    }

    fn missing_field(_: &'static str) -> Self {
        Self
    }
}

struct Value(JsValue);

impl<'de> Deserializer<'de> for Value {
    type Error = Unreadable;

    /// Nothing that the product sends has to be guessed; and a guess would carry every branch into every type.
    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Unreadable> {
        Err(Unreadable)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        visitor.visit_string(self.0.as_string().ok_or(Unreadable)?)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        self.deserialize_string(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        self.deserialize_string(visitor)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        visitor.visit_bool(self.0.as_bool().ok_or(Unreadable)?)
    }

    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        visitor.visit_i64(self.0.as_f64().ok_or(Unreadable)? as i64)
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        self.deserialize_i64(visitor)
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        self.deserialize_i64(visitor)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        let list = self.0.dyn_into::<Array>().map_err(|_| Unreadable)?;
        visitor.visit_seq(List { list, at: 0 })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unreadable> {
        let entries = Object::entries(self.0.dyn_ref().ok_or(Unreadable)?);
        visitor.visit_map(Entries { entries, at: 0, value: JsValue::NULL })
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        visitor.visit_unit()
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        if self.0.is_null() || self.0.is_undefined() {
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Unreadable> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unreadable> {
        let (name, content) = match self.0.as_string() {
            Some(name) => (name, JsValue::NULL),
            None => {
                let entry = Array::from(&Object::entries(self.0.unchecked_ref()).get(0));
                (entry.get(0).as_string().ok_or(Unreadable)?, entry.get(1))
            }
        };
        visitor.visit_enum(Variant { name, content })
    }

    serde::forward_to_deserialize_any! {
        i8 i16 i32 i128 u8 u16 u128 f32 f64 char bytes byte_buf unit unit_struct tuple tuple_struct map
    }
}

struct List {
    list: Array,
    at: u32,
}

impl<'de> SeqAccess<'de> for List {
    type Error = Unreadable;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Unreadable> {
        if self.at == self.list.length() {
            return Ok(None);
        }
        self.at += 1;
        seed.deserialize(Value(self.list.get(self.at - 1))).map(Some)
    }
}

struct Entries {
    entries: Array,
    at: u32,
    value: JsValue,
}

impl<'de> MapAccess<'de> for Entries {
    type Error = Unreadable;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Unreadable> {
        if self.at == self.entries.length() {
            return Ok(None);
        }
        let entry = Array::from(&self.entries.get(self.at));
        self.at += 1;
        self.value = entry.get(1);
        seed.deserialize(Value(entry.get(0))).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Unreadable> {
        seed.deserialize(Value(self.value.clone()))
    }
}

struct Variant {
    name: String,
    content: JsValue,
}

impl<'de> EnumAccess<'de> for Variant {
    type Error = Unreadable;
    type Variant = Content;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Content), Unreadable> {
        let name: StringDeserializer<Unreadable> = self.name.into_deserializer();
        Ok((seed.deserialize(name)?, Content(self.content)))
    }
}

struct Content(JsValue);

impl<'de> VariantAccess<'de> for Content {
    type Error = Unreadable;

    fn unit_variant(self) -> Result<(), Unreadable> {
        Ok(())
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Unreadable> {
        seed.deserialize(Value(self.0))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, Unreadable> {
        Err(Unreadable)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Unreadable> {
        Err(Unreadable)
    }
}
