//! T6: a tool is switched on and off. A switch is no version of the tool, so its moment tells one from the next.

use crate::Engine;
use ability::{TenantPermit, UpdateTools};
use domain::{
    ServiceResult, ToolId,
    tool::{ToolIn, ToolOut},
};

#[derive(Clone, Copy, Debug, Default)]
pub struct ToolSwitch {
    pub is_active: bool,
    pub expected_version: Option<i64>,
    /// The [`ChangedTool::moment`] of the change that is taken back: whatever anybody has done since then stays.
    pub since: Option<i64>,
}

#[derive(Debug)]
pub struct ChangedTool {
    pub tool: ToolOut,
    /// When this change was made, to the microsecond.
    pub moment: i64,
}

impl Engine {
    pub async fn toggle_tool(
        &self,
        permit: &TenantPermit<UpdateTools>,
        id: ToolId,
        switch: ToolSwitch,
    ) -> ServiceResult<ChangedTool> {
        let ToolSwitch { is_active, expected_version, since } = switch;
        let input = ToolIn { is_active: Some(is_active), expected_version, ..ToolIn::default() };
        self.change_tool(permit, id, input, since).await
    }
}
