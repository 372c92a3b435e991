//! Where the person is signed in, and how to end it.

use crate::{
    api::account::{RevokeOtherSessions, RevokeSession, list_sessions},
    components::{When, badge, load_error, loading, row_errors, use_notices},
    form::{Post, PostForm, error_summary, submit_button},
    texts::{Texts, texts},
};
use domain::account::SessionOut;
use leptos::prelude::*;

#[component]
pub fn Sessions() -> impl IntoView {
    let t = texts();
    let sessions = Resource::new(|| (), |()| list_sessions());
    let again = Callback::new(move |()| sessions.refetch());
    let refused_one = Post::to::<RevokeSession>();
    let shown = move || {
        sessions.get().map(|sessions| match sessions {
            Ok(list) => session_table(t, list, again),
            Err(error) => load_error(&error),
        })
    };
    view! {
        <section class="settings-section" aria-labelledby="sessions">
            <header>
                <h2 id="sessions">{t.sessions()}</h2>
                <p class="section-lead">{t.sessions_lead()}</p>
            </header>
            <div class="card card-flush">
                {error_summary(refused_one)}
                <Transition fallback=loading>{shown}</Transition>
            </div>
        </section>
    }
    .into_any()
}

fn session_table(t: Texts, list: Vec<SessionOut>, again: Callback<()>) -> AnyView {
    let has_others = list.len() > 1;
    let rows = list
        .into_iter()
        .map(|session| session_row(t, session, again))
        .collect_view();
    view! {
        <table class="table">
            <caption class="visually-hidden">{t.sessions()}</caption>
            <thead>
                <tr>
                    <th scope="col">{t.session_device()}</th>
                    <th scope="col">{t.session_seen()}</th>
                    <th scope="col"><span class="visually-hidden">{t.actions()}</span></th>
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
        {has_others.then(|| end_others(t, again))}
    }
    .into_any()
}

fn session_row(t: Texts, session: SessionOut, again: Callback<()>) -> AnyView {
    let device = session
        .user_agent
        .as_deref()
        .map_or(t.unknown_device().to_owned(), device_name);
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
                    <When at=session.created_at/>
                </p>
            </td>
            <td data-label=t.session_seen()><When at=session.last_seen_at/></td>
            <td class="cell-actions">{end}</td>
        </tr>
    }
    .into_any()
}

fn end_one(t: Texts, session: &SessionOut, device: &str, again: Callback<()>) -> AnyView {
    let post = Post::one_of::<RevokeSession>();
    row_errors(post);
    let notices = use_notices();
    let done = move |_| {
        notices.done(t.session_ended());
        again.run(());
    };
    let label = t.session_end_named(device);
    let id = session.id.to_string();
    view! {
        <PostForm post=post on_done=Callback::new(done)>
            <input type="hidden" name="session_id" value=id/>
            <button type="submit" class="button button-quiet-danger" aria-label=label>{t.session_end()}</button>
        </PostForm>
    }
    .into_any()
}

fn end_others(t: Texts, again: Callback<()>) -> AnyView {
    let post = Post::to::<RevokeOtherSessions>();
    let notices = use_notices();
    let done = move |_| {
        notices.done(t.sessions_ended());
        again.run(());
    };
    view! {
        <div class="card-footer">
            {error_summary(post)}
            <PostForm post=post on_done=Callback::new(done)>
                {submit_button(post, "button", t.sessions_end_others())}
            </PostForm>
        </div>
    }
    .into_any()
}

/// "Firefox · Linux" from a user agent, as far as it tells; browsers claim to be each other, so order matters.
fn device_name(user_agent: &str) -> String {
    let first = |known: &[(&str, &'static str)]| {
        known
            .iter()
            .find(|(sign, _)| user_agent.contains(sign))
            .map(|k| k.1)
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
