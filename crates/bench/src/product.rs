//! The release binary on a data folder of its own, set up and signed in.

use crate::Outcome;
use reqwest::{Client, header, redirect::Policy};
use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader, Write},
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
    /// Of a tenant's owner.
    pub key: String,
    /// That tenant's id.
    pub tenant: String,
    folder: TempDir,
    process: Child,
    address: String,
    database: Option<String>,
}

impl Product {
    pub async fn set_up() -> Outcome<Self> {
        let folder = tempfile::tempdir()?;
        let address = TcpListener::bind("127.0.0.1:0").await?.local_addr()?.to_string();
        let (process, mut log) = start(&folder, &address, None)?;
        let url = format!("http://{address}");
        let code = setup_code(&mut log)?;
        read_on(log);
        until_answered(&format!("{url}/readyz")).await?;
        let cookie = complete_setup(&url, &code).await?;
        Ok(Self {
            url,
            cookie,
            key: String::new(),
            tenant: String::new(),
            folder,
            process,
            address,
            database: None,
        })
    }

    /// A tenant with an agent that may call two tools without asking: a built-in one, and a webhook at `upstream`.
    pub async fn with_calls(database: Option<&str>, upstream: &str) -> Outcome<Self> {
        let folder = tempfile::tempdir()?;
        let database = database.map(str::to_owned);
        let command = |arguments: &[&str]| run(&folder, database.as_deref(), arguments);
        let tenant = command(&["tenant", "create", "--name", "Medida", "--slug", "medida"])?;
        let tenant = tenant.split(' ').next().unwrap_or_default().to_owned();
        command(&["agent", "create", "--tenant", "medida", "--name", "medidor"])?;
        let key =
            command(&["api-key", "create", "--name", "bench", "--tenant", "medida", "--role", "owner"])?;
        let address = TcpListener::bind("127.0.0.1:0").await?.local_addr()?.to_string();
        let (process, log) = start(&folder, &address, database.as_deref())?;
        read_on(log);
        let url = format!("http://{address}");
        until_answered(&format!("{url}/readyz")).await?;
        let product = Self { url, cookie: String::new(), key, tenant, folder, process, address, database };
        product.give_tools(upstream).await?;
        Ok(product)
    }

    async fn give_tools(&self, upstream: &str) -> Outcome<()> {
        let tool = json!({
            "name": "measured", "description": "measured", "execution_type": "webhook", "webhook_url": upstream,
            "parameters": { "type": "object", "properties": { "title": { "type": "string" } } }
        });
        self.give_agent(&[tool], &["createTask", "measured"]).await
    }

    /// Makes these tools, and lets the agent call those with these names without asking.
    pub async fn give_agent(&self, tools: &[Value], names: &[&str]) -> Outcome<()> {
        for tool in tools {
            self.post(&self.key, "/tools", tool).await?;
        }
        let given = json!({ "allowed_tools": names, "tool_confirmation_mode": "never" });
        let address = format!("{}/api/v1/agents/medidor/tools", self.url);
        Client::new().put(address).bearer_auth(&self.key).json(&given).send().await?.error_for_status()?;
        Ok(())
    }

    async fn post(&self, key: &str, path: &str, body: &Value) -> Outcome<()> {
        let address = format!("{}/api/v1{path}", self.url);
        Client::new().post(address).bearer_auth(key).json(body).send().await?.error_for_status()?;
        Ok(())
    }

    /// The key of another tenant, whose agent of the same name may create tasks.
    pub async fn another_tenant(&self, slug: &str) -> Outcome<String> {
        let command = |arguments: &[&str]| run(&self.folder, self.database.as_deref(), arguments);
        command(&["tenant", "create", "--name", slug, "--slug", slug])?;
        let key = command(&["api-key", "create", "--name", "bench", "--tenant", slug, "--role", "owner"])?;
        let agent = json!({
            "name": "medidor", "slug": "medidor", "allowed_tools": ["createTask"], "tool_confirmation_mode": "never"
        });
        self.post(&key, "/agents", &agent).await?;
        Ok(key)
    }

