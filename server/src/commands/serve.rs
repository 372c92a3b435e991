//! `alcada serve`: listen at once, work as soon as the database answers, stop without dropping a request.

use super::{Failure, data};
use crate::{
    logging,
    settings::Settings,
    web,
    wiring::{Outside, Services, Site, StartError},
};
use axum::{Router, ServiceExt, extract::Request};
use sandbox::{Config, Privileges, Sandbox, Unsupported};
use std::{future::Future, net::SocketAddr, time::Duration};
use store::{Database, StoreError};
use tokio::{
    net::TcpListener,
    signal::unix::{SignalKind, signal},
    sync::watch,
};

/// Between two tries to reach a database that does not answer.
const TRY_AGAIN: Duration = Duration::from_millis(500);
/// How often the database is looked at while it works.
const WATCH_EVERY: Duration = Duration::from_secs(2);
const CLEAN_EVERY: Duration = Duration::from_secs(600);
/// How long requests under way may take when the process is asked to stop.
const LAST_REQUESTS: Duration = Duration::from_secs(10);
/// How long a call of a code tool waits for room.
const CODE_PATIENCE: Duration = Duration::from_secs(10);
/// How long what is being delivered may take then.
const LAST_DELIVERIES: Duration = Duration::from_secs(10);
/// And what is being called: whoever asked may have hung up, and the effect may have happened.
const LAST_CALLS: Duration = Duration::from_secs(15);

pub async fn serve(settings: Settings) -> Result<(), Failure> {
    logging::start(&settings.log).map_err(Failure::new)?;
    data::make_folder(&settings)?;
    let listener = std::net::TcpListener::bind(settings.addr)
        .map_err(|error| Failure::new(format!("ALCADA_ADDR: {}: {error}", settings.addr)))?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    let (stop, stopping) = watch::channel(false);
    tokio::spawn(stop_on_signal(stop));
    tracing::info!("listening on http://{address}");

    let outside = Outside { sandbox: start_sandbox(&settings).await, ..settings.outside()? };
    let Some((services, after_outage)) =
        start(&settings, &outside, &listener, address, stopping.clone()).await?
    else {
        return Ok(());
    };
    if let Some(code) = services.accounts.new_setup_code().await? {
        tracing::info!(
            "setup code: {code} (open {} to create the first administrator)",
            services.site.public_url
        );
    }
    if services.db.is_above_the_wall().await? {
        tracing::warn!(
            "DATABASE_URL names a role that row-level security does not hold (a superuser, or BYPASSRLS): the wall \
             between tenants inside PostgreSQL is not there"
        );
    }
    services.engine.look_after(after_outage).await?;
    tokio::spawn(look_after(services.clone()));
    listen(TcpListener::from_std(listener)?, web::router(services.clone()), until_true(stopping)).await?;
    tokio::join!(
        services.channels.stop_delivering(LAST_DELIVERIES),
        services.engine.until_calls_ended(LAST_CALLS),
    );
    services.db.close().await;
    tracing::info!("stopped");
    Ok(())
}

/// Where the machine cannot confine code tools, everything else works.
async fn start_sandbox(settings: &Settings) -> Result<Sandbox, Unsupported> {
    let usual = Config::default();
    let config = Config {
        running: settings.code_calls,
        per_tenant: settings.code_calls.div_ceil(2),
        waiting: settings.code_calls.min(usual.waiting),
        patience: CODE_PATIENCE,
        ..usual
    };
    let started = Sandbox::start(config).await;
    match &started {
        Err(reason) => tracing::warn!(%reason, "code tools are refused"),
        Ok(sandbox) => match sandbox.privileges() {
            Privileges::Dropped => tracing::info!("code tools run, as a user that owns nothing"),
            Privileges::Kept { reason } => tracing::info!(reason, "code tools run, as the server's own user"),
        },
    }
    started
}

