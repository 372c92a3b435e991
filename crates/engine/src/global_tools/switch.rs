//! Using a switch: checked, recorded with before and after, and heard by every process.

use super::{AUDIT_KIND, GlobalTools, row};
use crate::registry;
use ability::{Caller, ManageAdminPanel, Permit};
use domain::{
    ErrorCode, Language, ServiceError, ServiceResult,
    global_tool::{GlobalToolOut, ToolCategory},
    text::parse_optional_line,
};
use serde_json::json;
use store::{
    Signal, WriteTx,
    audit::{self, Entry},
};

/// What somebody wants a switch to be.
pub struct Switch {
    pub tool_name: String,
    pub enabled: bool,
    pub reason: Option<String>,
    /// The version that they saw; a switch by somebody else since then is a conflict. `None`: whatever it is.
    pub seen_version: Option<i64>,
}

/// How often a switch without a seen version is tried when others use the same one at the same time.
const TRIES: usize = 5;

impl GlobalTools {
    pub async fn switch(
        &self,
        permit: &Permit<ManageAdminPanel>,
        wanted: Switch,
        language: Language,
    ) -> ServiceResult<GlobalToolOut> {
        let tool = registry::find(&wanted.tool_name).ok_or_else(|| not_found(&wanted.tool_name))?;
        if tool.category == ToolCategory::System && !wanted.enabled {
            let detail = format!("{} is a system tool: system tools are always on.", tool.name);
            return Err(ServiceError::new(ErrorCode::SystemTool, detail));
        }
        let reason = parse_optional_line("reason", wanted.reason.as_deref(), 500)?;
        let tries = if wanted.seen_version.is_some() { 1 } else { TRIES };
        for _ in 0..tries {
            if self.try_switch(permit.caller(), &wanted, reason.clone()).await? {
                let now = self.cache.read(&self.db).await?;
                return row(tool, &now, language).ok_or_else(|| not_found(tool.name));
            }
        }
        Err(conflict())
    }

    /// False when somebody else was faster.
    async fn try_switch(
        &self,
        caller: &Caller,
        wanted: &Switch,
        reason: Option<String>,
    ) -> ServiceResult<bool> {
        let tx = self.db.begin().await?;
        let name = &wanted.tool_name;
        let flag = store::global_tools::find(&tx, name).await?.ok_or_else(|| not_found(name))?;
        if wanted.seen_version.is_some_and(|seen| seen != flag.version) {
            return Err(conflict());
        }
        if flag.enabled == wanted.enabled {
            return Ok(true);
        }
        if !store::global_tools::set(&tx, name, wanted.enabled, flag.version).await? {
            return Ok(false);
        }
        record(&tx, caller, wanted, reason).await?;
        self.db.commit(tx, &[Signal::GlobalTools]).await?;
        tracing::info!(tool = name, enabled = wanted.enabled, "a global tool was switched");
        Ok(true)
    }
}

async fn record(tx: &WriteTx, caller: &Caller, wanted: &Switch, reason: Option<String>) -> ServiceResult<()> {
    let entry = Entry {
        tenant: None,
        action: "global_tool.switch",
        subject_kind: AUDIT_KIND,
        subject_id: wanted.tool_name.clone(),
        before: Some(json!({ "enabled": !wanted.enabled })),
        after: Some(json!({ "enabled": wanted.enabled })),
        reason,
    };
    Ok(audit::append(tx, caller, entry).await?)
}

fn not_found(name: &str) -> ServiceError {
    let shown: String = name.chars().take(64).collect();
    ServiceError::new(ErrorCode::ToolNotFound, format!("There is no global tool named “{shown}”."))
}

fn conflict() -> ServiceError {
    let detail = "Somebody else used this switch in the meantime. Look at its state and try again.";
    ServiceError::new(ErrorCode::Conflict, detail)
}
