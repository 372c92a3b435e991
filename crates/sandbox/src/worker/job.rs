//! The one job of a child.

use super::{
    channel::{Channel, Lost},
    engine::Engine,
    natives::{NO_MEMORY, Natives, SOURCE},
    zygote::Seat,
};
use crate::{
    FaultKind, FetchResponse, confine,
    protocol::{FromWorker, Job, MAX_MESSAGE, Mode, ToWorker},
};
use rquickjs::{Ctx, Function, Module, Object, Promise, Value, promise::PromiseState};
use std::{
    collections::BTreeMap,
    rc::Rc,
    time::{Duration, Instant},
};

pub(super) fn serve(engine: &Engine, seat: Seat, channel: &Rc<Channel>) -> Result<(), Lost> {
    let ToWorker::Job(job) = channel.receive()? else {
        return Err(Lost);
    };
    confine::limit_job(seat.walls, seat.mapped_bytes, job.memory_bytes, job.time_ms).map_err(|_| Lost)?;
    engine.natives.seed().map_err(|_| Lost)?;
    engine.natives.memory.limit(job.memory_bytes);
    engine.natives.take(&job, channel);
    channel.send(&FromWorker::Started)?;
    engine.context.with(|ctx| {
        let wrapper = engine.wrapper.clone().restore(&ctx);
        match wrapper {
            Ok(wrapper) => Run { ctx, wrapper, natives: &engine.natives, channel }.all(*job),
            Err(_) => Err(Lost),
        }
    })
}

impl Natives {
    fn take(&self, job: &Job<'_>, channel: &Rc<Channel>) {
        self.channel.replace(Some(Rc::clone(channel)));
        self.deadline.set(Instant::now().checked_add(Duration::from_millis(job.time_ms)));
        self.log_left.set(job.log_bytes);
        self.longest_secret.set(job.longest_secret);
        self.fetches_left.set(job.fetches);
    }
}

