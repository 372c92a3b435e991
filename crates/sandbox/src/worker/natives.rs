//! What the wrapper around a script can ask Rust for: a line of the log, a request, an end. Nothing else is reachable.

use super::{channel::Channel, memory::Memory};
use crate::{
    Fault, FaultKind, FetchRequest,
    protocol::{FromWorker, MAX_REQUEST},
    sys,
};
use rquickjs::{Ctx, Exception, Function, Object};
use std::{
    cell::{Cell, RefCell},
    rc::Rc,
    time::Instant,
};

/// The author's code in a stack trace.
pub(super) const SOURCE: &str = "tool.js";

pub(super) const NO_MEMORY: &str = "the script needs more memory than it may use";

/// Empty before the fork; of one job after it.
#[derive(Default)]
pub(super) struct Natives {
    pub memory: Rc<Memory>,
    pub channel: RefCell<Option<Rc<Channel>>>,
    pub deadline: Cell<Option<Instant>>,
    /// The engine was told to stop.
    pub interrupted: Cell<bool>,
    pub log_left: Cell<usize>,
    pub longest_secret: Cell<usize>,
    log_closed: Cell<bool>,
    pub fetches_left: Cell<u32>,
    pub fetches_open: Cell<u32>,
    next_fetch: Cell<u32>,
    headers: RefCell<Vec<(String, String)>>,
    random: Cell<u64>,
    pub ended: Cell<bool>,
}

impl Natives {
    pub(super) fn is_over(&self) -> bool {
        let over = self.deadline.get().is_some_and(|deadline| Instant::now() >= deadline);
        self.interrupted.set(self.interrupted.get() || over);
        over
    }

    /// The server is gone: so is the reason to be here.
    fn send(&self, message: &FromWorker) {
        let sent = self.channel.borrow().as_ref().is_some_and(|channel| channel.send(message).is_ok());
        if !sent {
            sys::exit_now(1);
        }
    }

    fn log_room(&self) -> i32 {
        if self.log_closed.get() {
            return -1;
        }
        let room = self.log_left.get().saturating_add(self.longest_secret.get());
        i32::try_from(room).unwrap_or(i32::MAX)
    }

    /// What is more than the server keeps tells it that there was more.
    fn log(&self, text: String) {
        let (left, length) = (self.log_left.get(), text.len().saturating_add(1));
        self.log_left.set(left.saturating_sub(length));
        self.send(&FromWorker::Log(text));
        if length > left {
            self.log_closed.set(true);
            self.send(&FromWorker::LogCut);
        }
    }

    fn fetch(&self, url: String, method: String, body: Option<String>) -> Result<u32, String> {
        let headers = self.headers.take();
        let size = headers.iter().map(|(name, value)| name.len() + value.len() + 8).sum::<usize>();
        let size = size + url.len() + method.len() + body.as_ref().map_or(0, String::len);
        if size > MAX_REQUEST {
            return Err(format!("ctx.fetch: the request is larger than {MAX_REQUEST} bytes"));
        }
        let Some(left) = self.fetches_left.get().checked_sub(1) else {
            return Err("ctx.fetch: this tool has used all the requests it may make in one call".to_owned());
        };
        let id = self.next_fetch.get();
        self.fetches_left.set(left);
        self.next_fetch.set(id.wrapping_add(1));
        self.fetches_open.set(self.fetches_open.get().saturating_add(1));
        self.send(&FromWorker::Fetch { id, request: FetchRequest { url, method, headers, body } });
        Ok(id)
    }

    pub(super) fn done(&self, result: String) {
        if !self.ended.replace(true) {
            self.send(&FromWorker::Done(result));
        }
    }

    /// Where there was no memory for an error, the engine throws `null`.
    pub(super) fn failed(&self, kind: FaultKind, message: String, stack: Option<&str>) {
        if !self.ended.replace(true) {
            let is_memory = kind == FaultKind::Memory || (message == "null" && self.memory.has_refused());
            let (kind, message) =
                if is_memory { (FaultKind::Memory, NO_MEMORY.to_owned()) } else { (kind, message) };
            let (line, column) = stack.and_then(place).unzip();
            self.send(&FromWorker::Failed(Fault { kind, message, line, column }));
        }
    }

    /// From the kernel, after the fork.
    pub(super) fn seed(&self) -> Result<(), String> {
        let mut seed = [0; 8];
        rustix::rand::getrandom(&mut seed, rustix::rand::GetRandomFlags::empty())
            .map_err(|e| e.to_string())?;
        self.random.set(u64::from_le_bytes(seed));
        Ok(())
    }

    /// SplitMix64: as good as `Math.random` has to be.
    fn random(&self) -> f64 {
        let state = self.random.get().wrapping_add(0x9e37_79b9_7f4a_7c15);
        self.random.set(state);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// The object that the wrapper calls `native`.
    pub(super) fn object<'js>(self: &Rc<Self>, ctx: &Ctx<'js>) -> rquickjs::Result<Object<'js>> {
        let object = Object::new(ctx.clone())?;
        let here = || Rc::clone(self);
        let this = here();
        object.set("logRoom", Function::new(ctx.clone(), move || this.log_room())?)?;
        let this = here();
        object.set("log", Function::new(ctx.clone(), move |text| this.log(text))?)?;
        let this = here();
        object.set("newRequest", Function::new(ctx.clone(), move || this.headers.take().clear())?)?;
        let this = here();
        let header = move |name, value| this.headers.borrow_mut().push((name, value));
        object.set("header", Function::new(ctx.clone(), header)?)?;
        let this = here();
        let fetch = move |ctx: Ctx<'js>, url, method, body| {
            this.fetch(url, method, body).map_err(|why| Exception::throw_message(&ctx, &why))
        };
        object.set("fetch", Function::new(ctx.clone(), fetch)?)?;
        let this = here();
        object.set("done", Function::new(ctx.clone(), move |result| this.done(result))?)?;
        let this = here();
        let failed = move |kind: String, message, stack: Option<String>| {
            this.failed(kind_of(&kind), message, stack.as_deref());
        };
        object.set("failed", Function::new(ctx.clone(), failed)?)?;
        let this = here();
        object.set("random", Function::new(ctx.clone(), move || this.random())?)?;
        Ok(object)
    }
}

fn kind_of(code: &str) -> FaultKind {
    FaultKind::ALL.into_iter().find(|kind| kind.code() == code).unwrap_or(FaultKind::Thrown)
}

/// Line and column of the innermost frame that is the author's.
fn place(stack: &str) -> Option<(u32, u32)> {
    stack.match_indices(SOURCE).find_map(|(at, _)| {
        let mut numbers = stack.get(at + SOURCE.len()..)?.strip_prefix(':')?.splitn(2, ':');
        let line = numbers.next()?.parse().ok()?;
        let column: String = numbers.next()?.chars().take_while(char::is_ascii_digit).collect();
        Some((line, column.parse().ok()?))
    })
}
