//! T15: a tool at an address outside. Signed as Standard Webhooks asks, through the one way out.

use super::{Outcome, Said};
use crate::{Engine, KnownTool, tools::ToolSecrets};
use channels::Address;
use domain::{TenantId, tool::WebhookMethod};
use egress::{Answer, Outgoing, Retry, Url, signature};
use futures::FutureExt;
use http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use serde::Serialize;
use serde_json::{Value, json};
use std::{
    collections::{BTreeMap, HashSet},
    time::Duration,
};
use store::{Moment, executions::Execution, tools::Tool};
use tokio::time::Instant;
use uuid::Uuid;
use vault::Vault;

/// Only there when it is a test: a GET has no body that could say so.
pub(crate) const TEST_MODE: &str = "alcada-test-mode";

/// What is the same for every call of a tool: read and opened once.
pub(crate) struct Hook {
    url: Url,
    secrets: ToolSecrets,
    headers: HeaderMap,
    /// S16: what we send along is secret in whatever comes back.
    hidden: sandbox::Mask,
}

impl Hook {
    /// Nothing, when the address or the headers cannot be used.
    fn of(vault: &Vault, tenant: TenantId, tool: &Tool) -> Option<Self> {
        let secrets = ToolSecrets::open(vault, tenant, tool.id, tool.secrets.as_deref()).ok()?;
        let url = secrets.address_of(&tool.definition)?.parse().ok()?;
        let mut headers = HeaderMap::new();
        for (name, value) in &secrets.values.headers {
            headers.insert(HeaderName::try_from(name).ok()?, HeaderValue::from_str(value).ok()?);
        }
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let hidden = sandbox::Mask::of(secrets.hidden().iter().map(String::as_str));
        Some(Self { url, secrets, headers, hidden })
    }
}

pub(super) async fn run(
    engine: &Engine,
    known: &KnownTool,
    row: &Execution,
    params: &Value,
    said: &Said,
) -> Outcome {
    let hook = known.hook.get_or_init(|| Hook::of(&engine.vault, TenantId(row.tenant_id), &known.tool));
    let unusable =
        || Outcome::failure("invalid_tool", "The address or the headers of this tool cannot be used.");
    let Some(hook) = hook else { return unusable() };
    let Some(outgoing) = request(known, hook, row, params) else { return unusable() };
    // In a box: few calls are tried again, and all would carry the room for it.
    let body = outgoing.body.clone().unwrap_or_default();
    let anew = || {
        let may_go = engine.may_go_again(row, &known.tool);
        // Signed at its own time: a receiver refuses what seems old.
        may_go.map(|may_go| if may_go { headers(row, hook, &body) } else { None }).boxed()
    };
    let outcome = match engine.egress.send_while(outgoing, &said.attempts, anew).await {
        Ok(answer) => outcome(&answer),
        Err(error) => Outcome::failure(error.code(), error.to_string()),
    };
    outcome.without(&hook.hidden)
}

fn request(known: &KnownTool, hook: &Hook, row: &Execution, params: &Value) -> Option<Outgoing> {
    let definition = &known.tool.definition;
    let mut url = hook.url.clone();
    let (method, body) = match definition.webhook_method {
        WebhookMethod::Get => {
            add_query(&mut url, params);
            (Method::GET, Vec::new())
        }
        WebhookMethod::Post => (Method::POST, body(known, row, params)),
    };
    let headers = headers(row, hook, &body)?;
    Some(Outgoing {
        owner: row.tenant_id.as_u128(),
        headers,
        url,
        body: (method == Method::POST).then(|| body.into()),
        method,
        deadline: Instant::now() + Duration::from_millis(definition.timeout_ms.into()),
        max_body: usize::try_from(definition.max_output_bytes).unwrap_or(usize::MAX),
        retry: if definition.idempotent { Retry::WhenTransient } else { Retry::Never },
    })
}

#[derive(Serialize)]
struct Body<'a> {
    tool: &'a str,
    execution_id: Uuid,
    agent_id: Option<Uuid>,
    conversation_id: Option<&'a str>,
    params: &'a Value,
    test_mode: bool,
}

impl<'a> Body<'a> {
    fn of(known: &'a KnownTool, row: &'a Execution, params: &'a Value) -> Self {
        Self {
            tool: known.tool.definition.name.as_str(),
            execution_id: row.id,
            agent_id: row.agent_id,
            conversation_id: row.conversation_id.as_deref(),
            params,
            test_mode: row.test_mode,
        }
    }
}