    /// Somebody of the tenant signs in: an owner, for pages. Their cookie, as a header's value.
    pub async fn signed_in(&self) -> Outcome<String> {
        let arguments =
            ["user", "create", "--email", "bia@example.org", "--tenant", "medida", "--role", "owner"];
        let mut command = command(&self.folder, self.database.as_deref())?;
        let mut process = command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::null()).spawn()?;
        process.stdin.take().ok_or("no standard input")?.write_all(PASSWORD.as_bytes())?;
        if !process.wait()?.success() {
            return Err("no user could be made".into());
        }
        let form = [("email", "bia@example.org"), ("password", PASSWORD)];
        let client = Client::builder().redirect(Policy::none()).build()?;
        cookie_of(&client.post(format!("{}/fn/sign_in", self.url)).form(&form).send().await?)
    }

    /// Ends every call that runs.
    pub async fn cancel_running(&self) -> Outcome<()> {
        let list = format!("{}/api/v1/executions?status=running", self.url);
        let list: Value = Client::new().get(list).bearer_auth(&self.key).send().await?.json().await?;
        for execution in list["data"].as_array().ok_or("no list")? {
            let id = execution["id"].as_str().ok_or("no id")?;
            self.post(&self.key, &format!("/executions/{id}/cancel"), &json!({})).await?;
        }
        Ok(())
    }

    /// Where the product keeps its rows.
    pub fn database_url(&self) -> String {
        let file = || format!("sqlite://{}", self.folder.path().join("alcada.db").display());
        self.database.clone().unwrap_or_else(file)
    }

    /// Where the bare handler writes: the same server, or a file in the same folder.
    pub fn bare_database(&self) -> Outcome<String> {
        Ok(match &self.database {
            Some(url) => url.clone(),
            None => format!("sqlite://{}", self.folder.path().join("bare.db").display()),
        })
    }

    /// Stops the process, starts it again, and tells how long it took until it was ready.
    pub async fn restart(&mut self) -> Outcome<Duration> {
        self.process.kill()?;
        self.process.wait()?;
        let started = Instant::now();
        let (process, log) = start(&self.folder, &self.address, self.database.as_deref())?;
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

    async fn metrics(&self) -> Outcome<String> {
        Ok(Client::new().get(format!("{}/metrics", self.url)).send().await?.text().await?)
    }

    pub async fn until_gauge(&self, name: &str, value: usize) -> Outcome<()> {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            if self.metrics().await?.contains(&format!("\n{name} {value}\n")) {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        Err(format!("{name} was never {value}").into())
    }

    /// The upper bound of the bucket that holds the middle one.
    pub async fn histogram_median_ms(&self, name: &str) -> Outcome<f64> {
        let text = self.metrics().await?;
        let number = |line: &str| line.rsplit(' ').next().and_then(|number| number.parse::<f64>().ok());
        let count = text.lines().find(|line| line.starts_with(&format!("{name}_count"))).and_then(number);
        let half = count.ok_or("no such figure")? / 2.0;
        let begins = format!("{name}_bucket{{le=\"");
        let buckets = text.lines().filter_map(|line| Some((line.strip_prefix(&begins)?, number(line)?)));
        let middle = buckets.into_iter().find(|(_, below)| *below >= half);
        let bound = middle.and_then(|(bound, _)| bound.split('"').next()?.parse::<f64>().ok());
        Ok(bound.unwrap_or(f64::INFINITY) * 1000.0)
    }

    /// Processes that ended, and that nobody asked about: of the server and of those that it started.
    pub fn zombies_below(&self) -> Outcome<usize> {
        let mut family = vec![self.process.id()];
        let mut zombies = 0;
        let all = processes()?;
        while let Some(parent) = family.pop() {
            for (pid, _, state) in all.iter().filter(|(_, of, _)| *of == parent) {
                family.push(*pid);
                zombies += usize::from(state == "Z");
            }
        }
        Ok(zombies)
    }

    /// What the kernel says the process keeps in memory.
    pub fn resident_mib(&self) -> Outcome<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("no VmRSS")?;
        let kib: f64 = line.trim().trim_end_matches(" kB").parse()?;
        Ok(kib / 1024.0)
    }
}

/// Process, its parent, its state.
fn processes() -> Outcome<Vec<(u32, u32, String)>> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir("/proc")?.flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        // One that ended in the meantime has nothing to say.
        let Ok(stat) = std::fs::read_to_string(entry.path().join("stat")) else { continue };
        let mut rest = stat.rsplit_once(')').ok_or("no stat")?.1.split_whitespace();
        let (state, parent) = (rest.next().ok_or("no state")?, rest.next().ok_or("no parent")?);
        all.push((pid, parent.parse()?, state.to_owned()));
    }
    Ok(all)
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

fn command(folder: &TempDir, database: Option<&str>) -> Outcome<Command> {
    let mut command = Command::new(std::path::absolute(binary())?);
    command.current_dir(folder.path()).env_clear().env("ALCADA_DATA", folder.path());
    command.env("ALCADA_EGRESS_ALLOW", "127.0.0.0/8");
    if let Some(url) = database {
        command.env("DATABASE_URL", url);
    }
    Ok(command)
}

/// Runs a command to its end; what it printed.
fn run(folder: &TempDir, database: Option<&str>, arguments: &[&str]) -> Outcome<String> {
    let output = command(folder, database)?.args(arguments).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

fn start(
    folder: &TempDir,
    address: &str,
    database: Option<&str>,
) -> Outcome<(Child, BufReader<ChildStdout>)> {
    let mut process =
        command(folder, database)?.arg("serve").env("ALCADA_ADDR", address).stdout(Stdio::piped()).spawn()?;
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
    cookie_of(&answer)
}

fn cookie_of(answer: &reqwest::Response) -> Outcome<String> {
    let cookie = answer.headers().get(header::SET_COOKIE).ok_or("there is no cookie")?.to_str()?;
    Ok(cookie.split(';').next().unwrap_or_default().to_owned())
}
