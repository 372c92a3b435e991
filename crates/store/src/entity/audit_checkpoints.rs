//! Table `audit_checkpoints`.

use crate::Moment;
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "audit_checkpoints")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub chain: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub seq: i64,
    pub hash: Vec<u8>,
    pub at: Moment,
    pub key_id: String,
    pub signature: String,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
