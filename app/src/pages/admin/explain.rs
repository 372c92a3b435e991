//! "May X do Y in tenant Z, and why?" The question is the address, so it can be shared.

mod answer;

use self::answer::answer_card;
use crate::{
    api::{
        ApiError,
        admin_explain::{ExplanationOut, explain_decision},
        admin_tenants::list_tenants,
    },
    components::{empty_state, load_error, loading, page_header},
    form::{Choice, QueryForm},
    texts::{Texts, texts},
};
use ability::{Action, Subject};
use domain::{TenantId, tenant::TenantOut};
use leptos::prelude::*;
use leptos_router::{hooks::use_query_map, params::ParamsMap};

/// What is asked; complete only with an address, an action and a subject.
#[derive(Clone, Default, PartialEq)]
struct Question {
    email: String,
    tenant: Option<TenantId>,
    action: Option<Action>,
    subject: Option<Subject>,
}

impl Question {
    fn from_query(query: &ParamsMap) -> Self {
        Self {
            email: query.get_str("email").unwrap_or_default().trim().to_owned(),
            tenant: query.get_str("tenant").and_then(|id| id.parse().ok()),
            action: query.get_str("action").and_then(Action::from_name),
            subject: query.get_str("subject").and_then(Subject::from_name),
        }
    }

    async fn ask(self) -> Result<Option<ExplanationOut>, ApiError> {
        match (self.action, self.subject) {
            (Some(action), Some(subject)) if !self.email.is_empty() => {
                explain_decision(self.email, self.tenant, action, subject)
                    .await
                    .map(Some)
            }
            _ => Ok(None),
        }
    }
}

#[component]
pub fn Explain() -> impl IntoView {
    let t = texts();
    let query = use_query_map();
    let question = Memo::new(move |_| query.with(Question::from_query));
    let tenants = Resource::new(|| (), |()| list_tenants());
    let answer = Resource::new(move || question.get(), Question::ask);
    let form = move || {
        tenants.get().map(|tenants| match tenants {
            Ok(tenants) => question_form(t, &question.get_untracked(), tenants),
            Err(error) => load_error(&error),
        })
    };
    let answered = move || {
        answer.get().map(|answer| match answer {
            Ok(Some(answer)) => answer_card(t, answer),
            Ok(None) => empty_state("explain", t.explain_empty_title(), t.explain_empty_lead(), ()),
            Err(error) => refused(t, &error),
        })
    };
    view! {
        {page_header(t.explain_title(), t.explain_lead())}
        <div class="card"><Transition fallback=loading>{form}</Transition></div>
        <div class="section" aria-live="polite"><Transition fallback=loading>{answered}</Transition></div>
    }
    .into_any()
}

/// A question that the server refused names its field; anything else is a failure to load.
fn refused(t: Texts, error: &ApiError) -> AnyView {
    let Some(first) = error.0.errors.first() else {
        return load_error(error);
    };
    let sentence = format!("{}: {}", t.field_label(&first.field), t.field_code(first.code));
    view! { <p class="alert alert-danger" role="alert">{sentence}</p> }.into_any()
}

fn question_form(t: Texts, question: &Question, tenants: Vec<TenantOut>) -> AnyView {
    let email = question.email.clone();
    let mut places = vec![Choice::new("", t.explain_no_tenant(), question.tenant.is_none())];
    places.extend(tenants.into_iter().map(|tenant| {
        Choice::new(
            tenant.id.to_string(),
            tenant.name,
            question.tenant == Some(tenant.id),
        )
    }));
    let actions = Action::ALL.map(|a| Choice::new(a.as_str(), t.action(a), question.action == Some(a)));
    let subjects = Subject::ALL.map(|s| Choice::new(s.as_str(), t.subject(s), question.subject == Some(s)));
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
