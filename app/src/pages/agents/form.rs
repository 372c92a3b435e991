//! The fields of an agent, new or old.

use crate::{
    api::agents::AgentFields,
    form::{Choice, Group},
    texts::Texts,
};
use domain::tool_words::ConfirmationMode;
use leptos::prelude::*;

pub fn agent_parts(t: Texts, group: Group, fields: AgentFields) -> AnyView {
    let chosen = fields.mode.unwrap_or(ConfirmationMode::Dangerous);
    let mode = |mode: &ConfirmationMode| {
        let label = format!("{} – {}", t.confirmation_mode(*mode), t.confirmation_mode_means(*mode));
        Choice::new(mode.as_str(), label, *mode == chosen)
    };
    let modes = ConfirmationMode::ALL.iter().map(mode).collect();
    view! {
        <div class="card">
            <div class="form form-columns">
                {group.line("name", t.name(), t.agent_name_hint(), Some(fields.name))}
                {group.line("slug", t.tenant_slug(), t.agent_slug_hint(), Some(fields.slug))}
                <div class="form-wide">
                    {group.area("description", t.description(), t.agent_description_hint(), "2", Some(fields.description))}
                </div>
                <div class="form-wide">
                    {group.area("persona", t.agent_persona(), t.agent_persona_hint(), "6", Some(fields.persona))}
                </div>
                <div class="form-wide">{group.select("mode", t.agent_mode(), t.agent_mode_hint(), modes)}</div>
                {group.number("rate_limit", t.tool_rate_limit(), t.agent_rate_hint(), Some(fields.rate_limit))}
                {group.number("rate_window", t.tool_rate_window(), "", Some(fields.rate_window))}
            </div>
        </div>
    }
    .into_any()
}
