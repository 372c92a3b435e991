//! Landlock: no file, no TCP, no signal and no abstract socket to anyone outside.

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, LandlockStatus, Ruleset, RulesetAttr,
    RulesetError, RulesetStatus, Scope,
};

/// The newest that the crate knows. What an older kernel lacks of it is refused by seccomp anyway.
const NEWEST: ABI = ABI::V9;

/// Version 1, all files, is the least; the kernel's version is returned.
pub(super) fn deny_everything() -> Result<i32, String> {
    let status = restrict().map_err(|e| format!("Landlock: {e}"))?;
    if status.ruleset == RulesetStatus::NotEnforced || !status.no_new_privs {
        return Err("Landlock is not enforced by this kernel".to_owned());
    }
    match status.landlock {
        LandlockStatus::Available { effective_abi, kernel_abi } => {
            Ok(kernel_abi.unwrap_or(effective_abi as i32))
        }
        _ => Err("this kernel has no Landlock".to_owned()),
    }
}

fn restrict() -> Result<landlock::RestrictionStatus, RulesetError> {
    Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(ABI::V1))?
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(NEWEST))?
        .handle_access(AccessNet::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?
        .create()?
        .restrict_self()
}
