//! G8, G9: every way through the assistant's conversation.
#![allow(clippy::unwrap_used)]

use chat::menu::{
    Heard, Meanwhile, MenuTool, Next, Run, Said, Standing, Wanted, ask_which, close, film, hear,
    is_same_menu, meanwhile, step,
};
use domain::{
    AssistantMenuId, ItemId, Language,
    assistant::AssistantState::{self, *},
    item::{ItemKind, ItemMatch},
};
use serde_json::json;

const PT: Language = Language::PtBr;

fn tools() -> Vec<MenuTool> {
    let all = [
        ("save_note", "💡", "Salvar como nota"),
        ("save_movie", "🎬", "Salvar como filme"),
        ("save_tv_show", "📺", "Salvar como série"),
        ("save_video", "🎥", "Salvar como vídeo"),
        ("save_link", "🔗", "Salvar como link"),
    ];
    let tool = |(name, icon, label): (&str, &str, &str)| MenuTool {
        name: name.into(),
        icon: icon.into(),
        label: label.into(),
    };
    all.into_iter().map(tool).collect()
}

fn said(text: &str) -> Said<'_> {
    let link = text.split_whitespace().find(|word| word.starts_with("https://"));
    Said { text, link, is_video: link.is_some_and(|link| link.contains("youtu")), menu: None }
}

fn first(text: &str) -> Standing {
    after(step(None, said(text), &tools(), PT))
}

fn after(next: Next) -> Standing {
    Standing { state: next.state, memory: next.memory, is_expired: false }
}

/// A finished run.
fn done(now: &Standing, outcome: &str) -> Standing {
    after(close(Next::end(Done, outcome), &now.memory, &tools(), PT))
}

fn then(now: &Standing, text: &str) -> Next {
    step(Some(now), said(text), &tools(), PT)
}

fn runs(now: &Standing, text: &str) -> (String, serde_json::Value) {
    let next = then(now, text);
    assert_eq!(next.state, Running, "{text}: {}", next.reply);
    match next.memory.running.unwrap() {
        Run::Tool { tool, params } => (tool, params),
        other => panic!("{other:?}"),
    }
}

#[test]
fn g8_the_menu_is_the_requirement_s_own() {
    let menu = step(None, said("comprar pão"), &tools(), PT);
    let wanted = "Recebi sua mensagem. O que deseja fazer?\n\n1. 💡 Salvar como nota\n2. 🎬 Salvar como filme\n\
                  3. 📺 Salvar como série\n4. 🎥 Salvar como vídeo\n5. 🔗 Salvar como link\n6. ❌ Cancelar";
    assert_eq!((menu.state, menu.reply.as_str()), (AwaitingChoice, wanted));
    assert_eq!(menu.memory.options.len(), 6);
    assert_eq!(menu.memory.options[5].tool, None);
    let less: Vec<MenuTool> = tools().into_iter().filter(|tool| tool.name != "save_video").collect();
    let seed = step(None, said("oi"), &less, PT).reply;
    assert!(seed.ends_with("3. 📺 Salvar como série\n4. 🔗 Salvar como link\n5. ❌ Cancelar"), "{seed}");
    let english = step(None, said("hi"), &tools(), Language::En).reply;
    assert!(
        english.starts_with("I got your message. What would you like to do?")
            && english.ends_with("6. ❌ Cancel")
    );
    assert!(step(None, said("oi"), &[], PT).reply.ends_with("1. ❌ Cancelar"), "the way out is always there");
}

#[test]
fn g9_a_choice_by_number_label_or_emoji_runs_its_tool() {
    let now = first("comprar pão");
    for choice in [
        "1",
        " 1. ",
        "1)",
        "#1",
        "opção 1",
        "um",
        "UM",
        "one",
        "１",
        "1️⃣",
        "\u{200b}1\u{200f}",
        "💡",
        "nota",
        "Nota",
        "salvar como nota",
        "SALVAR COMO NOTA",
        "💡 Salvar como nota",
        "1. 💡 Salvar como nota",
    ] {
        assert_eq!(runs(&now, choice), ("save_note".into(), json!({ "text": "comprar pão" })), "{choice:?}");
    }
    assert_eq!(runs(&now, "série").0, "save_tv_show");
    assert_eq!(runs(&now, "serie").0, "save_tv_show");
    assert_eq!(
        runs(&first("Matrix (1999)"), "filme"),
        ("save_movie".into(), json!({ "title": "Matrix", "year": 1999 }))
    );
    assert_eq!(
        runs(&first("veja https://example.org/a"), "link"),
        ("save_link".into(), json!({ "url": "https://example.org/a" }))
    );
}

