//! Labelled fields, with their hint and their error beside them.

use super::Post;
use crate::texts::texts;
use domain::TenantRole;
use leptos::prelude::*;

/// One line of text. The name is the server function's parameter.
#[component]
pub fn TextField(
    post: Post,
    name: &'static str,
    label: &'static str,
    #[prop(default = "text")] kind: &'static str,
    #[prop(default = "off")] autocomplete: &'static str,
    #[prop(optional, into)] value: String,
    #[prop(optional)] hint: &'static str,
    #[prop(default = true)] required: bool,
) -> impl IntoView {
    let t = texts();
    let id = format!("{}-{name}", post.scope());
    let (hint_id, error_id) = (format!("{id}-hint"), format!("{id}-error"));
    let has_hint = !hint.is_empty();
    let problem = move || field_problem(post, name);
    let (hinted, refused) = (hint_id.clone(), error_id.clone());
    let error = move || problem().map(|text| paragraph("field-error", error_id.clone(), text));
    view! {
        <div class="field">
            <label class="field-label" r#for=id.clone()>
                {label}
                {(!required).then(|| view! { <span class="field-optional">{t.optional()}</span> }.into_any())}
            </label>
            <input
                class="input"
                type=kind
                id=id
                name=name
                value=value
                required=required
                autocomplete=autocomplete
                spellcheck="false"
                autocapitalize=if kind == "text" { "sentences" } else { "off" }
                aria-invalid=move || problem().is_some().then_some("true")
                aria-describedby=move || described_by(problem().map(|_| &refused), has_hint.then_some(&hinted))
            />
            {move || error()}
            {has_hint.then(|| paragraph("field-hint", hint_id, hint))}
        </div>
    }
    .into_any()
}

/// The ids of the texts that describe a field.
pub(super) fn described_by(error_id: Option<&String>, hint_id: Option<&String>) -> Option<String> {
    match (error_id, hint_id) {
        (Some(error), Some(hint)) => Some(format!("{error} {hint}")),
        (one, other) => one.or(other).cloned(),
    }
}

fn paragraph(class: &'static str, id: String, text: &'static str) -> AnyView {
    view! { <p class=class id=id>{text}</p> }.into_any()
}

pub(super) fn field_problem(post: Post, name: &str) -> Option<&'static str> {
    let error = post.error()?;
    let problem = error.0.errors.iter().find(|e| e.field == name)?;
    Some(texts().field_code(problem.code))
}

/// One option of a select.
pub struct Choice {
    pub value: String,
    pub label: String,
    pub is_chosen: bool,
}

impl Choice {
    pub fn new(value: impl Into<String>, label: impl Into<String>, is_chosen: bool) -> Self {
        Self { value: value.into(), label: label.into(), is_chosen }
    }

    pub fn options(choices: Vec<Self>) -> Vec<AnyView> {
        let option = |choice: Self| {
            view! { <option value=choice.value selected=choice.is_chosen>{choice.label}</option> }.into_any()
        };
        choices.into_iter().map(option).collect()
    }
}

/// The roles of a tenant to choose from. Without a label of its own it has one beside it, and room to explain;
/// `described_by` has the ids of what else is said there.
pub fn role_select(
    id: String,
    chosen: TenantRole,
    label: Option<String>,
    described_by: Option<&'static str>,
) -> AnyView {
    let t = texts();
    let choice = |role: TenantRole| {
        let text = match label {
            Some(_) => t.tenant_role(role).to_owned(),
            None => format!("{} – {}", t.tenant_role(role), t.tenant_role_means(role)),
        };
        Choice::new(role.as_str(), text, role == chosen)
    };
    let choices = TenantRole::ALL.into_iter().map(choice).collect();
    view! {
        <select class="select" id=id name="role" aria-label=label aria-describedby=described_by>
            {Choice::options(choices)}
        </select>
    }
    .into_any()
}
