//! S9: the second wall, inside PostgreSQL. Even a statement that forgot its tenant meets no other tenant's rows. Tables
//! come from the catalogue of the database: a new one without a policy fails here.

use super::idor::one_of_each;
use crate::{
    app::{TestApp, on_postgres},
    workshop::{TENANT, workshop},
};
use domain::{TenantId, TenantRole};
use sea_orm::{ConnectionTrait, Database as Sql, DatabaseConnection, DbBackend, Statement};

async fn texts(sql: &impl ConnectionTrait, query: &str) -> Vec<String> {
    let rows = sql.query_all_raw(Statement::from_string(DbBackend::Postgres, query)).await.unwrap();
    rows.iter().map(|row| row.try_get_by_index(0).unwrap()).collect()
}

async fn count(sql: &impl ConnectionTrait, query: &str) -> i64 {
    let row = sql.query_one_raw(Statement::from_string(DbBackend::Postgres, query)).await.unwrap();
    row.unwrap().try_get_by_index(0).unwrap()
}

/// What has rows of tenants: tables, and views over them.
async fn tables_and_views(sql: &DatabaseConnection) -> Vec<String> {
    let query = "SELECT table_name::text FROM information_schema.columns \
        WHERE column_name = 'tenant_id' AND table_schema = current_schema() ORDER BY 1";
    texts(sql, query).await
}

async fn tables(sql: &DatabaseConnection) -> Vec<String> {
    let views = "SELECT table_name::text FROM information_schema.views WHERE table_schema = current_schema()";
    let views = texts(sql, views).await;
    tables_and_views(sql).await.into_iter().filter(|name| !views.contains(name)).collect()
}

/// Two tenants with one of everything, as far as routes make it.
async fn two_tenants() -> (TestApp, TenantId, TenantId) {
    let (app, owner) = workshop().await;
    app.tenant("Outra", "outra").await;
    one_of_each(&owner).await;
    one_of_each(&app.backend("outra", TenantRole::Owner).await).await;
    let (ours, theirs) = (app.tenant_id(TENANT).await, app.tenant_id("outra").await);
    (app, ours, theirs)
}

#[tokio::test]
async fn s9_every_table_with_tenants_has_the_same_wall() {
    if !on_postgres() {
        return;
    }
    let app = TestApp::start().await;
    let sql = app.sql().await;
    let all = tables(&sql).await;
    assert!(all.len() > 15, "{all:?}");
    let walled = "SELECT c.relname::text FROM pg_class c JOIN pg_policies p ON p.tablename = c.relname \
        WHERE c.relrowsecurity AND c.relforcerowsecurity AND p.policyname = 'own_rows' AND p.cmd = 'ALL' \
        AND p.permissive = 'PERMISSIVE' AND p.roles = '{public}' AND p.with_check IS NULL ORDER BY 1";
    assert_eq!(texts(&sql, walled).await, all);
    let policies = texts(&sql, "SELECT DISTINCT qual FROM pg_policies").await;
    assert_eq!(policies.len(), 1, "{policies:?}");
    assert_eq!(
        count(&sql, "SELECT count(*) FROM pg_policies").await,
        all.len() as i64,
        "and no other policy"
    );
}

#[tokio::test]
async fn s9_whoever_acts_for_a_tenant_sees_its_rows_only() {
    if !on_postgres() {
        return;
    }
    let (app, ours, theirs) = two_tenants().await;
    assert!(!app.services.db.is_above_the_wall().await.unwrap(), "tests run as an ordinary role");
    let sql = app.sql().await;
    let nobody = Sql::connect(&app.database_url).await.unwrap();
    let mut filled = 0;
    for table in tables_and_views(&sql).await {
        let (all, of_others) = (
            format!("SELECT count(*) FROM {table}"),
            format!("SELECT count(*) FROM {table} WHERE tenant_id <> '{ours}'"),
        );
        let here = app.services.db.reader_of(ours).await.unwrap();
        assert_eq!(count(&here, &of_others).await, 0, "{table}");
        let own = format!("{all} WHERE tenant_id = '{ours}'");
        assert_eq!(count(&here, &all).await, count(&sql, &own).await, "{table}: all of its own");
        assert_eq!(count(&nobody, &all).await, 0, "{table}: closed to those who do not say who they are");
        filled += i64::from(count(&sql, &format!("{all} WHERE tenant_id = '{theirs}'")).await > 0);
    }
    assert!(filled >= 12, "there was something to see in {filled} tables");
}

#[tokio::test]
async fn s9_nothing_is_written_into_another_tenant() {
    if !on_postgres() {
        return;
    }
    let (app, ours, theirs) = two_tenants().await;
    let sql = app.sql().await;
    for table in tables(&sql).await {
        let own = format!("SELECT count(*) FROM {table} WHERE tenant_id = '{ours}'");
        if count(&sql, &own).await == 0 {
            continue;
        }
        let tx = app.services.db.begin_for(ours).await.unwrap();
        let given_away = tx.execute_unprepared(&format!("UPDATE {table} SET tenant_id = '{theirs}'")).await;
        let refusal = given_away.unwrap_err().to_string();
        assert!(refusal.contains("row-level security"), "{table}: {refusal}");
    }
    let tx = app.services.db.begin_for(ours).await.unwrap();
    let changed =
        tx.execute_unprepared(&format!("DELETE FROM tasks WHERE tenant_id = '{theirs}'")).await.unwrap();
    assert_eq!(changed.rows_affected(), 0, "nor taken away from there");
    let copied = format!(
        "INSERT INTO tenant_limits (tenant_id, definition, updated_at) VALUES ('{theirs}', '{{}}', 0)"
    );
    let refusal = tx.execute_unprepared(&copied).await.unwrap_err().to_string();
    assert!(refusal.contains("row-level security"), "{refusal}");
}
