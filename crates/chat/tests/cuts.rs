//! However an answer is cut, it means the same; and the same as a plain reading line by line.

#![allow(clippy::unwrap_used)]

mod naive;

use chat::{Parser, Piece};
use proptest::{
    collection::vec,
    prelude::*,
    sample::{Index, select},
    test_runner::{RngSeed, TestRunner},
};
use std::cell::Cell;

/// Small enough that some blocks are too large.
const LIMIT: usize = 120;

/// The parts that decisions hang on, so that nearly every text has fences, blocks and near misses.
fn fragment() -> impl Strategy<Value = String> {
    let marks = (select(vec!['`', '~']), 1_usize..6).prop_map(|(mark, count)| mark.to_string().repeat(count));
    let words = select(vec![
        "tool",
        "tool",
        "tool",
        "too",
        "l",
        "json",
        "\n",
        "\n",
        "\n",
        "\r\n",
        "\r",
        " ",
        "   ",
        "    ",
        "\t",
        "\0",
        "\u{feff}",
        "é",
        "🎬",
        "text",
        "`",
        "{}",
        "[]",
        "{\"name\":\"a\"}",
        "{\"name\":",
        "\"b\",\"args\":{\"x\":1}}",
        "\"x\":1,\"x\":2}",
        "```tool\n",
        "```tool\r\n",
        "~~~tool\n",
        "\n```\n",
        "\r\n```\r\n",
        "\n~~~\n",
    ]);
    let call = select(vec![
        "```tool\n{\"name\":\"a\"}\n```\n",
        "\n````tool\r\n{\"name\":\"b\",\"args\":{\"c\":\"```\"}}\r\n````\r\n",
        "\n~~~tool\n{\"name\":}\n~~~\n",
    ]);
    prop_oneof![3 => marks, 6 => words.prop_map(str::to_owned), 2 => call.prop_map(str::to_owned), 1 => ".{0,40}"]
}

fn answer_and_cuts() -> impl Strategy<Value = (String, Vec<Index>)> {
    (vec(fragment(), 0..24).prop_map(|parts| parts.concat()), vec(any::<Index>(), 0..16))
}

/// The text between the cuts, each moved to the next beginning of a character.
fn chunks<'a>(text: &'a str, cuts: &[Index]) -> Vec<&'a str> {
    let place = |cut: &Index| text.floor_char_boundary(cut.index(text.len() + 1));
    let mut ends: Vec<usize> = cuts.iter().map(place).chain([text.len()]).collect();
    ends.sort_unstable();
    let starts = [0].into_iter().chain(ends.clone());
    starts.zip(ends).map(|(start, end)| &text[start..end]).collect()
}

fn pieces<'a>(chunks: impl IntoIterator<Item = &'a str>) -> Vec<Piece> {
    let mut parser = Parser::with_limit(LIMIT);
    let mut pieces: Vec<Piece> = chunks.into_iter().flat_map(|chunk| parser.push(chunk)).collect();
    pieces.extend(parser.finish());
    assert!(!pieces.contains(&Piece::Text(String::new())));
    naive::joined(pieces)
}

fn check((text, cuts): (String, Vec<Index>)) -> Result<(), TestCaseError> {
    let whole = pieces([text.as_str()]);
    prop_assert_eq!(&pieces(chunks(&text, &cuts)), &whole);
    prop_assert_eq!(&pieces(text.split_inclusive(|_: char| true)), &whole);
    prop_assert_eq!(naive::pieces(&text, LIMIT), whole);
    Ok(())
}

/// Every way of cutting it, as each place between two characters is a cut or is none.
fn check_every_way(text: &str) -> Result<(), TestCaseError> {
    let whole = pieces([text]);
    let places: Vec<usize> = text.char_indices().map(|(at, _)| at).skip(1).collect();
    for way in 0_u32..1 << places.len() {
        let cut = (0..places.len()).filter(|bit| way & (1 << bit) != 0).map(|bit| places[bit]);
        let ends = cut.chain([text.len()]);
        let mut start = 0;
        let chunks = ends.map(|end| &text[std::mem::replace(&mut start, end)..end]);
        prop_assert_eq!(&pieces(chunks), &whole, "{:?} cut as {:b}", text, way);
    }
    prop_assert_eq!(naive::pieces(text, LIMIT), whole);
    Ok(())
}

/// The same cases everywhere; new ones are the fuzzer's. Tells how many were checked.
fn run<S: Strategy>(cases: u32, strategy: &S, check: impl Fn(S::Value) -> Result<(), TestCaseError>) -> u32 {
    let config = ProptestConfig {
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(6),
        ..ProptestConfig::with_cases(cases)
    };
    let checked = Cell::new(0);
    let counted = |case| check(case).inspect(|()| checked.set(checked.get() + 1));
    TestRunner::new(config).run(strategy, counted).unwrap();
    checked.get()
}

/// Long answers: at random cuts, and cut at every character.
#[test]
fn x2_every_way_of_cutting_gives_the_same_pieces() {
    assert_eq!(run(100_000, &answer_and_cuts(), check), 100_000);
}

/// Short answers: all the ways there are, 2^n of them. The pieces are those that a block is made of.
#[test]
fn x2_all_the_ways_of_cutting_a_short_answer() {
    let part =
        select(vec!["`", "``", "```", "~~~", "tool", "t", "\n", "\r\n", "\r", " ", "{", "}", "é", "{}"]);
    let short = vec(part, 0..9).prop_map(|parts| parts.concat().chars().take(12).collect::<String>());
    assert_eq!(run(2_000, &short, |text| check_every_way(&text)), 2_000);
    let blocks = ["```tool\n{}\n```", "```tool\r\n```", "~~~tool\n~~~", "````tool\n```", "```\n```tool\n"];
    for text in blocks {
        check_every_way(text).unwrap();
    }
}

#[test]
fn x2_every_single_cut_of_a_hard_answer() {
    let text = "\u{feff}Olá\r\n```tool\r\n{\"name\":\"a\"}\r\n```\r\n````md\n```tool\n{}\n```\n````\n~~~tool\n{\"name\":}\n~~~ \t\n  ```tool";
    let whole = pieces([text]);
    for cut in (0..=text.len()).filter(|cut| text.is_char_boundary(*cut)) {
        assert_eq!(pieces([&text[..cut], &text[cut..]]), whole, "cut at {cut}");
    }
}
