//! One tool of the list: what it is, how it is doing, and its switch for those who may.

use crate::{
    api::{
        tools::{ToggleTool, ToolRow},
        undo::Undo,
    },
    components::{Lever, badge, switch_button, switch_errors, use_notices},
    form::{Again, Answer, Post, PostForm},
    texts::Texts,
};
use leptos::prelude::*;
use std::sync::Arc;

pub fn tool_row(t: Texts, tool: ToolRow, may_switch: bool, again: &Again) -> AnyView {
    let state = if may_switch { switch(t, &tool, again) } else { state(t, tool.is_active) };
    let errors = if tool.errors > 0 { "number number-bad" } else { "number" };
    let mean = if tool.calls == 0 { "–".to_owned() } else { t.milliseconds(&t.count(tool.mean_ms)) };
    let name = tool.name.clone();
    // Where both are the same word, one is enough.
    let runs_as = Some(t.runs_as(tool.execution_type)).filter(|word| *word != t.type_of_tool(tool.r#type));
    view! {
        <tr data-tool=name>
            <td>
                <p class="cell-title">
                    <a href=format!("/tools/{}", tool.id)>{tool.display_name}</a>
                    <code>{tool.name}</code>
                    {tool.requires_confirmation.then(|| badge("accent", t.tool_asks_first()))}
                </p>
                <p class="cell-detail clamp">{tool.description}</p>
            </td>
            <td data-label=t.tool_type()>
                <span class="badges">
                    {badge("plain", t.type_of_tool(tool.r#type))}
                    {runs_as.map(|word| badge("quiet", word))}
                </span>
            </td>
            <td data-label=t.tool_agents() class="number">{t.count(tool.agents)}</td>
            <td data-label=t.tool_calls() class="number">{t.count(tool.calls)}</td>
            <td data-label=t.tool_errors() class=errors>{t.count(tool.errors)}</td>
            <td data-label=t.tool_mean() class="number">{mean}</td>
            <td data-label=t.state()>{state}</td>
        </tr>
    }
    .into_any()
}

pub fn state(t: Texts, is_active: bool) -> AnyView {
    if is_active { badge("on", t.on()) } else { badge("danger", t.off()) }
}

pub fn switch(t: Texts, tool: &ToolRow, again: &Again) -> AnyView {
    let post = Post::one_of::<ToggleTool>();
    switch_errors(post, again.clone());
    let lever = Lever::new(tool.is_active, tool.version);
    let (notices, again, label) = (use_notices(), again.clone(), tool.display_name.clone());
    let moved = lever.clone();
    let done = move |answer: Answer| {
        // Switching makes no version of a tool.
        let text = if moved.flip() { t.tool_switched_on(&label) } else { t.tool_switched_off(&label) };
        if let Some(undo) = answer.read::<Undo>() {
            notices.done_with_undo(text, undo, &again);
        }
        again();
    };
    let (id, named) = (tool.id.to_string(), t.tool_switch(&tool.display_name));
    view! {
        <PostForm post=post class="switch-form" on_done=Arc::new(done)>
            <input type="hidden" name="tool_id" value=id/>
            {lever.fields("is_active")}
            {switch_button(post, &lever, named, (t.on(), t.off()))}
        </PostForm>
    }
    .into_any()
}