/// The services, as soon as the database answers, and whether that took more than one try; nothing, when the process is asked
/// to stop before that.
async fn start(
    settings: &Settings,
    outside: &Outside,
    listener: &std::net::TcpListener,
    address: SocketAddr,
    stopping: watch::Receiver<bool>,
) -> Result<Option<(Services, bool)>, Failure> {
    match try_start(settings, outside, address, &stopping).await {
        Ok(services) => return Ok(Some((services, false))),
        Err(StartError::Store(StoreError::Unavailable(cause) | StoreError::Busy(cause))) => {
            tracing::warn!(%cause, "the database is not available; trying again until it is");
        }
        Err(other) => return Err(other.into()),
    }
    let meanwhile = TcpListener::from_std(listener.try_clone()?)?;
    let (ready, is_ready) = watch::channel(false);
    let answering = tokio::spawn(listen(meanwhile, web::router_without_database(), until_true(is_ready)));
    let services = keep_trying(settings, outside, address, &stopping).await;
    ready.send_replace(true);
    answering.await.map_err(|error| Failure::new(error.to_string()))??;
    Ok(services?.map(|services| (services, true)))
}

async fn keep_trying(
    settings: &Settings,
    outside: &Outside,
    address: SocketAddr,
    stopping: &watch::Receiver<bool>,
) -> Result<Option<Services>, Failure> {
    while !*stopping.borrow() {
        tokio::time::sleep(TRY_AGAIN).await;
        match try_start(settings, outside, address, stopping).await {
            Ok(services) => {
                tracing::info!("the database is available");
                return Ok(Some(services));
            }
            Err(StartError::Store(StoreError::Unavailable(_) | StoreError::Busy(_))) => {}
            Err(other) => return Err(other.into()),
        }
    }
    Ok(None)
}

async fn try_start(
    settings: &Settings,
    outside: &Outside,
    address: SocketAddr,
    stopping: &watch::Receiver<bool>,
) -> Result<Services, StartError> {
    let db = Database::connect(&settings.database_url).await?;
    let site = Site {
        public_url: settings.public_url.clone().unwrap_or_else(|| format!("http://{address}")),
        trusted_proxies: settings.trusted_proxies.clone(),
    };
    Services::start(db, site, outside.clone(), stopping.clone()).await
}

/// Serves until told to stop; requests under way get a little time to end.
async fn listen(
    listener: TcpListener,
    app: Router,
    stop: impl Future<Output = ()> + Send + 'static,
) -> Result<(), Failure> {
    let (stopped, has_stopped) = watch::channel(false);
    let app = ServiceExt::<Request>::into_make_service_with_connect_info::<SocketAddr>(app);
    let server = axum::serve(listener, app).with_graceful_shutdown(async move {
        stop.await;
        stopped.send_replace(true);
    });
    let too_late = async {
        until_true(has_stopped).await;
        tokio::time::sleep(LAST_REQUESTS).await;
    };
    tokio::select! {
        ended = server => Ok(ended?),
        () = too_late => Ok(()),
    }
}

async fn until_true(mut flag: watch::Receiver<bool>) {
    // The sender lives as long as the process; without it there is nothing left to wait for.
    let _ = flag.wait_for(|is_true| *is_true).await;
}

async fn stop_on_signal(stop: watch::Sender<bool>) {
    let (Ok(mut terminate), Ok(mut interrupt)) =
        (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
    else {
        return tracing::warn!("signals cannot be heard: only a kill stops this process");
    };
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    tracing::info!("stopping");
    stop.send_replace(true);
    // Kept alive until the process ends, so that nobody mistakes a dropped sender for a signal.
    std::future::pending::<()>().await;
}

/// Says once when the database goes away and once when it is back; cleans up now and then.
async fn look_after(services: Services) {
    let mut was_available = true;
    let mut last_cleaned = tokio::time::Instant::now();
    loop {
        tokio::time::sleep(WATCH_EVERY).await;
        let probe = services.db.probe().await;
        if probe.is_ok() != was_available {
            was_available = probe.is_ok();
            match probe {
                Ok(()) => tracing::info!("the database is available again"),
                Err(cause) => tracing::error!(%cause, "not ready"),
            }
        }
        if was_available && last_cleaned.elapsed() > CLEAN_EVERY {
            last_cleaned = tokio::time::Instant::now();
            if let Err(error) = services.accounts.clean_up().await {
                tracing::warn!(%error, "old sessions were not cleaned up");
            }
        }
    }
}
