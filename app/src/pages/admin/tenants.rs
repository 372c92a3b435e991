//! All organisations: create, rename, name an owner.

use crate::{
    api::admin_tenants::{CreateTenant, InviteOwner, RenameTenant, list_tenants},
    components::{
        InvitationLinkCard, When, empty_state, load_error, loading, page_header, row_errors, use_notices,
    },
    form::{Answer, Post, PostForm, TextField, error_summary, submit_button},
    session::use_session,
    texts::{Texts, texts},
};
use domain::tenant::{InvitationLink, TenantOut};
use leptos::prelude::*;

#[component]
pub fn Tenants() -> impl IntoView {
    let t = texts();
    let tenants = Resource::new(|| (), |()| list_tenants());
    let session = use_session();
    let again = Callback::new(move |()| {
        tenants.refetch();
        session.refetch();
    });
    let link = RwSignal::new(None::<InvitationLink>);
    let (refused_name, refused_owner) = (Post::to::<RenameTenant>(), Post::to::<InviteOwner>());
    let shown = move || {
        tenants.get().map(|tenants| match tenants {
            Ok(list) if list.is_empty() => {
                empty_state("tenants", t.tenants_empty_title(), t.tenants_empty_lead(), ())
            }
            Ok(list) => tenant_table(t, list, again, link),
            Err(error) => load_error(&error),
        })
    };
    view! {
        {page_header(t.tenants_title(), t.tenants_lead())}
        {error_summary(refused_name)}
        {error_summary(refused_owner)}
        {move || link.get().map(|link| view! { <InvitationLinkCard link=link/> })}
        <div class="card card-flush"><Transition fallback=loading>{shown}</Transition></div>
        {create_form(t, again)}
    }
    .into_any()
}

fn tenant_table(
    t: Texts,
    list: Vec<TenantOut>,
    again: Callback<()>,
    link: RwSignal<Option<InvitationLink>>,
) -> AnyView {
    let rows = list
        .into_iter()
        .map(|tenant| tenant_row(t, tenant, again, link))
        .collect_view();
    view! {
        <table class="table">
            <caption class="visually-hidden">{t.tenants_title()}</caption>
            <thead>
                <tr>
                    <th scope="col">{t.organisation()}</th>
                    <th scope="col">{t.tenant_members()}</th>
                    <th scope="col">{t.tenant_since()}</th>
                    <th scope="col">{t.actions()}</th>
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
    }
    .into_any()
}

fn tenant_row(
    t: Texts,
    tenant: TenantOut,
    again: Callback<()>,
    link: RwSignal<Option<InvitationLink>>,
) -> AnyView {
    let actions = (rename(t, &tenant, again), invite_owner(t, &tenant, link));
    view! {
        <tr>
            <td><p class="cell-title">{tenant.name}</p><p class="cell-detail"><code>{tenant.slug}</code></p></td>
            <td data-label=t.tenant_members()>{tenant.member_count}</td>
            <td data-label=t.tenant_since()><When at=tenant.created_at/></td>
            <td><div class="disclosures">{actions}</div></td>
        </tr>
    }
    .into_any()
}

fn rename(t: Texts, tenant: &TenantOut, again: Callback<()>) -> AnyView {
    let post = Post::one_of::<RenameTenant>();
    row_errors(post);
    let notices = use_notices();
    let done = move |_| {
        notices.done(t.tenant_renamed());
        again.run(());
    };
    let field = view! {
        <input class="input" type="text" name="name" required=true value=tenant.name.clone() autocomplete="off" aria-label=t.tenant_rename_named(&tenant.name)/>
        {submit_button(post, "button", t.save())}
    };
    row_form(
        post,
        t.tenant_rename(),
        tenant.id.to_string(),
        field.into_any(),
        Callback::new(done),
    )
}

fn invite_owner(t: Texts, tenant: &TenantOut, link: RwSignal<Option<InvitationLink>>) -> AnyView {
    let post = Post::one_of::<InviteOwner>();
    row_errors(post);
    let done = move |answer: Answer| link.set(answer.read());
    let field = view! {
        <input class="input" type="email" name="email" required=true autocomplete="off" placeholder=t.email() aria-label=t.tenant_invite_owner_for(&tenant.name)/>
        {submit_button(post, "button", t.invite_submit())}
    };
    row_form(
        post,
        t.tenant_invite_owner(),
        tenant.id.to_string(),
        field.into_any(),
        Callback::new(done),
    )
}

/// A small form in a row, folded away until it is wanted.
fn row_form(
    post: Post,
    summary: &'static str,
    tenant_id: String,
    field: AnyView,
    done: Callback<Answer>,
) -> AnyView {
    view! {
        <details class="disclosure">
            <summary>{summary}</summary>
            <PostForm post=post class="input-group" reset=true on_done=done>
                <input type="hidden" name="tenant_id" value=tenant_id/>
                {field}
            </PostForm>
        </details>
    }
    .into_any()
}

fn create_form(t: Texts, again: Callback<()>) -> AnyView {
    let post = Post::to::<CreateTenant>();
    let notices = use_notices();
    let done = move |answer: Answer| {
        if let Some(tenant) = answer.read::<TenantOut>() {
            notices.done(t.tenant_created(&tenant.name));
        }
        again.run(());
    };
    view! {
        <section class="section" aria-labelledby="create-tenant">
            <header class="section-header">
                <h2 id="create-tenant">{t.tenant_create()}</h2>
                <p class="section-lead">{t.tenant_create_lead()}</p>
            </header>
            <div class="card">
                {error_summary(post)}
                <PostForm post=post class="form" reset=true on_done=Callback::new(done)>
                    <TextField post=post name="name" label=t.name()/>
                    <TextField post=post name="slug" label=t.tenant_slug() hint=t.tenant_slug_hint() required=false/>
                    <div class="form-actions">
                        {submit_button(post, "button button-primary", t.tenant_create_submit())}
                    </div>
                </PostForm>
            </div>
        </section>
    }
    .into_any()
}
