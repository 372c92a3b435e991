use crate::signature::{ID, SIGNATURE, Secret, SecretError, SignatureError, TIMESTAMP, sign, verify};
use base64::{Engine, prelude::BASE64_STANDARD};
use http::HeaderMap;
use standardwebhooks::Webhook;
use std::time::{SystemTime, UNIX_EPOCH};

const BODY: &[u8] = br#"{"test": 2432232314}"#;
const NOW: i64 = 1_614_265_330;

fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs().try_into().unwrap()
}

fn headers(id: &str, timestamp: i64, signature: &str) -> HeaderMap {
    let values = [(ID, id.to_owned()), (TIMESTAMP, timestamp.to_string()), (SIGNATURE, signature.to_owned())];
    values.into_iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect()
}

#[test]
fn s18_the_published_example_is_met() {
    let secret = Secret::parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
    let expected = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
    assert_eq!(sign(&[&secret], "msg_p5jXN8AQM9LWM0D4loKWxJek", NOW, BODY), expected);
}

#[test]
fn s18_the_published_library_accepts_what_we_sign() {
    let (old, new) = (Secret::generate(), Secret::generate());
    let signature = sign(&[&old, &new], "msg_1", now(), BODY);
    assert_eq!(signature.split(' ').count(), 2);
    for secret in [&old, &new] {
        let theirs = Webhook::new(&secret.expose()).unwrap();
        theirs.verify(BODY, &headers("msg_1", now(), &signature)).unwrap();
        assert!(theirs.verify(b"{}", &headers("msg_1", now(), &signature)).is_err());
        assert!(theirs.verify(BODY, &headers("msg_2", now(), &signature)).is_err());
    }
}

#[test]
fn s18_we_accept_what_the_published_library_signs() {
    for length in [24, 32, 33, 63, 64] {
        let text = format!("whsec_{}", BASE64_STANDARD.encode(vec![7; length]));
        let signature = Webhook::new(&text).unwrap().sign("msg_1", NOW, BODY).unwrap();
        let (secret, other) = (Secret::parse(&text).unwrap(), Secret::generate());
        verify(&[&other, &secret], "msg_1", NOW, &signature, BODY, NOW).unwrap();
        assert_eq!(secret.expose(), text);
    }
}

#[test]
fn s18_a_changed_message_is_refused() {
    let secret = Secret::generate();
    let good = sign(&[&secret], "msg_1", NOW, BODY);
    let check =
        |id, timestamp, signature: &str, body| verify(&[&secret], id, timestamp, signature, body, NOW);
    assert_eq!(check("msg_1", NOW, &good, BODY), Ok(()));
    assert_eq!(check("msg_1", NOW, &good, b"other"), Err(SignatureError::Wrong));
    assert_eq!(check("msg_2", NOW, &good, BODY), Err(SignatureError::Wrong));
    assert_eq!(check("msg_1", NOW + 1, &good, BODY), Err(SignatureError::Wrong));
    assert_eq!(verify(&[], "msg_1", NOW, &good, BODY, NOW), Err(SignatureError::Wrong));
    assert_eq!(verify(&[&Secret::generate()], "msg_1", NOW, &good, BODY, NOW), Err(SignatureError::Wrong));
}

#[test]
fn s18_an_odd_signature_is_refused() {
    let secret = Secret::generate();
    let good = sign(&[&secret], "msg_1", NOW, BODY);
    let encoded = good.strip_prefix("v1,").unwrap();
    let short = BASE64_STANDARD.encode(&BASE64_STANDARD.decode(encoded).unwrap()[..31]);
    let odd = [
        String::new(),
        "v1".into(),
        "v1,".into(),
        "v1,====".into(),
        encoded.into(),
        format!("v1a,{encoded}"),
        format!("v2,{encoded}"),
        format!("V1,{encoded}"),
        format!("v1,{short}"),
        format!("v1,{encoded}A"),
        format!("v1,{}", &encoded[1..]),
    ];
    for signature in odd {
        let result = verify(&[&secret], "msg_1", NOW, &signature, BODY, NOW);
        assert_eq!(result, Err(SignatureError::Wrong), "{signature}");
    }
    let among = format!("v1a,b v1,{short} {good} v2,c");
    assert_eq!(verify(&[&secret], "msg_1", NOW, &among, BODY, NOW), Ok(()));
}

#[test]
fn s18_only_recent_messages_are_accepted() {
    let secret = Secret::generate();
    for (timestamp, expected) in [
        (NOW - 300, Ok(())),
        (NOW + 300, Ok(())),
        (NOW - 301, Err(SignatureError::NotNow)),
        (NOW + 301, Err(SignatureError::NotNow)),
        (i64::MIN, Err(SignatureError::NotNow)),
        (i64::MAX, Err(SignatureError::NotNow)),
    ] {
        let signature = sign(&[&secret], "msg_1", timestamp, BODY);
        assert_eq!(verify(&[&secret], "msg_1", timestamp, &signature, BODY, NOW), expected, "{timestamp}");
    }
}

#[test]
fn s18_the_parts_of_a_message_cannot_be_moved() {
    let secret = Secret::generate();
    let old = NOW - 100_000;
    let body = format!("{NOW}.5");
    let signature = sign(&[&secret], "msg", old, body.as_bytes());
    let moved = verify(&[&secret], &format!("msg.{old}"), NOW, &signature, b"5", NOW);
    assert_eq!(moved, Err(SignatureError::Wrong));
}

#[test]
fn secrets_are_long_enough_and_stay_hidden() {
    let of =
        |length| Secret::parse(&format!("whsec_{}", BASE64_STANDARD.encode(vec![1; length]))).map(|_| ());
    assert_eq!((of(23), of(24), of(64), of(65)), (Err(SecretError), Ok(()), Ok(()), Err(SecretError)));
    for text in ["", "whsec_", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS!"] {
        assert!(Secret::parse(text).is_err(), "{text}");
    }
    let secret = Secret::generate();
    assert_eq!(format!("{secret:?}"), "Secret(…)");
    assert_ne!(secret.expose(), Secret::generate().expose());
}
