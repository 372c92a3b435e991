//! A table with its caption and heads; the style sheet stacks it where there is little room.

use leptos::prelude::*;

/// A column of a table: its head is seen, or only heard.
pub enum Column {
    Named(&'static str),
    Heard(&'static str),
    /// In words that the server chose.
    Told(String),
    /// The same, over numbers.
    Counted(String),
}

pub fn table(
    class: &'static str,
    caption: impl Into<String>,
    columns: Vec<Column>,
    rows: Vec<AnyView>,
) -> AnyView {
    whole(class, caption.into(), columns, rows)
}

fn whole(class: &'static str, caption: String, columns: Vec<Column>, rows: Vec<AnyView>) -> AnyView {
    let head = |column: Column| {
        let text = match column {
            Column::Counted(text) => {
                return view! { <th scope="col" class="cell-number">{text}</th> }.into_any();
            }
            Column::Told(text) => text.into_any(),
            Column::Named(text) => text.into_any(),
            Column::Heard(text) => view! { <span class="visually-hidden">{text}</span> }.into_any(),
        };
        view! { <th scope="col">{text}</th> }.into_any()
    };
    let heads: Vec<AnyView> = columns.into_iter().map(head).collect();
    view! {
        <table class=class>
            <caption class="visually-hidden">{caption}</caption>
            <thead><tr>{heads}</tr></thead>
            <tbody>{rows}</tbody>
        </table>
    }
    .into_any()
}