#[test]
fn g9_cancel_ends_it() {
    for word in ["cancelar", "Cancelar", "cancel", "CANCEL", "❌", "6", "6. ❌ Cancelar", "seis"] {
        let next = then(&first("oi"), word);
        assert_eq!((next.state, next.memory.message.as_str()), (Cancelled, ""), "{word}");
    }
    let idle = step(None, said("cancelar"), &tools(), PT);
    assert_eq!((idle.state, idle.reply.as_str()), (Cancelled, "Não há nada para cancelar."));
}

#[test]
fn g9_what_is_no_choice_is_explained_and_the_menu_shown_again() {
    let now = first("comprar pão");
    for (text, why) in [
        ("7", "Não há a opção 7."),
        ("0", "Não há a opção 0."),
        ("99999999999999999999999", "Não há a opção"),
        ("1 e 2", "Escolha só uma"),
        ("1, 2", "Escolha só uma"),
        ("um ou dois", "Escolha só uma"),
        ("🤷", "Não entendi"),
        ("abacate", "Não entendi"),
        ("-1", "Não entendi"),
        ("1.5", "Não entendi"),
        ("\u{202e}\u{200b}", "Não entendi"),
    ] {
        let next = then(&now, text);
        assert_eq!(next.state, AwaitingChoice, "{text:?}");
        assert!(next.reply.starts_with(why), "{text:?}: {}", next.reply);
        assert!(next.reply.ends_with("6. ❌ Cancelar"), "{text:?}");
        assert_eq!(next.memory.message, "comprar pão", "{text:?}: what was sent is kept");
    }
    assert_eq!(then(&now, &"1 ".repeat(50_000)).state, AwaitingChoice);
}

#[test]
fn g9_a_choice_that_was_switched_off_is_explained() {
    let now = first("Matrix");
    let less: Vec<MenuTool> = tools().into_iter().filter(|tool| tool.name != "save_movie").collect();
    let next = step(Some(&now), said("2"), &less, PT);
    assert_eq!(next.state, AwaitingChoice);
    assert!(next.reply.starts_with("“Salvar como filme” não está mais disponível"), "{}", next.reply);
    assert!(next.memory.options.iter().all(|option| option.tool.as_deref() != Some("save_movie")));
    assert!(next.reply.ends_with("5. ❌ Cancelar"));
}

#[test]
fn g9_the_likely_choice_comes_first() {
    let likely = |text: &str| first(text).memory.options[0].tool.clone().unwrap();
    assert_eq!(likely("https://example.org/receita"), "save_link");
    assert_eq!(likely("olha https://youtu.be/x"), "save_video");
    assert_eq!(likely("Matrix (1999)"), "save_movie");
    assert_eq!(likely("Cidade de Deus 2002"), "save_movie");
    assert_eq!(likely("reunião em 2027 com a Ana"), "save_note");
    let less: Vec<MenuTool> = tools().into_iter().filter(|tool| tool.name != "save_link").collect();
    let next = step(None, said("https://example.org"), &less, PT);
    assert_eq!(next.memory.options[0].tool.as_deref(), Some("save_note"), "only what is there");
    for (text, wanted) in [
        ("Matrix 1999", Some(("Matrix", 1999))),
        ("1917 (2019)", Some(("1917", 2019))),
        ("1917 2019", None),
        ("Blade Runner 2049 (2017)", Some(("Blade Runner 2049", 2017))),
        ("Matrix", None),
        ("1999", None),
        ("Matrix 99999", None),
    ] {
        assert_eq!(film(text), wanted.map(|(title, year)| (title.to_owned(), year)), "{text}");
    }
}

#[test]
fn g9_what_is_missing_is_asked_for() {
    let ask = |text: &str, choice: &str| {
        let next = then(&first(text), choice);
        assert_eq!(next.state, AwaitingDetails, "{text}");
        after(next)
    };
    let now = ask("sem endereço", "link");
    assert_eq!(now.memory.wanted, Some(Wanted::Address { tool: "save_link".into() }));
    assert_eq!(then(&now, "também não").state, AwaitingDetails);
    assert_eq!(
        runs(&now, "https://example.org"),
        ("save_link".into(), json!({ "url": "https://example.org" }))
    );
    assert_eq!(then(&now, "cancelar").state, Cancelled);
    let now = ask(&"uma história longa ".repeat(20), "filme");
    assert_eq!(
        runs(&now, "Matrix (1999)"),
        ("save_movie".into(), json!({ "title": "Matrix", "year": 1999 }))
    );
    assert_eq!(then(&now, "a\nb").state, AwaitingDetails);
}

