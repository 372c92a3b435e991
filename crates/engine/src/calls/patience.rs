//! Waiting until the database is back.

use domain::{ErrorCode, ServiceResult};
use std::{future::Future, time::Duration};

/// How long the pauses between attempts are; how many there are has no end.
#[derive(Clone, Copy)]
pub(super) struct Patience {
    pause: Duration,
    longest: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self { pause: Duration::from_millis(50), longest: Duration::from_secs(5) }
    }
}

impl Patience {
    /// Tries again for as long as the answer is that the database does not answer, or that somebody else is in the way.
    pub(super) async fn through_outages<T, F>(mut self, mut attempt: impl FnMut() -> F) -> ServiceResult<T>
    where
        F: Future<Output = ServiceResult<T>>,
    {
        loop {
            match attempt().await {
                Err(error) if matches!(error.code, ErrorCode::Unavailable | ErrorCode::Busy) => {
                    tokio::time::sleep(self.pause).await
                }
                other => return other,
            }
            self.pause = (self.pause * 2).min(self.longest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::ServiceError;
    use std::cell::Cell;

    #[tokio::test]
    async fn s21_an_outage_is_waited_out_however_long_it_lasts() {
        let hasty = Patience { pause: Duration::from_nanos(1), longest: Duration::from_micros(1) };
        let attempts = Cell::new(0);
        let done = hasty.through_outages(|| async {
            attempts.set(attempts.get() + 1);
            match attempts.get() {
                200 => Ok(()),
                _ => Err(ServiceError::new(ErrorCode::Unavailable, "gone")),
            }
        });
        assert_eq!(done.await, Ok(()));
        assert!(Patience::default().longest <= Duration::from_secs(10), "and noticed soon when it is over");
    }

    #[tokio::test]
    async fn what_is_no_outage_is_told_at_once() {
        let attempt = || async { Err::<(), _>(ServiceError::new(ErrorCode::Internal, "no")) };
        let refused = Patience::default().through_outages(attempt).await;
        assert_eq!(refused.map_err(|error| error.code), Err(ErrorCode::Internal));
    }
}
