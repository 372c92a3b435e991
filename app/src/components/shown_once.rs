//! What a person sees once and copies: links and secrets; and how a test or a check ended.

use super::copy_button;
use crate::{
    api::{
        audit::Verified,
        confirmations::DecisionMade,
        session::{ShownSecret, TestOutcome},
    },
    texts::texts,
};
use leptos::prelude::*;

pub fn shown_once(title: String, lead: &'static str, label: &'static str, value: String) -> AnyView {
    let button = copy_button(value.clone());
    view! {
        <section class="alert alert-done shown-once" role="status">
            <p><strong>{title}</strong></p>
            <p>{lead}</p>
            <div class="input-group">
                <input class="input mono" type="text" readonly=true aria-label=label value=value/>
                {button}
            </div>
        </section>
    }
    .into_any()
}

pub fn shown_secret(secret: ShownSecret) -> AnyView {
    let t = texts();
    shown_once(t.secret_ready(&secret.name), t.secret_ready_lead(), t.secret_value(), secret.secret)
}

pub fn test_outcome(outcome: TestOutcome) -> AnyView {
    let t = texts();
    let words = if outcome.success { t.test_succeeded() } else { t.test_failed() };
    verdict(outcome.success, words.to_owned(), outcome.detail)
}

pub fn decided(made: DecisionMade) -> AnyView {
    let (is_good, words) = made.told(texts());
    verdict(is_good, words, None)
}

pub fn verified(outcome: Verified) -> AnyView {
    let t = texts();
    if let Some(seq) = outcome.fault_seq.filter(|_| !outcome.holds) {
        return verdict(false, t.audit_broken(&seq.to_string()), outcome.fault);
    }
    let uncovered = (outcome.uncovered > 0).then(|| t.audit_uncovered(&outcome.uncovered.to_string()));
    let calls = (outcome.calls > 0).then(|| t.audit_calls(&outcome.calls.to_string()));
    let missing = (outcome.missing_calls > 0).then(|| t.audit_missing(&outcome.missing_calls.to_string()));
    let details: Vec<String> = [calls, missing, uncovered].into_iter().flatten().collect();
    verdict(
        true,
        t.audit_holds(&outcome.entries.to_string()),
        (!details.is_empty()).then(|| details.join(" ")),
    )
}

fn verdict(is_good: bool, words: String, detail: Option<String>) -> AnyView {
    let (class, role) =
        if is_good { ("alert alert-done", "status") } else { ("alert alert-danger", "alert") };
    view! {
        <div class=class role=role>
            <p><strong>{words}</strong></p>
            {detail.map(|detail| view! { <p>{detail}</p> })}
        </div>
    }
    .into_any()
}
