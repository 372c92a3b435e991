//! Code tools, as far as they can be judged before they run: whether this machine can confine them, whether the code is
//! a module with a function, whether the limits are within the operator's and the secrets are there.

use crate::{Ceilings, Engine, KnownTool};
use domain::{
    ErrorCode, FieldCode, FieldError, ServiceError, ServiceResult, TenantId,
    tool::{ExecutionType, ToolDefinition},
};
use sandbox::{Fault, FaultKind, Metrics, Unsupported};

pub(crate) const USUAL_MEMORY_MB: u32 = 64;
pub(crate) const USUAL_FETCHES: u32 = 10;

impl Engine {
    /// Why no code tool runs on this machine; nothing where they do.
    pub fn code_unavailable(&self) -> Option<&str> {
        self.sandbox.as_ref().err().map(|Unsupported { reason }| reason.as_str())
    }

    pub fn code_metrics(&self) -> Option<Metrics> {
        self.sandbox.as_ref().ok().map(sandbox::Sandbox::metrics)
    }

    /// Why a call of this tool could not run here, whatever the rules say.
    pub(crate) fn cannot_run(&self, known: &KnownTool) -> Option<&str> {
        let is_code = known.tool.definition.execution_type == ExecutionType::Code;
        self.code_unavailable().filter(|_| is_code)
    }

    /// Only what a change brings is judged: a tool that was sound when it was saved can still be renamed or stopped
    /// after the operator lowered a limit or a secret was taken back.
    pub(crate) async fn check_code(
        &self,
        tenant: TenantId,
        before: Option<&ToolDefinition>,
        after: &ToolDefinition,
    ) -> ServiceResult<()> {
        if after.execution_type != ExecutionType::Code {
            return Ok(());
        }
        let before = before.filter(|before| before.execution_type == ExecutionType::Code);
        let mut errors = self.over_ceilings(before, after);
        if before.is_none_or(|before| before.secret_names != after.secret_names) {
            errors.extend(self.unknown_secrets(tenant, &after.secret_names).await?);
        }
        if !errors.is_empty() {
            return Err(ServiceError::fields(errors));
        }
        match &after.code {
            Some(code) if before.is_none_or(|before| before.code != after.code) => {
                self.check_syntax(code).await
            }
            _ => Ok(()),
        }
    }

    fn over_ceilings(&self, before: Option<&ToolDefinition>, after: &ToolDefinition) -> Vec<FieldError> {
        let Ceilings { code_time_ms, code_memory_mb, code_output_bytes, code_fetches, .. } = self.ceilings;
        let is_new = |same: fn(&ToolDefinition) -> Option<u32>| {
            before.is_none_or(|before| same(before) != same(after))
        };
        let limits = [
            ("timeout_ms", Some(after.timeout_ms), code_time_ms, is_new(|tool| Some(tool.timeout_ms))),
            ("memory_mb", after.memory_mb, code_memory_mb, is_new(|tool| tool.memory_mb)),
            (
                "max_output_bytes",
                Some(after.max_output_bytes),
                code_output_bytes,
                is_new(|tool| Some(tool.max_output_bytes)),
            ),
            ("max_fetches", after.max_fetches, code_fetches, is_new(|tool| tool.max_fetches)),
        ];
        let over = limits.into_iter().filter(|(_, wanted, most, is_new)| *is_new && *wanted > Some(*most));
        over.map(|(field, _, most, _)| FieldError {
            message: format!("can be at most {most} for code tools here"),
            ..FieldError::new(field, FieldCode::Invalid)
        })
        .collect()
    }

    async fn unknown_secrets(&self, tenant: TenantId, names: &[String]) -> ServiceResult<Vec<FieldError>> {
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let known = store::tenant_secrets::named(&self.db.reader_of(tenant).await?, tenant, names).await?;
        let unknown = names.iter().filter(|name| !known.iter().any(|secret| secret.name == **name));
        let refused = |name: &String| FieldError {
            message: format!("there is no secret {name}"),
            ..FieldError::new("secret_names", FieldCode::Unknown)
        };
        Ok(unknown.map(refused).collect())
    }

    /// Code that nothing can check is not kept: whoever saves it would learn of a mistake from somebody's call.
    async fn check_syntax(&self, code: &str) -> ServiceResult<()> {
        let sandbox = self.sandbox.as_ref().map_err(|reason| {
            ServiceError::new(ErrorCode::CodeUnavailable, format!("{reason}, so they cannot be saved."))
        })?;
        sandbox.check(code).await.map_err(|fault| match fault.kind {
            FaultKind::NoRoom => {
                let detail = "Nothing was free to check the code; try again.";
                ServiceError { retry_after: Some(1), ..ServiceError::new(ErrorCode::Unavailable, detail) }
            }
            _ => refused(fault).into(),
        })
    }
}

fn refused(fault: Fault) -> FieldError {
    let Fault { message, line, column, .. } = fault;
    FieldError { message, line, column, ..FieldError::new("code", FieldCode::Invalid) }
}
