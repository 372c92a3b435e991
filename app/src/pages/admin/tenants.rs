//! All organisations: create, rename, name an owner.

use crate::{
    api::admin_tenants::{CreateTenant, InviteOwner, ListTenants, RenameTenant},
    components::{
        Column, empty_state, invitation_link, loaded, page_header, row_errors, say_and_reload, table,
        use_notices, when,
    },
    form::{Again, Answer, Done, Fields, Post, PostForm, TextField, error_summary, submit_button},
    load::{Question, load},
    session::use_session,
    texts::{Texts, texts},
};
use domain::tenant::{InvitationLink, TenantOut};
use leptos::prelude::*;
use std::sync::Arc;

impl Question for ListTenants {}

/// The link of the last invitation, shown above the list.
type LastLink = RwSignal<Option<InvitationLink>>;

pub fn tenants() -> AnyView {
    let t = texts();
    let tenants = load(|| (0, ListTenants {}));
    let session = use_session();
    let again: Again = Arc::new(move || {
        tenants.refetch();
        session.refetch();
    });
    let form = create_form(t, again.clone());
    let link = LastLink::new(None);
    let shown = move |list: Vec<TenantOut>| {
        if list.is_empty() {
            return empty_state("tenants", t.tenants_empty_title(), t.tenants_empty_lead(), None);
        }
        tenant_table(t, list, &again, link)
    };
    view! {
        {page_header(t.tenants_title(), t.tenants_lead())}
        {error_summary(Post::to::<RenameTenant>())}
        {error_summary(Post::to::<InviteOwner>())}
        {move || link.get().map(invitation_link)}
        <div class="card card-flush">{loaded(tenants, shown)}</div>
        {form}
    }
    .into_any()
}

fn tenant_table(t: Texts, list: Vec<TenantOut>, again: &Again, link: LastLink) -> AnyView {
    let columns = [t.organisation(), t.tenant_members(), t.tenant_since(), t.actions()].map(Column::Named);
    let rows = list.into_iter().map(|tenant| tenant_row(t, tenant, again, link)).collect();
    table("table", t.tenants_title(), columns.into(), rows)
}

fn tenant_row(t: Texts, tenant: TenantOut, again: &Again, link: LastLink) -> AnyView {
    let (rename, invite) = (rename(t, &tenant, again), invite_owner(t, &tenant, link));
    view! {
        <tr>
            <td><p class="cell-title">{tenant.name}</p><p class="cell-detail"><code>{tenant.slug}</code></p></td>
            <td data-label=t.tenant_members()>{tenant.member_count.to_string()}</td>
            <td data-label=t.tenant_since()>{when(tenant.created_at)}</td>
            <td><div class="disclosures">{rename}{invite}</div></td>
        </tr>
    }
    .into_any()
}

fn rename(t: Texts, tenant: &TenantOut, again: &Again) -> AnyView {
    let post = Post::one_of::<RenameTenant>();
    row_errors(post);
    let field = Field {
        kind: "text",
        name: "name",
        value: tenant.name.clone(),
        label: t.tenant_rename_named(&tenant.name),
    };
    let done = say_and_reload(t.tenant_renamed(), again);
    row_form(post, t.tenant_rename(), tenant, field, t.save(), done)
}

fn invite_owner(t: Texts, tenant: &TenantOut, link: LastLink) -> AnyView {
    let post = Post::one_of::<InviteOwner>();
    row_errors(post);
    let label = t.tenant_invite_owner_for(&tenant.name);
    let field = Field { kind: "email", name: "email", value: String::new(), label };
    let done: Done = Arc::new(move |answer: Answer| link.set(answer.read()));
    row_form(post, t.tenant_invite_owner(), tenant, field, t.invite_submit(), done)
}

/// The one field of a form in a row.
struct Field {
    kind: &'static str,
    name: &'static str,
    value: String,
    label: String,
}

/// A small form in a row, folded away until it is wanted.
fn row_form(
    post: Post,
    summary: &'static str,
    tenant: &TenantOut,
    field: Field,
    act: &'static str,
    done: Done,
) -> AnyView {
    let tenant_id = tenant.id.to_string();
    view! {
        <details class="disclosure">
            <summary>{summary}</summary>
            <PostForm post=post class="input-group" fields=Fields::Empty on_done=done>
                <input type="hidden" name="tenant_id" value=tenant_id/>
                <input
                    class="input"
                    type=field.kind
                    name=field.name
                    value=field.value
                    required=true
                    autocomplete="off"
                    aria-label=field.label
                />
                {submit_button(post, "button", act)}
            </PostForm>
        </details>
    }
    .into_any()
}

fn create_form(t: Texts, again: Again) -> AnyView {
    let post = Post::to::<CreateTenant>();
    let notices = use_notices();
    let done = move |answer: Answer| {
        if let Some(tenant) = answer.read::<TenantOut>() {
            notices.done(t.tenant_created(&tenant.name));
        }
        again();
    };
    view! {
        <section class="section" aria-labelledby="create-tenant">
            <header class="section-header">
                <h2 id="create-tenant">{t.tenant_create()}</h2>
                <p class="section-lead">{t.tenant_create_lead()}</p>
            </header>
            <div class="card">
                {error_summary(post)}
                <PostForm post=post class="form" fields=Fields::Empty on_done=Arc::new(done)>
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
