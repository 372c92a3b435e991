//! The headers of a tool, without those that say how the message is framed or to whom it goes: on a connection that
//! others use next, a wrong length would make a part of one request into the next one.

use http::{
    HeaderMap, HeaderValue,
    header::{
        CONNECTION, CONTENT_LENGTH, EXPECT, HOST, HeaderName, PROXY_AUTHORIZATION, TE, TRAILER,
        TRANSFER_ENCODING, UPGRADE, USER_AGENT,
    },
};

const KEEP_ALIVE: HeaderName = HeaderName::from_static("keep-alive");
const PROXY_CONNECTION: HeaderName = HeaderName::from_static("proxy-connection");

const OURS: [HeaderName; 11] = [
    CONNECTION,
    CONTENT_LENGTH,
    EXPECT,
    HOST,
    KEEP_ALIVE,
    PROXY_AUTHORIZATION,
    PROXY_CONNECTION,
    TE,
    TRAILER,
    TRANSFER_ENCODING,
    UPGRADE,
];

const NAME: HeaderValue = HeaderValue::from_static(concat!("alcada/", env!("CARGO_PKG_VERSION")));

pub(crate) fn outgoing(mut headers: HeaderMap) -> HeaderMap {
    for name in OURS {
        headers.remove(name);
    }
    headers.entry(USER_AGENT).or_insert(NAME);
    headers
}
