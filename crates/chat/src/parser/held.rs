//! What is held back: the content of a block until its end, and how all of it comes out in the end.

use super::{
    Block, Parser, State, body,
    fence::{Closing, Fence, Opening, WORD},
    piece::{Call, Fault, Malformed, Piece, Pieces},
};

impl Parser {
    /// To the next line that may close the fence, to its end, or to the end of the chunk.
    pub(super) fn inside(
        &mut self,
        fence: Fence,
        line: Closing,
        block: Option<Block>,
        rest: &str,
        pieces: &mut Pieces,
    ) -> usize {
        let (read, line) = line.read(fence, rest);
        let mut block = self.keep(&rest[..read], block, pieces);
        if let (Some(block), Closing::START) = (&mut block, line) {
            block.line = self.held.len();
        }
        self.state = State::Inside { fence, line, block };
        if matches!(line, Closing::Closed) {
            self.complete(block, pieces);
            self.state = State::LINE_START;
        }
        read
    }

    /// A block that grows over the limit is refused there, and the rest of it is what any other fence holds.
    fn keep(&mut self, part: &str, block: Option<Block>, pieces: &mut Pieces) -> Option<Block> {
        let fits = block.map_or(0, |_| part.floor_char_boundary(self.limit - self.held.len()));
        let (held, passed) = part.split_at(fits);
        self.hold(held);
        if passed.is_empty() {
            return block;
        }
        if block.is_some() {
            self.refuse(Fault::TooLarge { limit: self.limit }, pieces);
        }
        self.pass(passed, pieces);
        None
    }

    pub(super) fn end(&mut self, pieces: &mut Pieces) {
        match self.state {
            State::Opening(Opening::Word(_, WORD)) => self.refuse(Fault::CutOff, pieces),
            State::Opening(Opening::Tail { .. }) => self.refuse(Fault::CutOff, pieces),
            State::Inside { fence, line, block } if line.closes(fence) => self.complete(block, pieces),
            State::Inside { block: Some(_), .. } => self.refuse(Fault::CutOff, pieces),
            _ => self.release(State::Plain, pieces),
        }
    }

    fn complete(&mut self, block: Option<Block>, pieces: &mut Pieces) {
        let Some(Block { body, line, extra_info }) = block else { return };
        let meant = if extra_info { Err(Fault::ExtraInfo) } else { body::read(&self.held[body..line]) };
        match meant {
            Ok(body) => {
                let (start, raw) = self.take_held();
                pieces.add(Piece::Call(Call {
                    name: body.name,
                    args: body.args,
                    reason: body.reason,
                    raw,
                    start,
                }));
            }
            Err(fault) => self.refuse(fault, pieces),
        }
    }

    pub(super) fn refuse(&mut self, fault: Fault, pieces: &mut Pieces) {
        let (start, raw) = self.take_held();
        pieces.add(Piece::Malformed(Malformed { fault, raw, start }));
    }

    fn take_held(&mut self) -> (u64, String) {
        (self.read - self.held.len() as u64, std::mem::take(&mut self.held))
    }

    pub(super) fn hold(&mut self, part: &str) {
        self.held.push_str(part);
        self.read += part.len() as u64;
    }

    pub(super) fn release(&mut self, state: State, pieces: &mut Pieces) {
        pieces.text(&self.held);
        self.held.clear();
        self.state = state;
    }

    pub(super) fn pass(&mut self, text: &str, pieces: &mut Pieces) -> usize {
        pieces.text(text);
        self.read += text.len() as u64;
        text.len()
    }
}
