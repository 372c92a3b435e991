//! The epochs, read inside a transaction that acts on them.

use crate::{Epoch, StoreError, StoreResult};
use sea_orm::{ConnectionTrait, DbBackend, Statement};

/// What is so inside a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// S23: until this transaction ends, nobody can commit a change of switches, tools or assignments. On SQLite the
    /// writing transaction holds the lock anyway.
    pub tools: Epoch,
    /// Who may do what. Not held: whoever lost a right before this was read is found out, and a later loss comes later.
    pub rights: Epoch,
}

impl Held {
    pub(crate) fn new(tools: i64, rights: i64) -> Self {
        Self { tools: Epoch(tools), rights: Epoch(rights) }
    }
}

/// A decision holds at the epochs at which it was made, and at no others.
#[derive(Clone, Copy, Debug)]
pub struct Basis {
    pub tools: Epoch,
    /// Nothing: who the caller is was asked before.
    pub rights: Option<Epoch>,
}

impl Basis {
    pub fn is_still_so(self, now: Held) -> bool {
        self.tools == now.tools && self.rights.is_none_or(|rights| rights == now.rights)
    }

    /// One for two decisions; nothing when they were not made at the same time.
    pub fn and(self, other: Self) -> Option<Self> {
        let rights = self.rights.or(other.rights);
        let agrees = |one: Self| one.tools == self.tools && (one.rights.is_none() || one.rights == rights);
        (agrees(self) && agrees(other)).then_some(Self { tools: self.tools, rights })
    }
}

pub(crate) const READ: &str =
    "SELECT value, (SELECT value FROM epochs WHERE name = 'rights') FROM epochs WHERE name = 'tools'";
const HOLD: &str = "SELECT value, (SELECT value FROM epochs WHERE name = 'rights') FROM epochs WHERE name = 'tools' FOR SHARE";

pub async fn hold(tx: &impl ConnectionTrait) -> StoreResult<Held> {
    let backend = tx.get_database_backend();
    let question = if backend == DbBackend::Postgres { HOLD } else { READ };
    let row = tx.query_one_raw(Statement::from_string(backend, question)).await?;
    let row = row.ok_or_else(|| StoreError::Corrupt("there are no epochs".to_owned()))?;
    Ok(Held::new(row.try_get_by_index(0)?, row.try_get_by_index(1)?))
}
