//! Arguments of a call: to be read, or as fields that say what they were before.

use super::textarea_content;
use crate::{
    api::arguments::{ArgumentKind, ArgumentOut},
    browser,
    form::Choice,
    texts::{Texts, texts},
};
use leptos::prelude::*;

/// What was given; what an approver made of it stands beside it.
pub fn argument_facts(arguments: &[ArgumentOut]) -> AnyView {
    let t = texts();
    let given = arguments.iter().filter(|one| !one.value.is_empty() || one.edited.is_some());
    let rows: Vec<AnyView> = given.map(|one| fact(t, one)).collect();
    if rows.is_empty() {
        return view! { <p class="cell-detail">{t.no_arguments()}</p> }.into_any();
    }
    view! { <dl class="facts arguments">{rows}</dl> }.into_any()
}

fn fact(t: Texts, one: &ArgumentOut) -> AnyView {
    let value = match &one.edited {
        None => value_of(t, one.kind, &one.value),
        Some(edited) => view! {
            <del><span class="visually-hidden">{t.was()} " "</span>{value_of(t, one.kind, &one.value)}</del>
            <ins><span class="visually-hidden">{t.became()} " "</span>{value_of(t, one.kind, edited)}</ins>
        }
        .into_any(),
    };
    view! { <dt>{one.label.clone()}</dt><dd>{value}</dd> }.into_any()
}

fn value_of(t: Texts, kind: ArgumentKind, text: &str) -> AnyView {
    let text = match (kind, text) {
        (_, "") => t.not_given().to_owned(),
        (ArgumentKind::YesNo, "true") => t.value_yes().to_owned(),
        (ArgumentKind::YesNo, "false") => t.value_no().to_owned(),
        (_, text) => text.to_owned(),
    };
    match kind {
        ArgumentKind::Json => view! { <pre class="argument-json">{text}</pre> }.into_any(),
        _ => view! { <span class="argument-value">{text}</span> }.into_any(),
    }
}

/// A field for each, named `args[name]`. Once a field differs from what was given, it says what that was.
pub fn argument_fields(scope: &str, arguments: &[ArgumentOut]) -> AnyView {
    let t = texts();
    let fields: Vec<AnyView> = arguments.iter().map(|one| field(t, scope, one.clone())).collect();
    view! { <div class="form">{fields}</div> }.into_any()
}

fn field(t: Texts, scope: &str, one: ArgumentOut) -> AnyView {
    let id = format!("{scope}-{}", one.name);
    let hint_id = format!("{id}-hint");
    let now = RwSignal::new(one.value.clone());
    let before = one.value.clone();
    let was = StoredValue::new(one.value.clone());
    let is_changed = move || now.with(|now| was.with_value(|was| now != was));
    let hint = one
        .description
        .clone()
        .map(|text| view! { <p class="field-hint" id=hint_id.clone()>{text}</p> }.into_any());
    let described_by = hint.is_some().then(|| format!("{id}-hint"));
    let difference = move || {
        let before = if before.is_empty() { t.not_given().to_owned() } else { before.clone() };
        is_changed().then(|| view! { <p class="field-was">{t.was()} " " <del>{before}</del></p> }.into_any())
    };
    view! {
        <div class="field" class:field-changed=is_changed on:input=move |event| now.set(browser::field_value(&event))>
            <label class="field-label" r#for=id.clone()>
                {one.label.clone()}
                {(!one.required).then(|| view! { <span class="field-optional">{t.optional()}</span> }.into_any())}
            </label>
            {control(t, id, described_by, &one)}
            {hint}
            <div aria-live="polite">{difference}</div>
        </div>
    }
    .into_any()
}

fn control(t: Texts, id: String, described_by: Option<String>, one: &ArgumentOut) -> AnyView {
    let name = format!("args[{}]", one.name);
    let value = one.value.clone();
    match one.kind {
        ArgumentKind::Lines | ArgumentKind::Json => view! {
            <textarea
                class="input mono"
                rows="4"
                id=id
                name=name
                autocomplete="off"
                spellcheck="false"
                aria-describedby=described_by
                inner_html=textarea_content(&value)
            ></textarea>
        }
        .into_any(),
        ArgumentKind::Choice | ArgumentKind::YesNo => {
            let options = Choice::options(choices(t, one));
            view! { <select class="select" id=id name=name aria-describedby=described_by>{options}</select> }
                .into_any()
        }
        ArgumentKind::Line | ArgumentKind::Number => {
            let mode = if one.kind == ArgumentKind::Number { "decimal" } else { "text" };
            view! {
                <input
                    class="input"
                    type="text"
                    inputmode=mode
                    id=id
                    name=name
                    value=value
                    autocomplete="off"
                    aria-describedby=described_by
                />
            }
            .into_any()
        }
    }
}

fn choices(t: Texts, one: &ArgumentOut) -> Vec<Choice> {
    let mut choices = Vec::new();
    if !one.required || one.value.is_empty() {
        choices.push(Choice::new("", t.not_given(), one.value.is_empty()));
    }
    if one.kind == ArgumentKind::YesNo {
        choices.extend(
            [("true", t.value_yes()), ("false", t.value_no())]
                .map(|(value, label)| Choice::new(value, label, one.value == value)),
        );
    }
    choices.extend(one.options.iter().map(|option| Choice::new(option, option, *option == one.value)));
    choices
}
