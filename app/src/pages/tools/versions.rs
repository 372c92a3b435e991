//! Every version of a tool, what each changed, and the way back.

use super::{
    head::{missing, tabs, trail},
    tool::tool_id,
};
use crate::{
    api::tools::{
        edit::ToolChanged,
        versions::{ChangeOut, LineOut, ListToolVersions, RestoreTool, Side, VersionList, VersionOut},
    },
    components::{
        Confirm, awaited, badge, breaking_change, heading, loading, page_title, row_errors, use_notices, when,
    },
    form::{Again, Answer, Done, Post, error_summary},
    load::{Question, load},
    location::use_location,
    session::use_session,
    texts::{Texts, texts},
};
use ability::{Action, Subject};
use leptos::prelude::*;
use std::sync::Arc;

impl Question for ListToolVersions {
    fn fields(&self) -> Option<Vec<(&'static str, String)>> {
        Some(vec![("tool_id", self.tool_id.clone())])
    }
}

pub fn versions() -> AnyView {
    let t = texts();
    page_title(t.tab_versions());
    let location = use_location();
    let list = load(move || (0, ListToolVersions { tool_id: tool_id(location) }));
    let again: Again = Arc::new(move || list.refetch());
    let breaking = RwSignal::new(None);
    let notices = use_notices();
    let restored: Done = Arc::new(move |answer: Answer| {
        breaking.set(answer.read::<ToolChanged>().and_then(|changed| changed.breaking));
        notices.done(t.version_restored());
        again();
    });
    let shown = move || {
        list.get().map(|answer| match answer {
            Ok(found) => version_list(t, &tool_id(location), found, &restored),
            Err(error) => missing(t, &error),
        })
    };
    view! {
        {error_summary(Post::to::<RestoreTool>())}
        {move || breaking.get().map(breaking_change)}
        {awaited(loading, shown)}
    }
    .into_any()
}

fn version_list(t: Texts, id: &str, found: VersionList, restored: &Done) -> AnyView {
    let may_restore = !found.is_system && use_session().can(Action::Update, Subject::ToolManagement);
    let now = found.version;
    let restore =
        |version: i64| (may_restore && version != now).then(|| restore_button(t, id, version, now, restored));
    let cards: Vec<AnyView> = found
        .versions
        .into_iter()
        .map(|version| {
            let button = restore(version.version);
            card(t, version, now, button)
        })
        .collect();
    view! {
        {trail(t)}
        {heading(found.display_name, t.versions_lead())}
        {tabs(t, id)}
        <ol class="versions">{cards}</ol>
    }
    .into_any()
}

fn restore_button(t: Texts, id: &str, version: i64, now: i64, restored: &Done) -> AnyView {
    let post = Post::one_of::<RestoreTool>();
    row_errors(post);
    let number = version.to_string();
    let id = id.to_owned();
    view! {
        <Confirm
            id=format!("restore-{number}")
            post=post
            ask=t.restore()
            act=t.restore()
            about=t.tool_version(&number)
            title=t.restore_title(&number)
            lead=t.restore_lead()
            is_dangerous=false
            on_done=restored.clone()
        >
            <input type="hidden" name="tool_id" value=id/>
            <input type="hidden" name="version" value=number/>
            <input type="hidden" name="seen_version" value=now.to_string()/>
        </Confirm>
    }
    .into_any()
}

fn card(t: Texts, version: VersionOut, now: i64, button: Option<AnyView>) -> AnyView {
    let changes: Vec<AnyView> = version.changes.into_iter().map(|change| change_view(t, change)).collect();
    let none = changes.is_empty().then(|| {
        let text = if version.version == 1 { t.version_first() } else { t.version_unseen() };
        view! { <p class="cell-detail">{text}</p> }
    });
    view! {
        <li class="card version">
            <div class="version-head">
                <h2>{t.tool_version(&version.version.to_string())}</h2>
                {(version.version == now).then(|| badge("on", t.version_now()))}
                <p class="cell-detail">{when(version.at)} " · " {version.changed_by}</p>
                {button}
            </div>
            {version.note.map(|note| view! { <p class="cell-reason">{note}</p> })}
            {none}
            {changes}
        </li>
    }
    .into_any()
}

fn change_view(t: Texts, change: ChangeOut) -> AnyView {
    let line = |line: LineOut| {
        let (class, mark) = match line.side {
            Side::Same => ("diff-same", "  "),
            Side::Gone => ("diff-gone", "− "),
            Side::New => ("diff-new", "+ "),
        };
        view! { <span class=class>{mark}{line.text}"\n"</span> }.into_any()
    };
    let label = t.change_of(&change.field);
    let lines: Vec<AnyView> = change.lines.into_iter().map(line).collect();
    view! {
        <div class="change">
            <p><code>{change.field}</code></p>
            <pre class="code-block diff" tabindex="0" role="group" aria-label=label>{lines}</pre>
        </div>
    }
    .into_any()
}
