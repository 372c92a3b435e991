//! The decision table's wasm side: rules in, one answer out. Built by `tests/decisions.rs`, never shipped.
#![allow(unsafe_code, clippy::unwrap_used)]

// The native tests read the rest of each row.
#[allow(dead_code)]
#[path = "../tests/table/mod.rs"]
mod table;

use std::sync::OnceLock;

/// Room for `length` bytes; never freed, the module lives for one test.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(length: u32) -> *mut u8 {
    Box::leak(vec![0_u8; length as usize].into_boxed_slice()).as_mut_ptr()
}

/// 1 when the rules at `at` allow row number `row` of the table.
///
/// # Safety
/// `at` and `length` are what `reserve` gave out.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn decide(row: u32, at: *const u8, length: u32) -> u32 {
    let bytes = unsafe { std::slice::from_raw_parts(at, length as usize) };
    let ability: ability::Ability = serde_json::from_slice(bytes).unwrap();
    static ROWS: OnceLock<Vec<table::Row>> = OnceLock::new();
    let row = &ROWS.get_or_init(table::rows)[row as usize];
    u32::from(ability.decide(row.action, &row.target).is_allowed())
}