fn body(known: &KnownTool, row: &Execution, params: &Value) -> Vec<u8> {
    // Nothing in it can fail to be JSON.
    serde_json::to_vec(&Body::of(known, row, params)).unwrap_or_default()
}

/// B1: what would be sent, for whoever decides. `shown` has the arguments without their secrets.
pub(crate) fn preview(known: &KnownTool, row: &Execution, shown: &Value) -> Option<Value> {
    let definition = &known.tool.definition;
    let url = Address::of(definition.webhook_url.as_deref()?).shown;
    let summary = format!("{} {url}", definition.webhook_method.as_str());
    Some(match definition.webhook_method {
        WebhookMethod::Get => {
            let query: BTreeMap<_, _> = in_query(&url.parse().ok()?, shown).collect();
            json!({ "summary": summary, "query": query })
        }
        WebhookMethod::Post => json!({ "summary": summary, "body": Body::of(known, row, shown) }),
    })
}

fn add_query(url: &mut Url, params: &Value) {
    let pairs: Vec<_> = in_query(url, params).collect();
    // Where there are none, not even a question mark is added.
    if !pairs.is_empty() {
        url.query_pairs_mut().extend_pairs(pairs);
    }
}

/// Plain values as they are, others as JSON. What stands in the address was fixed by whoever made the tool: an argument
/// of the same name is not sent.
fn in_query<'a>(url: &Url, params: &'a Value) -> impl Iterator<Item = (&'a str, String)> {
    let fixed: HashSet<String> = url.query_pairs().map(|(name, _)| name.into_owned()).collect();
    let members = params.as_object().into_iter().flatten();
    members.filter(move |(name, _)| !fixed.contains(name.as_str())).filter_map(|(name, value)| match value {
        Value::String(text) => Some((name.as_str(), text.clone())),
        Value::Null => None,
        other => Some((name.as_str(), other.to_string())),
    })
}

fn headers(row: &Execution, hook: &Hook, body: &[u8]) -> Option<HeaderMap> {
    let mut headers = hook.headers.clone();
    let id = row.id.to_string();
    let now = Moment::now().seconds();
    let signing = hook.secrets.signing();
    let signature = signature::sign(&signing.iter().collect::<Vec<_>>(), &id, now, body);
    headers.insert(signature::ID, HeaderValue::from_str(&id).ok()?);
    headers.insert(signature::TIMESTAMP, HeaderValue::from(now));
    headers.insert(signature::SIGNATURE, HeaderValue::from_str(&signature).ok()?);
    headers.insert("idempotency-key", HeaderValue::from_str(&id).ok()?);
    if row.test_mode {
        headers.insert(TEST_MODE, HeaderValue::from_static("true"));
    }
    Some(headers)
}

/// 2xx is success, and its JSON is the result. What is not JSON is a result too: text.
fn outcome(answer: &Answer) -> Outcome {
    let (result, changed) = match read(&answer.body) {
        _ if answer.body.is_empty() => (None, None),
        Ok(read) if !answer.truncated => read,
        _ => (Some(Value::String(String::from_utf8_lossy(&answer.body).into_owned())), None),
    };
    let error = match answer.status {
        200..=299 => None,
        300..=399 => Some((
            "redirected".to_owned(),
            format!("The address answered {}: redirects are not followed.", answer.status),
        )),
        status => Some(("upstream_error".to_owned(), format!("The address answered {status}."))),
    };
    let retries =
        (answer.attempts > 1).then(|| format!("HTTP {} after {} attempts", answer.status, answer.attempts));
    Outcome { result, error, truncated: answer.truncated, log: retries.into_iter().chain(changed).collect() }
}

/// B3: the call has had its effect, so a number that cannot be kept is no reason to refuse the answer: its digits are
/// kept as text, and the log says so.
fn read(body: &[u8]) -> serde_json::Result<(Option<Value>, Option<String>)> {
    let value = serde_json::from_slice(body)?;
    let Some((with_texts, count)) = domain::exact::with_texts(body) else { return Ok((Some(value), None)) };
    let said = format!("integers of the answer beyond 64 bits, kept as text with all digits: {count}");
    Ok((Some(serde_json::from_slice(&with_texts)?), Some(said)))
}
