//! News that caches and open pages must hear at once: through memory in one process, and through PostgreSQL's
//! LISTEN/NOTIFY between several.

use crate::StoreResult;
use domain::{ExecutionId, TenantId, UserId};
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, Statement, sqlx::postgres::PgListener};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};
use tokio::sync::broadcast;

const CHANNEL: &str = "alcada";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// A global switch was used.
    GlobalTools,
    /// What this person may do has changed, or they were signed out.
    Rights(UserId),
    /// A question to people of this tenant appeared or was decided.
    Confirmations(TenantId),
    /// Something is to be sent, now or soon.
    Deliveries,
    /// Whoever runs this call stops it.
    Cancel(ExecutionId),
    /// News may have been missed: forget everything.
    Resync,
}

impl Signal {
    fn encode(self) -> String {
        match self {
            Self::GlobalTools => "global_tools".to_owned(),
            Self::Rights(user) => format!("rights:{user}"),
            Self::Confirmations(tenant) => format!("confirmations:{tenant}"),
            Self::Deliveries => "deliveries".to_owned(),
            Self::Cancel(execution) => format!("cancel:{execution}"),
            Self::Resync => "resync".to_owned(),
        }
    }

    /// What is not understood comes from a newer version: forget everything.
    fn decode(text: &str) -> Self {
        match text.split_once(':') {
            Some(("rights", user)) => user.parse().map_or(Self::Resync, Self::Rights),
            Some(("confirmations", tenant)) => tenant.parse().map_or(Self::Resync, Self::Confirmations),
            Some(("cancel", execution)) => execution.parse().map_or(Self::Resync, Self::Cancel),
            _ if text == "global_tools" => Self::GlobalTools,
            _ if text == "deliveries" => Self::Deliveries,
            _ => Self::Resync,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Signals {
    sender: broadcast::Sender<Signal>,
    /// False while news of other processes cannot arrive: nobody may trust a cache then.
    reliable: Arc<AtomicBool>,
}

impl Signals {
    pub(crate) fn in_process() -> Self {
        Self { sender: broadcast::channel(256).0, reliable: Arc::new(AtomicBool::new(true)) }
    }

    pub(crate) async fn across_processes(pool: &DatabaseConnection) -> StoreResult<Self> {
        let signals = Self::in_process();
        signals.reliable.store(false, Ordering::Release);
        tokio::spawn(listen(pool.clone(), signals.clone()));
        Ok(signals)
    }

    pub fn subscribe(&self) -> broadcast::Receiver<Signal> {
        self.sender.subscribe()
    }

    pub fn are_reliable(&self) -> bool {
        self.reliable.load(Ordering::Acquire)
    }

    /// Part of the transaction: other processes hear it when, and only if, it commits.
    pub(crate) async fn announce(&self, tx: &impl ConnectionTrait, signal: Signal) -> StoreResult<()> {
        if tx.get_database_backend() == DbBackend::Postgres {
            let values = [CHANNEL.into(), signal.encode().into()];
            let notify =
                Statement::from_sql_and_values(DbBackend::Postgres, "SELECT pg_notify($1, $2)", values);
            tx.execute_raw(notify).await?;
        }
        Ok(())
    }

    pub(crate) fn publish(&self, signal: Signal) {
        // Nobody listening is fine.
        let _ = self.sender.send(signal);
    }
}

/// Runs as long as the process; comes back by itself when the database does.
async fn listen(pool: DatabaseConnection, signals: Signals) {
    loop {
        if let Ok(mut listener) = PgListener::connect_with(pool.get_postgres_connection_pool()).await
            && listener.listen(CHANNEL).await.is_ok()
        {
            signals.reliable.store(true, Ordering::Release);
            signals.publish(Signal::Resync);
            while let Ok(Some(news)) = listener.try_recv().await {
                signals.publish(Signal::decode(news.payload()));
            }
            signals.reliable.store(false, Ordering::Release);
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn news_survives_the_wire() {
        let all = [
            Signal::GlobalTools,
            Signal::Rights(UserId::new()),
            Signal::Confirmations(TenantId::new()),
            Signal::Deliveries,
            Signal::Cancel(ExecutionId::new()),
            Signal::Resync,
        ];
        for signal in all {
            assert_eq!(Signal::decode(&signal.encode()), signal);
        }
        assert_eq!(Signal::decode("something new"), Signal::Resync);
    }
}
