//! The ways to the outside, all on one page; each has its own behind it.

use crate::{
    api::channels::{ChannelView, ListChannels},
    components::{Column, badge, loaded, page_header, settings_tabs, table, when},
    live::use_live,
    load::{Question, load},
    session::use_session,
    texts::{Texts, texts},
};
use ability::{Action, Subject};
use leptos::prelude::*;

impl Question for ListChannels {}

pub fn channels() -> AnyView {
    let t = texts();
    let live = use_live();
    let session = use_session();
    let channels = load(move || (live.data(), ListChannels {}));
    let shown = move |list: Vec<ChannelView>| {
        let may_change = session.can(Action::Manage, Subject::Integration);
        let columns = vec![
            Column::Named(t.channel()),
            Column::Named(t.channel_place()),
            Column::Named(t.last_change()),
            Column::Heard(t.actions()),
        ];
        let rows = list.into_iter().map(|channel| channel_row(t, channel, may_change)).collect();
        table("table", t.channels_title(), columns, rows)
    };
    view! {
        {page_header(t.channels_title(), t.channels_lead())}
        {settings_tabs()}
        <div class="card card-flush">{loaded(channels, shown)}</div>
    }
    .into_any()
}

fn channel_row(t: Texts, channel: ChannelView, may_change: bool) -> AnyView {
    let is_on = channel.place.is_some();
    let act = match (may_change, is_on) {
        (true, true) => t.channel_edit(),
        (true, false) => t.channel_set_up(),
        (false, _) => t.channel_view(),
    };
    let named = t.channel_open_named(act, &channel.title);
    let href = format!("/settings/channels/{}", channel.kind);
    let open = (may_change || is_on)
        .then(|| view! { <a class="button" href=href aria-label=named>{act}</a> }.into_any());
    let state = if is_on { badge("on", t.channel_on()) } else { badge("quiet", t.channel_off()) };
    view! {
        <tr>
            <td>
                <p class="cell-title">{channel.title} " " {state}</p>
                <p class="cell-detail">{channel.lead}</p>
            </td>
            <td data-label=t.channel_place()>{channel.place.unwrap_or_default()}</td>
            <td data-label=t.last_change()>{channel.updated_at.map(when)}</td>
            <td class="cell-actions">{open}</td>
        </tr>
    }
    .into_any()
}
