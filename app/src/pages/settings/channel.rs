//! One way to the outside: set up, tested, signed anew, removed.

use crate::{
    api::{
        channels::{
            ChannelForm, ChannelView, DeleteChannel, GetChannel, PutChannel, RotateChannelSecret, TestChannel,
        },
        session::{ShownSecret, TestOutcome},
    },
    components::{
        Confirm, awaited, heading, load_error, loading, page_header, page_title, say_and_reload,
        settings_tabs, shown_secret, test_outcome, use_notices,
    },
    form::{
        Again, Answer, DraftForm, Post, PostForm, conflict, described_facts, described_fields, error_summary,
        not_a_conflict, submit_button, working,
    },
    live::use_live,
    load::{Question, load},
    location::use_location,
    session::use_session,
    texts::{Texts, texts},
};
use ability::{Action, Subject};
use leptos::prelude::*;
use std::sync::Arc;

impl Question for GetChannel {
    fn fields(&self) -> Option<Vec<(&'static str, String)>> {
        Some(vec![("kind", self.kind.clone())])
    }
}

/// The forms of the page, made once: what they were answered outlives the list that is brought anew.
#[derive(Clone, Copy)]
struct Forms {
    put: Post,
    test: Post,
    rotate: Post,
    delete: Post,
    secret: RwSignal<Option<ShownSecret>>,
    tested: RwSignal<Option<TestOutcome>>,
}

pub fn channel() -> AnyView {
    let t = texts();
    let (live, session, location) = (use_live(), use_session(), use_location());
    let kind = move || location.with(|address| address.last_part());
    let channel = load(move || (live.data(), GetChannel { kind: kind() }));
    let again: Again = Arc::new(move || channel.refetch());
    let forms = Forms {
        put: Post::to::<PutChannel>(),
        test: Post::to::<TestChannel>(),
        rotate: Post::to::<RotateChannelSecret>(),
        delete: Post::to::<DeleteChannel>(),
        secret: RwSignal::new(None),
        tested: RwSignal::new(None),
    };
    page_title(t.channels_title());
    let shown = move |out: ChannelForm| {
        let may_change = session.can(Action::Manage, Subject::Integration);
        let top = heading(out.channel.title.clone(), out.channel.lead.clone());
        let body =
            if may_change { channel_forms(t, forms, out, &again) } else { described_facts(out.fields) };
        view! { {top} {settings_tabs()} {body} }.into_any()
    };
    let answered = move || {
        Some(match channel.get()? {
            Ok(out) => shown(out),
            Err(error) => {
                view! { {page_header(t.channels_title(), t.channels_lead())} {load_error(&error)} }.into_any()
            }
        })
    };
    view! {
        {awaited(loading, answered)}
        <p class="section"><a href="/settings/channels">{t.channels_all()}</a></p>
    }
    .into_any()
}

fn channel_forms(t: Texts, forms: Forms, out: ChannelForm, again: &Again) -> AnyView {
    let ChannelForm { channel, seen_version, fields } = out;
    let is_on = channel.place.is_some();
    let labels = fields.iter().map(|field| (field.name.clone(), field.label.clone())).collect();
    let (notices, after) = (use_notices(), again.clone());
    let done = move |answer: Answer| {
        forms.secret.set(answer.read::<Option<ShownSecret>>().flatten());
        notices.done(t.saved());
        after();
    };
    let kind = channel.kind.clone();
    let here = format!("/settings/channels/{kind}");
    view! {
        {move || forms.secret.get().map(shown_secret)}
        {move || forms.tested.get().map(test_outcome)}
        {error_summary(forms.delete)}
        {error_summary(forms.rotate)}
        <div class="settings">
            <section class="settings-section" aria-labelledby="channel-settings">
                <header><h2 id="channel-settings">{t.channel_settings()}</h2></header>
                <div class="card">
                    {not_a_conflict(forms.put, labels)}
                    <DraftForm post=forms.put class="form" on_done=Arc::new(done)>
                        {conflict(forms.put, here)}
                        <input type="hidden" name="kind" value=kind/>
                        <input type="hidden" name="seen_version" value=seen_version.to_string()/>
                        {described_fields(forms.put, fields)}
                        <div class="form-actions">{submit_button(forms.put, "button button-primary", t.save())}</div>
                    </DraftForm>
                </div>
            </section>
            {is_on.then(|| test_section(t, forms, &channel))}
            {(is_on && channel.is_signing).then(|| rotate_section(t, forms, &channel, again))}
            {is_on.then(|| removal(t, forms, &channel, again))}
        </div>
    }
    .into_any()
}

fn test_section(t: Texts, forms: Forms, channel: &ChannelView) -> AnyView {
    let done = move |answer: Answer| forms.tested.set(answer.read());
    let kind = channel.kind.clone();
    let to = channel.test_label.clone().map(|label| {
        view! {
            <div class="field">
                <label class="field-label" r#for="test_channel-to">{label}</label>
                <input class="input" type="text" id="test_channel-to" name="to" autocomplete="off"/>
            </div>
        }
        .into_any()
    });
    view! {
        <section class="settings-section" aria-labelledby="channel-test">
            <header>
                <h2 id="channel-test">{t.channel_test()}</h2>
                <p class="section-lead">{t.channel_test_lead()}</p>
            </header>
            <div class="card">
                {error_summary(forms.test)}
                <PostForm post=forms.test class="form" on_done=Arc::new(done)>
                    <input type="hidden" name="kind" value=kind/>
                    {to}
                    <div class="form-actions">{submit_button(forms.test, "button", t.channel_test())} {working(forms.test)}</div>
                </PostForm>
            </div>
        </section>
    }
    .into_any()
}

fn rotate_section(t: Texts, forms: Forms, channel: &ChannelView, again: &Again) -> AnyView {
    let after = again.clone();
    let done = move |answer: Answer| {
        forms.secret.set(answer.read::<Option<ShownSecret>>().flatten());
        // With the new secret the channel has a new version.
        after();
    };
    let kind = channel.kind.clone();
    view! {
        <section class="settings-section" aria-labelledby="channel-rotate">
            <header>
                <h2 id="channel-rotate">{t.channel_rotate()}</h2>
                <p class="section-lead">{t.channel_rotate_lead()}</p>
            </header>
            <div class="card">
                <PostForm post=forms.rotate on_done=Arc::new(done)>
                    <input type="hidden" name="kind" value=kind/>
                    {submit_button(forms.rotate, "button", t.channel_rotate())}
                </PostForm>
            </div>
        </section>
    }
    .into_any()
}

fn removal(t: Texts, forms: Forms, channel: &ChannelView, again: &Again) -> AnyView {
    let kind = channel.kind.clone();
    view! {
        <section class="settings-section" aria-labelledby="channel-remove">
            <header><h2 id="channel-remove">{t.channel_remove()}</h2></header>
            <div class="card">
                <Confirm
                    id="remove-channel".to_owned()
                    post=forms.delete
                    ask=t.remove()
                    act=t.remove()
                    about=channel.title.clone()
                    title=t.channel_remove_title(&channel.title)
                    lead=t.channel_remove_lead()
                    on_done=say_and_reload(t.channel_removed(), again)
                >
                    <input type="hidden" name="kind" value=kind/>
                </Confirm>
            </div>
        </section>
    }
    .into_any()
}
