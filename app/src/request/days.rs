//! The days of a filter: those of the person who reads, each from its beginning to its end where they are.
//!
//! The script of every page leaves the name of the browser's zone in a cookie. Without scripts nobody tells one, and days
//! are counted in UTC, as the times on such a page are.

use super::Visitor;
use domain::{FieldCode, ServiceError, ServiceResult};
use engine::Moment;
use jiff::{Error, civil::Date, tz::TimeZone};

/// The cookie that names the zone.
pub const ZONE: &str = "zone";

pub struct Days {
    zone: Option<TimeZone>,
}

impl Days {
    pub fn of(visitor: &Visitor) -> Self {
        Self::in_zone(visitor.zone.as_deref())
    }

    /// A zone by its one spelling, in whatever letters it was told; what names no zone tells nothing.
    pub fn known_zone(name: &str) -> Option<String> {
        zone_of(name)?.iana_name().map(str::to_owned)
    }

    fn in_zone(name: Option<&str>) -> Self {
        Self { zone: name.and_then(zone_of) }
    }

    /// No zone was told.
    pub fn are_utc(&self) -> bool {
        self.zone.is_none()
    }

    /// When a day begins: at midnight. Where the clocks skip it, with what comes after it; where they show it twice, with
    /// the first.
    pub fn start(&self, field: &str, day: &str) -> ServiceResult<Moment> {
        self.beginning(field, day, Ok)
    }

    /// When a day is over: the next one begins.
    pub fn end(&self, field: &str, day: &str) -> ServiceResult<Moment> {
        self.beginning(field, day, Date::tomorrow)
    }

    fn beginning(
        &self,
        field: &str,
        day: &str,
        which: fn(Date) -> Result<Date, Error>,
    ) -> ServiceResult<Moment> {
        let zone = self.zone.clone().unwrap_or(TimeZone::UTC);
        let date = Date::strptime("%Y-%m-%d", day).and_then(which);
        let beginning = date.and_then(|date| date.to_zoned(zone));
        let beginning = beginning.map_err(|_| ServiceError::field(field, FieldCode::Invalid))?;
        Ok(Moment(beginning.timestamp().as_microsecond()))
    }
}

/// The zones are those that the binary carries: no name reaches a file.
fn zone_of(name: &str) -> Option<TimeZone> {
    TimeZone::get(name).ok().filter(|zone| !zone.is_unknown())
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::Timestamp;

    /// A day from its beginning to its end, in UTC.
    fn span(zone: &str, day: &str) -> [String; 2] {
        let days = Days::in_zone(Some(zone));
        let in_utc = |moment: ServiceResult<Moment>| Timestamp::from(moment.unwrap()).to_string();
        [in_utc(days.start("from", day)), in_utc(days.end("to", day))]
    }

    #[test]
    fn t9_a_day_is_the_readers_own() {
        let day = "2026-11-16";
        assert_eq!(span("America/Sao_Paulo", day), ["2026-11-16T03:00:00Z", "2026-11-17T03:00:00Z"]);
        assert_eq!(span("UTC", day), ["2026-11-16T00:00:00Z", "2026-11-17T00:00:00Z"]);
        // Browsers also tell names that the database of zones has replaced.
        assert_eq!(span("Asia/Calcutta", day), ["2026-11-15T18:30:00Z", "2026-11-16T18:30:00Z"]);
        assert!(!Days::in_zone(Some("UTC")).are_utc(), "told is not the same as not told");
    }

    #[test]
    fn t9_a_day_on_which_the_clocks_change_is_shorter_or_longer() {
        let zone = "America/New_York";
        assert_eq!(span(zone, "2026-03-08"), ["2026-03-08T05:00:00Z", "2026-03-09T04:00:00Z"]);
        assert_eq!(span(zone, "2026-11-01"), ["2026-11-01T04:00:00Z", "2026-11-02T05:00:00Z"]);
    }

    #[test]
    fn t9_a_day_without_a_midnight_or_with_two_begins_with_its_first_moment() {
        let before = "2018-11-03T03:00:00Z";
        let first = "2018-11-04T03:00:00Z";
        // The clocks went from midnight to one.
        assert_eq!(span("America/Sao_Paulo", "2018-11-03"), [before, first]);
        assert_eq!(span("America/Sao_Paulo", "2018-11-04"), [first, "2018-11-05T02:00:00Z"]);
        // From one back to midnight.
        assert_eq!(span("America/Havana", "2024-11-03"), ["2024-11-03T04:00:00Z", "2024-11-04T05:00:00Z"]);
        // A day that Samoa did not have.
        assert_eq!(span("Pacific/Apia", "2011-12-30"), ["2011-12-30T10:00:00Z"; 2]);
    }

    #[test]
    fn t9_without_a_zone_that_is_known_days_are_those_of_utc() {
        assert!(Days::in_zone(None).are_utc());
        for name in ["", "undefined", "Mars/Olympus_Mons", "Etc/Unknown", "../America/Sao_Paulo", "+03:00"] {
            assert_eq!(Days::known_zone(name), None, "{name:?}");
            assert!(Days::in_zone(Some(name)).are_utc(), "{name:?}");
            assert_eq!(
                span(name, "2026-11-16"),
                ["2026-11-16T00:00:00Z", "2026-11-17T00:00:00Z"],
                "{name:?}"
            );
        }
    }

    #[test]
    fn t9_what_is_no_day_is_refused_at_its_field() {
        let days = Days::in_zone(Some("America/Sao_Paulo"));
        for text in ["2026-02-30", "hoje", "2026-11-16T10:00:00Z", "9999-12-31"] {
            let refused = Err(ServiceError::field("to", FieldCode::Invalid));
            assert_eq!(days.end("to", text), refused, "{text}");
        }
    }
}
