//! Triggers that count changes: whoever remembers the count knows whether what they read is still so, and a change
//! by hand in the database counts like any other.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

/// A table whose changes move a counter. An update counts only when it names one of the columns.
pub struct Watched {
    pub epoch: &'static str,
    pub table: &'static str,
    pub columns: &'static str,
}

pub async fn watch(manager: &SchemaManager<'_>, watched: &[Watched]) -> Result<(), DbErr> {
    let is_sqlite = manager.get_database_backend() == DbBackend::Sqlite;
    if !is_sqlite {
        manager.get_connection().execute_unprepared(COUNT_ON_POSTGRES).await?;
    }
    for table in watched {
        let triggers = if is_sqlite { on_sqlite(table) } else { vec![on_postgres(table)] };
        for trigger in triggers {
            manager.get_connection().execute_unprepared(&trigger).await?;
        }
    }
    Ok(())
}

/// The same tables with other columns than before.
pub async fn watch_again(manager: &SchemaManager<'_>, watched: &[Watched]) -> Result<(), DbErr> {
    let is_sqlite = manager.get_database_backend() == DbBackend::Sqlite;
    for Watched { epoch, table, .. } in watched {
        let old = match is_sqlite {
            true => ["insert", "delete", "update"]
                .map(|event| format!("DROP TRIGGER {epoch}_of_{table}_{event}"))
                .join(";"),
            false => format!("DROP TRIGGER {epoch}_of_{table} ON {table}"),
        };
        manager.get_connection().execute_unprepared(&old).await?;
    }
    watch(manager, watched).await
}

const COUNT_ON_POSTGRES: &str =
    "CREATE OR REPLACE FUNCTION count_epoch() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        UPDATE epochs SET value = value + 1 WHERE name = TG_ARGV[0];
        RETURN NULL;
    END $$";

fn on_postgres(Watched { epoch, table, columns }: &Watched) -> String {
    format!(
        "CREATE TRIGGER {epoch}_of_{table} AFTER INSERT OR DELETE OR UPDATE OF {columns} ON {table} \
         FOR EACH ROW EXECUTE FUNCTION count_epoch('{epoch}')"
    )
}

fn on_sqlite(Watched { epoch, table, columns }: &Watched) -> Vec<String> {
    let trigger = |name: &str, event: &str| {
        format!(
            "CREATE TRIGGER {epoch}_of_{table}_{name} AFTER {event} ON {table} \
             BEGIN UPDATE epochs SET value = value + 1 WHERE name = '{epoch}'; END"
        )
    };
    vec![
        trigger("insert", "INSERT"),
        trigger("delete", "DELETE"),
        trigger("update", &format!("UPDATE OF {columns}")),
    ]
}
