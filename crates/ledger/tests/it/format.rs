//! The format of hashes and signatures is for ever. The values come from a second implementation, in Python.

use crate::sample::{ANA, chain, checkpoint, signer, texts};
use ledger::Head;

#[test]
fn b4_hashes_are_what_another_implementation_computes() {
    let starts = [ANA, None].map(|tenant| Head::start(tenant).hash.to_string());
    assert_eq!(starts[0], "728f7cee940ec6c12c0baa939674985fd05048faffb40bd1df456b61816dae64");
    assert_eq!(starts[1], "961c15be81cb325c3a6175a3574704d6c4f2ab8db363ac571350b79cd8b874ae");

    let mut first = chain(ANA, 1).remove(0);
    let hash = "025f176df484451e0fae8e862c0a68afcbffbbfe53c3e2cb23b66a631a844572";
    assert_eq!(first.hash.to_string(), hash);
    texts(&mut first).reason = None;
    let without_reason = Head::start(ANA).link(&first.entry).unwrap().hash.to_string();
    assert_eq!(without_reason, "3a923ed4bdf03193b7e46af4fc58e0521e71d8f3dfe872cee3dc636c252a506a");
}

#[test]
fn b4_signatures_are_what_another_implementation_computes() {
    let public_key = "ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c";
    assert_eq!(signer().public_key().to_string(), public_key);
    assert_eq!(public_key.parse(), Ok(signer().public_key()));
    assert_eq!(signer().key_id().to_string(), "9576a498255e14f2");

    let signature = checkpoint(&chain(ANA, 1)[0]).signature.to_string();
    assert_eq!(&signature[..64], "9de333fd95e6cf4c0380869992ad5e0f80ab104294c853df71289f5c808c123a");
    assert_eq!(&signature[64..], "06c60e4e937f6d111eb93a994bba2dd90e7681c8a8fe0abf0255f46a6113080e");
}

#[test]
fn b4_a_private_key_does_not_show() {
    assert_eq!(format!("{:?}", signer()), "Signer(9576a498255e14f2)");
}
