//! Bytes of a fixed length that people and files see as hexadecimal digits.

use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not {0} hexadecimal digits")]
pub struct NotHex(usize);

/// In one piece: writing digit by digit took longer than hashing.
pub(crate) fn write<const N: usize>(bytes: &[u8; N], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits = bytes.map(|byte| [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]);
    f.write_str(std::str::from_utf8(digits.as_flattened()).map_err(|_| fmt::Error)?)
}

pub(crate) fn parse<const N: usize>(text: &str) -> Result<[u8; N], NotHex> {
    let mut bytes = [0; N];
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if pairs.len() != N || !rest.is_empty() {
        return Err(NotHex(2 * N));
    }
    for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
        *byte = digit(*high).zip(digit(*low)).map(|(high, low)| high << 4 | low).ok_or(NotHex(2 * N))?;
    }
    Ok(bytes)
}

/// Small letters only: one value has one text.
fn digit(letter: u8) -> Option<u8> {
    match letter {
        b'0'..=b'9' => Some(letter - b'0'),
        b'a'..=b'f' => Some(letter - b'a' + 10),
        _ => None,
    }
}

/// Debug and serde by way of the text that `Display` writes and `FromStr` reads.
macro_rules! as_text {
    ($name:ident) => {
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}({self})", stringify!($name))
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'de, str>>::deserialize(from)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

macro_rules! hex_bytes {
    ($(#[$doc:meta])* $name:ident, $length:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub [u8; $length]);

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                $crate::hex::write(&self.0, f)
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::hex::NotHex;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                $crate::hex::parse(text).map(Self)
            }
        }

        $crate::hex::as_text!($name);
    };
}

pub(crate) use {as_text, hex_bytes};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_survive_and_anything_else_is_refused() {
        hex_bytes!(Pair, 2);
        let pair: Pair = "0fa9".parse().unwrap();
        assert_eq!((pair.0, pair.to_string().as_str()), ([0x0f, 0xa9], "0fa9"));
        assert_eq!(serde_json::from_str::<Pair>("\"0fa9\"").unwrap(), pair);
        for wrong in ["", "0fa", "0fa90", "0fa9a9", "0FA9", "0fag", "+fa9", "é9a"] {
            assert_eq!(wrong.parse::<Pair>(), Err(NotHex(4)), "{wrong}");
        }
    }
}
