//! S16: the address of a webhook may hold a secret. It is kept as it is, since calls need it; whatever is shown or recorded
//! has it masked.

use crate::schema::{has_masked_secret, masked_address};
use channels::unreachable;
use domain::{FieldCode, FieldError, tool::ToolDefinition};
use egress::Egress;

/// The definition for everybody's eyes.
pub fn shown(mut definition: ToolDefinition) -> ToolDefinition {
    definition.webhook_url = definition.webhook_url.as_deref().map(masked_address);
    definition
}

/// The address that a body means: sent back exactly as it was shown, the one that is kept. In any other address a `***` in
/// a secret's place is a mistake: what is kept was not given for it.
pub fn given(text: &str, kept: Option<&str>, egress: &Egress) -> Result<String, FieldError> {
    let url = egress.check_url(text).map_err(|error| unreachable("webhook_url", &error))?;
    match kept.filter(|kept| masked_address(kept) == url.as_str()) {
        Some(kept) => Ok(kept.to_owned()),
        None if has_masked_secret(url.as_str()) => Err(FieldError::new("webhook_url", FieldCode::NeededAnew)),
        None => Ok(url.into()),
    }
}
