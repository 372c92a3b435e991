//! "May X do Y in tenant Z, and why?" The question is the address, so it can be shared.

mod answer;

use self::answer::answer_card;
use crate::{
    api::{ApiError, admin_explain::ExplainDecision, admin_tenants::ListTenants},
    components::{awaited, empty_state, load_error, loaded, loading, page_header},
    form::{Choice, QueryForm},
    load::{Question, load},
    location::{Address, use_location},
    texts::{Texts, texts},
};
use ability::{Action, Subject};
use domain::{ErrorCode, TenantId, tenant::TenantOut};
use leptos::prelude::*;

impl Question for ExplainDecision {
    fn fields(&self) -> Option<Vec<(&'static str, String)>> {
        let mut fields = vec![
            ("email", self.email.clone()),
            ("action", self.action.as_str().to_owned()),
            ("subject", self.subject.as_str().to_owned()),
        ];
        fields.extend(self.tenant_id.map(|id| ("tenant_id", id.to_string())));
        (!self.email.is_empty()).then_some(fields)
    }
}

/// What the address asks; complete only with a person.
struct Asked {
    email: String,
    tenant_id: Option<TenantId>,
    action: Action,
    subject: Subject,
}

impl Asked {
    fn of(address: &Address) -> Self {
        Self {
            email: address.value("email").unwrap_or_default().trim().to_owned(),
            tenant_id: address.value("tenant").and_then(|id| id.parse().ok()),
            action: address
                .value("action")
                .and_then(|name| Action::from_name(&name))
                .unwrap_or(Action::Manage),
            subject: address
                .value("subject")
                .and_then(|name| Subject::from_name(&name))
                .unwrap_or(Subject::AdminPanel),
        }
    }

    fn question(self) -> ExplainDecision {
        let Self { email, tenant_id, action, subject } = self;
        ExplainDecision { email, tenant_id, action, subject }
    }
}

pub fn explain() -> AnyView {
    let t = texts();
    let location = use_location();
    let tenants = load(|| (0, ListTenants {}));
    let form = move |tenants| question_form(t, location.with_untracked(Asked::of), tenants);
    let answer = load(move || (0, location.with(Asked::of).question()));
    let is_asked = move || location.with(|address| !Asked::of(address).email.is_empty());
    let answered = move || match is_asked() {
        false => Some(nothing_asked(t)),
        true => answer.get().map(|answer| match answer {
            Ok(answer) => answer_card(t, answer),
            Err(error) => refused(t, &error),
        }),
    };
    view! {
        {page_header(t.explain_title(), t.explain_lead())}
        <div class="card">{loaded(tenants, form)}</div>
        <div class="section" aria-live="polite">{awaited(loading, answered)}</div>
    }
    .into_any()
}

fn nothing_asked(t: Texts) -> AnyView {
    empty_state("explain", t.explain_empty_title(), t.explain_empty_lead(), None)
}

/// A question that the server refused names its field, or nobody; anything else is a failure to load.
fn refused(t: Texts, error: &ApiError) -> AnyView {
    let sentence = match error.0.errors.first() {
        Some(first) => format!("{}: {}", t.field_label("", &first.field), t.field_code(first.code)),
        None if error.code() == ErrorCode::NotFound => t.explain_unknown().to_owned(),
        None => return load_error(error),
    };
    view! { <p class="alert alert-danger" role="alert">{sentence}</p> }.into_any()
}

fn question_form(t: Texts, asked: Asked, tenants: Vec<TenantOut>) -> AnyView {
    let email = asked.email;
    let mut places = vec![Choice::new("", t.explain_no_tenant(), asked.tenant_id.is_none())];
    places.extend(
        tenants.into_iter().map(|tenant| {
            Choice::new(tenant.id.to_string(), tenant.name, asked.tenant_id == Some(tenant.id))
        }),
    );
    let actions = Action::ALL.map(|a| Choice::new(a.as_str(), t.action(a), asked.action == a));
    let subjects = Subject::ALL.map(|s| Choice::new(s.as_str(), t.subject(s), asked.subject == s));
    view! {
        <QueryForm path="/admin/explain" class="form form-question">
            <div class="field">
                <label class="field-label" r#for="explain-email">{t.explain_person()}</label>
                <input class="input" type="email" id="explain-email" name="email" required=true autocomplete="off" value=email/>
            </div>
            {select("tenant", t.explain_tenant(), places)}
            {select("action", t.explain_action(), actions.into())}
            {select("subject", t.explain_subject(), subjects.into())}
            <button type="submit" class="button button-primary">{t.explain_submit()}</button>
        </QueryForm>
    }
    .into_any()
}

fn select(name: &'static str, label: &'static str, choices: Vec<Choice>) -> AnyView {
    let id = format!("explain-{name}");
    view! {
        <div class="field">
            <label class="field-label" r#for=id.clone()>{label}</label>
            <select class="select" id=id name=name>{Choice::options(choices)}</select>
        </div>
    }
    .into_any()
}
