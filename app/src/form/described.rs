//! Shows the forms that the server describes ([`crate::api::described`]).
//!
//! Each value is an attribute, for browsers without scripts, and a property: once somebody has typed, a field no longer
//! follows its attribute, and would not show what the server has kept.

use super::{Choice, Post, field::described_by, field::field_problem};
use crate::{
    api::described::{FieldKind, FieldOut},
    browser,
    components::{effect, textarea_content, when_exactly},
    texts::texts,
};
use leptos::prelude::*;

pub fn described_fields(post: Post, fields: Vec<FieldOut>) -> Vec<AnyView> {
    fields.into_iter().map(|field| described_field(post, field)).collect()
}

fn described_field(post: Post, field: FieldOut) -> AnyView {
    let id = format!("{}-{}", post.scope(), field.name);
    let (hint_id, error_id) = (format!("{id}-hint"), format!("{id}-error"));
    let name = field.name.clone();
    let problem = move || field_problem(post, &name);
    let has_hint = !field.hint.is_empty();
    let describes = {
        let (problem, hint_id, error_id) = (problem.clone(), hint_id.clone(), error_id.clone());
        Signal::derive(move || described_by(problem().map(|_| &error_id), has_hint.then_some(&hint_id)))
    };
    let (is_required, is_check) = (field.is_required, field.kind == FieldKind::Check);
    let (label, hint) = (field.label.clone(), field.hint.clone());
    let label = view! {
        <label class="field-label" r#for=id.clone()>
            {label}
            {(!is_required && !is_check).then(|| view! { <span class="field-optional">{texts().optional()}</span> })}
        </label>
    };
    let control = control(field, id, describes);
    let (first, second) = if is_check { (control, label.into_any()) } else { (label.into_any(), control) };
    view! {
        <div class=if is_check { "field field-check" } else { "field" }>
            {first}
            {second}
            {move || problem().map(|text| view! { <p class="field-error" id=error_id.clone()>{text}</p> })}
            {has_hint.then(|| view! { <p class="field-hint" id=hint_id>{hint}</p> })}
        </div>
    }
    .into_any()
}

type Describes = Signal<Option<String>>;

fn control(field: FieldOut, id: String, describes: Describes) -> AnyView {
    let name = format!("fields[{}]", field.name);
    match field.kind {
        FieldKind::Choice => select(field, id, name, describes),
        FieldKind::Paragraph => view! {
            <textarea
                class="input"
                id=id
                name=name
                rows="4"
                required=field.is_required
                aria-describedby=describes
                inner_html=textarea_content(&field.value)
                prop:value=field.value
            ></textarea>
        }
        .into_any(),
        FieldKind::Check => view! {
            <input
                type="checkbox"
                id=id
                name=name
                value="true"
                checked=!field.value.is_empty()
                prop:checked=!field.value.is_empty()
                aria-describedby=describes
            />
        }
        .into_any(),
        FieldKind::Moment => moment(field, id, name, describes),
        kind => line(kind, field, id, name, describes),
    }
}

fn line(kind: FieldKind, field: FieldOut, id: String, name: String, describes: Describes) -> AnyView {
    let (input, mode) = match kind {
        FieldKind::Email => ("email", "email"),
        FieldKind::Phone => ("tel", "tel"),
        FieldKind::Address => ("url", "url"),
        FieldKind::Number => ("text", "numeric"),
        FieldKind::Money => ("text", "decimal"),
        FieldKind::Secret => ("password", "text"),
        _ => ("text", "text"),
    };
    let autocomplete = if kind == FieldKind::Secret { "new-password" } else { "off" };
    view! {
        <input
            class="input"
            type=input
            inputmode=mode
            id=id
            name=name
            value=field.value.clone()
            prop:value=field.value
            required=field.is_required
            autocomplete=autocomplete
            aria-describedby=describes
        />
    }
    .into_any()
}

fn select(field: FieldOut, id: String, name: String, describes: Describes) -> AnyView {
    let choice = |one: crate::api::described::ChoiceOut| {
        let is_chosen = one.value == field.value;
        Choice::new(one.value, one.label, is_chosen)
    };
    let choices = field.choices.into_iter().map(choice).collect();
    view! {
        <select
            class="select"
            id=id
            name=name
            required=field.is_required
            aria-describedby=describes
            prop:value=field.value.clone()
        >
            {Choice::options(choices)}
        </select>
    }
    .into_any()
}

/// Without scripts the moment is in UTC, and the label beside it says so. With them it is in the person's own zone, and
/// a second field carries what it is in UTC.
fn moment(field: FieldOut, id: String, name: String, describes: Describes) -> AnyView {
    let utc = RwSignal::new(String::new());
    let is_local = RwSignal::new(false);
    let exact = format!("fields[{}_utc]", field.name);
    let (seen, zone) = (id.clone(), id.clone());
    let stored = field.value.clone();
    effect(move || {
        browser::show_local(&seen, &stored);
        is_local.set(true);
        utc.set(browser::utc_of(&seen));
    });
    view! {
        <div class="input-group">
            <input
                class="input"
                type="datetime-local"
                id=id
                name=name
                value=field.value.get(..16).unwrap_or_default().to_owned()
                required=field.is_required
                aria-describedby=describes
                on:input=move |_| utc.set(browser::utc_of(&zone))
            />
            <span class="input-note">{move || if is_local.get() { texts().zone_local() } else { "UTC" }}</span>
        </div>
        <input type="hidden" name=exact prop:value=utc/>
    }
    .into_any()
}

/// The same for whoever may read and not change: names and values.
pub fn described_facts(fields: Vec<FieldOut>) -> AnyView {
    let fact = |field: FieldOut| {
        let shown = match field.kind {
            FieldKind::Moment if !field.value.is_empty() => when_exactly(&field.value),
            FieldKind::Check => {
                (if field.value.is_empty() { texts().no() } else { texts().yes() }).into_any()
            }
            _ => field.shown().into_any(),
        };
        view! {
            <dt>{field.label}</dt>
            <dd>{shown}</dd>
        }
        .into_any()
    };
    let has_value = |field: &FieldOut| field.kind == FieldKind::Check || !field.value.is_empty();
    let facts: Vec<AnyView> = fields.into_iter().filter(has_value).map(fact).collect();
    view! { <dl class="facts">{facts}</dl> }.into_any()
}
