//! From what a body says to a definition that can be kept: every field is checked here, once.

use super::ToolSecrets;
use crate::{
    Engine,
    code::{USUAL_FETCHES, USUAL_MEMORY_MB},
    executors::TEST_MODE,
    schema::{MASKED, Schema},
};
use channels::Address;
use domain::{
    FieldCode, FieldError, ServiceError, ServiceResult, ToolEffect,
    text::parse_line,
    tool::{ExecutionType, RateLimit, ToolDefinition, ToolIn, ToolName, ToolType, WebhookMethod},
};
use egress::{Egress, Url};
use http::{HeaderName, HeaderValue};
use serde_json::json;
use std::{collections::BTreeMap, ops::RangeInclusive};

const TIMEOUT_MS: RangeInclusive<u32> = 100..=300_000;
const OUTPUT_BYTES: RangeInclusive<u32> = 1_024..=10 * 1024 * 1024;
const MEMORY_MB: RangeInclusive<u32> = 8..=512;
const FETCHES: RangeInclusive<u32> = 0..=100;
const USUAL_TIMEOUT_MS: u32 = 30_000;
/// Code is on this machine, and others wait for it.
const USUAL_CODE_TIMEOUT_MS: u32 = 10_000;
const LONGEST_CODE: usize = 256 * 1024;
const MOST_SECRETS: usize = 20;
const USUAL_OUTPUT_BYTES: u32 = 100 * 1024;
const MOST_HEADERS: usize = 20;

/// Set by the product itself, or unsafe to choose.
const OWN_HEADERS: &[&str] = &[
    TEST_MODE,
    "connection",
    "content-length",
    "content-type",
    "expect",
    "host",
    "idempotency-key",
    "keep-alive",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "webhook-id",
    "webhook-signature",
    "webhook-timestamp",
];

fn blank(name: ToolName, execution_type: ExecutionType) -> ToolDefinition {
    ToolDefinition {
        display_name: name.to_string(),
        name,
        description: String::new(),
        r#type: ToolType::Function,
        parameters: json!({ "type": "object", "properties": {} }),
        execution_type,
        webhook_url: None,
        webhook_method: WebhookMethod::Post,
        webhook_headers: BTreeMap::new(),
        code: None,
        requires_confirmation: false,
        requires_second_person: false,
        effect: ToolEffect::Write,
        timeout_ms: USUAL_TIMEOUT_MS,
        idempotent: false,
        rate_limit: None,
        max_output_bytes: USUAL_OUTPUT_BYTES,
        memory_mb: None,
        max_fetches: None,
        fetch_hosts: Vec::new(),
        secret_names: Vec::new(),
    }
}

/// A new definition. Who does the work may be left out where an address or code tells. `longest_code` is what the
/// operator gives to a call of a code tool.
pub fn new(
    input: &ToolIn,
    egress: &Egress,
    longest_code: u32,
    secrets: &mut ToolSecrets,
) -> ServiceResult<ToolDefinition> {
    let name = input.name.as_deref().ok_or_else(|| ServiceError::field("name", FieldCode::Required))?;
    if input.description.is_none() {
        return Err(ServiceError::field("description", FieldCode::Required));
    }
    let execution_type = match (input.execution_type, given(&input.webhook_url), given(&input.code)) {
        (Some(kind), ..) => kind,
        (None, Some(_), None) => ExecutionType::Webhook,
        (None, None, Some(_)) => ExecutionType::Code,
        _ => return Err(ServiceError::field("execution_type", FieldCode::Required)),
    };
    let mut base = blank(ToolName::parse(name)?, execution_type);
    if execution_type == ExecutionType::Webhook && input.webhook_method == Some(WebhookMethod::Get) {
        base.effect = ToolEffect::Read;
        base.idempotent = true;
    }
    if input.r#type.is_none() && execution_type == ExecutionType::Webhook {
        base.r#type = ToolType::Webhook;
    }
    if execution_type == ExecutionType::Code {
        base.timeout_ms = USUAL_CODE_TIMEOUT_MS.min(longest_code);
    }
    changed(base, input, egress, secrets)
}

