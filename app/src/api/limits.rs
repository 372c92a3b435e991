//! What an organisation allows itself (T17).

use super::{ApiError, Form, described::FieldOut};
use leptos::prelude::*;
use std::collections::BTreeMap;

#[server(prefix = "/fn", endpoint = "get_limits", input = Form)]
pub async fn get_limits() -> Result<Vec<FieldOut>, ApiError> {
    let visitor = crate::request::visitor();
    let limits = crate::request::backend().engine.tenant_limits(&visitor.tenant_permit()?).await?;
    let fields = form::described(crate::texts::Texts::of(visitor.language), &limits);
    Ok(match crate::request::take_draft(&visitor, "set_limits").await {
        Some((_, said)) => super::described::said_before(fields, said),
        None => fields,
    })
}

/// What is left empty goes back to the usual.
#[server(prefix = "/fn", endpoint = "set_limits", input = Form)]
pub async fn set_limits(fields: BTreeMap<String, String>) -> Result<(), ApiError> {
    let visitor = crate::request::visitor();
    let set = async {
        let (permit, input) = (visitor.tenant_permit()?, form::read(fields.clone())?);
        crate::request::backend().engine.set_tenant_limits(&permit, input).await
    };
    let set = set.await.map_err(form::renamed);
    crate::request::or_keep(&visitor, "set_limits", 0, &fields, set).await?;
    crate::request::saved(&visitor).await
}

/// Between the form, which speaks of minutes, and the service, which speaks of seconds.
#[cfg(feature = "ssr")]
mod form {
    use crate::{
        api::described::{FieldKind, FieldOut, Given, field},
        texts::Texts,
    };
    use domain::{
        FieldCode, FieldError, ServiceError,
        limits::{TenantLimits, TenantLimitsIn},
        tool::RateLimit,
    };
    use std::collections::BTreeMap;

    const LIFETIME: &str = "confirmation_minutes";
    const PER_TOOL: &str = "concurrent_calls_per_tool";
    const PER_TENANT: &str = "concurrent_calls_per_tenant";
    const CALLS: &str = "rate_calls";
    const WINDOW: &str = "rate_seconds";

    pub fn described(t: Texts, limits: &TenantLimits) -> Vec<FieldOut> {
        let number = |name: &str, label, value: u32| {
            let value = if value == 0 { String::new() } else { value.to_string() };
            field(FieldKind::Number, name, label, value)
        };
        let rate = limits.rate_limit.unwrap_or(RateLimit { limit: 0, window_seconds: 0 });
        vec![
            number(LIFETIME, t.limit_lifetime(), limits.confirmation_lifetime_seconds.div_ceil(60))
                .hint(t.limit_lifetime_hint()),
            number(PER_TOOL, t.limit_per_tool(), limits.concurrent_calls_per_tool)
                .hint(t.limit_per_tool_hint()),
            number(PER_TENANT, t.limit_per_tenant(), limits.concurrent_calls_per_tenant)
                .hint(t.limit_per_tenant_hint()),
            number(CALLS, t.limit_calls(), rate.limit).hint(t.limit_calls_hint()),
            number(WINDOW, t.limit_window(), rate.window_seconds),
        ]
    }

    pub fn read(fields: BTreeMap<String, String>) -> Result<TenantLimitsIn, ServiceError> {
        let given = Given::parse(fields, &[LIFETIME, PER_TOOL, PER_TENANT, CALLS, WINDOW])?;
        let rate_limit = match (given.read(CALLS)?, given.read(WINDOW)?) {
            (None, None) => None,
            (Some(limit), Some(window_seconds)) => Some(RateLimit { limit, window_seconds }),
            (None, _) => return Err(ServiceError::field(CALLS, FieldCode::Required)),
            (_, None) => return Err(ServiceError::field(WINDOW, FieldCode::Required)),
        };
        let minutes: Option<u32> = given.read(LIFETIME)?;
        let too_long = || FieldError::new(LIFETIME, FieldCode::Invalid);
        let seconds = minutes.map(|minutes| minutes.checked_mul(60).ok_or_else(too_long)).transpose()?;
        Ok(TenantLimitsIn {
            rate_limit: Some(rate_limit),
            confirmation_lifetime_seconds: Some(seconds),
            concurrent_calls_per_tool: Some(given.read(PER_TOOL)?),
            concurrent_calls_per_tenant: Some(given.read(PER_TENANT)?),
        })
    }

    /// The service's names of fields become the form's.
    pub fn renamed(mut error: ServiceError) -> ServiceError {
        for field in &mut error.errors {
            let name = match field.field.as_str() {
                "confirmation_lifetime_seconds" => LIFETIME,
                "rate_limit.limit" => CALLS,
                "rate_limit.window_seconds" => WINDOW,
                _ => continue,
            };
            field.field = name.to_owned();
        }
        error
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        fn given(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
            pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
        }

        #[test]
        fn t17_minutes_become_seconds_and_empty_fields_the_usual() {
            let input =
                read(given(&[(LIFETIME, "90"), (PER_TOOL, ""), (CALLS, "10"), (WINDOW, "60")])).unwrap();
            assert_eq!(input.confirmation_lifetime_seconds, Some(Some(5_400)));
            assert_eq!(input.concurrent_calls_per_tool, Some(None));
            assert_eq!(input.rate_limit, Some(Some(RateLimit { limit: 10, window_seconds: 60 })));
        }

        #[test]
        fn t17_half_a_rate_limit_is_refused_at_the_missing_half() {
            let error = read(given(&[(CALLS, "10")])).unwrap_err();
            assert_eq!(error.errors[0].field, WINDOW);
            assert_eq!(read(given(&[(PER_TOOL, "many")])).unwrap_err().errors[0].field, PER_TOOL);
        }
    }
}
