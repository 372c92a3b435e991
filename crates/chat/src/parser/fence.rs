//! What the lines of a fence look like, character by character, so that a chunk may end anywhere.

use memchr::memchr_iter;

/// The info string of a call.
const NAME: [char; 4] = ['t', 'o', 'o', 'l'];
/// How much of it makes it whole.
pub(super) const WORD: usize = NAME.len();

const LEAST_MARKS: usize = 3;
const MOST_INDENT: usize = 3;

#[derive(Debug, Clone, Copy)]
pub(super) struct Fence {
    pub(super) mark: u8,
    pub(super) length: usize,
}

impl Fence {
    fn opened_by(next: char) -> Option<Self> {
        match next {
            '`' => Some(Self { mark: b'`', length: 1 }),
            '~' => Some(Self { mark: b'~', length: 1 }),
            _ => None,
        }
    }

    fn is_mark(self, next: char) -> bool {
        next == char::from(self.mark)
    }

    fn longer(self) -> Self {
        Self { length: self.length + 1, ..self }
    }
}

/// Where the first line begins that has one of `marks` behind its indent, or that a chunk ends in before it could.
/// Looks at marks, not at lines: there are fewer. The line that `chunk` begins in is not asked for.
pub(super) fn next_line(chunk: &str, marks: impl Iterator<Item = usize>) -> Option<usize> {
    let indent = |before: &[u8]| before.iter().rev().take_while(|byte| **byte == b' ').count();
    marks.chain([chunk.len()]).find_map(|mark| {
        let before = &chunk.as_bytes()[mark.saturating_sub(MOST_INDENT)..mark];
        let start = mark - indent(before);
        (start > 0 && chunk.as_bytes()[start - 1] == b'\n').then_some(start)
    })
}

/// How far a line looks like the first line of a call.
#[derive(Debug, Clone, Copy)]
pub(super) enum Opening {
    Indent(usize),
    Marks(Fence),
    /// Blanks before the info string.
    Gap(Fence),
    /// So much of `tool`.
    Word(Fence, usize),
    /// Behind `tool`.
    Tail {
        fence: Fence,
        extra_info: bool,
    },
}

/// What a line's beginning turned out to be.
#[derive(Debug, Clone, Copy)]
pub(super) enum Seen {
    /// Nothing yet: the chunk ended.
    Maybe(Opening),
    /// Nothing yet, and no more may be held back.
    TooLong(Opening),
    Plain,
    Other(Fence),
    Call {
        fence: Fence,
        extra_info: bool,
    },
}

impl Opening {
    pub(super) const START: Self = Self::Indent(0);

    /// Reads until it is decided, and at most `room` bytes. What decides against a call is not read.
    pub(super) fn read(mut self, chunk: &str, room: usize) -> (usize, Seen) {
        for (at, next) in chunk.char_indices() {
            let end = at + next.len_utf8();
            match self.then(next) {
                Seen::Maybe(_) | Seen::Call { .. } if end > room => return (at, Seen::TooLong(self)),
                Seen::Maybe(opening) => self = opening,
                call @ Seen::Call { .. } => return (end, call),
                other => return (at, other),
            }
        }
        (chunk.len(), Seen::Maybe(self))
    }

    fn then(self, next: char) -> Seen {
        match self {
            Self::Indent(spaces) => match Fence::opened_by(next) {
                Some(fence) => Seen::Maybe(Self::Marks(fence)),
                None if next == ' ' && spaces < MOST_INDENT => Seen::Maybe(Self::Indent(spaces + 1)),
                None => Seen::Plain,
            },
            Self::Marks(fence) if fence.is_mark(next) => Seen::Maybe(Self::Marks(fence.longer())),
            Self::Marks(fence) if fence.length < LEAST_MARKS => Seen::Plain,
            Self::Marks(fence) | Self::Gap(fence) => match next {
                ' ' | '\t' => Seen::Maybe(Self::Gap(fence)),
                _ => Self::Word(fence, 0).then(next),
            },
            Self::Word(fence, WORD) => match next {
                ' ' | '\t' | '\r' | '\n' => Self::Tail { fence, extra_info: false }.then(next),
                _ => Seen::Other(fence),
            },
            Self::Word(fence, word) if next == NAME[word] => Seen::Maybe(Self::Word(fence, word + 1)),
            Self::Word(fence, _) => Seen::Other(fence),
            Self::Tail { fence, extra_info } => match next {
                '\n' => Seen::Call { fence, extra_info },
                ' ' | '\t' | '\r' => Seen::Maybe(self),
                // `` ```tool` `` is code within a line: a fence of backticks has none in its info string.
                '`' if fence.is_mark(next) => Seen::Other(fence),
                _ => Seen::Maybe(Self::Tail { fence, extra_info: true }),
            },
        }
    }
}

/// How far a line looks like the last line of a fence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Closing {
    Indent(usize),
    Marks(usize),
    /// Blanks behind enough marks.
    Tail,
    /// It is one, to its end.
    Closed,
    /// It is none.
    Content,
}

impl Closing {
    pub(super) const START: Self = Self::Indent(0);

    /// Reads until it is decided: to the end of the closing line, or to what makes it another.
    pub(super) fn read(mut self, fence: Fence, chunk: &str) -> (usize, Self) {
        if matches!(self, Self::Content) {
            let next = next_line(chunk, memchr_iter(fence.mark, chunk.as_bytes()));
            return next.map_or((chunk.len(), self), |at| (at, Self::START));
        }
        for (at, next) in chunk.char_indices() {
            self = match (self.closes(fence), next) {
                (true, '\n') => return (at + 1, Self::Closed),
                _ => self.then(fence, next),
            };
            if matches!(self, Self::Content) {
                return (at, self);
            }
        }
        (chunk.len(), self)
    }

    pub(super) fn closes(self, fence: Fence) -> bool {
        match self {
            Self::Marks(length) => length >= fence.length,
            Self::Tail | Self::Closed => true,
            Self::Indent(_) | Self::Content => false,
        }
    }

    fn then(self, fence: Fence, next: char) -> Self {
        match (self, next) {
            (Self::Indent(spaces), ' ') if spaces < MOST_INDENT => Self::Indent(spaces + 1),
            (Self::Indent(_), _) if fence.is_mark(next) => Self::Marks(1),
            (Self::Marks(length), _) if fence.is_mark(next) => Self::Marks(length + 1),
            (Self::Marks(_) | Self::Tail, ' ' | '\t' | '\r') if self.closes(fence) => Self::Tail,
            _ => Self::Content,
        }
    }
}
