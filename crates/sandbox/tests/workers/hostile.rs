//! S3: scripts that mean harm. Each file of `tests/hostile` is one idea, and its first line says how it must end:
//! `// expect: timeout`, or `// expect: ok` with the JSON of its result (`"contained"` where none is given).

use crate::support::{Echo, TENANT, config, script};
use futures::StreamExt;
use sandbox::{Config, Finished, Limits, Sandbox, Script};
use serde_json::Value;
use std::{fs, path::Path, sync::Arc, time::Duration};

/// What a script may be late: the kill itself, and a machine that is busy.
const GRACE: Duration = Duration::from_millis(250);
/// Whoever can stay longer can do it again; a machine that was busy elsewhere is not, five times in a row.
const TRIES: usize = 5;
/// Of scripts that never end by themselves.
const SHORT: Duration = Duration::from_millis(300);
/// Of those that do: their own end is what is looked at, and on a busy machine workers get very little of it.
const LONG: Duration = Duration::from_secs(120);
/// At once: more than there are processors.
const AT_ONCE: usize = 4;

struct Hostile {
    name: String,
    /// Any of these.
    expected: Vec<String>,
    code: String,
}

impl Hostile {
    fn all() -> Vec<Self> {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile");
        let entries = fs::read_dir(directory).expect("the corpus").map(|entry| entry.expect("a file").path());
        let mut paths: Vec<_> = entries.collect();
        paths.sort();
        paths.iter().map(|path| Self::read(path)).collect()
    }

    fn read(path: &Path) -> Self {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let code = fs::read_to_string(path).expect("a text");
        let first = code.lines().next().and_then(|line| line.strip_prefix("// expect: "));
        let expected = first.unwrap_or_else(|| panic!("{name} expects nothing"));
        Self { name, expected: vec![expected.to_owned()], code }
    }

    fn script(&self) -> Script {
        let time = if self.expected.iter().any(|verdict| verdict == "timeout") { SHORT } else { LONG };
        let limits =
            Limits { time, memory_bytes: 16 << 20, output_bytes: 64 << 10, log_bytes: 4 << 10, fetches: 3 };
        Script { limits, ..script(&self.code) }
    }

    fn is_late(&self, finished: &Finished) -> bool {
        finished.took > self.script().limits.time + GRACE
    }

    /// What is wrong with how it ended.
    fn complaint(&self, finished: &Finished) -> Option<String> {
        let log: usize = finished.log.iter().map(String::len).sum();
        if self.is_late(finished) || log > 4 << 10 {
            return Some(format!("{}: took {:?}, logged {log} bytes", self.name, finished.took));
        }
        let is_right = self.expected.iter().any(|expected| is(expected, finished));
        (!is_right).then(|| format!("{}: expected {:?}, got {:?}", self.name, self.expected, finished.result))
    }
}

fn is(expected: &str, finished: &Finished) -> bool {
    match (&finished.result, expected.strip_prefix("ok")) {
        (Ok(value), Some("")) => value == "contained",
        (Ok(value), Some(json)) => *value == serde_json::from_str::<Value>(json).expect("JSON"),
        (Err(fault), None) => fault.kind.code() == expected,
        _ => false,
    }
}

fn settings() -> Config {
    Config { running: AT_ONCE, per_tenant: AT_ONCE, ..config() }
}

async fn started() -> Sandbox {
    Sandbox::start(settings()).await.expect("this kernel can confine workers")
}

async fn run(sandbox: &Sandbox, hostile: &Hostile) -> Finished {
    sandbox.run(TENANT, hostile.script(), Arc::new(Echo::default())).await
}

/// Again, if it was late and only then.
async fn complaint<F: Future<Output = Finished>>(hostile: &Hostile, once: impl Fn() -> F) -> Option<String> {
    for _ in 1..TRIES {
        let finished = once().await;
        if !hostile.is_late(&finished) {
            return hostile.complaint(&finished);
        }
    }
    hostile.complaint(&once().await)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s3_hostile_scripts_end_in_time_on_a_fresh_pool() {
    let corpus = Hostile::all();
    assert!(corpus.len() >= 150, "{}", corpus.len());
    let each = futures::stream::iter(&corpus).map(|hostile| {
        complaint(hostile, move || async move {
            let sandbox = started().await;
            run(&sandbox, hostile).await
        })
    });
    let complaints: Vec<_> =
        each.buffer_unordered(AT_ONCE).filter_map(|complaint| async { complaint }).collect().await;
    assert!(complaints.is_empty(), "{complaints:#?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s3_hostile_scripts_end_in_time_on_a_warm_pool() {
    let corpus = Hostile::all();
    let sandbox = &started().await;
    for _ in 0..20 {
        sandbox.check("export default () => 1").await.expect("a tool");
    }
    let each =
        futures::stream::iter(&corpus).map(|hostile| complaint(hostile, move || run(sandbox, hostile)));
    let complaints: Vec<_> =
        each.buffer_unordered(AT_ONCE).filter_map(|complaint| async { complaint }).collect().await;
    assert!(complaints.is_empty(), "{complaints:#?}");
    assert_eq!(sandbox.metrics().zygote_starts, 1, "nothing reached the zygote");
}

#[tokio::test]
async fn s3_megabytes_of_source_are_contained() {
    let sandbox = started().await;
    let repeated = |text: &str, times: usize| text.repeat(times);
    for (code, expected) in [
        (format!("export default () => {};", repeated("(", 1 << 20)), &["syntax"][..]),
        (format!("export default () => {}1;", repeated("[", 1 << 20)), &["syntax"]),
        (format!("/*{}*/ export default () => 'contained';", repeated("x", 4 << 20)), &["ok", "memory"]),
        (
            format!("export default () => '{}'.length > 1 && 'contained';", repeated("x", 2 << 20)),
            &["ok", "memory"],
        ),
        (
            format!("export default () => 'contained'; {}", repeated("let a; { ", 1 << 19)),
            &["syntax", "memory"],
        ),
        (format!("{} export default () => 'contained';", repeated("f();", 1 << 20)), &["memory", "thrown"]),
        (repeated("\0", 1 << 20), &["syntax"]),
        (repeated("\u{feff}", 1 << 20), &["no_function", "syntax", "memory"]),
    ] {
        let name = code.chars().take(20).collect();
        let expected = expected.iter().map(|&verdict| verdict.to_owned()).collect();
        let hostile = Hostile { name, expected, code };
        assert_eq!(complaint(&hostile, || run(&sandbox, &hostile)).await, None);
    }
}
