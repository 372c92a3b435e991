//! S13: how often somebody may try a password, by address and by account.

use domain::{Email, ErrorCode, ServiceError, ServiceResult};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter, clock::Clock, clock::DefaultClock};
use std::{
    net::{IpAddr, Ipv6Addr},
    num::NonZeroU32,
    time::Duration,
};

/// Attempts from one address: thirty at once, then one every two seconds.
const PER_ADDRESS: (u32, Duration) = (30, Duration::from_secs(2));
/// Attempts on one account, wherever they come from: ten at once, then one every thirty seconds.
const PER_ACCOUNT: (u32, Duration) = (10, Duration::from_secs(30));
/// The use of a session is written down once a minute.
const NOTED: (u32, Duration) = (1, Duration::from_secs(60));

pub struct AttemptLimits {
    by_address: DefaultKeyedRateLimiter<IpAddr>,
    by_account: DefaultKeyedRateLimiter<Email>,
    /// Which sessions were noted as used in the last minute.
    noted: DefaultKeyedRateLimiter<String>,
    clock: DefaultClock,
}

impl AttemptLimits {
    pub fn new() -> Self {
        Self {
            by_address: RateLimiter::keyed(quota(PER_ADDRESS)),
            by_account: RateLimiter::keyed(quota(PER_ACCOUNT)),
            noted: RateLimiter::keyed(quota(NOTED)),
            clock: DefaultClock::default(),
        }
    }

    /// Counts an attempt, or refuses it.
    pub fn attempt(&self, address: Option<IpAddr>, account: Option<&Email>) -> ServiceResult<()> {
        let now = self.clock.now();
        let address_wait = address
            .and_then(|address| self.by_address.check_key(&network_of(address)).err())
            .map(|refused| refused.wait_time_from(now));
        let account_wait = account
            .and_then(|email| self.by_account.check_key(email).err())
            .map(|refused| refused.wait_time_from(now));
        match address_wait.max(account_wait) {
            None => Ok(()),
            Some(wait) => Err(too_many(wait)),
        }
    }

    /// True once a minute for each session.
    pub fn is_news(&self, session: &str) -> bool {
        self.noted.check_key(&session.to_owned()).is_ok()
    }

    /// Forgets who has not tried for a while, so that the tables stay small.
    pub fn forget_idle(&self) {
        self.by_address.retain_recent();
        self.by_account.retain_recent();
        self.noted.retain_recent();
    }
}

fn quota((burst, refill): (u32, Duration)) -> Quota {
    let burst = NonZeroU32::new(burst).unwrap_or(NonZeroU32::MIN);
    Quota::with_period(refill).unwrap_or(Quota::per_second(burst)).allow_burst(burst)
}

/// Whoever has one IPv6 address has the whole /64.
fn network_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => Ipv6Addr::from_bits(v6.to_bits() & !u128::from(u64::MAX)).into(),
        v4 => v4,
    }
}

fn too_many(wait: Duration) -> ServiceError {
    let seconds = wait.as_secs() + 1;
    let detail = format!("Too many attempts. Try again in {seconds} s.");
    ServiceError { retry_after: Some(seconds), ..ServiceError::new(ErrorCode::RateLimited, detail) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s13_one_account_is_guarded_against_many_addresses() {
        let limits = AttemptLimits::new();
        let email = Email::parse("ana@example.org").unwrap();
        let refused = (0..100_u8)
            .filter(|host| limits.attempt(Some(IpAddr::from([10, 0, 0, *host])), Some(&email)).is_err())
            .count();
        assert_eq!(refused, 90);
    }

    #[test]
    fn s13_one_address_is_guarded_against_many_accounts() {
        let limits = AttemptLimits::new();
        let refused = (0..100)
            .filter(|n| {
                let email = Email::parse(&format!("p{n}@example.org")).unwrap();
                limits.attempt(Some(IpAddr::from([10, 0, 0, 1])), Some(&email)).is_err()
            })
            .count();
        assert_eq!(refused, 70);
    }

    #[test]
    fn an_ipv6_network_counts_as_one_address() {
        let a = network_of("2001:db8::1".parse().unwrap());
        assert_eq!(a, network_of("2001:db8::ffff:1".parse().unwrap()));
        assert_ne!(a, network_of("2001:db8:0:1::1".parse().unwrap()));
        assert_eq!(network_of("::ffff:10.0.0.1".parse().unwrap()), IpAddr::from([10, 0, 0, 1]));
    }
}
