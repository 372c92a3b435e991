//! Many rows of several tables in one go, with texts that the database has read before.
//!
//! A statement with a place for every value has another text for every number of rows, and reading these took longer than
//! writing the rows. PostgreSQL gets one array for each column, and all tables in one statement: one way there and back.
//! SQLite, to which there is no way, gets at most so many rows at once that all texts fit into the cache of statements.
//! Values go to the driver as they are: through sea-orm each would be copied three times.

use crate::{
    Moment, StoreError, StoreResult, WriteTx,
    transaction::{Driver, refused},
};
use sea_orm::sqlx::{
    self, Arguments, AssertSqlSafe, Postgres, Sqlite, Transaction, postgres::PgArguments,
    sqlite::SqliteArguments,
};
use uuid::Uuid;

/// For SQLite. Few tables are written this way: see the size of the cache in `database.rs`.
const MOST_ROWS: usize = 32;
/// For PostgreSQL: a message grows no longer than this by much.
const MOST_BYTES: usize = 4 * 1024 * 1024;

/// One value of a row, as both databases take it.
#[derive(Clone, Copy)]
pub(crate) enum Field<'a> {
    Uuid(Option<Uuid>),
    Text(Option<&'a str>),
    Number(Option<i64>),
    Flag(bool),
    Bytes(Option<&'a [u8]>),
}

impl Field<'_> {
    fn postgres_type(&self) -> &'static str {
        match self {
            Self::Uuid(_) => "uuid",
            Self::Text(_) => "text",
            Self::Number(_) => "bigint",
            Self::Flag(_) => "boolean",
            Self::Bytes(_) => "bytea",
        }
    }

    fn size(&self) -> usize {
        match self {
            Self::Text(Some(text)) => text.len(),
            Self::Bytes(Some(bytes)) => bytes.len(),
            _ => 16,
        }
    }
}

/// A row that can be written with others.
pub(crate) trait Row {
    const TABLE: &'static str;
    /// A column that the database counts by itself is not among them.
    const COLUMNS: &'static [&'static str];

    /// What happens when the row is there already: the clause behind the rows, or nothing.
    fn conflict() -> &'static str {
        ""
    }

    /// In the order of the columns.
    fn put<'a>(&'a self, fields: &mut Vec<Field<'a>>);
}

/// Says how an entity is written: its table, its columns, and the clause for rows that are there already.
macro_rules! row {
    ($model:ty, $table:literal, [$($column:ident),* $(,)?] $(, $conflict:expr)?) => {
        impl $crate::bulk::Row for $model {
            const TABLE: &'static str = $table;
            const COLUMNS: &'static [&'static str] = &[$(stringify!($column)),*];
            $(fn conflict() -> &'static str {
                $conflict
            })?

            fn put<'a>(&'a self, fields: &mut Vec<$crate::bulk::Field<'a>>) {
                use $crate::bulk::AsField;
                fields.extend([$(self.$column.as_field()),*]);
            }
        }
    };
}
pub(crate) use row;

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
    conflict: &'static str,
    /// Row by row.
    fields: Vec<Field<'a>>,
}

impl<'a> Writes<'a> {
    pub(crate) fn add<R: Row + 'a>(&mut self, rows: impl IntoIterator<Item = &'a R>) {
        let mut fields = Vec::new();
        rows.into_iter().for_each(|row| row.put(&mut fields));
        if fields.is_empty() {
            return;
        }
        self.0.push(Part { table: R::TABLE, columns: R::COLUMNS, conflict: R::conflict(), fields });
    }

    pub(crate) async fn run(self, tx: &WriteTx) -> StoreResult<()> {
        match &mut *tx.driver().await {
            Driver::Sqlite(tx) => on_sqlite(tx, &self.0).await,
            Driver::Postgres(tx) => on_postgres(tx, &self.0).await,
        }
    }
}

/// Rows of one table, when nothing else is written with them.
pub(crate) async fn insert<'a, R: Row + 'a>(
    tx: &WriteTx,
    rows: impl IntoIterator<Item = &'a R>,
) -> StoreResult<()> {
    let mut writes = Writes::default();
    writes.add(rows);
    writes.run(tx).await
}

impl Part<'_> {
    fn head(&self) -> String {
        format!("INSERT INTO {} (\"{}\")", self.table, self.columns.join("\", \""))
    }

    fn rows(&self) -> std::slice::ChunksExact<'_, Field<'_>> {
        self.fields.chunks_exact(self.columns.len())
    }
}

async fn on_sqlite(tx: &mut Transaction<'static, Sqlite>, parts: &[Part<'_>]) -> StoreResult<()> {
    for part in parts {
        let columns = part.columns.len();
        let place = format!("({})", vec!["?"; columns].join(", "));
        for fields in part.fields.chunks(MOST_ROWS * columns) {
            let places = vec![place.as_str(); fields.len() / columns].join(", ");
            let text = format!("{} VALUES {places} {}", part.head(), part.conflict);
            let mut values = SqliteArguments::default();
            values.reserve(fields.len(), 0);
            fields.iter().try_for_each(|field| put_on_sqlite(&mut values, *field)).map_err(unwritable)?;
            sqlx::query_with(AssertSqlSafe(text), values).execute(&mut **tx).await.map_err(refused)?;
        }
    }
    Ok(())
}

