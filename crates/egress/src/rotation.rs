//! The secret that signs, and the one before it: for a day both do, so that receivers can change theirs in peace.

use crate::signature::Secret;
use serde::{Deserialize, Serialize};

/// Seconds that the secret before a rotation still signs.
const OVERLAP: i64 = 24 * 60 * 60;

/// Kept sealed by whoever owns it. No `Debug`: it holds secrets.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Rotation {
    #[serde(default)]
    current: Option<String>,
    #[serde(default)]
    previous: Option<(String, i64)>,
}

impl Rotation {
    /// A new secret; answers with it, once. `now` is in seconds since 1970.
    pub fn rotate(&mut self, now: i64) -> String {
        let new = Secret::generate().expose();
        self.previous = self.current.take().map(|old| (old, now + OVERLAP));
        self.current = Some(new.clone());
        new
    }

    /// Those that sign now, the newest first.
    pub fn signing(&self, now: i64) -> Vec<Secret> {
        let previous = self.previous.as_ref().filter(|(_, until)| *until > now).map(|(text, _)| text);
        self.current.iter().chain(previous).filter_map(|text| Secret::parse(text).ok()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t15_two_secrets_sign_for_a_day_after_a_rotation() {
        let mut rotation = Rotation::default();
        assert!(rotation.signing(0).is_empty());
        let first = rotation.rotate(0);
        let second = rotation.rotate(100);
        let signing = |now| rotation.signing(now).iter().map(Secret::expose).collect::<Vec<_>>();
        assert_eq!(signing(100 + OVERLAP - 1), [second.clone(), first]);
        assert_eq!(signing(100 + OVERLAP), [second]);
    }
}
