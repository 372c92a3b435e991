use super::*;

/// Ways to write this machine, or another that is not public, as the host of an address. What looks like a user name is
/// the beginning of a path.
const HOSTS: &str = include_str!("inside.txt");

#[tokio::test]
async fn s1_no_form_of_a_private_address_reaches_the_canary() {
    let canary = Upstream::start(|_| Reply::ok("secret")).await;
    let egress = egress("");
    for host in HOSTS.lines() {
        for scheme in ["http", "https", "HTTPS"] {
            let url = format!("{scheme}://{host}:{}/", canary.port);
            assert_eq!(error_code(egress.check_url(&url)), "blocked_address", "{url}");
            assert_eq!(code_of(&egress, get(&url)).await, "blocked_address", "{url}");
        }
    }
    assert_eq!(canary.connections(), 0);
}

#[tokio::test]
async fn s1_no_name_of_a_private_address_reaches_the_canary() {
    let canary = Upstream::start(|_| Reply::ok("secret")).await;
    let addresses = [
        "127.0.0.1",
        "0.0.0.0",
        "10.0.0.1",
        "100.64.0.1",
        "169.254.169.254",
        "224.0.0.1",
        "255.255.255.255",
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
        "[fd00::1]",
        "[fe80::1]",
    ];
    for address in addresses {
        let answer = format!("{address}:{}", canary.port);
        let egress = with_names("", Script::new(&[&[&answer]]), no_roots());
        assert_eq!(code_of(&egress, get("https://attacker.test/")).await, "blocked_address", "{address}");
    }
    assert_eq!(canary.connections(), 0);
}

#[tokio::test]
async fn s1_the_machine_itself_has_no_name_either() {
    let canary = Upstream::start(|_| Reply::ok("secret")).await;
    let egress = Egress::new(AllowList::default()).unwrap();
    for host in ["localhost", "LOCALHOST", "localhost."] {
        let url = format!("https://{host}:{}/", canary.port);
        assert_eq!(code_of(&egress, get(&url)).await, "blocked_address", "{host}");
    }
    assert_eq!(canary.connections(), 0);
}

#[tokio::test]
async fn s1_the_operator_can_open_the_canary() {
    let canary = Upstream::start(|_| Reply::ok("hello")).await;
    let entries = ["127.0.0.1".to_owned(), "127.0.0.0/8".to_owned(), format!("127.0.0.1:{}", canary.port)];
    for allow in &entries {
        for host in ["127.0.0.1", "2130706433", "127.1"] {
            let url = format!("http://{host}:{}/", canary.port);
            assert_eq!(egress(allow).send(get(&url)).await.unwrap().body, "hello", "{allow} {host}");
        }
    }
    assert_eq!(canary.connections(), 9);
}

#[test]
fn s1_plain_http_is_for_listed_hosts_only() {
    let egress = egress("");
    for url in ["http://example.com/", "http://93.184.216.34/", "HTTP://example.com/"] {
        assert_eq!(error_code(egress.check_url(url)), "https_required", "{url}");
    }
}

#[test]
fn s1_addresses_that_play_tricks_are_refused() {
    let long = format!("https://example.com/{}", "a".repeat(2048));
    let urls = [
        "",
        "example.com",
        "//example.com/",
        "/etc/passwd",
        "https://",
        "https:///",
        "https://:443/",
        "https://?a",
        "ftp://example.com/",
        "file:///etc/passwd",
        "gopher://example.com/",
        "data:text/plain,a",
        "javascript:1",
        "unix:/run/docker.sock",
        "ws://example.com/",
        "https://user@example.com/",
        "https://user:pw@example.com/",
        "https://:pw@example.com/",
        "https://example.com:0/",
        "https://example.com:65536/",
        "https://example.com:x/",
        "https://exa mple.com/",
        " https://example.com/",
        "https://example.com/\n",
        "https://exam\tple.com/",
        "https://example.com\0/",
        "https://./",
        "https://../",
        "https://a..b/",
        "https://example.com../",
        "https://[::1/",
        "https://[fe80::1%25eth0]/",
        "https://[::1]x/",
        "https://256.256.256.256/",
        "https://1.2.3.4.5/",
        "https://0x100000000/",
        "https://a%00b/",
        "https://a%2fb/",
        "https://xn--/",
        "https://a<b/",
        &long,
    ];
    let egress = egress("");
    for url in urls {
        assert_eq!(error_code(egress.check_url(url)), "invalid_url", "{url:?}");
    }
}

