//! One tool: what it is, who switched it last, and its switch.

use super::Filter;
use crate::{
    api::{admin_tools::SwitchGlobalTool, undo::Undo},
    components::{Lever, badge, icon, switch_button, switch_errors, use_notices, when},
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
    let lever = Lever::new(tool.enabled, tool.version);
    let (again, moved) = (again.clone(), lever.clone());
    let notices = use_notices();
    let label = tool.label.clone();
    let done = move |answer: Answer| {
        if let Some(now) = answer.read::<GlobalToolOut>() {
            moved.set(now.enabled, now.version);
            let text = if now.enabled { t.switched_on(&label) } else { t.switched_off(&label) };
            let undo = Undo::global_tool(now.tool_name, !now.enabled, now.version);
            notices.done_with_undo(text, undo, &again);
        }
        again();
    };
    let (name, named) = (tool.tool_name.clone(), t.switch_tool(&tool.label));
    let reason_id = format!("reason-{name}");
    view! {
        <PostForm post=post class="switch-form" fields=Fields::Empty on_done=Arc::new(done)>
            <input type="hidden" name="tool_name" value=name/>
            {lever.fields("enabled")}
            {switch_button(post, &lever, named, (t.on(), t.off()))}
            <details class="reason">
                <summary>{icon("note")}{t.with_reason()}</summary>
                <div class="reason-body">
                    <label class="field-label" r#for=reason_id.clone()>{t.reason()}</label>
                    <div class="input-group">
                        <input class="input" type="text" id=reason_id name="reason" maxlength="300" autocomplete="off"/>
                        {move || submit_button(post, "button", if lever.is_on() { t.switch_off() } else { t.switch_on() })}
                    </div>
                    <p class="field-hint">{t.reason_hint()}</p>
                </div>
            </details>
        </PostForm>
    }
    .into_any()
}
