//! People do not take turns: they write while a tool runs, and two devices answer one menu. Nothing they write is lost, and
//! an answer to a menu that is decided is never something to save.

use super::{Memory, MenuTool, Next, Said, Talk, Texts, is_open};
use domain::{
    AssistantMenuId, Language,
    assistant::{AssistantOption, AssistantState},
};
use serde::{Deserialize, Serialize};

/// More than this nobody writes while they wait.
const MOST_WAITING: usize = 10;
/// As much of a message as reminds of it.
const REMINDER: usize = 60;

/// A message that waits for its menu.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Kept {
    pub text: String,
    pub link: Option<String>,
    pub is_video: bool,
}

impl Kept {
    pub(super) fn of(said: Said<'_>) -> Self {
        Self { text: said.text.to_owned(), link: said.link.map(str::to_owned), is_video: said.is_video }
    }
}

impl From<Kept> for Memory {
    fn from(kept: Kept) -> Self {
        Self { message: kept.text, link: kept.link, is_video: kept.is_video, ..Self::default() }
    }
}

/// What could be chosen, and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decided {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub menu: Option<AssistantMenuId>,
    pub options: Vec<AssistantOption>,
    pub outcome: String,
}

impl Decided {
    pub(super) fn of(memory: &Memory, outcome: impl Into<String>) -> Self {
        Self { menu: memory.menu, options: memory.options.clone(), outcome: outcome.into() }
    }
}

/// What becomes of words that come while a tool runs.
#[derive(Clone, Debug, PartialEq)]
pub enum Meanwhile {
    /// Nothing to remember.
    Told(String),
    /// The message waits: this is to be remembered, and told.
    Waits(Box<Memory>, String),
}

/// The choice was made already; a message waits until that is done.
pub fn meanwhile(memory: &Memory, said: Said<'_>, tools: &[MenuTool], language: Language) -> Meanwhile {
    let t = Texts(language);
    if (Talk { tools, t }).is_answer(said, memory) {
        return Meanwhile::Told(t.still_running().to_owned());
    }
    if memory.waiting.len() >= MOST_WAITING {
        return Meanwhile::Told(t.too_many_waiting().to_owned());
    }
    let mut after = memory.clone();
    after.waiting.push(Kept::of(said));
    Meanwhile::Waits(Box::new(after), t.kept_for_later().to_owned())
}

/// What is remembered after a turn. When it was the last one, the next message that waits gets its menu.
pub fn close(next: Next, before: &Memory, tools: &[MenuTool], language: Language) -> Next {
    let mut waiting = before.waiting.clone();
    if is_open(next.state) || next.state == AssistantState::Running {
        let decided = next.memory.decided.clone().or_else(|| before.decided.clone());
        return Next { memory: Memory { waiting, decided, ..next.memory }, ..next };
    }
    let decided = Some(Decided::of(before, next.reply.as_str()));
    if waiting.is_empty() {
        return Next { memory: Memory { decided, ..next.memory }, ..next };
    }
    let talk = Talk { tools, t: Texts(language) };
    let kept = waiting.remove(0);
    let about = talk.t.now_the_next(&reminder(&kept.text));
    let menu = talk.menu(kept.into());
    let reply = format!("{}\n\n{about}\n{}", next.reply, menu.reply);
    Next { memory: Memory { waiting, decided, ..menu.memory }, reply, ..menu }
}

pub(super) fn reminder(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let short: String = line.chars().take(REMINDER).collect();
    if short.len() < text.len() { format!("{short}…") } else { short }
}