/// The definition with what the body says; what it does not say stays. `secrets` are those of the tool, and get what a new
/// address keeps to itself.
pub fn changed(
    base: ToolDefinition,
    input: &ToolIn,
    egress: &Egress,
    secrets: &mut ToolSecrets,
) -> ServiceResult<ToolDefinition> {
    let was_get = is_get(&base);
    let mut next = base;
    let mut errors = Errors::default();
    errors.note(input.name.as_deref().map(ToolName::parse), |name| next.name = name);
    let line = |field, text: &Option<String>, most| text.as_deref().map(|text| parse_line(field, text, most));
    errors.note(line("display_name", &input.display_name, 120), |text| next.display_name = text);
    errors.note(input.description.as_deref().map(description), |text| next.description = text);
    let within = |field, number: Option<u32>, range| number.map(|it| FieldError::within(field, it, range));
    errors.note(within("timeout_ms", input.timeout_ms, TIMEOUT_MS), |ms| next.timeout_ms = ms);
    errors.note(within("max_output_bytes", input.max_output_bytes, OUTPUT_BYTES), |most| {
        next.max_output_bytes = most
    });
    let megabytes = |mb: Option<u32>| within("memory_mb", mb, MEMORY_MB).transpose();
    errors.note(input.memory_mb.map(megabytes), |mb| next.memory_mb = mb);
    let fetches = |most: Option<u32>| within("max_fetches", most, FETCHES).transpose();
    errors.note(input.max_fetches.map(fetches), |most| next.max_fetches = most);
    let hosts = |hosts: &Vec<String>| super::hosts::checked(hosts, egress);
    errors.note(input.fetch_hosts.as_ref().map(hosts), |hosts| next.fetch_hosts = hosts);
    errors.note(input.secret_names.as_deref().map(secret_names), |names| next.secret_names = names);
    let code = |text: &Option<String>| text.as_deref().map(code).transpose();
    errors.note(input.code.as_ref().map(code), |text| next.code = text);
    let limit = |limit: Option<RateLimit>| limit.map(RateLimit::checked).transpose();
    errors.note(input.rate_limit.map(limit), |limit| next.rate_limit = limit);
    errors.note(input.parameters.as_ref().map(|p| Schema::compile(p).map(|_| p.clone())), |p| {
        next.parameters = p
    });
    errors.note(input.webhook_headers.as_ref().map(headers), |names| next.webhook_headers = names);
    let kept = next.webhook_url.clone().map(|shown| Address { shown, whole: secrets.values.address.clone() });
    let address = |text: &String| Address::given("webhook_url", text, kept.clone(), egress);
    let address = |text: &Option<String>| text.as_ref().map(address).transpose();
    errors.note(input.webhook_url.as_ref().map(address), |address| {
        let (shown, whole) = address.map(|it| (it.shown, it.whole)).unzip();
        next.webhook_url = shown;
        secrets.values.address = whole.flatten();
    });
    set(&mut next.r#type, input.r#type);
    set(&mut next.execution_type, input.execution_type);
    set(&mut next.webhook_method, input.webhook_method);
    set(&mut next.requires_confirmation, input.requires_confirmation);
    set(&mut next.requires_second_person, input.requires_second_person);
    if was_get && !is_get(&next) {
        // What was taken for granted of a GET, or said of one, holds for nothing else.
        if next.effect == ToolEffect::Read {
            next.effect = ToolEffect::Write;
        }
        next.idempotent = false;
    }
    set(&mut next.effect, input.effect);
    set(&mut next.idempotent, input.idempotent);
    let is_told = |error: &FieldError| errors.all.iter().any(|told| told.field == error.field);
    let whole = whole(&next).filter(|error| !is_told(error));
    errors.all.extend(whole);
    if errors.all.is_empty() { Ok(next) } else { Err(ServiceError::fields(errors.all)) }
}

/// What a limit of a tool may be, and what it is when nobody says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitRange {
    pub least: u32,
    pub most: u32,
    pub usual: u32,
}

impl LimitRange {
    fn new(range: RangeInclusive<u32>, usual: u32, ceiling: Option<u32>) -> Self {
        let most = ceiling.map_or(*range.end(), |ceiling| ceiling.min(*range.end()));
        Self { least: *range.start(), most, usual: usual.min(most) }
    }
}

impl Engine {
    /// Of time, output, memory and requests, in this order; for code, as far as the operator lets them go.
    pub fn limit_ranges(&self, kind: ExecutionType) -> [LimitRange; 4] {
        let is_code = kind == ExecutionType::Code;
        let most = is_code.then_some(self.ceilings);
        let usual_time = if is_code { USUAL_CODE_TIMEOUT_MS } else { USUAL_TIMEOUT_MS };
        [
            LimitRange::new(TIMEOUT_MS, usual_time, most.map(|most| most.code_time_ms)),
            LimitRange::new(OUTPUT_BYTES, USUAL_OUTPUT_BYTES, most.map(|most| most.code_output_bytes)),
            LimitRange::new(MEMORY_MB, USUAL_MEMORY_MB, most.map(|most| most.code_memory_mb)),
            LimitRange::new(FETCHES, USUAL_FETCHES, most.map(|most| most.code_fetches)),
        ]
    }
}

