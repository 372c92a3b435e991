//! The fields of a longer form: each with its label, its hint, and what the server said about it.

use super::{Choice, Post};
use crate::{components::text_area, texts::texts};
use leptos::prelude::*;

/// Fields that go together. With the prefix `tool`, the field `name` is sent as `tool[name]`.
#[derive(Clone, Copy)]
pub struct Group {
    pub post: Post,
    pub prefix: &'static str,
}

impl Group {
    pub fn id(self, field: &str) -> String {
        format!("{}-{field}", self.post.scope())
    }

    pub fn name(self, field: &str) -> String {
        if self.prefix.is_empty() { field.to_owned() } else { format!("{}[{field}]", self.prefix) }
    }

    fn described_by(self, field: &str) -> String {
        let id = self.id(field);
        format!("{id}-error {id}-hint")
    }

    /// One line of text.
    pub fn line(
        self,
        field: &'static str,
        label: &'static str,
        hint: &'static str,
        value: Option<String>,
    ) -> AnyView {
        self.input(field, label, hint.to_owned(), "text", value)
    }

    pub fn number(
        self,
        field: &'static str,
        label: &'static str,
        hint: impl Into<String>,
        value: Option<String>,
    ) -> AnyView {
        self.input(field, label, hint.into(), "number", value)
    }

    fn input(
        self,
        field: &'static str,
        label: &'static str,
        hint: String,
        kind: &'static str,
        value: Option<String>,
    ) -> AnyView {
        let control = view! {
            <input
                class="input"
                type=kind
                min=(kind == "number").then_some("0")
                id=self.id(field)
                name=self.name(field)
                value=value.unwrap_or_default()
                autocomplete="off"
                spellcheck="false"
                aria-invalid=move || is_refused(self.post, field)
                aria-describedby=self.described_by(field)
            />
        };
        self.labelled(field, label, hint, control.into_any())
    }

    /// Text of several lines.
    pub fn area(
        self,
        field: &'static str,
        label: &'static str,
        hint: &'static str,
        rows: &'static str,
        value: Option<String>,
    ) -> AnyView {
        let class = if rows == "1" { "input" } else { "input area" };
        let area = text_area(class, rows, self.id(field), self.name(field), value.unwrap_or_default());
        self.labelled(field, label, hint.to_owned(), area)
    }

    pub fn select(
        self,
        field: &'static str,
        label: &'static str,
        hint: &'static str,
        choices: Vec<Choice>,
    ) -> AnyView {
        let control = view! {
            <select class="select" id=self.id(field) name=self.name(field) aria-describedby=self.described_by(field)>
                {Choice::options(choices)}
            </select>
        };
        self.labelled(field, label, hint.to_owned(), control.into_any())
    }

    pub fn check(self, field: &'static str, label: &'static str, hint: &'static str, is_on: bool) -> AnyView {
        let id = self.id(field);
        view! {
            <div class="checkbox">
                <input type="checkbox" id=id.clone() name=self.name(field) value="true" checked=is_on/>
                <div>
                    <label r#for=id>{label}</label>
                    <p class="field-hint">{hint}</p>
                </div>
            </div>
        }
        .into_any()
    }

    /// Any control, between its label and what belongs to it.
    pub fn labelled(
        self,
        field: &'static str,
        label: &'static str,
        hint: String,
        control: AnyView,
    ) -> AnyView {
        let id = self.id(field);
        let (error_id, hint_id) = (format!("{id}-error"), format!("{id}-hint"));
        view! {
            <div class="field">
                <label class="field-label" r#for=id>{label}</label>
                {control}
                <div class="field-error" id=error_id>{move || problems(self.post, field)}</div>
                <p class="field-hint" id=hint_id>{hint}</p>
            </div>
        }
        .into_any()
    }
}

fn is_refused(post: Post, field: &str) -> Option<&'static str> {
    let error = post.error()?;
    error.0.errors.iter().any(|problem| belongs(&problem.field, field)).then_some("true")
}

/// `rate_limit.limit` is about the field `rate_limit`.
fn belongs(problem: &str, field: &str) -> bool {
    problem.strip_prefix(field).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// What it is, and where and why as the server says it.
fn problems(post: Post, field: &str) -> Option<Vec<AnyView>> {
    let t = texts();
    let error = post.error()?;
    let of_field = error.0.errors.iter().filter(|problem| belongs(&problem.field, field));
    let shown = of_field.map(|problem| {
        let mut text = t.field_code(problem.code).to_owned();
        if let (Some(line), Some(column)) = (problem.line, problem.column) {
            text = format!("{text} {}", t.at_line(&line.to_string(), &column.to_string()));
        }
        if problem.message != problem.code.message() {
            text = format!("{text} {}", problem.message);
        }
        view! { <p>{text}</p> }.into_any()
    });
    Some(shown.collect())
}

#[cfg(test)]
mod tests {
    use super::belongs;

    #[test]
    fn a_problem_belongs_to_the_field_that_it_starts_with() {
        assert!(belongs("rate_limit", "rate_limit"));
        assert!(belongs("rate_limit.limit", "rate_limit"));
        assert!(!belongs("rate_limits", "rate_limit"));
        assert!(!belongs("rate", "rate_limit"));
    }
}
