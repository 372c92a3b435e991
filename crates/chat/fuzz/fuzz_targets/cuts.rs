//! What a model may say: anything, in any chunks. The pieces must be those of the whole text, as a plain reading line
//! by line finds them too, and nothing may be lost.
#![no_main]

#[path = "../../tests/naive/mod.rs"]
mod naive;

use chat::{Parser, Piece};
use libfuzzer_sys::fuzz_target;

fn pieces(text: &str, lengths: &[u8], limit: usize) -> Vec<Piece> {
    let mut parser = Parser::with_limit(limit);
    let mut pieces = vec![];
    let mut rest = text;
    for length in lengths {
        let (chunk, after) = rest.split_at(rest.floor_char_boundary(usize::from(*length)));
        pieces.extend(parser.push(chunk));
        rest = after;
    }
    pieces.extend(parser.push(rest));
    pieces.extend(parser.finish());
    naive::joined(pieces)
}

fn raw(piece: &Piece) -> &str {
    match piece {
        Piece::Text(text) => text,
        Piece::Call(call) => &call.raw,
        Piece::Malformed(malformed) => &malformed.raw,
    }
}

fuzz_target!(|input: (Vec<u8>, u8, &str)| {
    let (lengths, room, text) = input;
    // More than any opening line needs, so that the plain reading knows blocks by their opening line too.
    let limit = 300 + usize::from(room);
    let whole = pieces(text, &[], limit);
    assert_eq!(pieces(text, &lengths, limit), whole);
    assert_eq!(whole.iter().map(raw).collect::<String>(), text);
    if text.lines().all(|line| line.len() < 300) {
        assert_eq!(naive::pieces(text, limit), whole);
    }
});
