//! Processes of one sandbox, found by an argument that only they have.

use rustix::process::{Pid, Signal};
use std::{
    collections::BTreeSet,
    fs,
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

/// Not used by any other test, nor by another run.
pub fn mark() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!("mark-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

pub type Pids = BTreeSet<i32>;

/// All of them, the zygote too. A zombie has no arguments, and is not found.
pub fn marked(mark: &str) -> Pids {
    all().filter(|pid| arguments(*pid).split('\0').any(|argument| argument == mark)).collect()
}

/// The zygote is the parent of the others.
pub fn zygote(mark: &str) -> i32 {
    let all = marked(mark);
    let is_zygote = |pid: &&i32| stat(**pid).is_some_and(|(_, parent)| !all.contains(&parent));
    *all.iter().find(is_zygote).expect("a zygote")
}

pub fn workers(mark: &str) -> Pids {
    let zygote = zygote(mark);
    marked(mark).into_iter().filter(|pid| *pid != zygote).collect()
}

/// Children of this process that nobody has waited for.
pub fn zombies_of(parent: i32) -> Pids {
    all().filter(|pid| stat(*pid).is_some_and(|(state, of)| state == 'Z' && of == parent)).collect()
}

pub fn kill(pid: i32) {
    rustix::process::kill_process(Pid::from_raw(pid).expect("a pid"), Signal::KILL).expect("it lives");
}

/// Looks again until it is so.
pub async fn eventually<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    for _ in 0..4000 {
        if let Some(seen) = look() {
            return seen;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("never: {what}");
}

fn all() -> impl Iterator<Item = i32> {
    let entries = fs::read_dir("/proc").expect("/proc").filter_map(Result::ok);
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

fn arguments(pid: i32) -> String {
    fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default()
}

/// State and parent. The name before them may hold anything, but ends with the last parenthesis.
fn stat(pid: i32) -> Option<(char, i32)> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let mut fields = text.rsplit_once(')')?.1.split_ascii_whitespace();
    Some((fields.next()?.chars().next()?, fields.next()?.parse().ok()?))
}
