//! Patches: a field that is absent stays, one that is null is cleared where it may be empty.

use serde::{Deserialize, Deserializer};

/// With `default`, tells a null from an absent field: a null reaches `T`, which takes it or refuses it.
pub fn given<'de, T: Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

/// Lays a patch onto what is there; the result is checked like something new.
macro_rules! onto {
    ($patch:ident, $out:ident, $input:ident { $($field:ident),+ $(,)? } $(, $other:ident: $known:path)?) => {
        impl $patch {
            pub fn onto(self, base: $out) -> $input {
                $input {
                    $($field: self.$field.unwrap_or(base.$field)),+
                    $(, $other: self.$other.unwrap_or(base.$other.map($known)))?
                }
            }
        }
    };
}

pub(crate) use onto;
