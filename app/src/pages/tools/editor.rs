//! An editor for the code of a tool: line numbers, colours, and errors at their place. A plain textarea lies over its
//! own coloured picture; without scripts it is only the textarea.

use crate::{
    browser,
    components::{effect, highlighted, line_numbers, text_area},
    form::{Group, Post},
    texts::Texts,
};
use leptos::prelude::*;

pub fn code_editor(t: Texts, group: Group, code: Option<String>) -> AnyView {
    let code = code.unwrap_or_default();
    let id = group.id("code");
    let shown = RwSignal::new(code.clone());
    let area = text_area("code-text", "20", id.clone(), group.name("code"), code);
    let follow = move || {
        if let Some(text) = browser::field_text(&id) {
            shown.set(text);
        }
    };
    effect(follow.clone());
    let editor = view! {
        <div class="code-editor">
            <pre
                class="code-lines"
                aria-hidden="true"
                inner_html=move || shown.with(|code| line_numbers(code, &wrong_lines(group.post)))
            ></pre>
            <div class="code-body" on:input=move |_| follow()>
                <pre class="code-paint" aria-hidden="true" inner_html=move || shown.with(|code| highlighted(code))></pre>
                {area}
            </div>
        </div>
    };
    group.labelled("code", t.tool_code(), t.tool_code_hint().to_owned(), editor.into_any())
}

fn wrong_lines(post: Post) -> Vec<u32> {
    let error = post.error();
    let all = error.iter().flat_map(|error| &error.0.errors).filter(|problem| problem.field == "code");
    all.filter_map(|problem| problem.line).collect()
}
