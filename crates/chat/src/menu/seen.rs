//! Which menu an answer is for. Numbers mean something else on the next menu, so an answer may name the one that its
//! person saw: for another than the open one it is explained, and neither runs anything nor is something to save.

use super::{
    Decided, Memory, Next, Said, Standing, Talk, Wanted, is_bare_choice, is_open, lines, meanwhile::reminder,
};
use domain::{
    AssistantMenuId,
    assistant::{AssistantOption, AssistantState},
};

/// What was shown before can still be answered: it is about the same message, and its numbers mean the same.
pub fn is_same_menu(before: &Memory, after: &Memory) -> bool {
    after.menu.is_some()
        && (after.menu, &after.options, &after.wanted) == (before.menu, &before.options, &before.wanted)
}

/// What can be chosen now, after something to be told.
pub fn options_again(why: &str, memory: &Memory) -> String {
    format!("{why}\n\n{}", lines(&memory.options))
}

impl Talk<'_> {
    /// Something else is open than what they saw.
    pub(super) fn other_menu(&self, now: &Standing, said: Said<'_>) -> Option<Next> {
        let seen = said.menu.filter(|seen| now.memory.menu != Some(*seen) && !now.is_expired)?;
        // What is no answer does nothing to a menu, but a question would take it for one.
        let is_answer = now.memory.wanted.is_some() || self.is_answer(said, &now.memory);
        is_answer.then(|| self.shown_again(now, &self.is_over(seen, &now.memory)))
    }

    /// Nothing is open: an answer to what is decided is told the decision again, and nothing else happens.
    pub(super) fn too_late(&self, now: &Standing, said: Said<'_>) -> Option<Next> {
        let reply = match (said.menu, &now.memory.decided) {
            (Some(seen), _) if self.is_answer(said, &now.memory) => self.is_over(seen, &now.memory),
            (None, Some(decided)) if !now.is_expired && is_bare_choice(said.text, &decided.options) => {
                self.t.already_decided(&decided.outcome)
            }
            _ => return None,
        };
        Some(Next::say(now.state, now.memory.clone(), reply))
    }

    /// An answer without a conversation, which may have been forgotten long ago.
    pub(super) fn nowhere(&self, said: Said<'_>) -> Option<Next> {
        let is_answer = said.menu.is_some() && self.is_answer(said, &Memory::default());
        is_answer.then(|| Next::end(AssistantState::Expired, self.t.other_menu()))
    }

    /// A new message, after what was before: a late answer to that can still be told what came of it.
    pub(super) fn begin_after(&self, now: &Standing, said: Said<'_>) -> Next {
        let mut next = self.begin(said);
        if is_open(next.state) {
            let expired = is_open(now.state).then(|| Decided::of(&now.memory, self.t.expired()));
            next.memory.decided = expired.or_else(|| now.memory.decided.clone());
        }
        next
    }

    /// To what is open; or, from whoever names a menu, to what was decided last or to a menu as it is now.
    pub(super) fn is_answer(&self, said: Said<'_>, memory: &Memory) -> bool {
        let to = |options: &[AssistantOption]| is_bare_choice(said.text, options);
        let to_another = || {
            memory.decided.as_ref().is_some_and(|decided| to(&decided.options))
                || to(&self.menu(Memory::default()).memory.options)
        };
        to(&memory.options) || (said.menu.is_some() && to_another())
    }

    fn is_over(&self, seen: AssistantMenuId, memory: &Memory) -> String {
        match memory.decided.as_ref().filter(|decided| decided.menu == Some(seen)) {
            Some(decided) => self.t.already_decided(&decided.outcome),
            None => self.t.other_menu().to_owned(),
        }
    }

    fn shown_again(&self, now: &Standing, why: &str) -> Next {
        let question = match &now.memory.wanted {
            None => {
                let about = self.t.now_the_next(&reminder(&now.memory.message));
                return self.again(&now.memory, &format!("{why}\n\n{about}"));
            }
            Some(Wanted::Match { .. }) => {
                let reply = options_again(why, &now.memory);
                return Next::say(now.state, now.memory.clone(), reply);
            }
            Some(Wanted::Address { .. }) => self.t.which_address(),
            Some(Wanted::Title { .. }) => self.t.which_title(),
        };
        self.ask_again(now, why, question)
    }
}
