//! The database: settings of every connection, migrations, versions.

use crate::app::{TestApp, fresh_database, on_postgres, raw_sql};
use migrations::{Migrator, MigratorTrait};
use sea_orm::{ConnectionTrait, Statement};
use store::{Database, StoreError};

#[tokio::test]
async fn every_sqlite_connection_is_durable_and_checks_foreign_keys() {
    if on_postgres() {
        return;
    }
    let app = TestApp::start().await;
    let reader = app.services.db.reader();
    let pragma = |name: &'static str| async move {
        let query = Statement::from_string(sea_orm::DbBackend::Sqlite, format!("PRAGMA {name}"));
        let row = reader.query_one_raw(query).await.unwrap().unwrap();
        row.try_get_by_index::<String>(0)
            .or_else(|_| row.try_get_by_index::<i64>(0).map(|n| n.to_string()))
            .unwrap()
    };
    // Several at once, so that more than one connection of the pool answers.
    for _ in 0..3 {
        let answers = tokio::join!(
            pragma("journal_mode"),
            pragma("synchronous"),
            pragma("foreign_keys"),
            pragma("busy_timeout")
        );
        assert_eq!(answers, ("wal".into(), "2".into(), "1".into(), "5000".into()));
    }
    let tx = app.services.db.begin().await.unwrap();
    let full = Statement::from_string(sea_orm::DbBackend::Sqlite, "PRAGMA synchronous");
    assert_eq!(tx.query_one_raw(full).await.unwrap().unwrap().try_get_by_index::<i64>(0).unwrap(), 2);
}

#[tokio::test]
async fn migrations_can_run_again() {
    let app = TestApp::start().await;
    app.services.db.migrate().await.unwrap();
    app.services.db.migrate().await.unwrap();
}

#[tokio::test]
async fn a_database_of_a_newer_version_is_refused_with_its_name() {
    let (url, _folder) = fresh_database().await;
    let db = Database::connect(&url).await.unwrap();
    db.migrate().await.unwrap();
    let tx = db.begin().await.unwrap();
    tx.execute_unprepared("INSERT INTO seaql_migrations (version, applied_at) VALUES ('m9999_future', 1)")
        .await
        .unwrap();
    db.commit(tx, &[]).await.unwrap();
    match db.migrate().await {
        Err(StoreError::Newer(step)) => assert_eq!(step, "m9999_future"),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_file_that_is_no_database_is_an_error_in_words() {
    if on_postgres() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("alcada.db");
    std::fs::write(&file, "this is not a database, but it is long enough to look like one".repeat(20))
        .unwrap();
    let error = match Database::connect(&format!("sqlite://{}", file.display())).await {
        Ok(db) => db.migrate().await.unwrap_err(),
        Err(error) => error,
    };
    assert!(error.to_string().contains("not a database"), "{error}");
}

#[tokio::test]
async fn many_writers_at_once_all_succeed() {
    let app = TestApp::start().await;
    let writes = (0..50).map(|n| {
        let db = app.services.db.clone();
        async move {
            let tx = db.begin().await?;
            store::settings::put(&tx, &format!("k{n}"), "v").await?;
            db.commit(tx, &[]).await
        }
    });
    for result in futures::future::join_all(writes).await {
        result.unwrap();
    }
    assert_eq!(app.count("SELECT count(*) FROM settings WHERE name LIKE 'k%'").await, 50);
}

/// The steps that give calls and tasks another key, and calls that run a table of their own, lose no row.
#[tokio::test]
async fn s21_rows_of_an_older_schema_are_all_there_after_the_step() {
    let (url, _folder) = fresh_database().await;
    // Makes the file, where there is one to make.
    let db = Database::connect(&url).await.unwrap();
    let old = raw_sql(&url).await;
    Migrator::up(&old, Some(17)).await.unwrap();
    let [tenant, call, running] = [(); 3].map(|()| uuid::Uuid::now_v7());
    let bytes = |id: uuid::Uuid| match old.get_database_backend() {
        sea_orm::DbBackend::Sqlite => format!("x'{}'", id.simple()),
        _ => format!("'{id}'"),
    };
    let [tenant, call, running] = [tenant, call, running].map(bytes);
    let execution = |id: &str, status: &str| {
        format!(
            "INSERT INTO executions (id, tenant_id, tool_id, tool_name, actor_kind, actor_name, status, params, \
             executed_at, circumstances) VALUES ({id}, {tenant}, {id}, 'createTask', 'operator', 'ana', '{status}', \
             '{{}}', 7, 'x')"
        )
    };
    for text in [
        format!("INSERT INTO tenants (id, name, slug, created_at) VALUES ({tenant}, 'Loja', 'loja', 1)"),
        format!(
            "INSERT INTO tasks (tenant_id, created_at, updated_at, id, title, status, created_by) \
             VALUES ({tenant}, 1, 1, {call}, 'ligar', 'open', 'ana')"
        ),
        execution(&call, "success"),
        execution(&running, "running"),
    ] {
        old.execute_unprepared(&text).await.unwrap();
    }
    db.migrate().await.unwrap();
    let row = |text: &str| old.query_one_raw(Statement::from_string(old.get_database_backend(), text));
    let kept = format!("SELECT executed_at, circumstances FROM executions WHERE id = {call}");
    let kept = row(&kept).await.unwrap().unwrap();
    assert_eq!(kept.try_get_by_index::<i64>(0).unwrap(), 7);
    assert_eq!(kept.try_get_by_index::<String>(1).unwrap(), "x");
    let all = row("SELECT count(*), count(DISTINCT id) FROM all_executions").await.unwrap().unwrap();
    let all: (i64, i64) = (all.try_get_by_index(0).unwrap(), all.try_get_by_index(1).unwrap());
    assert_eq!(all, (2, 2), "one that an older process still runs stays where it will look for it");
    assert_eq!(
        row("SELECT title FROM tasks").await.unwrap().unwrap().try_get_by_index::<String>(0).unwrap(),
        "ligar"
    );
    let twice = format!("INSERT INTO tasks SELECT * FROM tasks WHERE id = {call}");
    assert!(old.execute_unprepared(&twice).await.is_err(), "the key still is one");
    let gone = format!("DELETE FROM tenants WHERE id = {tenant}");
    old.execute_unprepared(&gone).await.unwrap();
    assert!(
        row("SELECT title FROM tasks").await.unwrap().is_none(),
        "what refers to a tenant still goes with it"
    );
}
