//! One call: vetted, sent, read up to its limit, tried again where that helps, over at its deadline.

use crate::{
    AllowList, Answer, Attempts, Authorities, EgressError, Outgoing, Resolve, Retry, SetupError,
    SystemResolver,
    circuit::{Circuit, Circuits, Passage},
    connect::{Connector, Dial},
    headers, message, outcome,
    policy::{Policy, Target},
    retry, tls,
};
use bytes::Bytes;
use http::{HeaderMap, Method, Request, Uri};
use http_body_util::Full;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{
    client::legacy,
    rt::{TokioExecutor, TokioTimer},
};
use std::{
    future::{Future, ready},
    net::SocketAddr,
    sync::Arc,
    time::{Duration, SystemTime},
};
use tokio::time::{Instant, sleep, timeout_at};
use url::Url;

const IDLE: Duration = Duration::from_secs(60);
/// As many as one host is likely to be called at the same time: with fewer, every second call would connect anew.
const IDLE_PER_HOST: usize = 256;
/// Of an answer's head.
const HEAD: usize = 64 * 1024;

type Client = legacy::Client<HttpsConnector<Connector>, Full<Bytes>>;

/// Made once and cloned: the clones share connections and circuits.
#[derive(Clone)]
pub struct Egress {
    policy: Arc<Policy>,
    connector: Connector,
    client: Client,
    circuits: Circuits,
    authorities: Authorities,
}

/// What stays the same from one attempt to the next.
struct Call {
    target: Target,
    circuit: Circuit,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
    deadline: Instant,
    max_body: usize,
}

impl Egress {
    pub fn new(allow: AllowList) -> Result<Self, SetupError> {
        Self::trusting(allow, Authorities::default())
    }

    /// Trusts these authorities beside those that the machine trusts.
    pub fn trusting(allow: AllowList, authorities: Authorities) -> Result<Self, SetupError> {
        let (resolver, tls) = (Arc::new(SystemResolver::default()), tls::config(&authorities)?);
        Ok(Self { authorities, ..Self::with_parts(allow, resolver, tls, |address| address) })
    }

    /// For those who speak something else than HTTP: whom they trust too.
    pub fn authorities(&self) -> &Authorities {
        &self.authorities
    }

    pub fn with_resolver(allow: AllowList, resolver: Arc<dyn Resolve>) -> Result<Self, SetupError> {
        Ok(Self::with_parts(allow, resolver, tls::config(&Authorities::default())?, |address| address))
    }

    pub(crate) fn with_parts(
        allow: AllowList,
        resolver: Arc<dyn Resolve>,
        tls: rustls::ClientConfig,
        dial: Dial,
    ) -> Self {
        let policy = Arc::new(Policy::new(allow));
        let connector = Connector { policy: Arc::clone(&policy), resolver, dial };
        let client = client(connector.clone(), tls);
        Self { policy, connector, client, circuits: Circuits::default(), authorities: Authorities::default() }
    }

    /// For an address that is saved: all that can be said without asking for its name.
    pub fn check_url(&self, text: &str) -> Result<Url, EgressError> {
        self.policy.check(text).map(|(url, _)| url)
    }

    /// The same for a host that is not spoken to in HTTP, such as a mail server.
    pub fn check_host(&self, host: &str, port: u16, is_encrypted: bool) -> Result<(), EgressError> {
        self.policy.check_host(host, port, is_encrypted).map(|_| ())
    }

    /// Where such a host may be connected to, now. Whoever asks connects to this address and to no other, and checks
    /// the certificate for the host's name.
    pub async fn vetted_address(
        &self,
        host: &str,
        port: u16,
        is_encrypted: bool,
    ) -> Result<SocketAddr, EgressError> {
        let target = self.policy.check_host(host, port, is_encrypted)?;
        self.connector.address_of(&target).await
    }

    /// Redirects are answers like others. To drop the future is to close the connection.
    pub async fn send(&self, outgoing: Outgoing) -> Result<Answer, EgressError> {
        self.send_noting(outgoing, &Attempts::default()).await
    }

    /// The same, and each attempt is noted as it goes.
    pub async fn send_noting(&self, outgoing: Outgoing, noted: &Attempts) -> Result<Answer, EgressError> {
        self.send_while(outgoing, noted, || ready(Some(HeaderMap::new()))).await
    }

