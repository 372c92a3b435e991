//! Table `tasks`.

use crate::Moment;
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "tasks")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub tenant_id: Uuid,
    pub title: String,
    pub description: Option<String>,
    pub due_at: Option<Moment>,
    pub contact_id: Option<Uuid>,
    pub deal_id: Option<Uuid>,
    pub assignee: Option<Uuid>,
    pub status: String,
    pub created_by: String,
    pub created_at: Moment,
    pub updated_at: Moment,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

crate::bulk::row!(
    Model,
    "tasks",
    [
        id,
        tenant_id,
        title,
        description,
        due_at,
        contact_id,
        deal_id,
        assignee,
        status,
        created_by,
        created_at,
        updated_at,
    ]
);
