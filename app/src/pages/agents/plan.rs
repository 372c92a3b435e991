//! What a change of assignments would do, before it is done.

use crate::{
    api::{
        agents::assignments::{PlanMade, PlanOut, ReviewAssignments, SaveAssignments},
        undo::Undo,
    },
    browser,
    components::{awaited, effect, load_error, loading, use_notices},
    form::{Again, Answer, Post, PostForm, error_summary, submit_button},
    load::{Question, load},
    location::{Address, use_location},
    texts::Texts,
};
use leptos::prelude::*;
use std::sync::Arc;

impl Question for ReviewAssignments {
    fn fields(&self) -> Option<Vec<(&'static str, String)>> {
        let is_plan = !(self.give.is_empty() && self.take.is_empty());
        is_plan.then(|| vec![("give", self.give.clone()), ("take", self.take.clone())])
    }
}

/// The wish in an address.
pub struct Wish {
    pub is_there: bool,
    pub give: String,
    pub take: String,
}

impl Wish {
    pub fn of(address: &Address) -> Self {
        let text = |name| address.value(name).unwrap_or_default();
        Self { is_there: !text("plan").is_empty(), give: text("give"), take: text("take") }
    }

    /// Whether the box of a pair is ticked, when the wish comes over what holds.
    pub fn ticks(&self, pair: &str, holds: bool) -> bool {
        let has = |list: &str| list.split(',').any(|one| one == pair);
        (holds || has(&self.give)) && !has(&self.take)
    }
}

pub fn plan(t: Texts, again: impl Fn() + Clone + Send + Sync + 'static) -> AnyView {
    let location = use_location();
    let post = Post::to::<SaveAssignments>();
    let plans = load(move || {
        let Wish { give, take, .. } = location.with(Wish::of);
        (0, ReviewAssignments { give, take })
    });
    let shown = move || {
        let wish = location.with(Wish::of);
        match wish {
            Wish { is_there: false, .. } => None,
            Wish { give, take, .. } if give.is_empty() && take.is_empty() => Some(nothing_changes(t)),
            wish => plans.get().map(|answer| match answer {
                Ok(plans) if plans.is_empty() => nothing_changes(t),
                Ok(plans) => plan_view(t, post, wish, plans, again.clone()),
                Err(error) => load_error(&error),
            }),
        }
    };
    view! { {error_summary(post)} {awaited(loading, shown)} }.into_any()
}

const PLAN: &str = "plan";

/// The button that asks for it may be far below.
fn into_view() {
    effect(|| browser::scroll_to(PLAN));
}

fn nothing_changes(t: Texts) -> AnyView {
    into_view();
    view! { <p class="alert alert-done" role="status" id=PLAN>{t.plan_nothing()}</p> }.into_any()
}

fn plan_view(
    t: Texts,
    post: Post,
    wish: Wish,
    plans: Vec<PlanOut>,
    again: impl Fn() + Clone + Send + Sync + 'static,
) -> AnyView {
    let (location, notices) = (use_location(), use_notices());
    let back = location.with_untracked(|address| format!("{}?{}", address.path, address.query));
    let versions: Vec<String> = plans.iter().map(|plan| format!("{}~{}", plan.slug, plan.version)).collect();
    let versions = versions.join(",");
    let undo = Undo::assignments(&wish.give, &wish.take, &versions, &back);
    let done = move |answer: Answer| {
        let Some(made) = answer.read::<PlanMade>() else { return };
        let again: Again = Arc::new(again.clone());
        notices.done_with_undo(t.plan_saved(), undo.clone(), &again);
        location.go(&made.address, false);
        again();
    };
    into_view();
    let away = location.with_untracked(without_plan);
    let agents: Vec<AnyView> = plans.into_iter().map(|plan| of_agent(t, plan)).collect();
    view! {
        <section class="card plan" aria-labelledby=PLAN role="status">
            <h2 id=PLAN>{t.plan_title()}</h2>
            <p class="section-lead">{t.plan_lead()}</p>
            {agents}
            <PostForm post=post class="form-actions" on_done=Arc::new(done)>
                <input type="hidden" name="give" value=wish.give/>
                <input type="hidden" name="take" value=wish.take/>
                <input type="hidden" name="versions" value=versions/>
                <input type="hidden" name="back" value=back/>
                {submit_button(post, "button button-primary", t.plan_save())}
                <a class="button" href=away>{t.cancel()}</a>
            </PostForm>
        </section>
    }
    .into_any()
}

fn without_plan(address: &Address) -> String {
    let is_other = |pair: &&str| {
        let name = pair.split('=').next().unwrap_or_default();
        !pair.is_empty() && !["give", "take", "plan"].contains(&name)
    };
    let rest: Vec<&str> = address.query.split('&').filter(is_other).collect();
    format!("{}?{}", address.path, rest.join("&"))
}

fn of_agent(t: Texts, plan: PlanOut) -> AnyView {
    let side = |class: &'static str, label: &'static str, names: Vec<String>| {
        (!names.is_empty()).then(|| {
            let names: Vec<AnyView> =
                names.into_iter().map(|name| view! { <li><code>{name}</code></li> }.into_any()).collect();
            view! { <div class=class><p>{label}</p><ul class="chips">{names}</ul></div> }.into_any()
        })
    };
    view! {
        <div class="plan-agent">
            <h3>{plan.name}</h3>
            {side("plan-side plan-gains", t.plan_gains(), plan.gains)}
            {side("plan-side plan-loses", t.plan_loses(), plan.loses)}
        </div>
    }
    .into_any()
}