    /// The same, and whoever sends is asked before each attempt but the first, which was their own decision, for the headers
    /// that are to be others by then, such as a signature. Nothing, or no answer in time, is a no: it leaves what the last
    /// attempt came to.
    pub async fn send_while<F>(
        &self,
        outgoing: Outgoing,
        noted: &Attempts,
        mut anew: impl FnMut() -> F,
    ) -> Result<Answer, EgressError>
    where
        F: Future<Output = Option<HeaderMap>>,
    {
        let retry = outgoing.retry;
        let mut call = self.prepare(outgoing)?;
        let mut result = self.attempt(&call, self.enter(&call)?, 1, noted).await;
        let mut attempts = 1;
        while let Some(wait) = wait_before_next(retry, attempts, &result)
            && call.deadline.saturating_duration_since(Instant::now()) > wait
        {
            noted.wait(wait);
            sleep(wait).await;
            let Ok(Some(headers)) = timeout_at(call.deadline, anew()).await else { break };
            call.headers.extend(headers::outgoing(headers));
            let Ok(passage) = self.enter(&call) else { break };
            attempts += 1;
            result = self.attempt(&call, passage, attempts, noted).await;
        }
        result
    }

    fn prepare(&self, outgoing: Outgoing) -> Result<Call, EgressError> {
        let Outgoing { owner, method, url, headers, body, deadline, max_body, .. } = outgoing;
        if [Method::CONNECT, Method::TRACE].contains(&method) {
            return Err(EgressError::InvalidMethod(method));
        }
        let (url, target) = self.policy.check_url(url)?;
        if deadline <= Instant::now() {
            return Err(EgressError::TimedOut { host: target.host });
        }
        let uri = url.as_str().parse().map_err(|_| EgressError::InvalidUrl("it cannot be read"))?;
        let circuit = Circuit { owner, host: target.host.clone(), port: target.port };
        let (headers, body) = (headers::outgoing(headers), body.unwrap_or_default());
        Ok(Call { target, circuit, method, uri, headers, body, deadline, max_body })
    }

    fn enter(&self, call: &Call) -> Result<Passage, EgressError> {
        let open = |retry_after| EgressError::CircuitOpen { host: call.target.host.clone(), retry_after };
        self.circuits.enter(call.circuit.clone()).map_err(open)
    }

    async fn attempt(
        &self,
        call: &Call,
        passage: Passage,
        attempts: u32,
        noted: &Attempts,
    ) -> Result<Answer, EgressError> {
        noted.begin();
        let late = |_| EgressError::TimedOut { host: call.target.host.clone() };
        let result = timeout_at(call.deadline, self.exchange(call, attempts)).await.map_err(late).flatten();
        noted.end(&result);
        match &result {
            Ok(answer) if retry::is_failure(answer.status) => passage.failed(),
            Ok(_) => passage.succeeded(),
            Err(error) if error.is_their_fault() => passage.failed(),
            Err(_) => drop(passage),
        }
        result
    }

    async fn exchange(&self, call: &Call, attempts: u32) -> Result<Answer, EgressError> {
        let host = &call.target.host;
        let response = self.client.request(call.request()).await;
        let (head, body) = response.map_err(|error| outcome::of_request(&error, host))?.into_parts();
        let read = message::read(body, call.max_body).await;
        let (body, truncated) = read.map_err(|error| outcome::of_answer(Some(&error), host))?;
        Ok(Answer { status: head.status.as_u16(), headers: head.headers, body, truncated, attempts })
    }
}

impl Call {
    fn request(&self) -> Request<Full<Bytes>> {
        let mut request = Request::new(Full::new(self.body.clone()));
        *request.method_mut() = self.method.clone();
        *request.uri_mut() = self.uri.clone();
        *request.headers_mut() = self.headers.clone();
        request
    }
}

fn client(connector: Connector, tls: rustls::ClientConfig) -> Client {
    let https = HttpsConnectorBuilder::new().with_tls_config(tls).https_or_http().enable_http1();
    legacy::Client::builder(TokioExecutor::new())
        .timer(TokioTimer::new())
        .pool_timer(TokioTimer::new())
        .pool_idle_timeout(IDLE)
        .pool_max_idle_per_host(IDLE_PER_HOST)
        .http1_max_buf_size(HEAD)
        .build(https.wrap_connector(connector))
}

fn wait_before_next(retry: Retry, attempts: u32, result: &Result<Answer, EgressError>) -> Option<Duration> {
    let asked = match result {
        _ if retry == Retry::Never => return None,
        Ok(answer) if retry::is_transient(answer.status) => retry::asked(&answer.headers, SystemTime::now()),
        Err(error) if error.is_transient() => None,
        _ => return None,
    };
    retry::wait_after(attempts, asked)
}
