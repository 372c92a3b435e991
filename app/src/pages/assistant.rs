//! The conversation with the assistant: what was said, what can be chosen as buttons, and a field to say more. Every
//! button is a form of its own, so that it works before and without JavaScript.

use crate::{
    api::assistant::{CreateLinkCode, GetAssistant, SendToAssistant},
    components::{awaited, empty_state, load_error, loading, page_header},
    form::{Again, Done, Fields, NativeForm, Post, PostForm, error_summary, submit_button},
    live::use_live,
    load::{Question, load},
    pages::tools::no_organisation,
    texts::{Texts, texts},
};
use domain::{
    ErrorCode,
    assistant::{AssistantConversationOut, AssistantLine, AssistantOption, AssistantState},
};
use leptos::prelude::*;
use std::sync::Arc;

impl Question for GetAssistant {}

pub fn assistant() -> AnyView {
    let t = texts();
    let live = use_live();
    // A choice that was made on another device is a call: the conversation goes on here as well.
    let talk = load(move || (live.tools() + live.executions() + live.data(), GetAssistant {}));
    let again: Again = Arc::new(move || talk.refetch());
    let post = Post::to::<SendToAssistant>();
    let shown = move || {
        talk.get().map(|answer| match answer {
            Ok(talk) => conversation(t, post, talk, &again),
            Err(error) if error.code() == ErrorCode::TenantRequired => no_organisation(t),
            Err(error) => load_error(&error),
        })
    };
    view! {
        {page_header(t.assistant_title(), t.assistant_lead())}
        {error_summary(post)}
        <div class="assistant">{awaited(loading, shown)}</div>
        {phone(t)}
    }
    .into_any()
}

fn conversation(t: Texts, post: Post, talk: Option<AssistantConversationOut>, again: &Again) -> AnyView {
    let seen = talk.as_ref().map(seen).unwrap_or_default();
    let state = talk.as_ref().map(|talk| talk.state);
    let (lines, options) = talk.map(|talk| (talk.lines, talk.options)).unwrap_or_default();
    let said = if lines.is_empty() {
        empty_state("note", t.assistant_empty_title(), t.assistant_empty_lead(), None)
    } else {
        let lines: Vec<AnyView> = lines.into_iter().map(|said| line(t, said)).collect();
        view! { <ol class="chat" aria-label=t.assistant_title()>{lines}</ol> }.into_any()
    };
    let choices = (!options.is_empty()).then(|| choices(t, &options, &seen, again));
    view! {
        {said}
        <p class="chat-state" role="status">
            {state.map(|state| t.assistant_state(state))}
            <span class="chat-working">{move || post.is_pending().then(|| t.assistant_working())}</span>
        </p>
        {choices}
        {say(t, post, &seen, state, again)}
    }
    .into_any()
}

/// The conversation and the menu of it that the page shows: what every answer names.
type Seen = Vec<(&'static str, String)>;

fn seen(talk: &AssistantConversationOut) -> Seen {
    let menu = talk.menu_id.map(|menu| ("menu_id", menu.to_string()));
    [("conversation_id", talk.id.to_string())].into_iter().chain(menu).collect()
}

fn line(t: Texts, line: AssistantLine) -> AnyView {
    let (class, who) =
        if line.is_mine { ("chat-line chat-mine", t.you()) } else { ("chat-line", t.assistant_title()) };
    view! {
        <li class=class>
            <span class="visually-hidden">{who} ": "</span>
            <p class="chat-text" dir="auto">{line.text}</p>
        </li>
    }
    .into_any()
}

fn choices(t: Texts, options: &[AssistantOption], seen: &Seen, again: &Again) -> AnyView {
    let buttons: Vec<AnyView> = options.iter().map(|option| choice(option, seen, again)).collect();
    view! { <div class="chat-choices" role="group" aria-label=t.assistant_choices()>{buttons}</div> }
        .into_any()
}

fn choice(option: &AssistantOption, seen: &Seen, again: &Again) -> AnyView {
    let post = Post::one_of::<SendToAssistant>();
    crate::components::row_errors(post);
    let class = if option.tool.is_some() { "button" } else { "button button-quiet" };
    let seen = hidden(seen);
    let (number, icon, label) = (option.number.to_string(), option.icon.clone(), option.label.clone());
    view! {
        <PostForm post=post on_done=reload(again)>
            {seen}
            <input type="hidden" name="text" value=number/>
            <button type="submit" class=class aria-disabled=move || post.pending_mark()>
                <span aria-hidden="true">{icon} " "</span>
                {label}
            </button>
        </PostForm>
    }
    .into_any()
}

/// What is over is not gone on with: the next message begins a new conversation.
fn say(t: Texts, post: Post, seen: &Seen, state: Option<AssistantState>, again: &Again) -> AnyView {
    let is_open = matches!(
        state,
        Some(AssistantState::AwaitingChoice | AssistantState::AwaitingDetails | AssistantState::Running)
    );
    let seen = is_open.then(|| hidden(seen));
    let field = format!("{}-text", post.scope());
    view! {
        <PostForm post=post class="chat-form" fields=Fields::Empty on_done=reload(again)>
            {seen}
            <label class="field-label" r#for=field.clone()>{t.assistant_say()}</label>
            <textarea class="input" id=field name="text" rows="2" required=true maxlength="65536" dir="auto"></textarea>
            {submit_button(post, "button button-primary", t.send())}
        </PostForm>
    }
    .into_any()
}

fn hidden(fields: &Seen) -> AnyView {
    let field = |(name, value): (&'static str, String)| {
        view! { <input type="hidden" name=name value=value/> }.into_any()
    };
    fields.iter().cloned().map(field).collect::<Vec<_>>().into_any()
}

fn reload(again: &Again) -> Done {
    let again = again.clone();
    Arc::new(move |_| again())
}

/// The code is shown on the page that follows, once.
fn phone(t: Texts) -> AnyView {
    let post = Post::to::<CreateLinkCode>();
    view! {
        <section class="section" aria-labelledby="phone">
            <header class="section-header">
                <h2 id="phone">{t.phone_title()}</h2>
                <p class="section-lead">{t.phone_lead()}</p>
            </header>
            {error_summary(post)}
            <NativeForm post=post>{submit_button(post, "button", t.phone_code())}</NativeForm>
        </section>
    }
    .into_any()
}
