//! The loop that delivers. The rows of the database are the queue: nothing is kept in memory that a restart could lose,
//! and a clock that jumps only makes rows due sooner or later.
//!
//! Each tenant has its own lane for messages and one for events: a slow receiver holds up nobody else.

mod events;
mod lanes;
mod messages;

pub(crate) use lanes::Lanes;

use crate::Channels;
use domain::ServiceResult;
use lanes::Lane;
use std::time::Duration;
use store::{Moment, Signal, crm::scheduled_messages, outbox};
use tokio::sync::broadcast::{Receiver, error::RecvError};
use uuid::Uuid;

const EVERY: Duration = Duration::from_secs(1);

impl Channels {
    /// Delivers for as long as the process runs. `process` is its row in the table of processes: what it has taken and
    /// not finished is interrupted once that row is gone.
    pub fn start_delivering(&self, process: Uuid) {
        let channels = self.clone();
        let news = channels.0.db.signals().subscribe();
        tokio::spawn(async move { channels.keep_delivering(process, news).await });
    }

    /// Begins nothing new, and waits for what is on its way.
    pub async fn stop_delivering(&self, longest: Duration) {
        self.0.lanes.close();
        if tokio::time::timeout(longest, self.0.lanes.until_empty()).await.is_err() {
            tracing::warn!("stopped while something was being delivered");
        }
    }

    async fn keep_delivering(&self, process: Uuid, mut news: Receiver<Signal>) {
        while !self.0.lanes.is_closed() {
            let pause = self.look(process).await.unwrap_or_else(|error| {
                tracing::warn!(%error, "looking for what is to be delivered failed; trying again");
                EVERY
            });
            wait(&mut news, pause).await;
        }
    }

    /// Starts what is due, and says how long nothing else will be.
    async fn look(&self, process: Uuid) -> ServiceResult<Duration> {
        let (reader, now) = (self.0.db.reader(), Moment::now());
        if let Err(error) = self.close_interrupted(process).await {
            tracing::warn!(%error, "what was interrupted stays so for now");
        }
        for tenant in scheduled_messages::tenants_with_due(reader, now).await? {
            let channels = self.clone();
            let work = async move { channels.send_due_messages(tenant, process).await };
            self.0.lanes.start(Lane::Messages(tenant), work);
        }
        for tenant in outbox::tenants_with_due(reader, now).await? {
            let channels = self.clone();
            self.0.lanes.start(Lane::Events(tenant), async move { channels.send_due_events(tenant).await });
        }
        let next = scheduled_messages::next_moment(reader, now).await?;
        let until = next.map(|next| Duration::from_micros(u64::try_from(next.0 - now.0).unwrap_or(0)));
        Ok(until.map_or(EVERY, |until| until.min(EVERY)))
    }
}

/// Until the time is over, or there is news that something is to be sent.
async fn wait(news: &mut Receiver<Signal>, pause: Duration) {
    let heard = async {
        loop {
            match news.recv().await {
                Ok(Signal::Deliveries | Signal::Confirmations(_) | Signal::Resync)
                | Err(RecvError::Lagged(_)) => return,
                Ok(_) => {}
                Err(RecvError::Closed) => std::future::pending().await,
            }
        }
    };
    let _ = tokio::time::timeout(pause, heard).await;
    // Those that came at the same time are answered by the same look.
    while news.try_recv().is_ok() {}
}
