//! Work that everybody waits for, on a thread of its own: when the database answers, the system wakes it at once. Among the
//! tasks of the server its next step would stand in line behind every request that is being read.

/// Ends when the work does. Connections belong to the thread that opened them: `work` opens its own.
pub fn on_own_thread<F: Future<Output = ()>>(name: &str, work: impl FnOnce() -> F + Send + 'static) {
    let body = move || match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime.block_on(work()),
        Err(error) => tracing::error!(%error, "a thread has no runtime"),
    };
    // Nobody takes what is handed in then, and whoever hands it in is told that the server is not available.
    if let Err(error) = std::thread::Builder::new().name(name.to_owned()).spawn(body) {
        tracing::error!(%error, name, "a thread did not start");
    }
}