/// What answers the list that is shown, or ends it, is never saved as a film.
#[test]
fn g9_cancelling_while_details_are_awaited_saves_nothing() {
    for (text, choice) in [("sem endereço", "link"), (&"uma história longa ".repeat(20), "filme")] {
        let now = after(then(&first(text), choice));
        assert_eq!(now.state, AwaitingDetails);
        for word in
            ["1", " 1. ", "um", "cancelar", "Cancel", "cancela", "❌", "1. ❌ Cancelar", "\u{200b}cancelar"]
        {
            let next = then(&now, word);
            assert_eq!(
                (next.state, next.reply.as_str()),
                (Cancelled, "Cancelado. Nada foi salvo."),
                "{word:?}"
            );
        }
        for (beyond, why) in
            [("2", "Não há a opção 2."), ("0", "Não há a opção 0."), ("1 e 2", "Escolha só uma")]
        {
            let next = then(&now, beyond);
            assert_eq!((next.state, &next.memory), (AwaitingDetails, &now.memory), "{beyond}: asked again");
            assert!(next.reply.starts_with(why) && next.reply.ends_with("“cancelar”."), "{}", next.reply);
        }
    }
    let now = after(then(&first(&"uma história longa ".repeat(20)), "filme"));
    for (text, title) in
        [("300", json!({ "title": "300" })), ("9 (2009)", json!({ "title": "9", "year": 2009 }))]
    {
        assert_eq!(runs(&now, text), ("save_movie".into(), title), "a number can be a title");
    }
}

#[test]
fn g9_what_is_said_while_a_tool_runs_is_kept_and_is_no_choice() {
    let running = after(then(&first("comprar pão"), "nota"));
    for choice in ["1", "nota", "💡", "cancelar", "9", "1 e 2"] {
        let Meanwhile::Told(reply) = meanwhile(&running.memory, said(choice), &tools(), PT) else {
            panic!("{choice} was kept");
        };
        assert!(reply.starts_with("Ainda estou cuidando"), "{choice}: {reply}");
    }
    let mut memory = running.memory.clone();
    for text in ["comprar leite", "https://example.org/a"] {
        let Meanwhile::Waits(after, reply) = meanwhile(&memory, said(text), &tools(), PT) else {
            panic!("lost: {text}")
        };
        assert!(reply.starts_with("Recebi."), "{reply}");
        memory = *after;
    }
    assert_eq!(memory.running, running.memory.running, "what runs goes on");
    let first = close(Next::end(Done, "Nota salva. 💡"), &memory, &tools(), PT);
    assert_eq!((first.state, first.memory.message.as_str()), (AwaitingChoice, "comprar leite"));
    let wanted =
        "Nota salva. 💡\n\nAgora, a mensagem “comprar leite”.\nRecebi sua mensagem. O que deseja fazer?";
    assert!(first.reply.starts_with(wanted), "{}", first.reply);
    let second = then(&after(first), "cancelar");
    assert_eq!((second.state, second.memory.message.as_str()), (AwaitingChoice, "https://example.org/a"));
    assert_eq!(second.memory.options[0].tool.as_deref(), Some("save_link"), "the likely one first, here too");
    assert_eq!(then(&after(second), "cancelar").state, Cancelled, "and then there is nothing more");
    while let Meanwhile::Waits(after, _) = meanwhile(&memory, said("mais uma"), &tools(), PT) {
        memory = *after;
    }
    assert_eq!(memory.waiting.len(), 10, "it ends somewhere, and is told");
}

#[test]
fn g9_an_answer_to_what_is_decided_is_told_the_outcome() {
    let now = first("comprar pão");
    let ended = [
        (done(&now, "Nota salva. 💡"), "Nota salva. 💡"),
        (after(then(&now, "cancelar")), "Cancelado. Nada foi salvo."),
        (after(then(&Standing { is_expired: true, ..now }, "1")), "Esta escolha expirou"),
    ];
    for (over, outcome) in ended {
        for late in ["1", "6", "nota", "💡", "cancelar", "um", "1 e 2", "9"] {
            let next = then(&over, late);
            assert_eq!((next.state, &next.memory), (over.state, &over.memory), "{late}");
            assert!(
                next.reply.starts_with("Isso já estava decidido") && next.reply.contains(outcome),
                "{late}"
            );
        }
        for message in ["comprar leite", "2049", "11 99999 0000", "uma nota"] {
            let next = then(&over, message);
            assert_eq!((next.state, next.memory.message.as_str()), (AwaitingChoice, message));
        }
        let later = Standing { is_expired: true, ..over };
        assert_eq!(then(&later, "1").memory.message, "1", "not for ever");
    }
}

