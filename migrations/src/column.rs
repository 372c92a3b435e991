//! The few kinds of column that the tables are made of.

use sea_orm_migration::prelude::{ColumnDef, IntoIden};

pub fn id(name: impl IntoIden) -> ColumnDef {
    required(name).uuid().primary_key().take()
}

pub fn uuid(name: impl IntoIden) -> ColumnDef {
    required(name).uuid().take()
}

pub fn optional_uuid(name: impl IntoIden) -> ColumnDef {
    ColumnDef::new(name).uuid().null().take()
}

pub fn text(name: impl IntoIden) -> ColumnDef {
    required(name).text().take()
}

pub fn unique_text(name: impl IntoIden) -> ColumnDef {
    required(name).text().unique_key().take()
}

pub fn optional_text(name: impl IntoIden) -> ColumnDef {
    ColumnDef::new(name).text().null().take()
}

pub fn moment(name: impl IntoIden) -> ColumnDef {
    required(name).big_integer().take()
}

pub fn optional_moment(name: impl IntoIden) -> ColumnDef {
    ColumnDef::new(name).big_integer().null().take()
}

pub fn flag(name: impl IntoIden, default: bool) -> ColumnDef {
    required(name).boolean().default(default).take()
}

/// Counts up with every row: the order in which rows were written.
pub fn sequence(name: impl IntoIden) -> ColumnDef {
    required(name).big_integer().auto_increment().primary_key().take()
}

fn required(name: impl IntoIden) -> ColumnDef {
    ColumnDef::new(name).not_null().take()
}
