//! What a worker that was taken over may send: any bytes, in any pieces. The server must take them or refuse them,
//! the same way whatever the pieces, and hold no more than it was told.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sandbox::protocol::{FromZygote, read_fork_request, replay};

fuzz_target!(|input: (usize, Vec<u8>)| {
    let (piece, bytes) = input;
    let limit = 4096;
    assert_eq!(replay(&bytes, piece, limit), replay(&bytes, bytes.len(), limit));
    let _refused = FromZygote::decode(&bytes);
    let _refused = read_fork_request(&bytes);
});
