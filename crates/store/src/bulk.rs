//! Many rows of several tables in one go, with texts that the database has read before.
//!
//! A statement with a place for every value has another text for every number of rows, and reading these took longer than
//! writing the rows. PostgreSQL gets one array for each column, and all tables in one statement: one way there and back.
//! SQLite, which is not far away, gets at most so many rows at once that all texts fit into the cache of statements; and
//! what is a whole transaction goes to it without a thread in between (`sqlite/direct.rs`).
//! Values go to the driver as they are: through sea-orm each would be copied three times.

mod postgres;
mod sqlite;

pub(crate) use sqlite::direct::Direct;

use crate::{Moment, StoreError, StoreResult, WriteTx, epochs::Basis, transaction::Driver};
use sea_orm::{DatabaseConnection, sqlx::error::BoxDynError};
use uuid::Uuid;

/// One value of a row, as both databases take it.
#[derive(Clone, Copy)]
pub(crate) enum Field<'a> {
    Uuid(Option<Uuid>),
    Text(Option<&'a str>),
    Number(Option<i64>),
    Flag(bool),
    Bytes(Option<&'a [u8]>),
}

/// How a row is written.
#[derive(Clone, Copy)]
pub(crate) enum Way {
    /// `conflict` is for one that is there already: the clause behind the rows, or nothing.
    Insert { conflict: &'static str },
    /// It is there and is changed. Both texts call the values given `new`.
    Change { set: &'static str, of: &'static str },
    /// The row with these values goes. Whether it has to be there, or may be gone already.
    Remove { is_there: bool },
}

impl Way {
    /// Each row is there; when one is not, nothing is written.
    fn is_certain(self) -> bool {
        matches!(self, Self::Change { .. } | Self::Remove { is_there: true })
    }
}

/// A row that can be written with others.
pub(crate) trait Row<'a> {
    const TABLE: &'static str;
    /// A column that the database counts by itself is not among them.
    const COLUMNS: &'static [&'static str];

    fn way() -> Way {
        Way::Insert { conflict: "" }
    }

    /// In the order of the columns.
    fn put(self, fields: &mut Vec<Field<'a>>);
}

/// Says how an entity is written: its table, its columns, and the clause for rows that are there already.
macro_rules! row {
    ($model:ty, $table:literal, [$($column:ident),* $(,)?] $(, $conflict:expr)?) => {
        impl<'a> $crate::bulk::Row<'a> for &'a $model {
            const TABLE: &'static str = $table;
            const COLUMNS: &'static [&'static str] = &[$(stringify!($column)),*];
            $(fn way() -> $crate::bulk::Way {
                $crate::bulk::Way::Insert { conflict: $conflict }
            })?

            fn put(self, fields: &mut Vec<$crate::bulk::Field<'a>>) {
                use $crate::bulk::AsField;
                fields.extend([$(self.$column.as_field()),*]);
            }
        }
    };
}
pub(crate) use row;

/// Says how rows that are there are changed: a name for it, what the values are taken from, the table, the columns that
/// are only compared, those that are set, and which row of the table is meant.
macro_rules! change {
    ($name:ident, $from:ty, $table:literal, [$($key:ident),*], [$first:ident $(, $column:ident)* $(,)?], $of:literal) => {
        pub(crate) struct $name<'a>(pub &'a $from);

        impl<'a> $crate::bulk::Row<'a> for $name<'a> {
            const TABLE: &'static str = $table;
            const COLUMNS: &'static [&'static str] =
                &[$(stringify!($key),)* stringify!($first) $(, stringify!($column))*];

            fn way() -> $crate::bulk::Way {
                $crate::bulk::Way::Change {
                    set: concat!(
                        stringify!($first), " = new.", stringify!($first)
                        $(, ", ", stringify!($column), " = new.", stringify!($column))*
                    ),
                    of: $of,
                }
            }

            fn put(self, fields: &mut Vec<$crate::bulk::Field<'a>>) {
                use $crate::bulk::AsField;
                let from = self.0;
                fields.extend([$(from.$key.as_field(),)* from.$first.as_field() $(, from.$column.as_field())*]);
            }
        }
    };
}
pub(crate) use change;

pub(crate) trait AsField {
    fn as_field(&self) -> Field<'_>;
}

macro_rules! as_field {
    ($($type:ty: $value:ident => $field:expr),* $(,)?) => {
        $(impl AsField for $type {
            fn as_field(&self) -> Field<'_> {
                let $value = self;
                $field
            }
        })*
    };
}

