//! Tasks: what somebody has to do.

use super::{
    TaskStatus, check,
    patch::{given, onto},
};
use crate::{ContactId, DealId, FieldError, TaskId, Timestamp, UserId, text::parse_line};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TaskOut {
    pub id: TaskId,
    pub title: String,
    pub description: Option<String>,
    pub due_at: Option<Timestamp>,
    pub contact_id: Option<ContactId>,
    pub deal_id: Option<DealId>,
    pub assignee: Option<UserId>,
    pub status: TaskStatus,
    /// The name of whoever made it: a person, a key or an agent.
    pub created_by: String,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Another one after every change; for `If-Match`.
    pub version: i64,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct TaskIn {
    #[cfg_attr(feature = "openapi", schema(min_length = 1, max_length = 200))]
    pub title: String,
    pub description: Option<String>,
    pub due_at: Option<Timestamp>,
    pub contact_id: Option<ContactId>,
    pub deal_id: Option<DealId>,
    /// A member of the tenant.
    pub assignee: Option<UserId>,
    #[serde(default)]
    pub status: TaskStatus,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct TaskPatch {
    #[serde(default, deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, required = false, min_length = 1, max_length = 200))]
    pub title: Option<String>,
    #[serde(default, deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub description: Option<Option<String>>,
    #[serde(default, deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Timestamp>))]
    pub due_at: Option<Option<Timestamp>>,
    #[serde(default, deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<ContactId>))]
    pub contact_id: Option<Option<ContactId>>,
    #[serde(default, deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<DealId>))]
    pub deal_id: Option<Option<DealId>>,
    #[serde(default, deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<UserId>))]
    pub assignee: Option<Option<UserId>>,
    #[serde(default, deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = TaskStatus, required = false))]
    pub status: Option<TaskStatus>,
}

onto!(TaskPatch, TaskOut, TaskIn { title, description, due_at, contact_id, deal_id, assignee, status });

#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
#[serde(deny_unknown_fields, default)]
pub struct TaskQuery {
    /// 1 to 200; 50 when it is missing.
    #[cfg_attr(feature = "openapi", param(minimum = 1, maximum = 200))]
    pub limit: Option<u64>,
    #[cfg_attr(feature = "openapi", param(format = Uuid))]
    pub cursor: Option<String>,
    pub status: Option<TaskStatus>,
    pub contact_id: Option<ContactId>,
    pub deal_id: Option<DealId>,
    pub assignee: Option<UserId>,
}

impl TaskIn {
    /// The moment and what it refers to are for the service to check.
    pub fn checked(self) -> Result<Self, FieldError> {
        Ok(Self {
            title: parse_line("title", &self.title, 200)?,
            description: check::optional_paragraph("description", self.description.as_deref(), 5_000)?,
            ..self
        })
    }
}
