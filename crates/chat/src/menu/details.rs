//! What a choice still needs: an address, a title, or which of several films. Each can be cancelled, and what is a number
//! to the list that is shown is never taken for what is asked.

use super::{Heard, Memory, Next, Run, Said, Standing, Talk, Wanted, film, hear, lines, run, title_params};
use domain::{
    ItemId,
    assistant::AssistantState,
    item::{ItemKind, ItemMatch},
};
use serde_json::json;

impl Talk<'_> {
    pub(super) fn details(&self, now: &Standing, wanted: &Wanted, heard: Heard, said: Said<'_>) -> Next {
        match wanted {
            Wanted::Match { item, kind, matches } => self.which(now, (*item, *kind), matches, heard),
            Wanted::Address { tool } => self.address(now, tool, heard, said),
            Wanted::Title { tool } => self.title(now, tool, heard, said),
        }
    }

    fn address(&self, now: &Standing, tool: &str, heard: Heard, said: Said<'_>) -> Next {
        if let Some(link) = said.link {
            return run(now.memory.clone(), tool, json!({ "url": link }));
        }
        match heard {
            Heard::Option(_) | Heard::Cancel => self.cancelled(),
            Heard::Beyond(number) => {
                self.ask_again(now, &self.t.no_such_number(number), self.t.which_address())
            }
            Heard::Several => self.ask_again(now, self.t.only_one(), self.t.which_address()),
            Heard::Unclear => Next::say(now.state, now.memory.clone(), self.t.no_address()),
        }
    }

    /// With its year anything is a title.
    fn title(&self, now: &Standing, tool: &str, heard: Heard, said: Said<'_>) -> Next {
        let text = said.text.trim();
        let heard = if film(text).is_some() { Heard::Unclear } else { heard };
        match heard {
            Heard::Option(_) | Heard::Cancel => self.cancelled(),
            // A longer one may be a title, such as 300 or 1917.
            Heard::Beyond(number) if number < hear::MANY => {
                self.ask_again(now, &self.t.no_such_number(number), self.t.number_as_title())
            }
            Heard::Several => self.ask_again(now, self.t.only_one(), self.t.number_as_title()),
            Heard::Beyond(_) | Heard::Unclear => match title_params(text) {
                Some(params) => run(now.memory.clone(), tool, params),
                None => Next::say(now.state, now.memory.clone(), self.t.no_title()),
            },
        }
    }

    fn cancelled(&self) -> Next {
        Next::end(AssistantState::Cancelled, self.t.cancelled())
    }

    pub(super) fn ask_again(&self, now: &Standing, why: &str, question: &str) -> Next {
        Next::say(now.state, now.memory.clone(), format!("{why} {question}"))
    }

    /// It is saved already: whoever chooses none leaves it as it is.
    fn which(
        &self,
        now: &Standing,
        (item, kind): (ItemId, ItemKind),
        matches: &[ItemMatch],
        heard: Heard,
    ) -> Next {
        let again = |why: &str| {
            let reply = format!("{why}\n\n{}", lines(&now.memory.options));
            Next::say(now.state, now.memory.clone(), reply)
        };
        match heard {
            Heard::Option(at) => match matches.get(at) {
                Some(found) => {
                    let running = Some(Run::Match { item, kind, tmdb_id: found.tmdb_id });
                    Next::say(AssistantState::Running, Memory { running, ..now.memory.clone() }, "")
                }
                None => Next::end(AssistantState::Done, self.t.without_details()),
            },
            Heard::Cancel => Next::end(AssistantState::Cancelled, self.t.cancelled_but_saved()),
            Heard::Beyond(number) => again(&self.t.no_such_number(number)),
            Heard::Several => again(self.t.only_one()),
            Heard::Unclear => again(self.t.not_understood()),
        }
    }
}
