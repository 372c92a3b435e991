//! The parser of calls on text without any: whole, and in chunks as they come over a network. Texts of nothing but fences,
//! and chunks as small as a model's words, are told for comparison.

use crate::{Figure, Outcome, say};
use chat::Parser;
use std::{hint::black_box, time::Instant};

const ROUNDS: usize = 5;
const LIMIT: f64 = 200.0;
const WHOLE: usize = usize::MAX;
const CHUNK: usize = 64 << 10;
const WORD: usize = 16;

const PROSE: &str =
    "The quick brown fox jumps over the lazy dog, and `this` is code within a line of plain text.\n";
const LISTS: &str = "- item\n  - with `code` in it\n    and more\n\n";
const CODE: &str = "For example:\n\n```rust\nfn main() {\n    let greeting = \"hello\"; // ```tool\n\n    print(greeting);\n}\n```\n";
const FENCES: &str = "```a\nb\n```\n~~~\n   ``\n~~~\n``` tools\n```\n";

/// What a model writes, and what has a limit.
const TEXTS: [(&str, &str, bool); 6] = [
    ("prose", PROSE, true),
    ("lists", LISTS, true),
    ("prose with code", CODE, true),
    ("one line", "no line ends here ", true),
    ("line ends", "\n", true),
    ("nothing but fences", FENCES, false),
];

pub fn figures(size: usize) -> Outcome<Vec<Figure>> {
    let mut figures = Vec::new();
    for (name, text, is_limited) in TEXTS {
        let text = text.repeat(size / text.len());
        let best = |chunk| (0..ROUNDS).map(|_| megabytes_per_second(&text, chunk)).fold(0.0, f64::max);
        let (whole, chunks, words) = (best(WHOLE), best(CHUNK), best(WORD));
        say(&format!(
            "parser, {name}: {whole:.0} MB/s whole, {chunks:.0} in chunks, {words:.0} word by word"
        ))?;
        if is_limited {
            let what = format!("parser on {name}, the slower of whole and in chunks of 64 KiB");
            figures.push(Figure::at_least(what, whole.min(chunks), LIMIT, "MB/s"));
        }
    }
    Ok(figures)
}

fn megabytes_per_second(text: &str, chunk: usize) -> f64 {
    let begun = Instant::now();
    let mut parser = Parser::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (next, after) = rest.split_at(chunk.min(rest.len()));
        black_box(parser.push(next));
        rest = after;
    }
    black_box(parser.finish());
    text.len() as f64 / 1e6 / begun.elapsed().as_secs_f64()
}
