//! A Redis of the test's own, that it may kill and start again.

use base64::{Engine, prelude::BASE64_STANDARD};
use std::{net::TcpListener, path::Path, process::Stdio};
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt, BufReader, Lines},
    process::{Child, ChildStdout, Command},
};

pub struct Server {
    pub port: u16,
    folder: TempDir,
    /// Its certificate (PEM), where it speaks TLS only.
    certificate: Option<String>,
    running: Option<(Child, Lines<BufReader<ChildStdout>>)>,
}

impl Server {
    pub async fn start() -> Self {
        Self::start_in(tempfile::tempdir().unwrap(), None).await
    }

    pub async fn start_with_tls() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let certificate = certify(folder.path());
        Self::start_in(folder, Some(certificate)).await
    }

    async fn start_in(folder: TempDir, certificate: Option<String>) -> Self {
        loop {
            let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
            // Somebody else may have been given the port meanwhile.
            if let Some(running) = launch(port, &folder, certificate.is_some()).await {
                return Self { port, folder, certificate, running: Some(running) };
            }
        }
    }

    pub fn certificate(&self) -> Option<&[u8]> {
        self.certificate.as_deref().map(str::as_bytes)
    }

    pub fn url(&self) -> String {
        let scheme = if self.certificate.is_some() { "rediss" } else { "redis" };
        format!("{scheme}://127.0.0.1:{}", self.port)
    }

    pub async fn kill(&mut self) {
        let (mut child, _) = self.running.take().unwrap();
        child.kill().await.unwrap();
    }

    pub async fn come_back(&mut self) {
        self.running = launch(self.port, &self.folder, self.certificate.is_some()).await;
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

/// Leaves key and certificate in the folder.
fn certify(folder: &Path) -> String {
    let pem = |kind: &str, der: &[u8]| {
        format!("-----BEGIN {kind}-----\n{}\n-----END {kind}-----\n", BASE64_STANDARD.encode(der))
    };
    let made = rcgen::generate_simple_self_signed(vec!["127.0.0.1".to_owned()]).unwrap();
    let certificate = pem("CERTIFICATE", made.cert.der());
    std::fs::write(folder.join("certificate.pem"), &certificate).unwrap();
    std::fs::write(folder.join("key.pem"), pem("PRIVATE KEY", &made.signing_key.serialize_der())).unwrap();
    certificate
}

const TLS: [&str; 8] = [
    "--port",
    "0",
    "--tls-cert-file",
    "certificate.pem",
    "--tls-key-file",
    "key.pem",
    "--tls-auth-clients",
    "no",
];

/// Nothing when it ends before it is ready.
async fn launch(
    port: u16,
    folder: &TempDir,
    has_tls: bool,
) -> Option<(Child, Lines<BufReader<ChildStdout>>)> {
    let mut child = Command::new("redis-server")
        .args(["--bind", "127.0.0.1", "--save", "", "--appendonly", "no"])
        .args(if has_tls { &TLS[..] } else { &[] })
        .args([if has_tls { "--tls-port" } else { "--port" }, &port.to_string()])
        .current_dir(folder.path())
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
