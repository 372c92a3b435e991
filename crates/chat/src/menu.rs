//! The assistant without a model (G8, G9): a message brings a menu, a choice runs a tool.
//!
//! An explicit state machine and nothing else: [`step`] takes where a conversation stands and what was said, and tells
//! where it stands next and what to do. It knows no clock, no database and no tool; whoever keeps conversations calls
//! it, stores what comes back, and runs what it names. So every way through it can be tested as a table.

mod details;
mod hear;
mod meanwhile;
mod seen;
mod texts;

pub use hear::{Heard, clean, film, hear, is_bare_choice};
pub use meanwhile::{Decided, Kept, Meanwhile, close, meanwhile};
pub use seen::{is_same_menu, options_again};
pub use texts::Texts;

use domain::{
    AssistantMenuId, ItemId, Language,
    assistant::{AssistantOption, AssistantState},
    item::{ItemKind, ItemMatch},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A tool that the person may use now, in the order of the menu.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MenuTool {
    pub name: String,
    pub icon: String,
    pub label: String,
}

/// What somebody said, with the address in it.
#[derive(Clone, Copy, Debug)]
pub struct Said<'a> {
    pub text: &'a str,
    pub link: Option<&'a str>,
    /// The address is that of a video.
    pub is_video: bool,
    /// The menu that they saw, if they say so.
    pub menu: Option<AssistantMenuId>,
}

/// What a conversation remembers between two messages.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// What is to be saved.
    pub message: String,
    pub link: Option<String>,
    pub is_video: bool,
    /// What can be chosen, as it was shown.
    pub options: Vec<AssistantOption>,
    /// What these are known by. Whoever keeps conversations gives it, anew unless [`is_same_menu`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub menu: Option<AssistantMenuId>,
    pub wanted: Option<Wanted>,
    pub running: Option<Run>,
    /// The turn that began to run it: it stays, whatever is said meanwhile.
    #[serde(default)]
    pub turn: i64,
    /// What was sent while a tool ran: each gets its menu once this is over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waiting: Vec<Kept>,
    /// What was decided last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided: Option<Decided>,
}

/// Which details are awaited.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Wanted {
    Address { tool: String },
    Title { tool: String },
    Match { item: ItemId, kind: ItemKind, matches: Vec<ItemMatch> },
}

/// A tool to run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Run {
    Tool {
        tool: String,
        params: Value,
    },
    /// The person chose one of several.
    Match {
        item: ItemId,
        kind: ItemKind,
        tmdb_id: i64,
    },
}

/// Where a conversation stands.
#[derive(Clone, Debug)]
pub struct Standing {
    pub state: AssistantState,
    pub memory: Memory,
    pub is_expired: bool,
}

/// Where it stands next.
#[derive(Clone, Debug, PartialEq)]
pub struct Next {
    pub state: AssistantState,
    pub memory: Memory,
    /// Nothing while a tool is to run: what it says comes after.
    pub reply: String,
}

impl Next {
    fn say(state: AssistantState, memory: Memory, reply: impl Into<String>) -> Self {
        Self { state, memory, reply: reply.into() }
    }

    /// The end: nothing is remembered.
    pub fn end(state: AssistantState, reply: impl Into<String>) -> Self {
        Self::say(state, Memory::default(), reply)
    }
}

/// One message further. `Running` never comes in here, but into [`meanwhile`].
pub fn step(standing: Option<&Standing>, said: Said<'_>, tools: &[MenuTool], language: Language) -> Next {
    let talk = Talk { tools, t: Texts(language) };
    match standing {
        None => talk.nowhere(said).unwrap_or_else(|| talk.begin(said)),
        Some(now) if is_open(now.state) => {
            let next = talk.other_menu(now, said).unwrap_or_else(|| talk.answer(now, said));
            close(next, &now.memory, tools, language)
        }
        Some(now) => talk.too_late(now, said).unwrap_or_else(|| talk.begin_after(now, said)),
    }
}

/// Something can be chosen, or told.
pub fn is_open(state: AssistantState) -> bool {
    matches!(state, AssistantState::AwaitingChoice | AssistantState::AwaitingDetails)
}

/// The same menu anew, after something to be told.
pub fn menu_again(memory: &Memory, tools: &[MenuTool], language: Language, why: &str) -> Next {
    let talk = Talk { tools, t: Texts(language) };
    let menu = talk.menu(memory.clone());
    Next { reply: format!("{why}\n\n{}", menu.reply), ..menu }
}

/// Several fit: which?
pub fn ask_which(
    item: ItemId,
    kind: ItemKind,
    matches: Vec<ItemMatch>,
    title: &str,
    language: Language,
) -> Next {
    let t = Texts(language);
    let (tool, icon) = match kind {
        ItemKind::TvShow => ("enrich_tv_show", "📺"),
        _ => ("enrich_movie", "🎬"),
    };
    let labels = matches.iter().map(|found| (Some(tool.to_owned()), icon.to_owned(), found.label()));
    let none = (None, CANCEL.to_owned(), t.none_of_these().to_owned());
    let options = numbered(labels.chain([none]));
    let reply = format!("{}\n\n{}", t.which_one(title), lines(&options));
    let memory = Memory { options, wanted: Some(Wanted::Match { item, kind, matches }), ..Memory::default() };
    Next::say(AssistantState::AwaitingDetails, memory, reply)
}

