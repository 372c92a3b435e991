//! Limits that several processes share. One script looks at all keys and charges them, so nobody comes between; time is
//! Redis' own, so the clocks of the processes do not matter.

use crate::{
    Limit, Purpose, Wait,
    outage::Outage,
    pace::{Pace, micros},
};
use redis::{
    AsyncConnectionConfig, Client, ConnectionAddr, IntoConnectionInfo as _, RedisResult, Script,
    TlsCertificates, aio::MultiplexedConnection,
};
use std::time::Duration;
use tokio::{sync::Mutex, time::timeout};

const PREFIX: &str = "alcada:limit:";

pub(crate) struct Shared {
    client: Client,
    script: Script,
    connection: Mutex<Option<MultiplexedConnection>>,
    /// No call waits longer for Redis, whatever is wrong with it.
    patience: Duration,
    outage: Outage,
}

/// Over TLS where the address says `rediss`.
fn client(url: &str, authorities: Option<&[u8]>) -> RedisResult<Client> {
    let info = url.into_connection_info()?;
    if !matches!(info.addr(), ConnectionAddr::TcpTls { .. }) {
        return Client::open(info);
    }
    // The client asks for the provider of the process. An error means that there is one already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let root_cert = authorities.map(<[u8]>::to_vec);
    Client::build_with_tls(info, TlsCertificates { client_tls: None, root_cert })
}

impl Shared {
    pub(crate) fn new(url: &str, authorities: Option<&[u8]>, patience: Duration) -> RedisResult<Self> {
        Ok(Self {
            client: client(url, authorities)?,
            script: Script::new(include_str!("take.lua")),
            connection: Mutex::default(),
            patience,
            outage: Outage::default(),
        })
    }

    /// Nothing when Redis cannot be asked.
    pub(crate) async fn ask(&self, wanted: &[(String, Limit)], purpose: Purpose) -> Option<Result<(), Wait>> {
        if !self.outage.may_try() {
            return None;
        }
        match timeout(self.patience, self.run(wanted, purpose)).await {
            Ok(Ok(answer)) => {
                self.note_success();
                Some(answer)
            }
            Ok(Err(error)) => self.note_failure(&error),
            Err(elapsed) => self.note_failure(&elapsed),
        }
    }

    async fn run(&self, wanted: &[(String, Limit)], purpose: Purpose) -> RedisResult<Result<(), Wait>> {
        let mut connection = self.connected().await?;
        let mut call = self.script.prepare_invoke();
        for (key, limit) in wanted {
            let pace = Pace::of(*limit);
            call.key(format!("{PREFIX}{}/{}:{key}", limit.count, micros(limit.window)));
            call.arg(pace.interval).arg(pace.burst);
        }
        call.arg(u8::from(purpose == Purpose::Take));
        let (slowest, wait): (usize, u64) = call.invoke_async(&mut connection).await?;
        // Lua counts from one; zero is nobody.
        let refused = slowest.checked_sub(1).and_then(|index| wanted.get(index));
        Ok(refused.map_or(Ok(()), |(key, _)| {
            Err(Wait { key: key.clone(), retry_after: Duration::from_micros(wait) })
        }))
    }

    async fn connected(&self) -> RedisResult<MultiplexedConnection> {
        let mut connection = self.connection.lock().await;
        if let Some(open) = &*connection {
            return Ok(open.clone());
        }
        // `patience` bounds both.
        let calm = AsyncConnectionConfig::new().set_response_timeout(None).set_connection_timeout(None);
        let open = self.client.get_multiplexed_async_connection_with_config(&calm).await?;
        Ok(connection.insert(open).clone())
    }

    fn note_success(&self) {
        if self.outage.ends() {
            tracing::info!("Redis answers again: rate limits are shared");
        }
    }

    fn note_failure<T>(&self, error: &dyn std::error::Error) -> Option<T> {
        // Locked means that somebody is connecting: there is nothing to hang up.
        if let Ok(mut connection) = self.connection.try_lock() {
            *connection = None;
        }
        if self.outage.begins() {
            tracing::warn!(%error, "Redis does not answer: each process counts its rate limits alone");
        }
        None
    }
}
