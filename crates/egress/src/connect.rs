//! The moment of connecting, where it counts: resolve once, look at every address, connect to these and no others.

use crate::{
    EgressError, Resolve,
    policy::{Policy, Target, target},
};
use http::Uri;
use hyper_util::{
    client::legacy::connect::{HttpConnector, dns::Name},
    rt::TokioIo,
};
use std::{
    convert::Infallible,
    future::{Ready, ready},
    net::SocketAddr,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
    vec,
};
use tokio::net::TcpStream;
use tower::Service;
use url::Url;

type BoxError = Box<dyn std::error::Error + Send + Sync>;
type Connecting = Pin<Box<dyn Future<Output = Result<TokioIo<TcpStream>, BoxError>> + Send>>;

/// What a vetted answer is turned into before it is dialled: itself, except in tests, where a listener of this machine
/// has to stand for the internet.
pub(crate) type Dial = fn(SocketAddr) -> SocketAddr;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

#[derive(Clone)]
pub(crate) struct Connector {
    pub policy: Arc<Policy>,
    pub resolver: Arc<dyn Resolve>,
    pub dial: Dial,
}

impl Connector {
    async fn connect(self, uri: Uri) -> Result<TokioIo<TcpStream>, BoxError> {
        let addresses = self.vetted(&uri).await?;
        let mut http = HttpConnector::new_with_resolver(Pinned(addresses));
        http.enforce_http(false);
        http.set_nodelay(true);
        http.set_connect_timeout(Some(CONNECT_TIMEOUT));
        Ok(http.call(uri).await?)
    }

    async fn vetted(&self, uri: &Uri) -> Result<Vec<SocketAddr>, EgressError> {
        let url = Url::parse(&uri.to_string()).map_err(|_| EgressError::InvalidUrl("it cannot be read"))?;
        let target = target(&url)?;
        if let Some(address) = target.literal() {
            self.policy.check_address(&target, address)?;
            return Ok(Vec::new());
        }
        self.names(&target).await
    }

    async fn names(&self, target: &Target) -> Result<Vec<SocketAddr>, EgressError> {
        let found = self.ask(target).await?;
        self.policy.check_answer(target, &found)?;
        Ok(found.into_iter().map(self.dial).collect())
    }

    /// One address; the first, as the machine orders them.
    pub async fn address_of(&self, target: &Target) -> Result<SocketAddr, EgressError> {
        if let Some(address) = target.literal() {
            self.policy.check_address(target, address)?;
            return Ok(SocketAddr::new(address, target.port));
        }
        let unknown = || EgressError::UnknownHost { host: target.host.clone() };
        let mut address = self.names(target).await?.into_iter().next().ok_or_else(unknown)?;
        address.set_port(target.port);
        Ok(address)
    }

    async fn ask(&self, target: &Target) -> Result<Vec<SocketAddr>, EgressError> {
        let unknown = |_| EgressError::UnknownHost { host: target.host.clone() };
        self.resolver.resolve(&target.host).await.map_err(unknown)
    }
}

impl Service<Uri> for Connector {
    type Response = TokioIo<TcpStream>;
    type Error = BoxError;
    type Future = Connecting;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, uri: Uri) -> Connecting {
        Box::pin(self.clone().connect(uri))
    }
}

/// A resolver that has already been asked. It is not used for a literal address: that is dialled as it stands.
#[derive(Clone)]
struct Pinned(Vec<SocketAddr>);

impl Service<Name> for Pinned {
    type Response = vec::IntoIter<SocketAddr>;
    type Error = Infallible;
    type Future = Ready<Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Name) -> Self::Future {
        ready(Ok(self.0.clone().into_iter()))
    }
}
