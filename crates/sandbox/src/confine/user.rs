//! Workers are nobody, where the server may decide that.

use rustix::{
    process::{Gid, Uid},
    thread::{CapabilitySet, CapabilitySets},
};

/// The user and the group that own nothing.
const NOBODY: u32 = 65534;

/// Why the user is still the same, if it is. Capabilities are gone in either case. Root that cannot become anybody else
/// is refused: the kernel does not count root's processes.
pub(super) fn give_up() -> Result<Option<String>, String> {
    let kept = if rustix::process::geteuid().is_root() {
        become_nobody().map_err(|errno| {
            format!(
                "the server runs as root and the kernel does not let it change its user ({errno}); \
                 run it as another user, or let it have CAP_SETUID and CAP_SETGID"
            )
        })?;
        None
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
