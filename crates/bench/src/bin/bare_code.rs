//! What code tools are compared with: an axum handler that runs the same function in a fresh QuickJS runtime in a process
//! of its own (this program again, without any wall around it), and does one group-committed insert.
//! `bare_code ADDRESS DATABASE_URL`

use axum::{Router, extract::State, http::StatusCode, routing::post};
use bench::{Inserts, Outcome, TOOL};
use bytes::Bytes;
use rquickjs::{Context, Function, Module, Runtime, Value};
use std::{
    io::{Read, Write},
    process::Stdio,
};
use tokio::{io::AsyncWriteExt, net::TcpListener, process::Command};

const CHILD: &str = "--run";

fn main() -> Outcome<()> {
    let given: Vec<String> = std::env::args().skip(1).collect();
    match &given[..] {
        [child] if child == CHILD => run(),
        [address, database] => tokio::runtime::Runtime::new()?.block_on(serve(address, database)),
        _ => Err("bare_code ADDRESS DATABASE_URL".into()),
    }
}

/// The child: arguments in, result out.
fn run() -> Outcome<()> {
    let mut params = String::new();
    std::io::stdin().read_to_string(&mut params)?;
    let runtime = Runtime::new()?;
    let result = Context::full(&runtime)?.with(|ctx| -> rquickjs::Result<String> {
        let (module, evaluated) = Module::declare(ctx.clone(), "tool", TOOL)?.eval()?;
        evaluated.finish::<()>()?;
        let tool: Function<'_> = module.get("default")?;
        let result: Value<'_> = tool.call((ctx.json_parse(params)?,))?;
        let text = ctx.json_stringify(result)?;
        text.map_or(Ok("null".to_owned()), |text| text.to_string())
    })?;
    Ok(std::io::stdout().write_all(result.as_bytes())?)
}

async fn serve(address: &str, database: &str) -> Outcome<()> {
    let inserts = Inserts::start(database).await?;
    let app = Router::new().route("/", post(call).get(|| async { "up" })).with_state(inserts);
    Ok(axum::serve(TcpListener::bind(address).await?, app).await?)
}

async fn call(State(inserts): State<Inserts>, body: Bytes) -> Result<String, StatusCode> {
    let body: serde_json::Value = serde_json::from_slice(&body).map_err(|_| StatusCode::BAD_REQUEST)?;
    let answer = in_process(body["params"].to_string()).await;
    let answer = answer.map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?;
    match inserts.add(answer.clone()).await {
        true => Ok(answer),
        false => Err(StatusCode::INTERNAL_SERVER_ERROR),
    }
}

async fn in_process(params: String) -> Outcome<String> {
    let mut command = Command::new("/proc/self/exe");
    command.arg(CHILD).env_clear().stdin(Stdio::piped()).stdout(Stdio::piped());
    // When a caller hangs up, its child is told nothing, and complains.
    command.stderr(Stdio::null()).kill_on_drop(true);
    let mut child = command.spawn()?;
    let mut stdin = child.stdin.take().ok_or("no standard input")?;
    stdin.write_all(params.as_bytes()).await?;
    drop(stdin);
    let output = child.wait_with_output().await?;
    if !output.status.success() || output.stdout.is_empty() {
        return Err("the child failed".into());
    }
    Ok(String::from_utf8(output.stdout)?)
}
