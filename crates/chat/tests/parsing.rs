//! What is a call, what is an error and what is text, whole and in pieces.

#![allow(clippy::unwrap_used)]

use chat::{Call, Malformed, Parser, Piece, parse};
use serde_json::json;

const CALL: &str =
    "```tool\n{\"name\": \"bash\", \"args\": {\"command\": \"ls\"}, \"reason\": \"look\"}\n```\n";

fn text(text: &str) -> Piece {
    Piece::Text(text.to_owned())
}

fn raw(pieces: &[Piece]) -> String {
    let raw = |piece: &Piece| match piece {
        Piece::Text(text) => text.clone(),
        Piece::Call(call) => call.raw.clone(),
        Piece::Malformed(malformed) => malformed.raw.clone(),
    };
    pieces.iter().map(raw).collect()
}

fn read(input: &str) -> Vec<Piece> {
    let pieces = parse(input);
    assert_eq!(raw(&pieces), input);
    pieces
}

/// `t` for text, the name of a call, the code of an error.
fn outline(input: &str) -> String {
    let word = |piece: &Piece| match piece {
        Piece::Text(_) => "t".to_owned(),
        Piece::Call(call) => call.name.clone(),
        Piece::Malformed(malformed) => malformed.fault.code().to_owned(),
    };
    read(input).iter().map(word).collect::<Vec<_>>().join(" ")
}

fn block(body: &str) -> String {
    format!("```tool\n{body}\n```\n")
}

#[test]
fn x1_the_call_of_the_requirement_is_read() {
    let body = "{\n  \"name\": \"bash\",\n  \"args\": {\"command\": \"ls -la\"},\n  \"reason\": \"Listar arquivos do diretório atual\"\n}";
    let input = format!("Vou olhar.\n\n{}Pronto.", block(body));
    let call = Call {
        name: "bash".to_owned(),
        args: json!({"command": "ls -la"}),
        reason: Some("Listar arquivos do diretório atual".to_owned()),
        raw: block(body),
        start: 12,
    };
    assert_eq!(read(&input), [text("Vou olhar.\n\n"), Piece::Call(call), text("Pronto.")]);
}

#[test]
fn x1_args_and_reason_may_be_left_out() {
    for body in [r#"{"name":"now"}"#, r#"{"name":"now","args":{},"reason":null}"#] {
        let [Piece::Call(call)] = &read(&block(body))[..] else { panic!("{body}") };
        assert_eq!((call.args.clone(), call.reason.clone()), (json!({}), None));
    }
}

#[test]
fn x1_every_shape_of_fence() {
    for (input, expected) in [
        ("````tool\n{\"name\":\"a\"}\n````\n", "a"),
        ("~~~tool\n{\"name\":\"a\"}\n~~~\n", "a"),
        ("~~~~~tool\n{\"name\":\"a\"}\n~~~~~~~\n", "a"),
        ("   ```tool\n{\"name\":\"a\"}\n  ```\n", "a"),
        ("``` \ttool \t\n{\"name\":\"a\"}\n``` \t\n", "a"),
        ("```tool\r\n{\"name\":\r\n\"a\"}\r\n```\r\n", "a"),
        ("```tool\n{\"name\":\"a\"}\n```", "a"),
        ("```tool\n{\"name\":\"a\"}\n```\r", "a"),
        ("\u{feff}```tool\n{\"name\":\"a\"}\n```", "t a"),
        ("x\n\u{feff}```tool\n{\"name\":\"a\"}\n```", "t"),
        ("\u{feff}\u{feff}```tool\n{\"name\":\"a\"}\n```", "t"),
        ("    ```tool\n{\"name\":\"a\"}\n    ```\n", "t"),
        ("\t```tool\n{\"name\":\"a\"}\n```\n", "t"),
        ("``tool\n{\"name\":\"a\"}\n``\n", "t"),
        ("Say ```tool\n{\"name\":\"a\"}\n```\n", "t"),
        ("> ```tool\n> {\"name\":\"a\"}\n> ```\n", "t"),
        ("```tool {\"name\":\"a\"}```\n", "t"),
        ("``~tool\n{\"name\":\"a\"}\n```\n", "t"),
    ] {
        assert_eq!(outline(input), expected, "{input:?}");
    }
}