/// Why the script cannot go on; the wrapper or the loop has not told the server yet.
enum Stop<'js> {
    Thrown(FaultKind, Value<'js>),
    Plain(FaultKind, &'static str),
    Lost,
}

struct Run<'a, 'js> {
    ctx: Ctx<'js>,
    wrapper: Object<'js>,
    natives: &'a Natives,
    channel: &'a Channel,
}

impl<'js> Run<'_, 'js> {
    fn all(&self, job: Job<'_>) -> Result<(), Lost> {
        match self.script(job) {
            Ok(()) => Ok(()),
            Err(Stop::Lost) => Err(Lost),
            Err(_) if self.natives.interrupted.get() => {
                self.plain(FaultKind::Timeout, "the script ran longer than it may")
            }
            Err(Stop::Plain(kind, message)) => self.plain(kind, message),
            Err(Stop::Thrown(kind, thrown)) => self.thrown(kind, thrown),
        }
    }

    fn script(&self, job: Job<'_>) -> Result<(), Stop<'js>> {
        let longest = MAX_MESSAGE.saturating_add(job.longest_secret);
        self.call::<_, ()>("begin", (longest, job.output_bytes))?;
        let tool = self.function(job.code.into_owned())?;
        if job.mode == Mode::Check {
            self.natives.done("null".to_owned());
            return Ok(());
        }
        let json = |value| serde_json::to_string(value).map_err(|_| Stop::Lost);
        let context = serde_json::to_string(&job.context).map_err(|_| Stop::Lost)?;
        let secrets = json(&*job.secrets)?;
        let running: Promise<'js> = self.call("run", (tool, job.params.into_owned(), context, secrets))?;
        self.drive(|| self.natives.ended.get())?;
        match running.state() {
            _ if self.natives.ended.get() => Ok(()),
            // The wrapper, or a promise, could not go on: there was no memory left to say so in.
            PromiseState::Rejected => Err(Stop::Plain(FaultKind::Memory, NO_MEMORY)),
            _ if self.natives.memory.has_refused() => Err(Stop::Plain(FaultKind::Memory, NO_MEMORY)),
            _ => Err(Stop::Plain(
                FaultKind::NeverSettled,
                "the script waits for a promise that nothing can settle any more",
            )),
        }
    }

    /// The module, evaluated, and its default export.
    fn function(&self, code: String) -> Result<Function<'js>, Stop<'js>> {
        let declared = Module::declare(self.ctx.clone(), SOURCE, code);
        let declared = declared.map_err(|e| self.caught(FaultKind::Syntax, &e))?;
        let (module, evaluated) = declared.eval().map_err(|e| self.caught(FaultKind::Syntax, &e))?;
        self.drive(|| evaluated.state() != PromiseState::Pending)?;
        match evaluated.result::<Value<'js>>() {
            Some(result) => result.map(drop).map_err(|e| self.caught(FaultKind::Thrown, &e))?,
            None => {
                return Err(Stop::Plain(
                    FaultKind::NeverSettled,
                    "the module waits for a promise that nothing can settle any more",
                ));
            }
        }
        let default: Value<'js> =
            module.get("default").map_err(|e| self.caught(FaultKind::NoFunction, &e))?;
        default.into_function().ok_or(Stop::Plain(
            FaultKind::NoFunction,
            "the module must have a default export that is a function: export default (params, ctx) => …",
        ))
    }

    /// Until it is so, or nothing is left that could make it so.
    fn drive(&self, is_so: impl Fn() -> bool) -> Result<(), Stop<'js>> {
        while !is_so() {
            if self.natives.is_over() {
                return Err(Stop::Plain(FaultKind::Timeout, ""));
            }
            if self.ctx.execute_pending_job() {
                continue;
            }
            if self.natives.interrupted.get() {
                return Err(Stop::Plain(FaultKind::Timeout, ""));
            }
            if self.natives.fetches_open.get() == 0 {
                return Ok(());
            }
            self.hear()?;
        }
        Ok(())
    }

    /// The next answer to a request.
    fn hear(&self) -> Result<(), Stop<'js>> {
        let ToWorker::Answer { id, answer } = self.channel.receive().map_err(|_| Stop::Lost)? else {
            return Err(Stop::Lost);
        };
        self.natives.fetches_open.set(self.natives.fetches_open.get().saturating_sub(1));
        match answer {
            Ok(FetchResponse { status, headers, body }) => {
                let headers = joined(headers);
                let headers = serde_json::to_string(&headers).map_err(|_| Stop::Lost)?;
                self.call("answered", (id, rquickjs::Undefined, status, headers, body))
            }
            Err(refused) => self.call("answered", (id, refused)),
        }
    }

    fn call<A, R>(&self, name: &str, arguments: A) -> Result<R, Stop<'js>>
    where
        A: rquickjs::function::IntoArgs<'js>,
        R: rquickjs::FromJs<'js>,
    {
        let function: Function<'js> = self.wrapper.get(name).map_err(|_| Stop::Lost)?;
        function.call(arguments).map_err(|e| self.caught(FaultKind::Thrown, &e))
    }

    fn caught(&self, kind: FaultKind, error: &rquickjs::Error) -> Stop<'js> {
        match error {
            rquickjs::Error::Exception => Stop::Thrown(kind, self.ctx.catch()),
            _ => Stop::Plain(kind, "the code has a character that no code can have"),
        }
    }

    fn thrown(&self, kind: FaultKind, thrown: Value<'js>) -> Result<(), Lost> {
        let told: Result<(), Stop<'js>> = self.call("failed", (kind.code(), thrown));
        match told {
            Ok(()) if self.natives.ended.get() => Ok(()),
            Err(Stop::Lost) => Err(Lost),
            _ if self.natives.interrupted.get() => {
                self.plain(FaultKind::Timeout, "the script ran longer than it may")
            }
            _ => self.plain(FaultKind::Memory, NO_MEMORY),
        }
    }

    fn plain(&self, kind: FaultKind, message: &str) -> Result<(), Lost> {
        self.natives.failed(kind, message.to_owned(), None);
        Ok(())
    }
}

/// As `Headers.get` has it.
fn joined(headers: Vec<(String, String)>) -> BTreeMap<String, String> {
    let mut joined = BTreeMap::<String, String>::new();
    for (name, value) in headers {
        joined
            .entry(name.to_ascii_lowercase())
            .and_modify(|all| {
                all.push_str(", ");
                all.push_str(&value);
            })
            .or_insert(value);
    }
    joined
}
