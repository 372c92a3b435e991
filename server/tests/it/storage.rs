//! The database: settings of every connection, migrations, versions.

use crate::app::{TestApp, fresh_database, on_postgres};
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
