//! `ctx.fetch`: to the hosts that the tool names, by the one way out, and in test mode without lasting effect.

use crate::{Engine, KnownTool, tools::HostPattern};
use egress::{Answer, Egress, Outgoing, Retry, Url};
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use sandbox::{FetchRequest, FetchResponse};
use std::time::Duration;
use store::executions::Execution;
use tokio::time::Instant;

/// Of one response. A script keeps it in its own memory, several at once.
const MOST_BYTES: usize = 1 << 20;

pub(super) struct Internet {
    egress: Egress,
    owner: u128,
    hosts: Vec<HostPattern>,
    time: Duration,
    is_test: bool,
}

impl Internet {
    pub(super) fn new(engine: &Engine, known: &KnownTool, row: &Execution, time: Duration) -> Self {
        let hosts = &known.tool.definition.fetch_hosts;
        Self {
            egress: engine.egress.clone(),
            owner: row.tenant_id.as_u128(),
            hosts: hosts.iter().filter_map(|text| HostPattern::parse(text)).collect(),
            time,
            is_test: row.test_mode,
        }
    }

    pub(super) async fn carry_out(&self, request: FetchRequest) -> Result<FetchResponse, String> {
        let url = self.allowed(&request.url)?;
        let method = Method::from_bytes(request.method.to_ascii_uppercase().as_bytes());
        let method = method.map_err(|_| "the method cannot be sent".to_owned())?;
        if self.is_test && ![Method::GET, Method::HEAD].contains(&method) {
            return Err(format!("{method} is not carried out in test mode: only GET and HEAD are"));
        }
        let outgoing = Outgoing {
            owner: self.owner,
            method,
            url,
            headers: headers(&request.headers)?,
            body: request.body.map(Into::into),
            // The script's own deadline comes first; then the call is dropped, and the connection closed.
            deadline: Instant::now() + self.time,
            max_body: MOST_BYTES,
            retry: Retry::Never,
        };
        response(self.egress.send(outgoing).await.map_err(|error| error.to_string())?)
    }

    fn allowed(&self, text: &str) -> Result<Url, String> {
        let url = self.egress.check_url(text).map_err(|error| error.to_string())?;
        if self.hosts.iter().any(|host| host.matches(&url)) {
            return Ok(url);
        }
        let host = url.host_str().unwrap_or_default();
        let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
        Err(format!("{host}{port} is not among the hosts that this tool names in fetch_hosts"))
    }
}

fn headers(given: &[(String, String)]) -> Result<HeaderMap, String> {
    let mut headers = HeaderMap::new();
    for (name, value) in given {
        let bad = || format!("the header {name} cannot be sent");
        let header = HeaderName::try_from(name).map_err(|_| bad())?;
        headers.append(header, HeaderValue::from_str(value).map_err(|_| bad())?);
    }
    Ok(headers)
}

fn response(answer: Answer) -> Result<FetchResponse, String> {
    if answer.truncated {
        return Err(format!("the response is larger than {MOST_BYTES} bytes"));
    }
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let headers = answer.headers.iter().map(|(name, value)| (name.to_string(), text(value.as_bytes())));
    Ok(FetchResponse { status: answer.status, headers: headers.collect(), body: text(&answer.body) })
}
