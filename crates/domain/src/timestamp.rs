//! A moment as it crosses the wire: RFC 3339 in UTC. Text, so that the browser needs no calendar in wasm.

use serde::{Deserialize, Serialize};
use std::fmt;

/// RFC 3339, UTC, seconds: `2026-11-16T12:30:00Z`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(value_type = String, format = DateTime))]
#[serde(transparent)]
pub struct Timestamp(String);

impl Timestamp {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What a page shows before the browser puts it into the person's own zone: `2026-11-16 12:30 UTC`.
    pub fn readable_utc(&self) -> String {
        match (self.0.get(..10), self.0.get(11..16)) {
            (Some(day), Some(time)) => format!("{day} {time} UTC"),
            _ => self.0.clone(),
        }
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(feature = "server")]
impl From<time::OffsetDateTime> for Timestamp {
    fn from(moment: time::OffsetDateTime) -> Self {
        let moment = moment.to_offset(time::UtcOffset::UTC);
        let (date, clock) = (moment.date(), moment.time());
        Self(format!(
            "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z",
            date.year(),
            u8::from(date.month()),
            date.day(),
            clock.hour(),
            clock.minute(),
            clock.second()
        ))
    }
}

#[cfg(all(test, feature = "server"))]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_written_in_utc() {
        let moment = time::macros::datetime!(2026-11-16 09:30:05 -3);
        let stamp = Timestamp::from(moment);
        assert_eq!(stamp.as_str(), "2026-11-16T12:30:05Z");
        assert_eq!(stamp.readable_utc(), "2026-11-16 12:30 UTC");
    }
}
