//! A Redis of the test's own, that it may kill and start again.

use std::{net::TcpListener, process::Stdio};
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt, BufReader, Lines},
    process::{Child, ChildStdout, Command},
};

pub struct Server {
    pub port: u16,
    folder: TempDir,
    running: Option<(Child, Lines<BufReader<ChildStdout>>)>,
}

impl Server {
    pub async fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        loop {
            let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
            // Somebody else may have been given the port meanwhile.
            if let Some(running) = launch(port, &folder).await {
                return Self { port, folder, running: Some(running) };
            }
        }
    }

    pub fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    pub async fn kill(&mut self) {
        let (mut child, _) = self.running.take().unwrap();
        child.kill().await.unwrap();
    }

    pub async fn come_back(&mut self) {
        self.running = launch(self.port, &self.folder).await;
        assert!(self.running.is_some(), "its port was taken meanwhile");
    }

    /// Stops it without closing its connections, as a broken network would.
    pub async fn signal(&self, signal: &str) {
        let id = self.running.as_ref().unwrap().0.id().unwrap().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().await.unwrap().success());
    }

    pub async fn ask<T: redis::FromRedisValue>(&self, command: &[&str]) -> T {
        let client = redis::Client::open(self.url()).unwrap();
        let calm =
            redis::AsyncConnectionConfig::new().set_response_timeout(None).set_connection_timeout(None);
        let mut connection = client.get_multiplexed_async_connection_with_config(&calm).await.unwrap();
        redis::cmd(command[0]).arg(&command[1..]).query_async(&mut connection).await.unwrap()
    }
}

/// Nothing when it ends before it is ready.
async fn launch(port: u16, folder: &TempDir) -> Option<(Child, Lines<BufReader<ChildStdout>>)> {
    let mut child = Command::new("redis-server")
        .args(["--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--port", &port.to_string()])
        .arg("--dir")
        .arg(folder.path())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("redis-server is missing: scripts/install test");
    let mut lines = BufReader::new(child.stdout.take()?).lines();
    while let Some(line) = lines.next_line().await.unwrap() {
        if line.contains("Ready to accept connections") {
            return Some((child, lines));
        }
    }
    None
}
