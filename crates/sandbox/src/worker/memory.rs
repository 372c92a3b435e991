//! The script's memory, counted. QuickJS counts too, but says nothing when its limit is met, and then has no memory
//! left to make the error with: the author would read `null`.
#![allow(unsafe_code)]

use rquickjs::allocator::Allocator;
use std::{cell::Cell, rc::Rc};

/// Beyond the limit, for the error that says so.
const RESERVE_BYTES: usize = 256 << 10;
/// After each refusal so many small pieces are given from the reserve.
const PIECES: u32 = 256;
const SMALL_BYTES: usize = 4 << 10;

#[derive(Default)]
pub(super) struct Memory {
    used: Cell<usize>,
    limit: Cell<Option<usize>>,
    refused: Cell<bool>,
    pieces: Cell<u32>,
}

impl Memory {
    pub(super) fn limit(&self, bytes: u64) {
        self.limit.set(usize::try_from(bytes).ok());
    }

    /// Whether the script ever asked for more than it may have.
    pub(super) fn has_refused(&self) -> bool {
        self.refused.get()
    }

    fn may_grow(&self, by: usize) -> bool {
        let Some(limit) = self.limit.get() else {
            return true;
        };
        let used = self.used.get().saturating_add(by);
        if used <= limit {
            return true;
        }
        let pieces = self.pieces.get();
        if pieces > 0 && by <= SMALL_BYTES && used <= limit.saturating_add(RESERVE_BYTES) {
            self.pieces.set(pieces - 1);
            return true;
        }
        self.refused.set(true);
        self.pieces.set(PIECES);
        false
    }

    fn taken(&self, memory: *mut u8) -> *mut u8 {
        if !memory.is_null() {
            self.used.set(self.used.get().saturating_add(size(memory)));
        }
        memory
    }
}

/// The C library's, as QuickJS would use it.
pub(super) struct Counted(pub Rc<Memory>);

// SAFETY: all memory comes from the C library's allocator, whose promises are at least those of the trait.
unsafe impl Allocator for Counted {
    fn alloc(&mut self, size: usize) -> *mut u8 {
        if !self.0.may_grow(size) {
            return std::ptr::null_mut();
        }
        // SAFETY: any size may be asked for.
        self.0.taken(unsafe { libc::malloc(size) }.cast())
    }

    fn calloc(&mut self, count: usize, size: usize) -> *mut u8 {
        if !self.0.may_grow(count.saturating_mul(size)) {
            return std::ptr::null_mut();
        }
        // SAFETY: any size may be asked for; a product that is too large is refused.
        self.0.taken(unsafe { libc::calloc(count, size) }.cast())
    }

    unsafe fn dealloc(&mut self, ptr: *mut u8) {
        self.0.used.set(self.0.used.get().saturating_sub(size(ptr)));
        // SAFETY: the caller gives back what came from here.
        unsafe { libc::free(ptr.cast()) }
    }

    unsafe fn realloc(&mut self, ptr: *mut u8, new_size: usize) -> *mut u8 {
        let before = size(ptr);
        if !self.0.may_grow(new_size.saturating_sub(before)) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller gives back what came from here, or null.
        let memory: *mut u8 = unsafe { libc::realloc(ptr.cast(), new_size) }.cast();
        if !memory.is_null() || new_size == 0 {
            self.0.used.set(self.0.used.get().saturating_sub(before));
        }
        self.0.taken(memory)
    }

    unsafe fn usable_size(ptr: *mut u8) -> usize {
        size(ptr)
    }
}

fn size(memory: *mut u8) -> usize {
    // SAFETY: of null it is nothing; everything else came from the C library.
    unsafe { libc::malloc_usable_size(memory.cast()) }
}