const CANCEL: &str = "❌";

struct Talk<'a> {
    tools: &'a [MenuTool],
    t: Texts,
}

impl Talk<'_> {
    fn answer(&self, now: &Standing, said: Said<'_>) -> Next {
        let (heard, wanted) = (hear(said.text, &now.memory.options), now.memory.wanted.as_ref());
        match wanted {
            _ if now.is_expired && !self.is_answer(said, &now.memory) => self.begin_after(now, said),
            Some(Wanted::Match { .. }) if now.is_expired => {
                Next::end(AssistantState::Expired, self.t.expired_but_saved())
            }
            _ if now.is_expired => Next::end(AssistantState::Expired, self.t.expired()),
            None => self.choice(now, heard),
            Some(wanted) => self.details(now, wanted, heard, said),
        }
    }

    fn begin(&self, said: Said<'_>) -> Next {
        if hear::is_cancel(said.text) {
            return Next::end(AssistantState::Cancelled, self.t.nothing_to_cancel());
        }
        self.menu(Kept::of(said).into())
    }

    /// G8: what is enabled now, the likely one first, and always the way out.
    fn menu(&self, memory: Memory) -> Next {
        let likely = likely(&memory);
        let mut tools: Vec<&MenuTool> = self.tools.iter().collect();
        tools.sort_by_key(|tool| Some(tool.name.as_str()) != likely);
        let chosen =
            tools.iter().map(|tool| (Some(tool.name.clone()), tool.icon.clone(), tool.label.clone()));
        let cancel = (None, CANCEL.to_owned(), self.t.cancel().to_owned());
        let options = numbered(chosen.chain([cancel]));
        let reply = format!("{}\n\n{}", self.t.received(), lines(&options));
        let memory = Memory { options, wanted: None, running: None, ..memory };
        Next::say(AssistantState::AwaitingChoice, memory, reply)
    }

    fn again(&self, memory: &Memory, why: &str) -> Next {
        let menu = self.menu(memory.clone());
        Next { reply: format!("{why}\n\n{}", menu.reply), ..menu }
    }

    fn choice(&self, now: &Standing, heard: Heard) -> Next {
        let memory = &now.memory;
        let option = match heard {
            Heard::Option(at) => memory.options.get(at),
            Heard::Cancel => None,
            Heard::Beyond(number) => return self.again(memory, &self.t.no_such_number(number)),
            Heard::Several => return self.again(memory, self.t.only_one()),
            Heard::Unclear => return self.again(memory, self.t.not_understood()),
        };
        let Some((option, tool)) = option.and_then(|option| Some((option, option.tool.as_ref()?))) else {
            return Next::end(AssistantState::Cancelled, self.t.cancelled());
        };
        if !self.tools.iter().any(|known| known.name == *tool) {
            return self.again(memory, &self.t.switched_off(&option.label));
        }
        self.chosen(tool, memory)
    }

    /// Everything is there, or it is asked for.
    fn chosen(&self, tool: &str, memory: &Memory) -> Next {
        let text = memory.message.trim();
        let ready = match tool {
            "save_movie" | "save_tv_show" => title_params(text),
            "save_video" | "save_link" => memory.link.as_ref().map(|link| json!({ "url": link })),
            _ => Some(json!({ "text": text })),
        };
        match ready {
            Some(params) => run(memory.clone(), tool, params),
            None if matches!(tool, "save_movie" | "save_tv_show") => {
                self.ask(memory, Wanted::Title { tool: tool.to_owned() }, self.t.which_title())
            }
            None => self.ask(memory, Wanted::Address { tool: tool.to_owned() }, self.t.which_address()),
        }
    }

    fn ask(&self, memory: &Memory, wanted: Wanted, question: &str) -> Next {
        let cancel = (None, CANCEL.to_owned(), self.t.cancel().to_owned());
        let options = numbered([cancel].into_iter());
        let memory = Memory { options, wanted: Some(wanted), ..memory.clone() };
        Next::say(AssistantState::AwaitingDetails, memory, question)
    }
}

fn run(memory: Memory, tool: &str, params: Value) -> Next {
    let running = Some(Run::Tool { tool: tool.to_owned(), params });
    Next::say(AssistantState::Running, Memory { running, ..memory }, "")
}

/// A title is one line, and not a story.
fn title_params(text: &str) -> Option<Value> {
    if let Some((title, year)) = film(text) {
        return Some(json!({ "title": title, "year": year }));
    }
    let is_title =
        !text.is_empty() && !text.contains('\n') && text.chars().count() <= 120 && !text.contains("://");
    is_title.then(|| json!({ "title": text }))
}

fn likely(memory: &Memory) -> Option<&'static str> {
    match memory.link {
        Some(_) if memory.is_video => Some("save_video"),
        Some(_) => Some("save_link"),
        None => film(&memory.message).map(|_| "save_movie"),
    }
}

fn numbered(options: impl Iterator<Item = (Option<String>, String, String)>) -> Vec<AssistantOption> {
    let option = |(number, (tool, icon, label))| AssistantOption { number, tool, icon, label };
    (1..).zip(options).map(option).collect()
}

fn lines(options: &[AssistantOption]) -> String {
    let line = |option: &AssistantOption| format!("{}. {} {}", option.number, option.icon, option.label);
    options.iter().map(line).collect::<Vec<_>>().join("\n")
}
