//! casbin's policy in our own table. Read only: lines change by the seed of an upgrade, in a transaction of ours.

use crate::{Database, StoreResult, entity::casbin_rules};
use async_trait::async_trait;
use casbin::{Adapter, Filter, Model, error::AdapterError};
use sea_orm::{
    ActiveValue::{NotSet, Set},
    ColumnTrait, DatabaseConnection, EntityTrait, QueryFilter, QueryOrder,
};

const SEED: &str = "seed";

/// Puts the lines of the repository in the place of those of an earlier version; an operator's own lines stay.
pub async fn sync_policy_seed(db: &Database) -> StoreResult<()> {
    let wanted = ability::policy::seed_lines();
    let tx = db.begin().await?;
    let present = casbin_rules::Entity::find()
        .filter(casbin_rules::Column::Origin.eq(SEED))
        .order_by_asc(casbin_rules::Column::Id)
        .all(&tx)
        .await?;
    if present.into_iter().map(cells).collect::<Vec<_>>() != wanted {
        casbin_rules::Entity::delete_many().filter(casbin_rules::Column::Origin.eq(SEED)).exec(&tx).await?;
        casbin_rules::Entity::insert_many(wanted.iter().map(|line| seed_row(line)))
            .exec_without_returning(&tx)
            .await?;
    }
    db.commit(tx, &[]).await
}

fn seed_row(line: &[String]) -> casbin_rules::ActiveModel {
    let cell = |at: usize| Set(line.get(at).cloned().unwrap_or_default());
    casbin_rules::ActiveModel {
        id: NotSet,
        ptype: Set("p".to_owned()),
        v0: cell(0),
        v1: cell(1),
        v2: cell(2),
        v3: cell(3),
        v4: cell(4),
        v5: cell(5),
        v6: cell(6),
        origin: Set(SEED.to_owned()),
    }
}

fn cells(row: casbin_rules::Model) -> Vec<String> {
    vec![row.v0, row.v1, row.v2, row.v3, row.v4, row.v5, row.v6]
}

pub struct PolicyAdapter(DatabaseConnection);

impl PolicyAdapter {
    pub fn new(db: &Database) -> Self {
        Self(db.reader().clone())
    }
}

fn read_only() -> casbin::Error {
    casbin::Error::AdapterError(AdapterError("the policy is changed by upgrades only".into()))
}

#[async_trait]
impl Adapter for PolicyAdapter {
    /// The last line comes first: casbin takes the first that matches, and a later line overrides an earlier one.
    async fn load_policy(&mut self, model: &mut dyn Model) -> casbin::Result<()> {
        let rows = casbin_rules::Entity::find()
            .order_by_desc(casbin_rules::Column::Id)
            .all(&self.0)
            .await
            .map_err(|error| casbin::Error::AdapterError(AdapterError(Box::new(error))))?;
        // An operator's own lines come after the seed, wherever an upgrade has put the seed's ids.
        let (seed, own): (Vec<_>, Vec<_>) = rows.into_iter().partition(|row| row.origin == SEED);
        for row in own.into_iter().chain(seed) {
            let ptype = row.ptype.clone();
            model.add_policy("p", &ptype, cells(row));
        }
        Ok(())
    }

    async fn load_filtered_policy<'a>(&mut self, model: &mut dyn Model, _: Filter<'a>) -> casbin::Result<()> {
        self.load_policy(model).await
    }

    async fn save_policy(&mut self, _: &mut dyn Model) -> casbin::Result<()> {
        Err(read_only())
    }

    async fn clear_policy(&mut self) -> casbin::Result<()> {
        Err(read_only())
    }

    fn is_filtered(&self) -> bool {
        false
    }

    async fn add_policy(&mut self, _: &str, _: &str, _: Vec<String>) -> casbin::Result<bool> {
        Err(read_only())
    }

    async fn add_policies(&mut self, _: &str, _: &str, _: Vec<Vec<String>>) -> casbin::Result<bool> {
        Err(read_only())
    }

    async fn remove_policy(&mut self, _: &str, _: &str, _: Vec<String>) -> casbin::Result<bool> {
        Err(read_only())
    }

    async fn remove_policies(&mut self, _: &str, _: &str, _: Vec<Vec<String>>) -> casbin::Result<bool> {
        Err(read_only())
    }

    async fn remove_filtered_policy(
        &mut self,
        _: &str,
        _: &str,
        _: usize,
        _: Vec<String>,
    ) -> casbin::Result<bool> {
        Err(read_only())
    }
}
