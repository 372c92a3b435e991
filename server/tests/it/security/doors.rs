//! The server functions behind the pages of an organisation, with who may use them.

use crate::app::TestApp;

const ID: &str = "00000000-0000-0000-0000-000000000000";

/// A server function, its fields, and the roles that are let in.
type Door = (&'static str, &'static [(&'static str, &'static str)], &'static str);

const OWNER: &str = "owner";
const MANAGERS: &str = "owner manager";
const READERS_OF_CHANNELS: &str = "owner manager auditor";
const AUDITORS: &str = "owner auditor";
const CALLERS: &str = "owner manager operator";
const DECIDERS: &str = "owner operator";
const READERS_OF_QUESTIONS: &str = "owner manager operator auditor";
const EVERYBODY: &str = "owner manager operator viewer auditor";

const DOORS: &[Door] = &[
    ("list_api_keys", &[], OWNER),
    ("create_api_key", &[("name", ""), ("role", "viewer")], OWNER),
    ("revoke_api_key", &[("key_id", ID)], OWNER),
    ("list_secrets", &[], READERS_OF_CHANNELS),
    ("put_secret", &[("name", ""), ("value", "")], MANAGERS),
    ("delete_secret", &[("name", "nothing")], MANAGERS),
    ("list_channels", &[], READERS_OF_CHANNELS),
    ("get_channel", &[("kind", "email")], READERS_OF_CHANNELS),
    ("put_channel", &[("kind", "email"), ("fields[host]", "")], MANAGERS),
    ("delete_channel", &[("kind", "email")], MANAGERS),
    ("rotate_channel_secret", &[("kind", "events")], MANAGERS),
    ("test_channel", &[("kind", "email")], MANAGERS),
    ("get_limits", &[], EVERYBODY),
    ("set_limits", &[("fields[confirmation_minutes]", "0")], MANAGERS),
    ("get_analytics", &[("range", "7d")], EVERYBODY),
    ("count_confirmations", &[], EVERYBODY),
    ("list_confirmations", &[], READERS_OF_QUESTIONS),
    ("get_confirmation", &[("confirmation_id", ID)], READERS_OF_QUESTIONS),
    ("approve_confirmation", &[("confirmation_id", ID)], DECIDERS),
    ("refuse_confirmation", &[("confirmation_id", ID)], DECIDERS),
    ("get_overview", &[], EVERYBODY),
    ("list_executions", &[], EVERYBODY),
    ("get_execution", &[("execution_id", ID)], EVERYBODY),
    ("run_again", &[("execution_id", ID)], CALLERS),
    ("cancel_execution", &[("execution_id", ID)], DECIDERS),
    ("explain_call", &[("tool", "nothing")], CALLERS),
    ("suggest_names", &[], EVERYBODY),
    ("list_records", &[("kind", "contacts")], EVERYBODY),
    ("get_record", &[("kind", "contacts"), ("id", ID)], EVERYBODY),
    ("save_record", &[("kind", "contacts"), ("id", ID), ("fields[name]", "x")], CALLERS),
    ("delete_record", &[("kind", "contacts"), ("id", ID)], MANAGERS),
    ("add_note", &[("id", ID), ("text", "x")], CALLERS),
    ("list_audit_entries", &[], AUDITORS),
    ("verify_audit_log", &[], AUDITORS),
];

/// Asks each as each role and as nobody; answers with their addresses.
pub async fn are_guarded(app: &TestApp) -> Vec<String> {
    let mut people = Vec::new();
    for role in EVERYBODY.split(' ') {
        people.push((role, app.member(&format!("{role}@doors.example"), "padaria-central", role).await));
    }
    for (name, fields, allowed) in DOORS {
        let stranger = app.visitor("").refused(name, fields).await;
        assert_eq!(stranger, (401, "unauthenticated".to_owned()), "{name}");
        for (role, person) in &people {
            let status = person.call(name, fields).await.status().as_u16();
            let is_let_in = allowed.split(' ').any(|one| one == *role);
            assert_eq!(status != 403, is_let_in, "{name} as {role}: {status}");
            assert!(status < 500, "{name} as {role}: {status}");
        }
    }
    DOORS.iter().map(|(name, ..)| format!("/fn/{name}")).collect()
}
