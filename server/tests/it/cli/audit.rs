//! `alcada audit`: the record is checked in its database, and anywhere else from a file (B4, S19).

use super::{Serving, alcada};
use crate::{
    app::{fresh_database, raw_sql},
    workshop::until,
};
use sea_orm::{ConnectionTrait, Statement};
use std::{
    process::{Command, Output},
    sync::Arc,
};
use tempfile::TempDir;

/// An installation with one tenant, whose chain has a few entries.
struct Installation {
    folder: TempDir,
    database: String,
    /// As the record names it.
    tenant: String,
    _kept: Option<Arc<TempDir>>,
}

impl Installation {
    async fn start() -> Self {
        let (database, kept) = fresh_database().await;
        let folder = tempfile::tempdir().unwrap();
        let mut this = Self { folder, database, tenant: String::new(), _kept: kept };
        let made = this.succeed(&["tenant", "create", "--name", "Auditada", "--slug", "auditada"]);
        this.tenant = made.split(' ').next().unwrap().to_owned();
        for name in ["vendas", "suporte", "caixa"] {
            this.succeed(&["agent", "create", "--tenant", "auditada", "--name", name]);
        }
        this
    }

    fn command(&self) -> Command {
        let mut command = alcada(self.folder.path());
        command.env("DATABASE_URL", &self.database);
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command().args(arguments).output().unwrap()
    }

    fn succeed(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    async fn count(&self, query: &str) -> i64 {
        let sql = raw_sql(&self.database).await;
        let query = Statement::from_string(sql.get_database_backend(), query);
        let count = sql.query_one_raw(query).await.unwrap().unwrap().try_get_by_index(0).unwrap();
        sql.close().await.unwrap();
        count
    }

    async fn change(&self, statement: &str) {
        let sql = raw_sql(&self.database).await;
        sql.execute_unprepared(statement).await.unwrap();
        sql.close().await.unwrap();
    }

    /// A server signs what is there, and ends.
    async fn sign(&self) {
        let mut serving = Serving::start(&mut self.command());
        let open = "SELECT count(*) FROM audit_heads h WHERE NOT EXISTS \
                    (SELECT 1 FROM audit_checkpoints c WHERE c.chain = h.chain AND c.seq = h.seq)";
        serving.until_ready().await;
        until("signed", || async { (self.count(open).await == 0).then_some(()) }).await;
        assert!(serving.terminate());
    }
}

/// What the product's own verifier says about such a file, in a folder where nothing else is.
fn verified(export: &str, key: Option<&str>) -> Output {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("record.jsonl"), export).unwrap();
    let mut command = alcada(folder.path());
    command.args(["audit", "verify", "--file", "record.jsonl"]);
    if let Some(key) = key {
        command.args(["--key", key]);
    }
    let output = command.output().unwrap();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "neither a database nor a key was made");
    output
}

/// The one line of a command that failed.
fn failure(failed: Output) -> String {
    assert_eq!(failed.status.code(), Some(1), "{failed:?}");
    let line = String::from_utf8(failed.stderr).unwrap();
    assert_eq!(line.lines().count(), 1, "{line}");
    line
}

#[tokio::test]
async fn s19_the_first_entry_that_was_changed_is_named() {
    let installation = Installation::start().await;
    let whole = installation.succeed(&["audit", "verify", "--tenant", "auditada"]);
    assert!(whole.starts_with("chains that hold: 1, entries: 4,"), "{whole}");
    let set = |action: &str| {
        let two = "tenant_id IS NOT NULL AND chain_seq IN (2, 4)";
        format!("UPDATE audit_entries SET action = '{action}' WHERE {two}")
    };
    installation.change(&set("agent.read")).await;
    let wanted = format!("alcada: chain of tenant {}, entry 2: it was changed", installation.tenant);
    for arguments in [&["audit", "verify"][..], &["audit", "verify", "--tenant", "auditada"]] {
        let line = failure(installation.run(arguments));
        assert!(line.starts_with(&wanted), "{line}");
    }
    installation.change(&set("agent.create")).await;
    assert_eq!(installation.succeed(&["audit", "verify", "--tenant", "auditada"]), whole, "it was undone");
}

