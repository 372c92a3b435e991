//! A moment as the database keeps it: microseconds since 1970 in UTC.

use domain::Timestamp;
use sea_orm::DeriveValueType;
use time::{Duration, OffsetDateTime};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, DeriveValueType)]
pub struct Moment(pub i64);

impl Moment {
    pub fn now() -> Self {
        OffsetDateTime::now_utc().into()
    }

    pub fn plus(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(duration.whole_microseconds() as i64))
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
