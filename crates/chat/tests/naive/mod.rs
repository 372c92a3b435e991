//! The same rules told in another way: with the whole text at hand, line by line. Slow, and easy to believe.

use chat::{Piece, parse};

pub fn joined(pieces: Vec<Piece>) -> Vec<Piece> {
    let mut joined: Vec<Piece> = vec![];
    for piece in pieces {
        match (joined.last_mut(), piece) {
            (Some(Piece::Text(before)), Piece::Text(text)) => before.push_str(&text),
            (_, piece) => joined.push(piece),
        }
    }
    joined
}

/// Marks and info string of a line that opens a fence.
fn opening(line: &str) -> Option<(&str, &str)> {
    let line = line.strip_suffix('\n').unwrap_or(line);
    let line = line.strip_suffix('\r').unwrap_or(line);
    let marks = line.trim_start_matches(' ');
    let info = marks.trim_start_matches(marks.chars().next().filter(|mark| "`~".contains(*mark))?);
    let marks = &marks[..marks.len() - info.len()];
    let indent = line.len() - marks.len() - info.len();
    let code = marks.starts_with('`') && info.contains('`');
    (indent <= 3 && marks.len() >= 3 && !code).then_some((marks, info.trim_matches([' ', '\t'])))
}

fn closes(line: &str, fence: &str) -> bool {
    let indent = line.len() - line.trim_start_matches(' ').len();
    let marks = line[indent..].trim_end_matches(['\n', '\r', ' ', '\t']);
    indent <= 3 && marks.len() >= fence.len() && marks.trim_start_matches(&fence[..1]).is_empty()
}

/// The first word of an info string ends at a blank; a CR that ends no line is one behind `tool` only.
fn is_call(info: &str) -> bool {
    info.strip_prefix("tool").is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\r']))
}

pub fn pieces(text: &str, limit: usize) -> Vec<Piece> {
    let mut pieces = vec![];
    let mark = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    pieces.push(Piece::Text(text[..mark].to_owned()));
    let mut at = mark;
    while at < text.len() {
        let line = text[at..].split_inclusive('\n').next().unwrap_or_default();
        let Some((fence, info)) = opening(line) else {
            pieces.push(Piece::Text(line.to_owned()));
            at += line.len();
            continue;
        };
        let mut end = at + line.len();
        for line in text[end..].split_inclusive('\n') {
            end += line.len();
            if closes(line, fence) {
                break;
            }
        }
        pieces.extend(if is_call(info) {
            block(&text[at..end], at, limit)
        } else {
            vec![Piece::Text(text[at..end].to_owned())]
        });
        at = end;
    }
    pieces.retain(|piece| *piece != Piece::Text(String::new()));
    joined(pieces)
}

/// What is in one block is not told anew: that has tests of its own. Only its place and the limit are.
fn block(raw: &str, at: usize, limit: usize) -> Vec<Piece> {
    let kept = raw.floor_char_boundary(limit);
    let mut pieces = match kept < raw.len() {
        true => parse("~~~tool"),
        false => parse(raw),
    };
    for piece in &mut pieces {
        match piece {
            Piece::Text(_) => panic!("not a block: {raw:?}"),
            Piece::Call(call) => call.start = at as u64,
            Piece::Malformed(malformed) => {
                malformed.start = at as u64;
                if kept < raw.len() {
                    malformed.fault = chat::Fault::TooLarge { limit };
                    malformed.raw = raw[..kept].to_owned();
                }
            }
        }
    }
    pieces.push(Piece::Text(raw[kept..].to_owned()));
    pieces
}