/// Menus with their names, as whoever keeps conversations gives them.
fn menu(n: u128) -> AssistantMenuId {
    AssistantMenuId(uuid::Uuid::from_u128(n))
}

fn named(mut now: Standing, n: u128) -> Standing {
    now.memory.menu = Some(menu(n));
    now
}

fn for_menu(now: &Standing, text: &str, n: u128) -> Next {
    step(Some(now), Said { menu: Some(menu(n)), ..said(text) }, &tools(), PT)
}

const CHOICES: [&str; 10] =
    ["1", "6", "nota", "💡", "cancelar", "dois", "1 e 2", "9", "link", "1. 💡 Salvar como nota"];

#[test]
fn g9_an_answer_to_a_menu_that_is_no_longer_open_is_explained_and_runs_nothing() {
    let ended = done(&named(first("comprar pão"), 1), "Nota salva. 💡");
    let open = named(after(then(&ended, "comprar leite")), 2);
    assert_eq!((open.state, open.memory.message.as_str()), (AwaitingChoice, "comprar leite"));
    for choice in CHOICES {
        let next = for_menu(&open, choice, 1);
        assert_eq!((next.state, &next.memory), (AwaitingChoice, &open.memory), "{choice}: nothing happened");
        let why = "Isso já estava decidido, e nada mais foi feito. Nota salva. 💡\n\nAgora, a mensagem “comprar leite”.";
        assert!(next.reply.starts_with(why) && next.reply.ends_with("6. ❌ Cancelar"), "{}", next.reply);
        let unknown = for_menu(&open, choice, 7);
        assert!(unknown.reply.starts_with("Essa resposta era para um menu"), "{}", unknown.reply);
        assert_eq!(unknown.memory, open.memory);
    }
    assert!(
        for_menu(&open, "abacate", 1).reply.starts_with("Não entendi"),
        "what is no answer is no late one"
    );
    assert_eq!(for_menu(&open, "1", 2).state, Running, "the one that is open");
    assert_eq!(then(&open, "1").state, Running, "without a name it answers what is open");
    let expired = Standing { is_expired: true, ..open };
    assert_eq!(for_menu(&expired, "1", 1).state, Expired);
    assert_eq!(for_menu(&expired, "outra coisa", 1).memory.message, "outra coisa");
}

#[test]
fn g9_an_answer_to_a_menu_is_no_answer_to_a_question() {
    let long = "uma história longa ".repeat(20);
    for (text, choice, question) in [("sem endereço", "link", "endereço?"), (&long, "filme", "título?")] {
        let asked = named(after(then(&named(first(text), 1), choice)), 2);
        for late in CHOICES.into_iter().chain(["Matrix (1999)", "https://example.org"]) {
            let next = for_menu(&asked, late, 1);
            assert_eq!((next.state, &next.memory), (AwaitingDetails, &asked.memory), "{late}");
            assert!(next.reply.contains(question), "{}", next.reply);
        }
        assert_eq!(for_menu(&asked, "1", 2).state, Cancelled);
    }
    let item = ItemId(uuid::Uuid::nil());
    let film = |tmdb_id| ItemMatch { tmdb_id, title: "Matrix".into(), year: None };
    let which = named(after(ask_which(item, ItemKind::Movie, vec![film(1), film(2)], "Matrix", PT)), 2);
    let late = for_menu(&which, "2", 1);
    assert_eq!((late.state, &late.memory), (AwaitingDetails, &which.memory));
    assert!(late.reply.ends_with("3. ❌ Nenhum destes"), "{}", late.reply);
    assert_eq!(for_menu(&which, "2", 2).state, Running);
}

#[test]
fn g9_a_named_answer_is_never_something_to_save() {
    let ended = done(&named(first("comprar pão"), 1), "Nota salva. 💡");
    let later = Standing { is_expired: true, ..ended.clone() };
    for choice in CHOICES {
        for (over, n, why) in [
            (&ended, 1, "Isso já estava decidido"),
            (&ended, 7, "Essa resposta era para um menu"),
            (&later, 1, "Isso já estava decidido"),
            (&later, 7, "Essa resposta era para um menu"),
        ] {
            let next = for_menu(over, choice, n);
            assert_eq!((next.state, &next.memory), (Done, &over.memory), "{choice}");
            assert!(next.reply.starts_with(why), "{choice}: {}", next.reply);
        }
        let nowhere = step(None, Said { menu: Some(menu(1)), ..said(choice) }, &tools(), PT);
        assert_eq!((nowhere.state, nowhere.memory.message.as_str()), (Expired, ""), "{choice}");
        let running = after(then(&named(first(&"uma história longa ".repeat(20)), 1), "nota"));
        let late = Said { menu: Some(menu(7)), ..said(choice) };
        assert!(matches!(meanwhile(&running.memory, late, &tools(), PT), Meanwhile::Told(_)), "{choice}");
    }
    assert_eq!(
        for_menu(&ended, "comprar leite", 1).memory.message,
        "comprar leite",
        "a message is a message"
    );
}