#[tokio::test]
async fn b4_an_exported_file_is_verified_where_there_is_no_database() {
    let installation = Installation::start().await;
    installation.sign().await;
    let export = installation.succeed(&["audit", "export", "--tenant", "auditada"]);
    let key = installation.succeed(&["audit", "key"]);
    let key = Some(key.trim());
    for (key, trust) in [
        (key, "checked with the keys that were given"),
        (None, "checked with the keys in the file itself: it is consistent, but anybody may have made it"),
    ] {
        let output = verified(&export, key);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let told = String::from_utf8(output.stdout).unwrap();
        let (first, second) = told.split_once('\n').unwrap();
        let wanted =
            format!("chains that hold: 1, entries: 4, of them after the last checkpoint: 0 ({trust})");
        assert_eq!(first, wanted);
        let of = format!("chain of tenant {}, signed at 2", installation.tenant);
        assert!(second.starts_with(&of) && second.lines().count() == 1, "{second}");
    }

    let changed = export.replacen("Auditada", "auditada", 1);
    assert_ne!(changed, export, "one letter of the first entry");
    let (cut, _) = export.trim_end().rsplit_once('\n').unwrap();
    assert!(export.contains("\"kind\":\"checkpoint\""), "somebody signed what is cut off");
    for key in [key, None] {
        let line = failure(verified(&changed, key));
        assert!(line.contains(&format!("{}, entry 1: it was changed", installation.tenant)), "{line}");
        let line = failure(verified(cut, key));
        assert!(line.contains("entry 4: the chain ends before it, but a signed checkpoint"), "{line}");
    }

    let stranger = tempfile::tempdir().unwrap();
    let other = alcada(stranger.path()).args(["audit", "key"]).output().unwrap();
    let other = String::from_utf8(other.stdout).unwrap();
    let line = failure(verified(&export, Some(other.trim())));
    assert!(line.contains("which is not trusted"), "{line}");
}

/// The hashes need no key: without signatures anybody could have computed them.
#[tokio::test]
async fn s19_an_export_is_signed_to_its_end_or_refused() {
    let installation = Installation::start().await;
    let export = installation.succeed(&["audit", "export", "--tenant", "auditada"]);
    assert_eq!(verified(&export, None).status.code(), Some(0), "signed for the export itself");
    let key = installation.succeed(&["audit", "key"]);
    let without_signatures: Vec<&str> =
        export.lines().filter(|line| !line.contains("\"kind\":\"checkpoint\"")).collect();
    assert!(without_signatures.len() > 2 && without_signatures.len() < export.lines().count());
    for key in [Some(key.trim()), None] {
        let line = failure(verified(&without_signatures.join("\n"), key));
        assert!(line.contains("entry 1: no signature reaches it"), "{line}");
        let line = failure(verified(without_signatures[0], key));
        assert!(line.contains("no entry comes after it"), "{line}");
    }
}

/// What the database alone cannot tell, an export does that was kept elsewhere.
#[tokio::test]
async fn s19_an_export_that_was_kept_tells_what_was_deleted_with_its_signatures() {
    let installation = Installation::start().await;
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("kept.jsonl");
    std::fs::write(&kept, installation.succeed(&["audit", "export", "--tenant", "auditada"])).unwrap();
    let with_kept = ["audit", "verify", "--tenant", "auditada", "--kept", kept.to_str().unwrap()];
    let told = installation.succeed(&with_kept);
    assert!(told.contains("signatures of the kept export that the database agrees with: 1"), "{told}");
    installation.succeed(&["tenant", "create", "--name", "Outra", "--slug", "outra"]);
    let of_another = ["audit", "verify", "--tenant", "outra", "--kept", kept.to_str().unwrap()];
    assert!(failure(installation.run(&of_another)).contains("of another chain"));
    let empty = folder.path().join("empty.jsonl");
    let header = std::fs::read_to_string(&kept).unwrap().lines().next().unwrap().to_owned();
    std::fs::write(&empty, header).unwrap();
    let line = failure(installation.run(&["audit", "verify", "--kept", empty.to_str().unwrap()]));
    assert!(line.contains("no signature is in it"), "{line}");
    installation.change("DELETE FROM audit_checkpoints").await;
    installation.change("DELETE FROM audit_entries WHERE tenant_id IS NOT NULL AND chain_seq = 4").await;
    let back = "SELECT hash FROM audit_entries WHERE tenant_id IS NOT NULL AND chain_seq = 3";
    let chain = "SELECT tenant_id FROM audit_entries WHERE tenant_id IS NOT NULL";
    let shorter = format!("UPDATE audit_heads SET seq = 3, hash = ({back}) WHERE chain IN ({chain})");
    installation.change(&shorter).await;
    installation.succeed(&with_kept[..4]);
    let line = failure(installation.run(&with_kept));
    assert!(line.contains("entry 4: the chain ends before it, but a signed checkpoint"), "{line}");
}
