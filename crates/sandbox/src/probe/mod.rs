//! Native code in the worker's place. It goes through the same zygote, the same fork and the same walls as a script
//! does, and then tries what a script that broke out of the engine would try.
//!
//! Only in builds for tests: feature `probe`. The walls named in the program's arguments are left out; the entry
//! point of the product takes no arguments.

mod attempts;

use crate::{
    confine::{self, Walls},
    protocol::{FromWorker, ToWorker},
    worker::{Channel, Seat, serve},
};
use std::{process::ExitCode, rc::Rc};

const SERVER: &str = "--server";

pub fn main() -> ExitCode {
    let names: Vec<String> = std::env::args().skip(1).collect();
    if names == [attempts::EXECUTED] {
        return attempts::executed();
    }
    if let [SERVER, program, mark] = *names.iter().map(String::as_str).collect::<Vec<_>>() {
        return server(program, mark);
    }
    match names.iter().try_fold(Walls::ALL, |walls, name| walls.without(name)) {
        Some(walls) => serve(walls, || Ok(answer)),
        None => ExitCode::FAILURE,
    }
}

/// A server that does nothing but have workers, for a test that kills it.
fn server(program: &str, mark: &str) -> ExitCode {
    let config =
        crate::Config { program: program.into(), args: vec![mark.into()], ..crate::Config::default() };
    let forever = async {
        let _sandbox = crate::Sandbox::start(config).await;
        std::future::pending::<ExitCode>().await
    };
    match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime.block_on(forever),
        Err(_) => ExitCode::FAILURE,
    }
}

impl Walls {
    fn without(mut self, name: &str) -> Option<Self> {
        let wall = match name {
            "user" => &mut self.user,
            "dumpable" => &mut self.dumpable,
            "landlock" => &mut self.landlock,
            "seccomp" => &mut self.seccomp,
            "descriptors" => &mut self.descriptors,
            "files" => &mut self.files,
            "processes" => &mut self.processes,
            "memory" => &mut self.memory,
            _ => return None,
        };
        *wall = false;
        Some(self)
    }
}

/// The code of the job is the name of an attempt; its parameters are the attempt's.
fn answer(seat: Seat, channel: &Rc<Channel>) -> Result<(), crate::worker::Lost> {
    let ToWorker::Job(job) = channel.receive()? else {
        return Err(crate::worker::Lost);
    };
    let limited = confine::limit_job(seat.walls, seat.mapped_bytes, job.memory_bytes, job.time_ms);
    channel.send(&FromWorker::Started)?;
    let seen = limited.and_then(|()| attempts::attempt(&job.code, &job.params));
    let seen = match seen {
        Ok(seen) => serde_json::json!({"succeeded": seen}),
        Err(why) => serde_json::json!({"failed": why}),
    };
    channel.send(&FromWorker::Done(seen.to_string()))
}
