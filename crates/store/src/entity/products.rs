//! Table `products`. The number `seq` and the search index are the database's own business.

use crate::Moment;
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "products")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub tenant_id: Uuid,
    pub name: String,
    pub sku: Option<String>,
    pub description: Option<String>,
    pub price_cents: i64,
    pub currency: String,
    pub is_active: bool,
    pub created_at: Moment,
    pub updated_at: Moment,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
