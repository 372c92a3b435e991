//! How fast text without calls passes, in MB/s: `cargo run --release -p chat --example speed`
#![allow(clippy::print_stdout)]

use chat::Parser;
use std::{hint::black_box, time::Instant};

const SIZE: usize = 64 << 20;
const ROUNDS: usize = 5;

fn main() {
    let prose =
        "The quick brown fox jumps over the lazy dog, and `this` is code within a line of plain text.\n";
    let list = "- item\n  - with `code` in it\n    and more\n\n";
    let code = "For example:\n\n```rust\nfn main() {\n    let greeting = \"hello\"; // ```tool\n\n    print(greeting);\n}\n```\n";
    let fences = "```a\nb\n```\n~~~\n   ``\n~~~\n``` tools\n```\n";
    let line = "no line ends here ";
    for (name, text) in [
        ("prose", prose),
        ("lists", list),
        ("code", code),
        ("fences", fences),
        ("one line", line),
        ("line ends", "\n"),
    ] {
        let text = text.repeat(SIZE / text.len());
        for chunk in [usize::MAX, 64 << 10, 16] {
            let best = (0..ROUNDS).map(|_| megabytes_per_second(&text, chunk)).fold(0.0, f64::max);
            let chunk = if chunk == usize::MAX { "whole".to_owned() } else { format!("{chunk} bytes") };
            println!("{name:>10}, {chunk:>11}: {best:>6.0} MB/s");
        }
    }
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
