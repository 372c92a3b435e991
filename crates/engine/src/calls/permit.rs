//! Who may hand in a call: whoever may run tools, or whoever may at least work on their own things. Which tool it may
//! be is for the gate to say, on the tool itself.

use ability::{Caller, ExecuteTools, TenantPermit, UseAssistant};
use domain::TenantId;

#[derive(Clone, Debug)]
pub struct CallPermit {
    caller: Caller,
    tenant: TenantId,
}

impl CallPermit {
    /// For the product's own work.
    pub(crate) fn of(caller: Caller, tenant: TenantId) -> Self {
        Self { caller, tenant }
    }

    pub fn caller(&self) -> &Caller {
        &self.caller
    }

    pub fn tenant(&self) -> TenantId {
        self.tenant
    }
}

impl From<TenantPermit<ExecuteTools>> for CallPermit {
    fn from(permit: TenantPermit<ExecuteTools>) -> Self {
        Self { tenant: permit.tenant(), caller: permit.caller().clone() }
    }
}

impl From<TenantPermit<UseAssistant>> for CallPermit {
    fn from(permit: TenantPermit<UseAssistant>) -> Self {
        Self { tenant: permit.tenant(), caller: permit.caller().clone() }
    }
}