#[test]
fn s1_what_is_checked_is_what_is_sent() {
    let egress = egress("");
    for (given, kept) in [
        ("https://EXAMPLE.com", "https://example.com/"),
        ("https://example.com./a?b#c", "https://example.com/a?b"),
        ("https://example.com:443/", "https://example.com/"),
        ("https:example.com/", "https://example.com/"),
        ("https://example.com\\@127.0.0.1/", "https://example.com/@127.0.0.1/"),
        ("https://example.com#@127.0.0.1/", "https://example.com/"),
        ("https://@example.com/", "https://example.com/"),
        ("https://alçada.example/", "https://xn--alada-zra.example/"),
        ("https://ｅxample.com/", "https://example.com/"),
        ("https://93.184.216.34/", "https://93.184.216.34/"),
        ("https://[2606:4700:4700::1111]/", "https://[2606:4700:4700::1111]/"),
    ] {
        assert_eq!(egress.check_url(given).map(String::from), Ok(kept.to_owned()), "{given}");
    }
}

#[tokio::test]
async fn s1_redirects_are_answers() {
    let canary = Upstream::start(|_| Reply::ok("secret")).await;
    let location = canary.url();
    let upstream = Upstream::start(move |n| {
        let status = ["301", "302", "303", "307", "308"][n];
        let head = format!("HTTP/1.1 {status} Moved\r\nlocation: {location}\r\ncontent-length: 0\r\n\r\n");
        Reply::Send(head.into_bytes())
    })
    .await;
    let egress = local();
    for status in [301, 302, 303, 307, 308] {
        let answer = egress.send(get(&upstream.url())).await.unwrap();
        assert_eq!(answer.status, status);
        assert_eq!(answer.headers["location"], canary.url());
    }
    assert_eq!(canary.connections(), 0);
}

#[tokio::test]
async fn s1_headers_cannot_change_the_frame_or_the_host() {
    let upstream = Upstream::start(|_| Reply::ok("")).await;
    let mut outgoing = get(&upstream.url());
    outgoing.method = Method::POST;
    outgoing.body = Some("four".into());
    for (name, value) in [
        ("host", "internal"),
        ("content-length", "1"),
        ("transfer-encoding", "chunked"),
        ("connection", "upgrade"),
        ("upgrade", "websocket"),
        ("te", "trailers"),
        ("expect", "100-continue"),
        ("x-mine", "kept"),
    ] {
        outgoing.headers.insert(name, value.parse().unwrap());
    }
    local().send(outgoing).await.unwrap();
    let heard = upstream.heard().remove(0);
    assert!(heard.contains(&format!("host: 127.0.0.1:{}\r\n", upstream.port)), "{heard}");
    assert!(heard.contains("content-length: 4\r\n") && heard.contains("x-mine: kept\r\n"), "{heard}");
    assert!(heard.contains("user-agent: alcada/") && heard.ends_with("\r\n\r\nfour"), "{heard}");
    for name in ["transfer-encoding", "connection", "upgrade", "te:", "expect"] {
        assert!(!heard.contains(name), "{heard}");
    }
}

#[tokio::test]
async fn tunnels_are_refused() {
    for method in [Method::CONNECT, Method::TRACE] {
        let outgoing = Outgoing { method, ..get("https://example.com/") };
        assert_eq!(code_of(&egress(""), outgoing).await, "invalid_method");
    }
}
