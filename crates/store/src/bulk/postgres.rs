//! PostgreSQL gets an array for each column, and all tables in one statement: each is a part of it.

use super::{Field, Part, Way, unwritable};
use crate::{StoreResult, epochs::Basis, transaction::refused};
use sea_orm::{
    DatabaseConnection, SqlxError,
    sqlx::{
        self, Arguments, AssertSqlSafe, Executor, Postgres, Transaction, error::BoxDynError,
        postgres::PgArguments,
    },
};

/// A message grows no longer than this by much.
const MOST_BYTES: usize = 4 * 1024 * 1024;

#[derive(Default)]
struct Message {
    parts: Vec<String>,
    values: PgArguments,
    bytes: usize,
    /// What has to be so: otherwise nothing is done. They are looked at in this order; a part that none of them asks about
    /// is done after those.
    conditions: Vec<String>,
}

impl Message {
    fn add(&mut self, part: &Part<'_>, rows: &[&[Field<'_>]]) -> StoreResult<()> {
        let Some(first) = rows.first() else { return Ok(()) };
        let before = self.values.len();
        let mut columns = Vec::with_capacity(first.len());
        for (at, field) in first.iter().enumerate() {
            let column = rows.iter().map(|row| row[at]);
            put(&mut self.values, field, column).map_err(unwritable)?;
            let (place, kind, name) = (self.values.len(), type_of(field), part.columns[at]);
            columns.push(format!("unnest(${place}::{kind}[]) AS \"{name}\""));
        }
        let new = columns.join(", ");
        if part.way.is_certain() {
            let (done, all) = (format!("(SELECT count(*) FROM part_{})", self.parts.len()), before + 1);
            self.conditions.push(format!("{done} = cardinality(${all})"));
        }
        self.parts.push(match part.way {
            Way::Insert { conflict } => format!("{} SELECT {new} {conflict}", part.insert()),
            Way::Change { set, of } => {
                format!("{} RETURNING 1", part.change(set, of, &format!("(SELECT {new}) AS new")))
            }
            Way::Remove { .. } => {
                let same = |column: &&str| format!("{0}.\"{column}\" = new.\"{column}\"", part.table);
                let same: Vec<String> = part.columns.iter().map(same).collect();
                let same = same.join(" AND ");
                format!("DELETE FROM {} USING (SELECT {new}) AS new WHERE {same} RETURNING 1", part.table)
            }
        });
        self.bytes += rows.iter().map(|row| size(row)).sum::<usize>();
        Ok(())
    }

    /// What the basis says is read in the same statement, and held until its end.
    fn expect(&mut self, basis: Basis) -> Result<(), BoxDynError> {
        let rights = basis.rights.map(|rights| rights.0);
        self.values.add(basis.tools.0)?;
        self.values.add(rights)?;
        let (tools, rights) = (self.values.len() - 1, self.values.len());
        self.conditions.insert(0, format!("(SELECT count(*) FROM part_{}) = 1", self.parts.len()));
        self.parts.push(format!(
            "SELECT 1 FROM epochs WHERE name = 'tools' AND value = ${tools} AND \
             coalesce(${rights} = (SELECT value FROM epochs WHERE name = 'rights'), true) FOR SHARE"
        ));
        Ok(())
    }

    async fn send<'c>(self, to: impl Executor<'c, Database = Postgres>) -> Result<(), SqlxError> {
        if self.parts.is_empty() {
            return Ok(());
        }
        let parts = self.parts.iter().enumerate().map(|(at, part)| format!("part_{at} AS ({part})"));
        let parts: Vec<String> = parts.collect();
        let conditions = if self.conditions.is_empty() { "true" } else { &self.conditions.join(" AND ") };
        let text = format!("WITH {} SELECT alcada_expect({conditions})", parts.join(", "));
        sqlx::query_with(AssertSqlSafe(text), self.values).execute(to).await.map(drop)
    }
}

/// In one message, or in several when there is much to say.
pub(super) async fn write(tx: &mut Transaction<'static, Postgres>, parts: &[Part<'_>]) -> StoreResult<()> {
    let mut message = Message::default();
    for part in parts {
        let mut rows = Vec::new();
        let mut bytes = 0;
        for row in part.rows() {
            rows.push(row);
            bytes += size(row);
            if message.bytes + bytes > MOST_BYTES {
                message.add(part, &rows)?;
                std::mem::take(&mut message).send(&mut **tx).await.map_err(refused)?;
                rows.clear();
                bytes = 0;
            }
        }
        message.add(part, &rows)?;
    }
    Ok(message.send(&mut **tx).await.map_err(refused)?)
}

/// One statement is a transaction: there and back once.
pub(super) async fn commit(
    conn: &DatabaseConnection,
    parts: &[Part<'_>],
    basis: Option<Basis>,
) -> StoreResult<bool> {
    let mut message = Message::default();
    for part in parts {
        message.add(part, &part.rows().collect::<Vec<_>>())?;
    }
    if message.bytes > MOST_BYTES {
        return Ok(false);
    }
    if let Some(basis) = basis {
        message.expect(basis).map_err(unwritable)?;
    }
    match message.send(conn.get_postgres_connection_pool()).await {
        Err(error) if is_conflict(&error) => Ok(false),
        sent => Ok(sent.map(|()| true).map_err(refused)?),
    }
}

/// What was expected is not so, or somebody else came between: nothing was written.
fn is_conflict(error: &SqlxError) -> bool {
    error.as_database_error().and_then(|error| error.code()).is_some_and(|code| code.starts_with("40"))
}

fn type_of(field: &Field<'_>) -> &'static str {
    match field {
        Field::Uuid(_) => "uuid",
        Field::Text(_) => "text",
        Field::Number(_) => "bigint",
        Field::Flag(_) => "boolean",
        Field::Bytes(_) => "bytea",
    }
}

fn size(row: &[Field<'_>]) -> usize {
    let of = |field: &Field<'_>| match field {
        Field::Text(Some(text)) => text.len(),
        Field::Bytes(Some(bytes)) => bytes.len(),
        _ => 16,
    };
    row.iter().map(of).sum()
}

/// The values of one column as an array.
fn put<'a>(
    values: &mut PgArguments,
    kind: &Field<'_>,
    column: impl Iterator<Item = Field<'a>>,
) -> Result<(), BoxDynError> {
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
