//! Where the person is signed in, and how to end it.

use crate::{
    api::account::{ListSessions, RevokeOtherSessions, RevokeSession},
    components::{Column, badge, loaded, row_errors, say_and_reload, table, when},
    form::{Again, Post, PostForm, error_summary, submit_button},
    load::{Question, load},
    texts::{Texts, texts},
};
use domain::account::SessionOut;
use leptos::prelude::*;
use std::sync::Arc;

impl Question for ListSessions {}

pub fn sessions() -> AnyView {
    let t = texts();
    let list = load(|| (0, ListSessions {}));
    let again: Again = Arc::new(move || list.refetch());
    let (one, others) = (Post::to::<RevokeSession>(), Post::to::<RevokeOtherSessions>());
    view! {
        <section class="settings-section" aria-labelledby="sessions">
            <header>
                <h2 id="sessions">{t.sessions()}</h2>
                <p class="section-lead">{t.sessions_lead()}</p>
            </header>
            <div class="card card-flush">
                {error_summary(one)}
                {error_summary(others)}
                {loaded(list, move |list| session_table(t, list, others, &again))}
            </div>
        </section>
    }
    .into_any()
}

fn session_table(t: Texts, list: Vec<SessionOut>, others: Post, again: &Again) -> AnyView {
    let has_others = list.len() > 1;
    let columns =
        vec![Column::Named(t.session_device()), Column::Named(t.session_seen()), Column::Heard(t.actions())];
    let rows = list.into_iter().map(|session| session_row(t, session, again)).collect();
    view! {
        {table("table", t.sessions(), columns, rows)}
        {has_others.then(|| end_others(t, others, again))}
    }
    .into_any()
}

fn session_row(t: Texts, session: SessionOut, again: &Again) -> AnyView {
    let device = session.user_agent.as_deref().map_or(t.unknown_device().to_owned(), device_name);
    let end = if session.is_current {
        badge("on", t.session_current())
    } else {
        end_one(t, &session, &device, again)
    };
    view! {
        <tr>
            <td>
                <p class="cell-title">{device}</p>
                <p class="cell-detail">
                    {session.address}
                    " · "
                    {t.session_started()}
                    " "
                    {when(session.created_at)}
                </p>
            </td>
            <td data-label=t.session_seen()>{when(session.last_seen_at)}</td>
            <td class="cell-actions">{end}</td>
        </tr>
    }
    .into_any()
}

fn end_one(t: Texts, session: &SessionOut, device: &str, again: &Again) -> AnyView {
    let post = Post::one_of::<RevokeSession>();
    row_errors(post);
    let (id, label) = (session.id.to_string(), t.session_end_named(device));
    view! {
        <PostForm post=post on_done=say_and_reload(t.session_ended(), again)>
            <input type="hidden" name="session_id" value=id/>
            <button type="submit" class="button button-quiet-danger" aria-label=label>{t.session_end()}</button>
        </PostForm>
    }
    .into_any()
}

fn end_others(t: Texts, post: Post, again: &Again) -> AnyView {
    view! {
        <div class="card-footer">
            <PostForm post=post on_done=say_and_reload(t.sessions_ended(), again)>
                {submit_button(post, "button", t.sessions_end_others())}
            </PostForm>
        </div>
    }
    .into_any()
}

/// "Firefox · Linux" from a user agent, as far as it tells; browsers claim to be each other, so order matters.
fn device_name(user_agent: &str) -> String {
    let first = |known: &[(&str, &'static str)]| {
        known.iter().find(|(sign, _)| user_agent.contains(sign)).map(|k| k.1)
    };
    let browser = first(&[
        ("Firefox/", "Firefox"),
        ("Edg/", "Edge"),
        ("OPR/", "Opera"),
        ("Chrome/", "Chrome"),
        ("Safari/", "Safari"),
        ("curl/", "curl"),
    ]);
    let system = first(&[
        ("Android", "Android"),
        ("iPhone", "iOS"),
        ("iPad", "iPadOS"),
        ("Windows", "Windows"),
        ("Mac OS", "macOS"),
        ("Linux", "Linux"),
    ]);
    match (browser, system) {
        (Some(browser), Some(system)) => format!("{browser} · {system}"),
        (Some(one), None) | (None, Some(one)) => one.to_owned(),
        (None, None) => user_agent.chars().take(40).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::device_name;

    #[test]
    fn a_user_agent_becomes_a_name() {
        let chrome = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0 Safari/537.36";
        assert_eq!(device_name(chrome), "Chrome · Linux");
        assert_eq!(device_name("curl/8.5.0"), "curl");
        assert_eq!(device_name("something-else"), "something-else");
    }
}