#[test]
fn x1_only_the_info_string_tool_makes_a_call() {
    for info in
        ["", "json", "Tool", "too", "tools", "tool_result", "tool-x", "atool", "\rtool", "töol", "tool\u{a0}"]
    {
        assert_eq!(outline(&format!("```{info}\n{{\"name\":\"a\"}}\n```\n")), "t", "{info:?}");
    }
}

#[test]
fn x1_a_fence_in_another_fence_is_text() {
    assert_eq!(outline(&format!("````markdown\n{CALL}````\n{CALL}")), "t bash");
    assert_eq!(outline(&format!("~~~\n{CALL}~~~\n{CALL}")), "t bash");
    assert_eq!(outline(&format!("~~~ a `b`\n{CALL}")), "t", "never closed");
    assert_eq!(outline(&format!("```a`b\n{CALL}")), "t bash", "no fence: backticks in the info string");
    assert_eq!(
        outline("````tool\n```\n{\"name\":\"a\"}\n````\n"),
        "invalid_json",
        "a shorter fence is content"
    );
    assert_eq!(outline("~~~tool\n{\"name\":\n```\n\"a\"}\n~~~\n"), "invalid_json", "another kind is content");
    assert_eq!(
        outline("```tool\n{\"name\":\"a\"}\n``` x\n```\n"),
        "invalid_json",
        "a closing fence says nothing"
    );
    assert_eq!(
        outline("```tool\n{\"name\":\"a\"}\n    ```\n```\n"),
        "invalid_json",
        "four spaces close nothing"
    );
}

