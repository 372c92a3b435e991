//! One tool: what it is, who switched it last, and its switch.

use super::Filter;
use crate::{
    api::{admin_tools::SwitchGlobalTool, undo::Undo},
    components::{badge, icon, switch_button, switch_errors, use_notices, when},
    form::{Again, Answer, Fields, Post, PostForm, submit_button},
    texts::Texts,
};
use domain::global_tool::{GlobalToolOut, SwitchOut, ToolCategory};
use leptos::prelude::*;
use std::sync::Arc;

pub fn tool_row(t: Texts, tool: GlobalToolOut, again: &Again) -> AnyView {
    let filter = Filter::of_page();
    let filtered = tool.clone();
    let state = if tool.category == ToolCategory::System {
        badge("quiet", t.always_on())
    } else {
        switch(t, &tool, again)
    };
    view! {
        <tr data-tool=tool.tool_name.clone() hidden=move || !filter.shows(&filtered)>
            <td>
                <div class="tool">
                    <span class="tool-icon" aria-hidden="true">{tool.icon}</span>
                    <div>
                        <p class="cell-title">{tool.label} " " <code>{tool.tool_name.clone()}</code></p>
                        <p class="cell-detail">{tool.description}</p>
                    </div>
                </div>
            </td>
            <td data-label=t.category()>
                <span class="badges">
                    {badge("plain", t.category_name(tool.category))}
                    {tool.admin_only.then(|| badge("quiet", t.admins_only()))}
                </span>
            </td>
            <td data-label=t.last_change()>{last_change(t, tool.last_change)}</td>
            <td data-label=t.state()>{state}</td>
        </tr>
    }
    .into_any()
}

fn last_change(t: Texts, change: Option<SwitchOut>) -> AnyView {
    let Some(change) = change else {
        return view! { <span class="cell-detail">{t.never_changed()}</span> }.into_any();
    };
    let reason = change.reason.map(|reason| view! { <p class="cell-reason">{reason}</p> }.into_any());
    view! {
        <p>{when(change.at)}</p>
        <p class="cell-detail">{t.changed_by(&change.by)}</p>
        {reason}
    }
    .into_any()
}

fn switch(t: Texts, tool: &GlobalToolOut, again: &Again) -> AnyView {
    let post = Post::one_of::<SwitchGlobalTool>();
    switch_errors(post, again.clone());
    let was_on = tool.enabled;
    let again = again.clone();
    let notices = use_notices();
    let label = tool.label.clone();
    let done = move |answer: Answer| {
        let text = if was_on { t.switched_off(&label) } else { t.switched_on(&label) };
        if let Some(now) = answer.read::<GlobalToolOut>() {
            let undo = Undo::global_tool(now.tool_name, was_on, now.version);
            notices.done_with_undo(text, undo, &again);
        }
        again();
    };
    let (name, version, named) =
        (tool.tool_name.clone(), tool.version.to_string(), t.switch_tool(&tool.label));
    let reason_id = format!("reason-{name}");
    view! {
        <PostForm post=post class="switch-form" fields=Fields::Empty on_done=Arc::new(done)>
            <input type="hidden" name="tool_name" value=name/>
            <input type="hidden" name="seen_version" value=version/>
            <input type="hidden" name="enabled" value=if was_on { "false" } else { "true" }/>
            {switch_button(post, was_on, named, (t.on(), t.off()))}
            <details class="reason">
                <summary>{icon("note")}{t.with_reason()}</summary>
                <div class="reason-body">
                    <label class="field-label" r#for=reason_id.clone()>{t.reason()}</label>
                    <div class="input-group">
                        <input class="input" type="text" id=reason_id name="reason" maxlength="300" autocomplete="off"/>
                        {submit_button(post, "button", if was_on { t.switch_off() } else { t.switch_on() })}
                    </div>
                    <p class="field-hint">{t.reason_hint()}</p>
                </div>
            </details>
        </PostForm>
    }
    .into_any()
}
