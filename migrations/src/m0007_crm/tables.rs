//! The tables of [`super::Migration`], in the order in which they can be made.

use crate::column::{flag, id, moment, optional_moment, optional_text, optional_uuid, sequence, text, uuid};
use sea_orm_migration::prelude::*;

pub fn all() -> [TableCreateStatement; 8] {
    [contacts(), pipelines(), deals(), tasks(), products(), conversations(), messages(), scheduled_messages()]
}

/// A table of a tenant: what every row has.
fn of_tenant(name: &'static str) -> TableCreateStatement {
    let mut table = Table::create();
    table.table(name).col(uuid("tenant_id")).col(moment("created_at")).col(moment("updated_at"));
    table.foreign_key(&mut refers(name, "tenant_id", "tenants", ForeignKeyAction::Cascade));
    table.to_owned()
}

fn contacts() -> TableCreateStatement {
    of_tenant("contacts")
        .col(id("id"))
        .col(text("name"))
        .col(optional_text("email"))
        .col(optional_text("phone"))
        .col(text("status"))
        .col(text("tags"))
        .col(optional_text("notes"))
        .col(optional_text("external_id"))
        .col(text("search_text"))
        .to_owned()
}

fn pipelines() -> TableCreateStatement {
    of_tenant("pipelines").col(id("id")).col(text("name")).col(text("stages")).to_owned()
}

fn deals() -> TableCreateStatement {
    of_tenant("deals")
        .col(id("id"))
        .col(text("title"))
        .col(optional_uuid("contact_id"))
        .col(uuid("pipeline_id"))
        .col(text("stage"))
        .col(number("value_cents"))
        .col(text("currency"))
        .col(text("status"))
        .col(optional_text("external_id"))
        .foreign_key(&mut refers("deals", "contact_id", "contacts", ForeignKeyAction::SetNull))
        .foreign_key(&mut refers("deals", "pipeline_id", "pipelines", ForeignKeyAction::Cascade))
        .to_owned()
}

fn tasks() -> TableCreateStatement {
    of_tenant("tasks")
        .col(id("id"))
        .col(text("title"))
        .col(optional_text("description"))
        .col(optional_moment("due_at"))
        .col(optional_uuid("contact_id"))
        .col(optional_uuid("deal_id"))
        .col(optional_uuid("assignee"))
        .col(text("status"))
        .col(text("created_by"))
        .foreign_key(&mut refers("tasks", "contact_id", "contacts", ForeignKeyAction::SetNull))
        .foreign_key(&mut refers("tasks", "deal_id", "deals", ForeignKeyAction::SetNull))
        .foreign_key(&mut refers("tasks", "assignee", "users", ForeignKeyAction::SetNull))
        .to_owned()
}

/// `seq` is for SQLite's full-text index: it names rows by a number, and only an explicit one survives a VACUUM.
fn products() -> TableCreateStatement {
    of_tenant("products")
        .col(sequence("seq"))
        .col(uuid("id").unique_key())
        .col(text("name"))
        .col(optional_text("sku"))
        .col(optional_text("description"))
        .col(number("price_cents"))
        .col(text("currency"))
        .col(flag("is_active", true))
        .to_owned()
}

fn conversations() -> TableCreateStatement {
    of_tenant("conversations")
        .col(id("id"))
        .col(optional_uuid("contact_id"))
        .col(text("channel"))
        .col(text("status"))
        .col(optional_uuid("assigned_to"))
        .col(optional_text("subject"))
        .col(optional_uuid("agent_id"))
        .col(optional_text("resolution"))
        .col(optional_text("external_id"))
        .col(optional_moment("closed_at"))
        .foreign_key(&mut refers("conversations", "contact_id", "contacts", ForeignKeyAction::SetNull))
        .foreign_key(&mut refers("conversations", "assigned_to", "users", ForeignKeyAction::SetNull))
        .to_owned()
}

/// Messages are added and never changed.
fn messages() -> TableCreateStatement {
    Table::create()
        .table("messages")
        .col(id("id"))
        .col(uuid("tenant_id"))
        .col(uuid("conversation_id"))
        .col(text("direction"))
        .col(text("author"))
        .col(text("text"))
        .col(moment("sent_at"))
        .foreign_key(&mut refers("messages", "tenant_id", "tenants", ForeignKeyAction::Cascade))
        .foreign_key(&mut refers("messages", "conversation_id", "conversations", ForeignKeyAction::Cascade))
        .to_owned()
}

/// Without its contact nothing can be sent: it goes with them.
fn scheduled_messages() -> TableCreateStatement {
    of_tenant("scheduled_messages")
        .col(id("id"))
        .col(uuid("contact_id"))
        .col(text("channel"))
        .col(text("text"))
        .col(moment("send_at"))
        .col(text("status"))
        .col(ColumnDef::new("attempts").integer().not_null().default(0))
        .col(optional_text("last_error"))
        .col(optional_uuid("execution_id"))
        .col(optional_moment("claimed_at"))
        .col(optional_moment("sent_at"))
        .foreign_key(&mut refers("scheduled_messages", "contact_id", "contacts", ForeignKeyAction::Cascade))
        .to_owned()
}

fn number(name: &'static str) -> ColumnDef {
    ColumnDef::new(name).big_integer().not_null().take()
}

fn refers(
    table: &'static str,
    column: &'static str,
    owner: &'static str,
    when_gone: ForeignKeyAction,
) -> ForeignKeyCreateStatement {
    ForeignKey::create().from(table, column).to(owner, "id").on_delete(when_gone).to_owned()
}