as_field! {
    Uuid: id => Field::Uuid(Some(*id)),
    Option<Uuid>: id => Field::Uuid(*id),
    String: text => Field::Text(Some(text)),
    Option<String>: text => Field::Text(text.as_deref()),
    i32: number => Field::Number(Some((*number).into())),
    i64: number => Field::Number(Some(*number)),
    Option<i64>: number => Field::Number(*number),
    Moment: moment => Field::Number(Some(moment.0)),
    Option<Moment>: moment => Field::Number(moment.map(|moment| moment.0)),
    bool: flag => Field::Flag(*flag),
    Vec<u8>: bytes => Field::Bytes(Some(bytes)),
    Option<Vec<u8>>: bytes => Field::Bytes(bytes.as_deref()),
}

/// Rows that are written together, in the order in which they were added.
#[derive(Default)]
pub(crate) struct Writes<'a>(Vec<Part<'a>>);

/// Rows of one table.
struct Part<'a> {
    table: &'static str,
    columns: &'static [&'static str],
    way: Way,
    /// Row by row.
    fields: Vec<Field<'a>>,
}

impl<'a> Writes<'a> {
    pub(crate) fn add<R: Row<'a>>(&mut self, rows: impl IntoIterator<Item = R>) {
        let mut fields = Vec::new();
        rows.into_iter().for_each(|row| row.put(&mut fields));
        if fields.is_empty() {
            return;
        }
        self.0.push(Part { table: R::TABLE, columns: R::COLUMNS, way: R::way(), fields });
    }

    pub(crate) async fn run(self, tx: &WriteTx) -> StoreResult<()> {
        match &mut *tx.driver().await {
            Driver::Sqlite(tx) => match sqlite::write(tx, &self.0).await? {
                true => Ok(()),
                false => Err(StoreError::Gone),
            },
            Driver::Postgres(tx) => postgres::write(tx, &self.0).await,
        }
    }

    /// A whole transaction on PostgreSQL: everything is written and durable; or nothing, because the basis is not so any
    /// more, a row that has to be there is not, or somebody else came between.
    pub(crate) async fn commit(self, conn: &DatabaseConnection, basis: Option<Basis>) -> StoreResult<bool> {
        postgres::commit(conn, &self.0, basis).await
    }

    /// The same on SQLite. The thread is busy until it is durable.
    pub(crate) fn commit_directly(self, to: &mut Direct, basis: Option<Basis>) -> bool {
        to.commit(&self.0, basis)
    }
}

/// Rows of one table, when nothing else is written with them.
pub(crate) async fn insert<'a, R: Row<'a>>(
    tx: &WriteTx,
    rows: impl IntoIterator<Item = R>,
) -> StoreResult<()> {
    let mut writes = Writes::default();
    writes.add(rows);
    writes.run(tx).await
}

impl Part<'_> {
    fn insert(&self) -> String {
        format!("INSERT INTO {} (\"{}\")", self.table, self.columns.join("\", \""))
    }

    /// `new` is where the values are.
    fn change(&self, set: &str, of: &str, new: &str) -> String {
        format!("UPDATE {} SET {set} FROM {new} WHERE {of}", self.table)
    }

    fn rows(&self) -> std::slice::ChunksExact<'_, Field<'_>> {
        self.fields.chunks_exact(self.columns.len())
    }
}

fn unwritable(error: BoxDynError) -> StoreError {
    StoreError::Corrupt(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::Row;
    use crate::entity::{
        assistant_conversations, assistant_messages, audit_entries, executions, items, tasks,
    };
    use sea_orm::{EntityTrait, IdenStatic, Iterable};

    /// A column that is forgotten here would be lost for every row.
    fn is_whole<E: EntityTrait>(counted: Option<&str>)
    where
        for<'a> &'a E::Model: Row<'a>,
    {
        let all = E::Column::iter().map(|column| column.as_str());
        let wanted: Vec<&str> = all.filter(|name| Some(*name) != counted).collect();
        assert_eq!(<&E::Model as Row<'_>>::COLUMNS, wanted, "{}", <&E::Model as Row<'_>>::TABLE);
        assert_eq!(<&E::Model as Row<'_>>::TABLE, E::default().table_name());
    }

    #[test]
    fn every_column_of_an_entity_is_written() {
        is_whole::<executions::Entity>(None);
        is_whole::<tasks::Entity>(None);
        is_whole::<assistant_conversations::Entity>(None);
        is_whole::<assistant_messages::Entity>(None);
        is_whole::<audit_entries::Entity>(Some("seq"));
        is_whole::<items::Entity>(Some("seq"));
    }
}
