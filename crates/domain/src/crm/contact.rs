//! Contacts: the people that a tenant deals with.

use super::{
    ContactStatus, DealOut, MessageOut, TaskOut, check,
    patch::{given, onto},
};
use crate::{ContactId, FieldError, Timestamp, text::parse_line};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ContactOut {
    pub id: ContactId,
    pub name: String,
    pub email: Option<String>,
    pub phone: Option<String>,
    pub status: ContactStatus,
    pub tags: Vec<String>,
    pub notes: Option<String>,
    pub external_id: Option<String>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Another one after every change; for `If-Match`.
    pub version: i64,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ContactIn {
    #[cfg_attr(feature = "openapi", schema(min_length = 1, max_length = 200))]
    pub name: String,
    pub email: Option<String>,
    /// E.164, such as `+5511988887777`.
    pub phone: Option<String>,
    #[serde(default)]
    pub status: ContactStatus,
    #[serde(default)]
    pub tags: Vec<String>,
    pub notes: Option<String>,
    /// The name that another system has for it; unique in the tenant.
    pub external_id: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ContactPatch {
    #[serde(default, deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, required = false, min_length = 1, max_length = 200))]
    pub name: Option<String>,
    #[serde(default, deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub email: Option<Option<String>>,
    #[serde(default, deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub phone: Option<Option<String>>,
    #[serde(default, deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = ContactStatus, required = false))]
    pub status: Option<ContactStatus>,
    #[serde(default, deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<String>, required = false))]
    pub tags: Option<Vec<String>>,
    #[serde(default, deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub notes: Option<Option<String>>,
    #[serde(default, deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub external_id: Option<Option<String>>,
}

onto!(ContactPatch, ContactOut, ContactIn { name, email, phone, status, tags, notes, external_id });

#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
#[serde(deny_unknown_fields, default)]
pub struct ContactQuery {
    /// 1 to 200; 50 when it is missing.
    #[cfg_attr(feature = "openapi", param(minimum = 1, maximum = 200))]
    pub limit: Option<u64>,
    #[cfg_attr(feature = "openapi", param(format = Uuid))]
    pub cursor: Option<String>,
    pub status: Option<ContactStatus>,
    /// Part of a name, an address or a phone number.
    pub q: Option<String>,
}

/// The newest of everything that concerns one contact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ContactHistoryOut {
    pub contact: ContactOut,
    pub messages: Vec<MessageOut>,
    pub deals: Vec<DealOut>,
    pub tasks: Vec<TaskOut>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
#[serde(deny_unknown_fields, default)]
pub struct HistoryQuery {
    /// How many of each, 1 to 200; 50 when it is missing.
    #[cfg_attr(feature = "openapi", param(minimum = 1, maximum = 200))]
    pub limit: Option<u64>,
}

impl ContactIn {
    pub fn checked(self) -> Result<Self, FieldError> {
        Ok(Self {
            name: parse_line("name", &self.name, 200)?,
            email: check::optional_email("email", self.email.as_deref())?,
            phone: check::optional_phone("phone", self.phone.as_deref())?,
            status: self.status,
            tags: check::tags(&self.tags)?,
            notes: check::optional_paragraph("notes", self.notes.as_deref(), 5_000)?,
            external_id: check::external_id(self.external_id.as_deref())?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patch_knows_absent_from_null() {
        let patch: ContactPatch = serde_json::from_str("{\"email\":null}").unwrap();
        assert_eq!((patch.email, patch.phone), (Some(None), None));
        for bad in ["{\"name\":null}", "{\"tenant_id\":\"x\"}", "{\"status\":\"king\"}"] {
            assert!(serde_json::from_str::<ContactPatch>(bad).is_err(), "{bad}");
        }
    }
}
