//! Load by `wrk` on loopback, and the bare handlers that it is compared with.

use crate::Outcome;
use std::path::Path;
use tempfile::NamedTempFile;
use tokio::{
    net::TcpListener,
    process::{Child, Command},
};

const SECONDS: &str = "4";

/// A handler in a process of its own.
pub struct Bare {
    pub url: String,
    _process: Child,
}

impl Bare {
    /// Returns given bytes without work.
    pub async fn serve(page: String) -> Outcome<Self> {
        let file = NamedTempFile::new()?;
        std::fs::write(file.path(), page)?;
        let path = file.path().display().to_string();
        let bare = Self::start("bare", &[&path]).await?;
        file.close()?;
        Ok(bare)
    }

    /// One group-committed insert, after a call to the upstream when there is one.
    pub async fn calls(database: &str, upstream: Option<&str>) -> Outcome<Self> {
        let mut arguments = vec![database];
        arguments.extend(upstream);
        Self::start("bare_call", &arguments).await
    }

    /// The ten-line tool in a process of its own, and one group-committed insert.
    pub async fn code(database: &str) -> Outcome<Self> {
        Self::start("bare_code", &[database]).await
    }

    async fn start(name: &str, arguments: &[&str]) -> Outcome<Self> {
        let free = TcpListener::bind("127.0.0.1:0").await?.local_addr()?;
        let program = std::env::current_exe()?.with_file_name(name);
        let mut command = Command::new(program);
        let process = command.arg(free.to_string()).args(arguments).kill_on_drop(true).spawn()?;
        let url = format!("http://{free}/");
        crate::product::until_answered(&url).await?;
        Ok(Self { url, _process: process })
    }
}

pub struct Measured {
    /// Requests per second.
    pub rate: f64,
    /// The slowest hundredth took longer.
    pub p99_ms: f64,
}

/// A request, repeated over many connections.
pub struct Load {
    url: String,
    connections: usize,
    script: NamedTempFile,
}

impl Load {
    pub fn get(url: &str, cookie: &str) -> Outcome<Self> {
        Self::new(url, 32, &format!("wrk.headers[\"cookie\"] = {cookie:?}\n"))
    }

    pub fn post(url: &str, key: &str, body: &str) -> Outcome<Self> {
        let script = format!(
            "wrk.method = \"POST\"\nwrk.headers[\"content-type\"] = \"application/json\"\n\
             wrk.headers[\"authorization\"] = \"Bearer {key}\"\nwrk.body = {body:?}\n"
        );
        Self::new(url, 64, &script)
    }

    pub fn over(self, connections: usize) -> Self {
        Self { connections, ..self }
    }

    fn new(url: &str, connections: usize, script: &str) -> Outcome<Self> {
        let file = NamedTempFile::with_suffix(".lua")?;
        std::fs::write(file.path(), script)?;
        Ok(Self { url: url.to_owned(), connections, script: file })
    }

    pub async fn run(&self) -> Outcome<Measured> {
        let script: &Path = self.script.path();
        let mut wrk = Command::new("wrk");
        wrk.args(["-t", "1", "-d", SECONDS, "-c"])
            .arg(self.connections.to_string())
            .args(["--latency", "-s"])
            .arg(script)
            .arg(&self.url);
        let output = wrk.output().await.map_err(|error| format!("wrk: {error} (make bench installs it)"))?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        if text.contains("Non-2xx") || text.contains("Socket errors") {
            return Err(format!("the load was not answered well:\n{text}").into());
        }
        let after =
            |start: &str| text.lines().find_map(|line| line.trim().strip_prefix(start)).map(str::trim);
        Ok(Measured {
            rate: after("Requests/sec:").ok_or("wrk said nothing")?.parse()?,
            p99_ms: milliseconds(after("99%").ok_or("wrk said nothing of the slowest")?)?,
        })
    }
}

fn milliseconds(text: &str) -> Outcome<f64> {
    let scales = [("us", 0.001), ("ms", 1.0), ("s", 1_000.0)];
    let scaled = scales.iter().find_map(|(unit, scale)| Some((text.strip_suffix(unit)?, scale)));
    let (number, scale) = scaled.ok_or_else(|| format!("not a time: {text}"))?;
    Ok(number.parse::<f64>()? * scale)
}
