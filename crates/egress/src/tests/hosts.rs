//! Hosts that are not spoken to in HTTP obey the same rules.

use super::{Script, egress, error_code, no_roots, with_names};

async fn code(allow: &str, host: &str, is_encrypted: bool) -> &'static str {
    error_code(egress(allow).vetted_address(host, 25, is_encrypted).await)
}

#[tokio::test]
async fn s1_a_mail_server_inside_is_refused() {
    for host in ["169.254.169.254", "10.0.0.1", "127.0.0.1", "2130706433", "[::1]", "[::ffff:10.0.0.1]"] {
        assert_eq!(code("", host, true).await, "blocked_address", "{host}");
    }
    assert_eq!(code("10.0.0.0/8", "10.0.0.1", false).await, "ok");
    assert_eq!(code("10.0.0.0/8", "169.254.169.254", true).await, "blocked_address");
    assert_eq!(code("", "1.1.1.1", true).await, "ok");
    assert_eq!(code("", "1.1.1.1", false).await, "https_required", "in clear only to what is listed");
    for host in ["", "a b", "a/b", "a@b", "a..b"] {
        assert_eq!(code("", host, true).await, "invalid_url", "{host:?}");
    }
}

#[tokio::test]
async fn s2_a_name_is_looked_at_when_it_is_used() {
    let names = Script::new(&[&["1.1.1.1:0"], &["10.0.0.1:0"], &["1.1.1.1:0", "10.0.0.1:0"]]);
    let egress = with_names("", names, no_roots());
    let address = egress.vetted_address("mail.example.org", 587, true).await.unwrap();
    assert_eq!(address.port(), 587);
    for _ in 0..2 {
        let found = egress.vetted_address("mail.example.org", 587, true).await;
        assert_eq!(error_code(found), "blocked_address");
    }
}
