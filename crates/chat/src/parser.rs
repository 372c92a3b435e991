//! Finds the calls in a model's answer while the answer is still arriving.
//!
//! A call is a fenced block with the info string `tool` around one JSON object of `name`, `args` and `reason`:
//!
//! ````text
//! ```tool
//! {"name": "bash", "args": {"command": "ls -la"}, "reason": "List the folder"}
//! ```
//! ````
//!
//! Fences are CommonMark's: three or more `` ` `` or `~`, up to three spaces before them, closed by the same mark at
//! least as often. A line ends with LF or CRLF. What stands inside another fence is text, a call's fence too: it is
//! shown, not meant. Indented code, quotes and lists are not looked into.
//!
//! Nothing is lost: the texts and the `raw` of the blocks, one after the other, are the input. However the input was
//! cut, the pieces are the same once neighbouring texts are joined.

mod body;
mod fence;
mod held;
mod piece;
mod unique;

pub use piece::{Call, Fault, Malformed, Piece};

use fence::{Closing, Fence, Opening, Seen};
use memchr::{memchr, memchr2, memchr2_iter};
use piece::Pieces;

/// The most that one block may have, fences included; as much as one request to the server.
pub const DEFAULT_LIMIT: usize = 1 << 20;

const LEAST_LIMIT: usize = "```tool\n```\n".len();

const BYTE_ORDER_MARK: char = '\u{feff}';

/// All pieces of a whole text.
pub fn parse(text: &str) -> Vec<Piece> {
    let mut parser = Parser::new();
    let mut pieces = Pieces::default();
    parser.read(text, &mut pieces);
    parser.end(&mut pieces);
    pieces.0
}

/// Takes an answer chunk by chunk. Text comes out at once; only what may be a call is held back.
#[derive(Debug)]
pub struct Parser {
    state: State,
    /// The end of what was read, as far as it may belong to a call.
    held: String,
    read: u64,
    limit: usize,
}

#[derive(Debug, Clone, Copy)]
enum State {
    /// The beginning of a line, held back.
    Opening(Opening),
    /// A line of text that opens nothing.
    Plain,
    /// The marks of a fence that are too many to be a call's.
    Marks(Fence),
    /// The info string of a fence that is not a call's.
    Info(Fence),
    /// Between two fences; a block is held back, the content of any other fence is text.
    Inside { fence: Fence, line: Closing, block: Option<Block> },
}

/// A call that is being read; the offsets are those in `held`.
#[derive(Debug, Clone, Copy)]
struct Block {
    body: usize,
    line: usize,
    extra_info: bool,
}

impl Default for Parser {
    fn default() -> Self {
        Self::with_limit(DEFAULT_LIMIT)
    }
}

impl Parser {
    pub fn new() -> Self {
        Self::default()
    }

    /// No block may have more than `limit` bytes, and no more than that is ever held back. What is less than the
    /// fences of a block need is taken for that.
    pub fn with_limit(limit: usize) -> Self {
        Self { state: State::LINE_START, held: String::new(), read: 0, limit: limit.max(LEAST_LIMIT) }
    }

    /// What is certain after this chunk, in order.
    pub fn push(&mut self, chunk: &str) -> Vec<Piece> {
        let mut pieces = Pieces::default();
        self.read(chunk, &mut pieces);
        pieces.0
    }

    /// What was still held back: text that opened no block after all, the last block, or one that was cut off.
    pub fn finish(mut self) -> Option<Piece> {
        let mut pieces = Pieces::default();
        self.end(&mut pieces);
        pieces.0.pop()
    }

    fn read(&mut self, chunk: &str, pieces: &mut Pieces) {
        let mut rest = chunk;
        while !rest.is_empty() {
            let read = match self.state {
                State::Opening(opening) => self.opening(opening, rest, pieces),
                State::Plain => self.plain(rest, pieces),
                State::Marks(fence) => self.marks(fence, rest, pieces),
                State::Info(fence) => self.info(fence, rest, pieces),
                State::Inside { fence, line, block } => self.inside(fence, line, block, rest, pieces),
            };
            rest = &rest[read..];
        }
    }

    /// A line's beginning, as far as it may be a call's; the state that follows reads what decides against one.
    fn opening(&mut self, opening: Opening, rest: &str, pieces: &mut Pieces) -> usize {
        if self.read == 0 && rest.starts_with(BYTE_ORDER_MARK) {
            return self.pass(&rest[..BYTE_ORDER_MARK.len_utf8()], pieces);
        }
        let (read, seen) = opening.read(rest, self.limit - self.held.len());
        self.hold(&rest[..read]);
        match seen {
            Seen::Maybe(opening) => self.state = State::Opening(opening),
            Seen::Plain => self.release(State::Plain, pieces),
            Seen::Other(fence) => self.release(State::Info(fence), pieces),
            Seen::TooLong(opening) => self.give_up(opening, pieces),
            Seen::Call { fence, extra_info } => {
                let body = self.held.len();
                let block = Some(Block { body, line: body, extra_info });
                self.state = State::Inside { fence, line: Closing::START, block };
            }
        }
        read
    }

    /// A line whose beginning alone is as long as a block may be.
    fn give_up(&mut self, opening: Opening, pieces: &mut Pieces) {
        match opening {
            Opening::Indent(_) => self.release(State::Plain, pieces),
            Opening::Marks(fence) => self.release(State::Marks(fence), pieces),
            Opening::Tail { fence, .. } | Opening::Word(fence, fence::WORD) => {
                self.refuse(Fault::TooLarge { limit: self.limit }, pieces);
                self.state = State::Info(fence);
            }
            Opening::Gap(fence) | Opening::Word(fence, _) => self.release(State::Info(fence), pieces),
        }
    }

    /// To the next line that may open something, over as many lines as there are.
    fn plain(&mut self, rest: &str, pieces: &mut Pieces) -> usize {
        let next = fence::next_line(rest, memchr2_iter(b'`', b'~', rest.as_bytes()));
        if next.is_some() {
            self.state = State::LINE_START;
        }
        self.pass(&rest[..next.unwrap_or(rest.len())], pieces)
    }

    fn marks(&mut self, mut fence: Fence, rest: &str, pieces: &mut Pieces) -> usize {
        let more = rest.bytes().take_while(|byte| *byte == fence.mark).count();
        fence.length += more;
        self.state = if more < rest.len() { State::Info(fence) } else { State::Marks(fence) };
        self.pass(&rest[..more], pieces)
    }

    fn info(&mut self, fence: Fence, rest: &str, pieces: &mut Pieces) -> usize {
        let end = match fence.mark {
            b'`' => memchr2(b'\n', b'`', rest.as_bytes()),
            _ => memchr(b'\n', rest.as_bytes()),
        };
        let Some(end) = end else { return self.pass(rest, pieces) };
        self.state = match rest.as_bytes()[end] {
            b'\n' => State::Inside { fence, line: Closing::START, block: None },
            _ => State::Plain,
        };
        self.pass(&rest[..=end], pieces)
    }
}

impl State {
    const LINE_START: Self = Self::Opening(Opening::START);
}
