use super::*;
use crate::AllowListError;

#[test]
fn networks_addresses_and_hosts_are_read() {
    let list =
        AllowList::parse(" 10.0.0.0/8, 192.168.1.7 ,fd12::/16,, Hooks.Internal.:8080,[::1]:9000, 127.1:81,")
            .unwrap();
    for address in ["10.255.0.1", "::ffff:10.0.0.1", "192.168.1.7", "fd12::1"] {
        assert!(list.has_address(address.parse().unwrap()), "{address}");
    }
    for address in ["11.0.0.1", "192.168.1.8", "fd13::1", "127.0.0.1", "64:ff9b::10.0.0.1"] {
        assert!(!list.has_address(address.parse().unwrap()), "{address}");
    }
    assert!(list.has_host("hooks.internal", 8080));
    assert!(!list.has_host("hooks.internal", 8081));
    assert!(list.has_host("::1", 9000));
    assert!(list.has_host("127.0.0.1", 81));
}

#[test]
fn what_is_not_understood_is_refused() {
    for entry in [
        "hooks.internal",
        "10.0.0.0/33",
        "a b:80",
        "host:0",
        "host:65536",
        "host:",
        ":80",
        "https://a/",
        "*:80",
    ] {
        let refused = AllowList::parse(&format!("10.0.0.1,{entry}")).unwrap_err();
        assert_eq!(refused, AllowListError::NotUnderstood(entry.to_owned()));
    }
}

#[test]
fn s1_the_list_cannot_name_link_local_addresses() {
    let entries = [
        "169.254.0.0/16",
        "169.254.169.254",
        "169.254.169.254:80",
        "fe80::/10",
        "[fe80::1]:80",
        "fd00:ec2::254",
    ];
    for entry in entries {
        assert_eq!(AllowList::parse(entry).unwrap_err(), AllowListError::Never(entry.to_owned()));
    }
}

#[test]
fn s1_a_wide_network_does_not_open_link_local_addresses() {
    let egress = egress("0.0.0.0/0,::/0");
    for host in
        ["169.254.169.254", "[fe80::1]", "[fd00:ec2::254]", "[::ffff:169.254.169.254]", "100.100.100.200"]
    {
        assert_eq!(error_code(egress.check_url(&format!("http://{host}/"))), "blocked_address", "{host}");
    }
    assert_eq!(error_code(egress.check_url("http://10.0.0.1/")), "ok");
}

#[tokio::test]
async fn s1_a_listed_name_does_not_open_link_local_addresses() {
    let egress = with_names("meta.internal:80", Script::new(&[&["169.254.169.254:0"]]), no_roots());
    assert_eq!(code_of(&egress, get("http://meta.internal/")).await, "blocked_address");
}

#[tokio::test]
async fn a_listed_name_may_be_private_and_plain_on_its_port_only() {
    let upstream = Upstream::start(|_| Reply::ok("hello")).await;
    let names = Script::new(&[&["127.0.0.1:0"]]);
    let egress = with_names(&format!("hooks.internal:{}", upstream.port), names, no_roots());
    let listed = format!("http://HOOKS.internal.:{}/", upstream.port);
    assert_eq!(egress.send(get(&listed)).await.unwrap().body, "hello");
    assert_eq!(code_of(&egress, get("http://hooks.internal:1/")).await, "https_required");
    assert_eq!(code_of(&egress, get("https://hooks.internal:1/")).await, "blocked_address");
    let other = format!("https://other.internal:{}/", upstream.port);
    assert_eq!(code_of(&egress, get(&other)).await, "blocked_address");
    assert_eq!(upstream.connections(), 1);
}

#[tokio::test]
async fn t3_a_listed_network_opens_its_addresses_and_no_name_in_clear() {
    let upstream = Upstream::start(|_| Reply::ok("hello")).await;
    let plain = format!("http://name.test:{}/", upstream.port);
    let address = format!("http://127.0.0.1:{}/", upstream.port);
    for answer in [&["127.0.0.1:0"][..], &["127.0.0.2:0"], &["93.184.216.34:0"], &[]] {
        let egress = with_names("127.0.0.1", Script::new(&[answer]), no_roots());
        assert_eq!(error_code(egress.check_url(&plain)), "https_required", "{answer:?}");
        assert_eq!(code_of(&egress, get(&plain)).await, "https_required", "{answer:?}");
        assert_eq!(code_of(&egress, get(&address)).await, "ok", "{answer:?}");
    }
    assert_eq!(upstream.connections(), 4);
}

#[tokio::test]
async fn a_name_in_a_listed_network_may_be_reached_with_https_and_no_other() {
    let (upstream, tls) = Upstream::start_tls("name.test", |_| Reply::ok("hello")).await;
    let url = format!("https://name.test:{}/", upstream.port);
    for (answer, expected) in [
        (&["127.0.0.1:0"][..], "ok"),
        (&["127.0.0.2:0"], "blocked_address"),
        (&["127.0.0.1:0", "10.0.0.1:0"], "blocked_address"),
        (&[], "unknown_host"),
    ] {
        let egress = with_names("127.0.0.1", Script::new(&[answer]), tls.clone());
        assert_eq!(code_of(&egress, get(&url)).await, expected, "{answer:?}");
    }
    assert_eq!(upstream.connections(), 1);
}
