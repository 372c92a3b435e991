//! The answer to a question about rights: yes or no, and the rule behind it.

use crate::{api::admin_explain::ExplanationOut, components::badge, texts::Texts};
use ability::{Condition, Effect, Rule};
use leptos::prelude::*;

pub fn answer_card(t: Texts, mut answer: ExplanationOut) -> AnyView {
    // The question names the organisation: that a role counts there only is no further condition.
    if let Some(rule) = &mut answer.rule {
        rule.conditions.retain(|condition| condition.attribute != "tenant_id");
    }
    let has_conditions = answer.rule.as_ref().is_some_and(|rule| !rule.conditions.is_empty());
    let (class, verdict) = match (answer.allowed, has_conditions) {
        (true, false) => ("card verdict verdict-yes", t.explain_allowed()),
        (true, true) => ("card verdict verdict-yes", t.explain_allowed_some()),
        (false, _) => ("card verdict", t.explain_denied()),
    };
    let why = match answer.rule {
        _ if answer.is_disabled => view! { <p>{t.explain_disabled()}</p> }.into_any(),
        Some(rule) => rule_facts(t, rule),
        None => view! { <p>{t.explain_no_rule()}</p> }.into_any(),
    };
    view! {
        <section class=class aria-labelledby="verdict">
            <h2 id="verdict">{verdict}</h2>
            {why}
            <dl class="facts">
                <dt>{t.explain_roles()}</dt>
                <dd>{roles(t, answer.roles)}</dd>
            </dl>
        </section>
    }
    .into_any()
}

fn roles(t: Texts, names: Vec<String>) -> AnyView {
    if names.is_empty() {
        return t.explain_no_roles().into_any();
    }
    let names = names.iter().map(|name| badge("plain", t.policy_role(name))).collect::<Vec<_>>();
    view! { <span class="badges">{names}</span> }.into_any()
}

fn rule_facts(t: Texts, rule: Rule) -> AnyView {
    let effect = if rule.effect == Effect::Allow { t.explain_rule_allows() } else { t.explain_rule_denies() };
    let reason = rule.reason.as_deref().map(|code| fact(t.explain_reason(), t.rule_reason(code)));
    let conditions: Vec<String> = rule.conditions.iter().map(|condition| in_words(t, condition)).collect();
    let conditions = (!conditions.is_empty()).then(|| fact(t.explain_conditions(), conditions.join(", ")));
    view! {
        <dl class="facts">
            <dt>{t.explain_rule()}</dt>
            <dd>
                <strong>{t.policy_role(&rule.role)}</strong>
                " "
                {effect}
                " "
                <code>{rule.action.as_str()} " " {rule.subject.as_str()}</code>
            </dd>
            {reason}
            {conditions}
        </dl>
    }
    .into_any()
}

fn in_words(t: Texts, condition: &Condition) -> String {
    match condition.attribute.as_str() {
        "owner_id" => t.explain_own_only().to_owned(),
        attribute => format!("{attribute} = {}", condition.equals),
    }
}

fn fact(name: &'static str, value: String) -> AnyView {
    view! {
        <dt>{name}</dt>
        <dd>{value}</dd>
    }
    .into_any()
}
