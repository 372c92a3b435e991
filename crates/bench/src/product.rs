//! The release binary on a data folder of its own, set up and signed in.

use crate::Outcome;
use reqwest::{Client, header, redirect::Policy};
use std::{
    io::{BufRead, BufReader},
    path::PathBuf,
    process::{Child, ChildStdout, Command, Stdio},
    time::{Duration, Instant},
};
use tempfile::TempDir;
use tokio::net::TcpListener;

const PATIENCE: Duration = Duration::from_secs(20);
const PASSWORD: &str = "uma frase para medir";

pub struct Product {
    pub url: String,
    /// Of the signed-in administrator, as a header's value.
    pub cookie: String,
    folder: TempDir,
    process: Child,
    address: String,
}

impl Product {
    pub async fn set_up() -> Outcome<Self> {
        let folder = tempfile::tempdir()?;
        let address = TcpListener::bind("127.0.0.1:0").await?.local_addr()?.to_string();
        let (process, mut log) = start(&folder, &address)?;
        let url = format!("http://{address}");
        let code = setup_code(&mut log)?;
        read_on(log);
        until_answered(&format!("{url}/readyz")).await?;
        let cookie = complete_setup(&url, &code).await?;
        Ok(Self { url, cookie, folder, process, address })
    }

    /// Stops the process, starts it again, and tells how long it took until it was ready.
    pub async fn restart(&mut self) -> Outcome<Duration> {
        self.process.kill()?;
        self.process.wait()?;
        let started = Instant::now();
        let (process, log) = start(&self.folder, &self.address)?;
        self.process = process;
        read_on(log);
        until_answered(&format!("{}/readyz", self.url)).await?;
        Ok(started.elapsed())
    }

    pub async fn page(&self, path: &str) -> Outcome<String> {
        let client = Client::builder().redirect(Policy::none()).build()?;
        let answer =
            client.get(format!("{}{path}", self.url)).header(header::COOKIE, &self.cookie).send().await?;
        if answer.status() != 200 {
            return Err(format!("{path} answered {}", answer.status()).into());
        }
        Ok(answer.text().await?)
    }

    /// What the kernel says the process keeps in memory.
    pub fn resident_mib(&self) -> Outcome<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("no VmRSS")?;
        let kib: f64 = line.trim().trim_end_matches(" kB").parse()?;
        Ok(kib / 1024.0)
    }
}

fn binary() -> PathBuf {
    std::env::var_os("ALCADA_BIN").map_or_else(|| PathBuf::from("target/release/alcada"), PathBuf::from)
}

impl Drop for Product {
    fn drop(&mut self) {
        // Ours, and already gone if this fails.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn start(folder: &TempDir, address: &str) -> Outcome<(Child, BufReader<ChildStdout>)> {
    let mut command = Command::new(std::path::absolute(binary())?);
    command.arg("serve").current_dir(folder.path()).env_clear().stdout(Stdio::piped());
    command.env("ALCADA_DATA", folder.path()).env("ALCADA_ADDR", address);
    let mut process = command.spawn()?;
    let stdout = process.stdout.take().ok_or("no standard output")?;
    Ok((process, BufReader::new(stdout)))
}

/// To the end, on the side: a full pipe would stop the server.
fn read_on(log: BufReader<ChildStdout>) {
    std::thread::spawn(move || log.lines().map_while(Result::ok).for_each(drop));
}

fn setup_code(log: &mut BufReader<ChildStdout>) -> Outcome<String> {
    for line in log.lines() {
        if let Some((_, rest)) = line?.split_once("setup code: ") {
            return Ok(rest.split(' ').next().unwrap_or_default().to_owned());
        }
    }
    Err("no setup code".into())
}

/// Asks until the answer is a success.
pub async fn until_answered(url: &str) -> Outcome<()> {
    let client = Client::new();
    let deadline = Instant::now() + PATIENCE;
    while Instant::now() < deadline {
        if client.get(url).send().await.is_ok_and(|answer| answer.status().is_success()) {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    Err(format!("{url} never answered").into())
}

async fn complete_setup(url: &str, code: &str) -> Outcome<String> {
    let form = [
        ("code", code),
        ("name", "Ada"),
        ("email", "ada@example.org"),
        ("password", PASSWORD),
        ("organisation", "A"),
    ];
    let answer = Client::new().post(format!("{url}/fn/complete_setup")).form(&form).send().await?;
    let cookie = answer.headers().get(header::SET_COOKIE).ok_or("the set-up gave no cookie")?.to_str()?;
    Ok(cookie.split(';').next().unwrap_or_default().to_owned())
}