type Put = Result<(), Box<dyn std::error::Error + Send + Sync>>;

fn put_on_sqlite(values: &mut SqliteArguments, field: Field<'_>) -> Put {
    match field {
        Field::Uuid(id) => values.add(id),
        Field::Text(text) => values.add(text),
        Field::Number(number) => values.add(number),
        Field::Flag(flag) => values.add(flag),
        Field::Bytes(bytes) => values.add(bytes),
    }
}

fn unwritable(error: Box<dyn std::error::Error + Send + Sync>) -> StoreError {
    StoreError::Corrupt(error.to_string())
}

/// One statement for all tables: each is a part of it by a name that nobody asks for.
#[derive(Default)]
struct Message {
    parts: Vec<String>,
    values: PgArguments,
    bytes: usize,
}

impl Message {
    fn add(&mut self, part: &Part<'_>, rows: &[&[Field<'_>]]) -> StoreResult<()> {
        let Some(first) = rows.first() else { return Ok(()) };
        let mut arrays = Vec::with_capacity(first.len());
        for (at, field) in first.iter().enumerate() {
            let column = rows.iter().map(|row| row[at]);
            put_on_postgres(&mut self.values, field, column).map_err(unwritable)?;
            arrays.push(format!("${}::{}[]", self.values.len(), field.postgres_type()));
        }
        self.parts.push(format!(
            "{} SELECT * FROM unnest({}) {}",
            part.head(),
            arrays.join(", "),
            part.conflict
        ));
        self.bytes += rows.iter().flat_map(|row| row.iter()).map(Field::size).sum::<usize>();
        Ok(())
    }

    async fn send(&mut self, tx: &mut Transaction<'static, Postgres>) -> StoreResult<()> {
        let Self { mut parts, values, .. } = std::mem::take(self);
        let Some(last) = parts.pop() else { return Ok(()) };
        let named = parts.iter().enumerate().map(|(at, part)| format!("part_{at} AS ({part})"));
        let named: Vec<String> = named.collect();
        let with = if named.is_empty() { String::new() } else { format!("WITH {} ", named.join(", ")) };
        let text = AssertSqlSafe(format!("{with}{last}"));
        sqlx::query_with(text, values).execute(&mut **tx).await.map_err(refused)?;
        Ok(())
    }
}

async fn on_postgres(tx: &mut Transaction<'static, Postgres>, parts: &[Part<'_>]) -> StoreResult<()> {
    let mut message = Message::default();
    for part in parts {
        let mut rows = Vec::new();
        let mut bytes = 0;
        for row in part.rows() {
            rows.push(row);
            bytes += row.iter().map(Field::size).sum::<usize>();
            if message.bytes + bytes > MOST_BYTES {
                message.add(part, &rows)?;
                message.send(tx).await?;
                rows.clear();
                bytes = 0;
            }
        }
        message.add(part, &rows)?;
    }
    message.send(tx).await
}

/// The values of one column as an array.
fn put_on_postgres<'a>(
    values: &mut PgArguments,
    kind: &Field<'_>,
    column: impl Iterator<Item = Field<'a>>,
) -> Put {
    macro_rules! array {
        ($kind:ident) => {
            values.add(
                column
                    .map(|field| if let Field::$kind(value) = field { value } else { None })
                    .collect::<Vec<_>>(),
            )
        };
    }
    match kind {
        Field::Uuid(_) => array!(Uuid),
        Field::Text(_) => array!(Text),
        Field::Number(_) => array!(Number),
        Field::Bytes(_) => array!(Bytes),
        Field::Flag(_) => {
            values.add(column.map(|field| matches!(field, Field::Flag(true))).collect::<Vec<_>>())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Row;
    use crate::entity::{
        assistant_conversations, assistant_messages, audit_entries, audit_heads, executions, items, tasks,
    };
    use sea_orm::{EntityTrait, IdenStatic, Iterable};

    /// A column that is forgotten here would be lost for every row.
    fn is_whole<E: EntityTrait>(counted: Option<&str>)
    where
        E::Model: Row,
    {
        let all = E::Column::iter().map(|column| column.as_str());
        let wanted: Vec<&str> = all.filter(|name| Some(*name) != counted).collect();
        assert_eq!(<E::Model as Row>::COLUMNS, wanted, "{}", <E::Model as Row>::TABLE);
        assert_eq!(<E::Model as Row>::TABLE, E::default().table_name());
    }

    #[test]
    fn every_column_of_an_entity_is_written() {
        is_whole::<executions::Entity>(None);
        is_whole::<tasks::Entity>(None);
        is_whole::<audit_heads::Entity>(None);
        is_whole::<assistant_conversations::Entity>(None);
        is_whole::<assistant_messages::Entity>(None);
        is_whole::<audit_entries::Entity>(Some("seq"));
        is_whole::<items::Entity>(Some("seq"));
    }
}
