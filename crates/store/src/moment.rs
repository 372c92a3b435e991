//! A moment as the database keeps it: microseconds since 1970 in UTC.

use crate::StoreError;
use domain::Timestamp;
use sea_orm::DeriveValueType;
use time::{Duration, OffsetDateTime, format_description::well_known::Rfc3339};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, DeriveValueType, serde::Serialize)]
pub struct Moment(pub i64);

impl Moment {
    pub fn now() -> Self {
        OffsetDateTime::now_utc().into()
    }

    pub fn plus(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(duration.whole_microseconds() as i64))
    }

    /// Now, and later than this, whatever the clock says: a row's last change tells its version.
    pub fn next(self) -> Self {
        Self::now().max(Self(self.0.saturating_add(1)))
    }

    /// RFC 3339; nothing when it is not.
    pub fn parse(text: &str) -> Option<Self> {
        OffsetDateTime::parse(text, &Rfc3339).ok().map(Self::from)
    }

    /// Whole seconds since 1970.
    pub fn seconds(self) -> i64 {
        self.0 / 1_000_000
    }

    pub fn is_past(self) -> bool {
        self <= Self::now()
    }
}

impl From<OffsetDateTime> for Moment {
    fn from(moment: OffsetDateTime) -> Self {
        Self((moment.unix_timestamp_nanos() / 1_000) as i64)
    }
}

impl From<Moment> for OffsetDateTime {
    fn from(moment: Moment) -> Self {
        OffsetDateTime::from_unix_timestamp_nanos(i128::from(moment.0) * 1_000)
            .unwrap_or(OffsetDateTime::UNIX_EPOCH)
    }
}

impl From<Moment> for Timestamp {
    fn from(moment: Moment) -> Self {
        OffsetDateTime::from(moment).into()
    }
}

/// Text from outside is checked here: a timestamp is only text until then.
impl TryFrom<&Timestamp> for Moment {
    type Error = StoreError;

    fn try_from(stamp: &Timestamp) -> Result<Self, StoreError> {
        let moment = OffsetDateTime::parse(stamp.as_str(), &Rfc3339);
        moment.map(Self::from).map_err(|_| StoreError::Corrupt(format!("moment {stamp}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d6_the_next_moment_is_later_even_when_the_clock_goes_back() {
        let (past, future) = (Moment(1), Moment::now().plus(Duration::days(1)));
        assert!(past.next() > Moment::now().plus(Duration::days(-1)));
        assert_eq!(future.next(), Moment(future.0 + 1));
    }
}
