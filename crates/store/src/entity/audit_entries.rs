//! Table `audit_entries`.

use crate::Moment;
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "audit_entries")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub seq: i64,
    pub id: Uuid,
    pub tenant_id: Option<Uuid>,
    pub at: Moment,
    pub actor_kind: String,
    pub actor_id: Option<Uuid>,
    pub actor_name: String,
    pub action: String,
    pub subject_kind: String,
    pub subject_id: String,
    pub before: Option<String>,
    pub after: Option<String>,
    pub reason: Option<String>,
    pub chain_seq: Option<i64>,
    pub hash: Option<Vec<u8>>,
    pub salt: Option<Vec<u8>>,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

crate::bulk::row!(
    Model,
    "audit_entries",
    [
        id,
        tenant_id,
        at,
        actor_kind,
        actor_id,
        actor_name,
        action,
        subject_kind,
        subject_id,
        before,
        after,
        reason,
        chain_seq,
        hash,
        salt,
    ]
);
