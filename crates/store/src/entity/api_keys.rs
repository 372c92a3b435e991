//! Table `api_keys`.

use crate::Moment;
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "api_keys")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub name: String,
    pub prefix: String,
    pub key_hash: String,
    pub tenant_id: Option<Uuid>,
    pub role: Option<String>,
    pub is_platform_admin: bool,
    pub created_at: Moment,
    pub expires_at: Option<Moment>,
    pub revoked_at: Option<Moment>,
    pub last_used_at: Option<Moment>,
    pub agent_id: Option<Uuid>,
    pub created_by: Option<Uuid>,
    pub made_by: Option<Uuid>,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
