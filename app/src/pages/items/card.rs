//! One item: what it is, what is known about it, and what can be done with it.

use super::{Gone, restore};
use crate::{
    api::items::{ChooseMatch, DeleteItem, UpdateItem},
    components::{badge, row_errors, say_and_reload, textarea_content, when},
    form::{Again, Done, Post, PostForm, submit_button},
    texts::Texts,
};
use domain::item::{EnrichmentState, ItemKind, ItemMatch, ItemOut};
use leptos::prelude::*;
use std::sync::Arc;

pub fn card(t: Texts, item: ItemOut, gone: Gone, again: &Again) -> AnyView {
    let id = item.id.to_string();
    let tags: Vec<AnyView> = item.tags.iter().map(|tag| tag_link(tag)).collect();
    let title = match item.details.year {
        Some(year) => format!("{} ({year})", item.title),
        None => item.title.clone(),
    };
    let acts = match item.deleted_at {
        Some(_) => restore(t, id.clone(), t.restore(), again),
        None => acts(t, &item, gone, again),
    };
    view! {
        <li class="card item" id=format!("item-{id}")>
            <span class="item-icon" aria-hidden="true">{icon(item.kind)}</span>
            <div class="item-body">
                <h2 class="item-title" dir="auto">{heading(title, item.url.clone())}</h2>
                <p class="item-facts">
                    {t.item_kind(item.kind)}
                    " · "
                    {when(item.created_at.clone())}
                    {item.details.author.clone().map(|author| format!(" · {author}"))}
                    {item.details.provider.clone().map(|provider| format!(" · {provider}"))}
                    " "
                    {progress(t, &item)}
                </p>
                {text(&item).map(|text| view! { <p class="item-text" dir="auto">{text}</p> }.into_any())}
                {(!tags.is_empty()).then(|| view! { <p class="item-tags">{tags}</p> }.into_any())}
                {matches(t, &item, again)}
                {acts}
            </div>
        </li>
    }
    .into_any()
}

/// Only an address of the web becomes a link.
fn heading(title: String, url: Option<String>) -> AnyView {
    match url.filter(|url| url.starts_with("https://") || url.starts_with("http://")) {
        Some(url) => view! { <a href=url rel="external noreferrer noopener">{title}</a> }.into_any(),
        None => title.into_any(),
    }
}

fn icon(kind: ItemKind) -> &'static str {
    match kind {
        ItemKind::Note => "💡",
        ItemKind::Movie => "🎬",
        ItemKind::TvShow => "📺",
        ItemKind::Video => "🎥",
        ItemKind::Link => "🔗",
    }
}

/// The note, unless its title says it all; or what others say about it.
fn text(item: &ItemOut) -> Option<String> {
    let own = item.text.clone().filter(|text| *text != item.title);
    let text = own.or_else(|| item.details.summary.clone())?;
    let short: String = text.chars().take(400).collect();
    Some(if short.len() < text.len() { format!("{short}…") } else { short })
}

fn progress(t: Texts, item: &ItemOut) -> Option<AnyView> {
    match item.enrichment.state {
        EnrichmentState::NotNeeded | EnrichmentState::Done => None,
        EnrichmentState::Waiting if item.enrichment.reason.as_deref() == Some("not_configured") => {
            Some(badge("quiet", t.item_no_key()))
        }
        EnrichmentState::Waiting => Some(badge("quiet", t.item_waiting())),
        EnrichmentState::Several => Some(badge("accent", t.item_several())),
        EnrichmentState::Failed => Some(badge("quiet", t.item_without_details())),
    }
}

fn tag_link(tag: &str) -> AnyView {
    let address = format!("/items?tag={}", crate::browser::encoded(tag));
    view! { <a class="badge badge-quiet" href=address>{format!("#{tag}")}</a> " " }.into_any()
}

/// Which of several it is.
fn matches(t: Texts, item: &ItemOut, again: &Again) -> Option<AnyView> {
    if item.enrichment.matches.is_empty() || item.deleted_at.is_some() {
        return None;
    }
    let one = |found: &ItemMatch| {
        let post = Post::one_of::<ChooseMatch>();
        row_errors(post);
        let (id, kind, number) = (item.id.to_string(), item.kind.to_string(), found.tmdb_id.to_string());
        let label = found.label();
        view! {
            <PostForm post=post on_done=say_and_reload(t.saved(), again)>
                <input type="hidden" name="item_id" value=id/>
                <input type="hidden" name="kind" value=kind/>
                <input type="hidden" name="tmdb_id" value=number/>
                <button type="submit" class="button" aria-disabled=move || post.pending_mark()>{label}</button>
            </PostForm>
        }
        .into_any()
    };
    let all: Vec<AnyView> = item.enrichment.matches.iter().map(one).collect();
    let label = t.item_which(&item.title);
    Some(view! { <div class="chat-choices" role="group" aria-label=label>{all}</div> }.into_any())
}

fn acts(t: Texts, item: &ItemOut, gone: Gone, again: &Again) -> AnyView {
    view! {
        <div class="item-acts">
            {edit(t, item, again)}
            {delete(t, item, gone, again)}
        </div>
    }
    .into_any()
}

fn edit(t: Texts, item: &ItemOut, again: &Again) -> AnyView {
    let post = Post::one_of::<UpdateItem>();
    row_errors(post);
    let id = item.id.to_string();
    let (title_id, text_id, tags_id) = (format!("title-{id}"), format!("text-{id}"), format!("tags-{id}"));
    let text = item.text.as_deref().map(|text| text_field(t, text_id, text));
    let about = format!("{}: {}", t.edit(), item.title);
    let (title, tags) = (item.title.clone(), item.tags.join(", "));
    view! {
        <details class="disclosure">
            <summary aria-label=about>{t.edit()}</summary>
            <PostForm post=post class="form item-form" on_done=say_and_reload(t.saved(), again)>
                <input type="hidden" name="item_id" value=id/>
                <label class="field-label" r#for=title_id.clone()>{t.item_title()}</label>
                <input class="input" type="text" id=title_id name="title" value=title required=true maxlength="300" dir="auto"/>
                {text}
                <label class="field-label" r#for=tags_id.clone()>{t.item_tags()}</label>
                <input class="input" type="text" id=tags_id name="tags" value=tags autocomplete="off"/>
                {submit_button(post, "button button-primary", t.save())}
            </PostForm>
        </details>
    }
    .into_any()
}

fn text_field(t: Texts, id: String, text: &str) -> AnyView {
    let content = textarea_content(text);
    view! {
        <label class="field-label" r#for=id.clone()>{t.item_text()}</label>
        <textarea class="input" id=id name="text" rows="6" maxlength="65536" dir="auto" inner_html=content></textarea>
    }
    .into_any()
}

fn delete(t: Texts, item: &ItemOut, gone: Gone, again: &Again) -> AnyView {
    let post = Post::one_of::<DeleteItem>();
    row_errors(post);
    let (id, title, again) = (item.id.to_string(), item.title.clone(), again.clone());
    let about = format!("{}: {title}", t.delete());
    let done: Done = {
        let id = id.clone();
        Arc::new(move |_| {
            gone.set(Some((id.clone(), title.clone())));
            again();
        })
    };
    view! {
        <PostForm post=post on_done=done>
            <input type="hidden" name="item_id" value=id/>
            <button type="submit" class="button button-quiet-danger" aria-label=about aria-disabled=move || post.pending_mark()>
                {t.delete()}
            </button>
        </PostForm>
    }
    .into_any()
}
