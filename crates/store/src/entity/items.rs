//! Table `items`.

use crate::Moment;
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "items")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub seq: i64,
    pub id: Uuid,
    pub tenant_id: Uuid,
    pub owner_id: Uuid,
    pub kind: String,
    pub title: String,
    pub text: Option<String>,
    pub url: Option<String>,
    pub same_as: Option<String>,
    pub tags: String,
    pub details: String,
    pub enrichment: String,
    pub reason: Option<String>,
    pub matches: Option<String>,
    pub attempts: i32,
    pub next_attempt_at: Option<Moment>,
    pub search_title: String,
    pub search_text: String,
    pub deleted_at: Option<Moment>,
    pub created_at: Moment,
    pub updated_at: Moment,
    pub has_own_title: bool,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

crate::bulk::row!(
    Model,
    "items",
    [
        id,
        tenant_id,
        owner_id,
        kind,
        title,
        text,
        url,
        same_as,
        tags,
        details,
        enrichment,
        reason,
        matches,
        attempts,
        next_attempt_at,
        search_title,
        search_text,
        deleted_at,
        created_at,
        updated_at,
        has_own_title,
    ],
    "ON CONFLICT DO NOTHING"
);
