//! Table `scheduled_messages`.

use crate::Moment;
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "scheduled_messages")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub tenant_id: Uuid,
    pub contact_id: Uuid,
    pub channel: String,
    pub text: String,
    pub send_at: Moment,
    pub status: String,
    pub attempts: i32,
    pub last_error: Option<String>,
    pub execution_id: Option<Uuid>,
    pub claimed_at: Option<Moment>,
    pub sent_at: Option<Moment>,
    pub next_attempt_at: Option<Moment>,
    pub via: Option<String>,
    pub process_id: Option<Uuid>,
    pub created_at: Moment,
    pub updated_at: Moment,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