/// Whether calls go to the same scheme, host and port as before. To nowhere is fine: nothing is sent there.
pub fn is_same_place(old: &ToolDefinition, new: &ToolDefinition) -> bool {
    let origin = |definition: &ToolDefinition| {
        let url = definition.webhook_url.as_deref()?;
        Url::parse(url).ok().map(|url| url.origin())
    };
    new.webhook_url.is_none() || origin(old) == origin(new)
}

fn is_get(definition: &ToolDefinition) -> bool {
    definition.execution_type == ExecutionType::Webhook && definition.webhook_method == WebhookMethod::Get
}

/// What a kind of tool needs and cannot have.
fn whole(definition: &ToolDefinition) -> Option<FieldError> {
    match definition.execution_type {
        // The product's own tools come with the product.
        ExecutionType::Internal => Some(FieldError::new("execution_type", FieldCode::Invalid)),
        ExecutionType::Webhook if definition.webhook_url.is_none() => {
            Some(FieldError::new("webhook_url", FieldCode::Required))
        }
        ExecutionType::Code if definition.code.is_none() => {
            Some(FieldError::new("code", FieldCode::Required))
        }
        ExecutionType::Webhook | ExecutionType::Code => None,
    }
}

#[derive(Default)]
struct Errors {
    all: Vec<FieldError>,
}

impl Errors {
    fn note<T>(&mut self, checked: Option<Result<T, FieldError>>, keep: impl FnOnce(T)) {
        match checked {
            None => {}
            Some(Ok(value)) => keep(value),
            Some(Err(error)) => self.all.push(error),
        }
    }
}

/// A null says as little as an absent field where there is nothing to clear yet.
fn given<T>(field: &Option<Option<T>>) -> Option<&T> {
    field.as_ref().and_then(Option::as_ref)
}

fn set<T>(place: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *place = value;
    }
}

fn description(text: &str) -> Result<String, FieldError> {
    let text = text.trim();
    let code = match text.chars().count() {
        0 => FieldCode::Required,
        1..=4_000 if text.chars().any(|c| c.is_control() && c != '\n' && c != '\t') => FieldCode::Invalid,
        1..=4_000 => return Ok(text.to_owned()),
        _ => FieldCode::TooLong,
    };
    Err(FieldError::new("description", code))
}

/// Whether it is JavaScript is found out by running its checker, later.
fn code(text: &str) -> Result<String, FieldError> {
    let code = match text.len() {
        _ if text.trim().is_empty() => FieldCode::Required,
        0..=LONGEST_CODE => return Ok(text.to_owned()),
        _ => FieldCode::TooLong,
    };
    Err(FieldError::new("code", code))
}

fn secret_names(given: &[String]) -> Result<Vec<String>, FieldError> {
    if given.len() > MOST_SECRETS {
        return Err(FieldError::new("secret_names", FieldCode::TooLong));
    }
    let mut names = Vec::new();
    for name in given {
        let name = domain::secret::parse_name("secret_names", name)?;
        if !names.contains(&name) {
            names.push(name);
        }
    }
    Ok(names)
}

/// Only the names stay in the definition; the values are sealed elsewhere.
fn headers(given: &BTreeMap<String, String>) -> Result<BTreeMap<String, String>, FieldError> {
    let invalid = |name: &str| FieldError::new(&format!("webhook_headers.{name}"), FieldCode::Invalid);
    if given.len() > MOST_HEADERS {
        return Err(FieldError::new("webhook_headers", FieldCode::TooLong));
    }
    let mut names = BTreeMap::new();
    for (name, value) in given {
        let known = HeaderName::try_from(name.as_str()).map_err(|_| invalid(name))?;
        let is_own = OWN_HEADERS.contains(&known.as_str());
        if is_own || value.len() > 4_096 || HeaderValue::from_str(value).is_err() {
            return Err(invalid(name));
        }
        if names.insert(known.to_string(), MASKED.to_owned()).is_some() {
            let message = "is given twice: capitals make no difference".to_owned();
            return Err(FieldError { message, ..invalid(name) });
        }
    }
    Ok(names)
}