#[test]
fn g9_a_menu_that_is_shown_again_is_the_same_until_its_numbers_mean_something_else() {
    let now = named(first("Matrix"), 1);
    let again = then(&now, "9");
    assert!(is_same_menu(&now.memory, &again.memory));
    let less: Vec<MenuTool> = tools().into_iter().filter(|tool| tool.name != "save_movie").collect();
    let other = step(Some(&now), said("9"), &less, PT);
    assert!(!is_same_menu(&now.memory, &other.memory), "an option less");
    assert!(!is_same_menu(&now.memory, &then(&now, "link").memory), "a question");
    // The same words again, which waited: what they are about is another message.
    let running = after(then(&now, "nota"));
    let Meanwhile::Waits(memory, _) = meanwhile(&running.memory, said("Matrix"), &tools(), PT) else {
        panic!()
    };
    let next = close(Next::end(Done, "Nota salva. 💡"), &memory, &tools(), PT);
    assert_eq!(next.memory.options, memory.options);
    assert!(!is_same_menu(&memory, &next.memory));
}

#[test]
fn g13_several_matches_are_a_question() {
    let film = |tmdb_id, year| ItemMatch { tmdb_id, title: "Matrix".into(), year: Some(year) };
    let item = ItemId("0197a000-0000-7000-8000-000000000001".parse().unwrap());
    let next = ask_which(item, ItemKind::Movie, vec![film(603, 1999), film(9, 2021)], "Matrix", PT);
    assert!(
        next.reply.ends_with("1. 🎬 Matrix (1999)\n2. 🎬 Matrix (2021)\n3. ❌ Nenhum destes"),
        "{}",
        next.reply
    );
    let now = after(next);
    let chosen = then(&now, "Matrix (2021)");
    assert_eq!(chosen.memory.running, Some(Run::Match { item, kind: ItemKind::Movie, tmdb_id: 9 }));
    for none in ["3", "nenhum destes", "❌"] {
        assert_eq!(then(&now, none).state, Done, "{none}: it is saved already");
    }
    for word in ["cancelar", "Cancel"] {
        let next = then(&now, word);
        assert_eq!(
            (next.state, next.reply.as_str()),
            (Cancelled, "Cancelado. O item continua salvo, sem os detalhes.")
        );
    }
    for (text, why) in [("7", "Não há a opção 7."), ("1 e 2", "Escolha só uma"), ("oi", "Não entendi")]
    {
        let next = then(&now, text);
        assert!(next.reply.starts_with(why) && next.reply.ends_with("3. ❌ Nenhum destes"), "{}", next.reply);
        assert_eq!((next.state, next.memory), (AwaitingDetails, now.memory.clone()), "{text}");
    }
    let expired = then(&Standing { is_expired: true, ..now.clone() }, "1");
    assert_eq!((expired.state, expired.reply.contains("continua salvo")), (Expired, true));
    assert_eq!(then(&now, "🎬").state, Running, "the first that has it");
    assert_eq!(then(&now, "4").state, AwaitingDetails);
}

#[test]
fn g9_an_expired_choice_is_told_and_a_new_message_begins_anew() {
    let expired = Standing { is_expired: true, ..first("comprar pão") };
    for choice in ["1", "cancelar", "9", "1 e 2", "nota"] {
        let next = then(&expired, choice);
        assert_eq!((next.state, next.memory.message.as_str()), (Expired, ""), "{choice}");
    }
    let next = then(&expired, "outra coisa");
    assert_eq!((next.state, next.memory.message.as_str()), (AwaitingChoice, "outra coisa"));
    for over in [Done, Cancelled, Expired, AssistantState::Idle] {
        let now = Standing { state: over, ..first("antes") };
        assert_eq!(then(&now, "1").memory.message, "1", "{over}: a new message");
    }
}

#[test]
fn g9_no_text_is_a_fault() {
    let now = first("oi");
    for text in ["", " ", "\u{0}", "🏳️‍🌈👨‍👩‍👧", "\u{202e}abc\u{202c}", "ﷺ", "1\u{0}", "e e e", "opção", ".", "#"]
    {
        then(&now, text);
        step(None, said(text), &tools(), PT);
    }
    assert_eq!(hear("2", &now.memory.options), Heard::Option(1));
}
