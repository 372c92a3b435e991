//! A question before something that cannot be taken back: a native dialog, opened without JavaScript too.

use crate::{
    browser,
    form::{Done, Post, PostForm, submit_button, working},
    texts::texts,
};
use leptos::prelude::*;

#[component]
pub fn Confirm(
    /// Unique on the page.
    id: String,
    post: Post,
    /// The words on the button that asks.
    ask: &'static str,
    /// The words on the button that does it.
    act: &'static str,
    /// Whom or what it is about.
    about: String,
    title: String,
    lead: &'static str,
    #[prop(default = true)] is_dangerous: bool,
    /// The words on the button that does nothing, where "Cancel" could mean either.
    #[prop(optional)]
    keep: Option<&'static str>,
    on_done: Done,
    /// The hidden fields of the form.
    children: Children,
) -> impl IntoView {
    let t = texts();
    let act_class = if is_dangerous { "button button-danger" } else { "button button-primary" };
    let ask_class = if is_dangerous { "button button-quiet-danger" } else { "button button-quiet" };
    let title_id = format!("{id}-title");
    let (to_open, to_close, closes, heading) = (id.clone(), id.clone(), id.clone(), title_id.clone());
    view! {
        <button
            type="button"
            class=ask_class
            aria-haspopup="dialog"
            aria-label=format!("{ask}: {about}")
            command="show-modal"
            commandfor=id.clone()
            on:click=move |_| browser::open_dialog(&to_open)
        >
            {ask}
        </button>
        <dialog class="dialog" id=id aria-labelledby=title_id>
            <PostForm post=post class="dialog-body" on_done=on_done>
                <h2 class="dialog-title" id=heading>{title}</h2>
                <p class="dialog-lead">{lead}</p>
                {children()}
                <div class="dialog-actions">
                    {working(post)}
                    <button
                        type="button"
                        class="button"
                        command="close"
                        commandfor=closes
                        on:click=move |_| browser::close_dialog(&to_close)
                    >
                        {keep.unwrap_or_else(|| t.cancel())}
                    </button>
                    {submit_button(post, act_class, act)}
                </div>
            </PostForm>
        </dialog>
    }
    .into_any()
}