#[test]
fn x1_a_fence_in_a_string_is_content() {
    let input = block(r#"{"name":"write_file","args":{"content":"```tool\n{}\n```\n"}}"#);
    let [Piece::Call(call)] = &read(&input)[..] else { panic!() };
    assert_eq!(call.args, json!({"content": "```tool\n{}\n```\n"}));
}

#[test]
fn x1_several_blocks_keep_their_order_and_place() {
    let input = format!("a\n{CALL}b\n{}{CALL}c", block("{"));
    let pieces = read(&input);
    let starts = pieces.iter().filter_map(|piece| match piece {
        Piece::Text(_) => None,
        Piece::Call(Call { start, raw, .. }) | Piece::Malformed(Malformed { start, raw, .. }) => {
            Some((*start, raw))
        }
    });
    for (start, raw) in starts {
        assert!(input[usize::try_from(start).unwrap()..].starts_with(raw.as_str()));
    }
    assert_eq!(outline(&input), "t bash t invalid_json bash t");
}

#[test]
fn x1_a_malformed_block_is_reported_with_its_reason() {
    for (body, code) in [
        ("", "invalid_json"),
        ("{\"name\": \"a\"", "invalid_json"),
        ("{\"name\": \"a\"} {}", "invalid_json"),
        ("{\"name\": \"a\",}", "invalid_json"),
        ("{\"name\": \"a\0\"}", "invalid_json"),
        ("\u{feff}{\"name\": \"a\"}", "invalid_json"),
        ("{\"name\": \"a\", \"args\": {\"x\": 1e999}}", "invalid_json"),
        ("{\"name\": \"\\ud800\"}", "invalid_json"),
        ("[]", "not_an_object"),
        ("\"bash\"", "not_an_object"),
        ("null", "not_an_object"),
        ("{}", "invalid_name"),
        ("{\"name\": \" \"}", "invalid_name"),
        ("{\"name\": 1}", "invalid_name"),
        ("{\"name\": \"a\", \"args\": null}", "invalid_args"),
        ("{\"name\": \"a\", \"args\": [1]}", "invalid_args"),
        ("{\"name\": \"a\", \"reason\": 1}", "invalid_reason"),
        ("{\"name\": \"a\", \"arguments\": {}}", "unknown_field"),
        ("{\"name\": \"a\", \"name\": \"b\"}", "duplicate_key"),
        ("{\"name\": \"a\", \"args\": {\"x\": [{\"y\": 1, \"y\": 1}]}}", "duplicate_key"),
    ] {
        assert_eq!(outline(&format!("a\n{}b", block(body))), format!("t {code} t"), "{body:?}");
    }
    assert_eq!(outline("```tool bash\n{\"name\":\"a\"}\n```\n"), "extra_info");
    assert_eq!(outline("~~~tool `x`\n{\"name\":\"a\"}\n~~~\n"), "extra_info");
}

#[test]
fn x1_a_reason_says_where_and_stays_short() {
    let message = |body: &str| match &read(&block(body))[..] {
        [Piece::Malformed(malformed)] => malformed.fault.to_string(),
        other => panic!("{other:?}"),
    };
    assert_eq!(message("{\n\"name\": }"), "no valid JSON: expected value at line 2 column 9");
    assert_eq!(message("{\"a\":1,\"a\":2}"), "the key \"a\" appears twice at line 1 column 10");
    let long = "k".repeat(100_000);
    assert!(message(&format!("{{\"{long}\":1}}")).len() < 200);
    assert!(message(&format!("{{\"{long}\":1,\"{long}\":2}}")).len() < 200);
}

#[test]
fn x1_deep_nesting_is_an_error_not_a_crash() {
    let deep = |levels| {
        format!("{{\"name\":\"a\",\"args\":{{\"x\":{}{}}}}}", "[".repeat(levels), "]".repeat(levels))
    };
    assert_eq!(outline(&block(&deep(100))), "a");
    assert_eq!(outline(&block(&deep(200))), "invalid_json");
    assert_eq!(outline(&block(&deep(100_000))), "invalid_json");
}

#[test]
fn x1_a_block_that_is_cut_off_is_reported() {
    let whole = "~~~tool\n{\"name\":\"a\"}\n~~~";
    for end in "~~~tool".len()..whole.len() {
        assert_eq!(outline(&whole[..end]), "cut_off", "{:?}", &whole[..end]);
    }
    assert_eq!(outline("```tool x"), "cut_off");
    assert_eq!(outline("a\n```too"), "t");
    assert_eq!(outline(&format!("a\n```\n{CALL}```")), "t");
}

#[test]
fn x1_nothing_comes_of_nothing() {
    assert_eq!(read(""), []);
    let mut parser = Parser::new();
    assert_eq!(parser.push(""), []);
    assert_eq!(parser.finish(), None);
}

#[test]
fn x2_only_what_may_be_a_call_is_held_back() {
    for (chunk, out) in [
        ("Hello", "Hello"),
        ("Hello\n", "Hello\n"),
        ("Hello\n  ", "Hello\n"),
        ("Hello\n    ", "Hello\n    "),
        ("Hello\n``", "Hello\n"),
        ("Hello\n``x", "Hello\n``x"),
        ("Hello\n```", "Hello\n"),
        ("Hello\n```\n", "Hello\n```\n"),
        ("Hello\n```rust", "Hello\n```rust"),
        ("Hello\n```t", "Hello\n"),
        ("Hello\n```tx", "Hello\n```tx"),
        ("Hello\n```tool", "Hello\n"),
        ("Hello\n```tools", "Hello\n```tools"),
        ("Hello\n```tool a", "Hello\n"),
        ("Hello\n```tool a`", "Hello\n```tool a`"),
        ("```\n```", "```\n```"),
        ("```\na\n  ``", "```\na\n  ``"),
        ("a ```tool\n", "a ```tool\n"),
    ] {
        let mut parser = Parser::new();
        assert_eq!(raw(&parser.push(chunk)), out, "{chunk:?}");
        let whole: Vec<u8> = chunk.bytes().collect();
        let mut parser = Parser::new();
        let bytewise: Vec<Piece> =
            whole.iter().flat_map(|byte| parser.push(&char::from(*byte).to_string())).collect();
        assert_eq!(raw(&bytewise), out, "{chunk:?}, one by one");
    }
}

#[test]
fn x2_a_call_comes_with_the_end_of_its_last_line() {
    let mut parser = Parser::new();
    assert_eq!(parser.push(CALL.strip_suffix('\n').unwrap()), []);
    let [Piece::Call(call)] = &parser.push("\nand")[..1] else { panic!() };
    assert_eq!(call.raw, CALL);
    assert_eq!(parser.finish(), None);
}

#[test]
fn x2_a_block_over_the_limit_is_refused_and_not_kept() {
    let mut parser = Parser::with_limit(101);
    let mut pieces = parser.push("```tool\n{\"name\": \"");
    for _ in 0..1_000 {
        pieces.extend(parser.push("é"));
    }
    pieces.extend(parser.push(&format!("\n```tool\n{{}}\n```\n{CALL}")));
    let Piece::Malformed(first) = &pieces[0] else { panic!() };
    assert_eq!((first.fault.code(), first.raw.len()), ("too_large", 100), "no half character");
    assert!(pieces.iter().any(|piece| matches!(piece, Piece::Call(_))), "the next block is read again");
    let exact = Parser::with_limit(CALL.len()).push(CALL);
    assert!(matches!(exact[..], [Piece::Call(_)]));
    let over = Parser::with_limit(CALL.len() - 1).push(CALL);
    assert!(matches!(&over[..], [Piece::Malformed(_), Piece::Text(rest)] if rest == "\n"));
}

#[test]
fn x2_lines_that_never_end_are_not_kept() {
    for (line, code) in [
        ("`", "text"),
        ("``` ", "text"),
        ("~~~", "text"),
        ("```tool ", "too_large"),
        ("```tool x", "too_large"),
    ] {
        let mut parser = Parser::with_limit(64);
        let last = line.chars().last().unwrap().to_string();
        let mut pieces = parser.push(line);
        (0..10_000).for_each(|_| pieces.extend(parser.push(&last)));
        let kept = line.len() + 10_000 - raw(&pieces).len();
        assert!(kept <= 64, "{line:?} keeps {kept}");
        let first = match &pieces[0] {
            Piece::Malformed(malformed) => malformed.fault.code(),
            _ => "text",
        };
        assert_eq!(first, code, "{line:?}");
    }
}

#[test]
fn x2_a_fence_of_very_many_marks_still_holds_what_is_inside() {
    let fence = "~".repeat(1_000);
    let mut parser = Parser::with_limit(200);
    let mut pieces = parser.push(&format!("{fence}\n~~~~\n{CALL}{fence}\n{CALL}"));
    pieces.extend(parser.finish());
    assert!(matches!(pieces[..], [Piece::Text(_), Piece::Call(_)]), "{pieces:?}");
}

#[test]
fn x2_a_limit_too_small_for_any_block_breaks_nothing() {
    for limit in 0..20 {
        let input = format!("``\n{CALL}~~\n   x");
        let mut parser = Parser::with_limit(limit);
        let mut pieces = parser.push(&input);
        pieces.extend(parser.finish());
        assert_eq!(raw(&pieces), input);
        let [Piece::Text(_), Piece::Malformed(malformed), Piece::Text(_)] = &pieces[..] else {
            panic!("{pieces:?}")
        };
        assert_eq!(malformed.fault.code(), "too_large");
    }
}

#[test]
fn x2_what_is_inside_a_block_with_too_long_an_opening_is_not_called() {
    let inner = CALL.replace('`', "~");
    let mut parser = Parser::with_limit(200);
    let mut pieces = parser.push(&format!("```tool {}\n{inner}```\n{CALL}", "x".repeat(1_000)));
    pieces.extend(parser.finish());
    assert!(matches!(pieces[..], [Piece::Malformed(_), Piece::Text(_), Piece::Call(_)]), "{pieces:?}");
}
