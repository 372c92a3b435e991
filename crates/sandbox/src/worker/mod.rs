//! The other side: what runs as `alcada js-worker`.

mod channel;
mod engine;
mod job;
mod memory;
mod natives;
mod zygote;

pub(crate) use channel::Channel;
#[cfg(feature = "probe")]
pub(crate) use channel::Lost;
pub(crate) use zygote::{Seat, serve};

use crate::confine::Walls;
use std::{process::ExitCode, rc::Rc};

/// The whole of `alcada js-worker`. To be called first of all, before there is a runtime or a second thread; its
/// standard input is the server's control socket.
pub fn main() -> ExitCode {
    if !zygote::has_control() {
        // Somebody typed it: what it is for is told in one line, and nothing else happens.
        let _unheard = std::io::Write::write_all(
            &mut std::io::stderr(),
            b"alcada: js-worker is started by the server itself; there is nothing to do with it by hand\n",
        );
        return ExitCode::from(2);
    }
    let prepare = || {
        let engine = engine::Engine::prepare()?;
        Ok(move |seat: Seat, channel: &Rc<Channel>| job::serve(&engine, seat, channel))
    };
    serve(Walls::ALL, prepare)
}
