//! Names for what rows refer to by id: lists are read by people.

use crate::Crm;
use ability::{ReadCrm, TenantPermit};
use domain::{ContactId, ServiceResult, UserId};
use std::collections::HashMap;
use store::crm::contacts;

impl Crm {
    /// The names of those contacts that are there.
    pub async fn contact_names(
        &self,
        permit: &TenantPermit<ReadCrm>,
        ids: &[ContactId],
    ) -> ServiceResult<HashMap<ContactId, String>> {
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        let reader = self.db.reader_of(permit.tenant()).await?;
        Ok(contacts::names(&reader, permit.tenant(), ids).await?)
    }

    /// The members of the tenant by name: whom work can be given to.
    pub async fn people(&self, permit: &TenantPermit<ReadCrm>) -> ServiceResult<Vec<(UserId, String)>> {
        let reader = self.db.reader_of(permit.tenant()).await?;
        let members = store::members::list(&reader, permit.tenant()).await?;
        Ok(members.into_iter().map(|member| (member.user_id, member.name)).collect())
    }
}
