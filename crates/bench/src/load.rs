//! Load by `wrk` on loopback, and the bare handler that it is compared with.

use crate::Outcome;
use tokio::{net::TcpListener, process::Command};

const CONNECTIONS: &str = "32";
const SECONDS: &str = "4";

/// An axum handler that returns given bytes without work, in a process of its own.
pub struct Bare {
    pub url: String,
    _process: tokio::process::Child,
}

impl Bare {
    pub async fn serve(page: String) -> Outcome<Self> {
        let file = tempfile::NamedTempFile::new()?;
        std::fs::write(file.path(), page)?;
        let free = TcpListener::bind("127.0.0.1:0").await?.local_addr()?;
        let program = std::env::current_exe()?.with_file_name("bare");
        let process =
            Command::new(program).arg(free.to_string()).arg(file.path()).kill_on_drop(true).spawn()?;
        let url = format!("http://{free}/");
        crate::product::until_answered(&url).await?;
        Ok(Self { url, _process: process })
    }
}

pub async fn requests_per_second(url: &str, cookie: &str) -> Outcome<f64> {
    let mut wrk = Command::new("wrk");
    wrk.args(["-t", "1", "-c", CONNECTIONS, "-d", SECONDS, "-H", &format!("Cookie: {cookie}"), url]);
    let output = wrk.output().await.map_err(|error| format!("wrk: {error} (make bench installs it)"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if text.contains("Non-2xx") || text.contains("Socket errors") {
        return Err(format!("the load was not answered well:\n{text}").into());
    }
    let line =
        text.lines().find_map(|line| line.trim().strip_prefix("Requests/sec:")).ok_or("wrk said nothing")?;
    Ok(line.trim().parse()?)
}
