//! Workers are nobody, where the server may decide that.

use rustix::{
    process::{Gid, Uid},
    thread::{CapabilitySet, CapabilitySets},
};

/// The user and the group that own nothing.
const NOBODY: u32 = 65534;

/// Why the user is still the same, if it is. Capabilities are gone in either case.
pub(super) fn give_up() -> Result<Option<String>, String> {
    let kept = if rustix::process::geteuid().is_root() {
        become_nobody()
            .err()
            .map(|errno| format!("the kernel does not let the server change its user: {errno}"))
    } else {
        Some("the server does not run as root, so it cannot change to another user".to_owned())
    };
    let none = CapabilitySets {
        effective: CapabilitySet::empty(),
        permitted: CapabilitySet::empty(),
        inheritable: CapabilitySet::empty(),
    };
    rustix::thread::set_capabilities(None, none).map_err(|e| format!("capabilities: {e}"))?;
    Ok(kept)
}

/// The groups first: without root nobody may change them.
fn become_nobody() -> rustix::io::Result<()> {
    let (uid, gid) = (Uid::from_raw(NOBODY), Gid::from_raw(NOBODY));
    rustix::thread::set_thread_groups(&[])?;
    rustix::thread::set_thread_res_gid(gid, gid, gid)?;
    rustix::thread::set_thread_res_uid(uid, uid, uid)
}
