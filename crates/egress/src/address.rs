//! Which addresses belong to the public internet.
//!
//! For IPv6 the question is turned round: only what is known to be public passes, because an address can carry another
//! one inside it, and new forms of that appear.

use ipnet::{Ipv4Net, Ipv6Net};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Public,
    /// Reached only when the operator says so.
    Private,
    /// Credentials of the machine itself are served here: nobody may say so.
    Never,
}

const fn v4(a: u8, b: u8, c: u8, d: u8, prefix: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), prefix)
}

const fn v6(a: u16, b: u16, c: u16, prefix: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0), prefix)
}

/// Link-local networks, and the metadata services of clouds that live elsewhere.
const NEVER_V4: [Ipv4Net; 4] =
    [v4(169, 254, 0, 0, 16), v4(100, 100, 100, 200, 32), v4(168, 63, 129, 16, 32), v4(192, 0, 0, 192, 32)];
const NEVER_V6: [Ipv6Net; 3] = [v6(0xfe80, 0, 0, 10), v6(0xfd00, 0x0ec2, 0, 32), v6(0xfd20, 0x00ce, 0, 32)];

/// RFC 6890 and its registry: this network, private, shared (CGNAT), loopback, protocol assignments, documentation,
/// 6to4 relays, benchmarking, multicast, reserved and broadcast.
const PRIVATE_V4: [Ipv4Net; 14] = [
    v4(0, 0, 0, 0, 8),
    v4(10, 0, 0, 0, 8),
    v4(100, 64, 0, 0, 10),
    v4(127, 0, 0, 0, 8),
    v4(172, 16, 0, 0, 12),
    v4(192, 0, 0, 0, 24),
    v4(192, 0, 2, 0, 24),
    v4(192, 88, 99, 0, 24),
    v4(192, 168, 0, 0, 16),
    v4(198, 18, 0, 0, 15),
    v4(198, 51, 100, 0, 24),
    v4(203, 0, 113, 0, 24),
    v4(224, 0, 0, 0, 4),
    v4(240, 0, 0, 0, 4),
];

const PUBLIC_V6: Ipv6Net = v6(0x2000, 0, 0, 3);
/// Inside the public range, yet not public: protocol assignments with Teredo, documentation twice, 6to4.
const PRIVATE_V6: [Ipv6Net; 4] =
    [v6(0x2001, 0, 0, 23), v6(0x2001, 0x0db8, 0, 32), SIX_TO_FOUR, v6(0x3fff, 0, 0, 20)];

const COMPATIBLE: Ipv6Net = v6(0, 0, 0, 96);
const NAT64: Ipv6Net = v6(0x64, 0xff9b, 0, 96);
const NAT64_LOCAL: Ipv6Net = v6(0x64, 0xff9b, 1, 48);
const SIX_TO_FOUR: Ipv6Net = v6(0x2002, 0, 0, 16);
const TEREDO: Ipv6Net = v6(0x2001, 0, 0, 32);

pub(crate) fn kind(address: IpAddr) -> Kind {
    match address.to_canonical() {
        IpAddr::V4(address) => kind_v4(address),
        IpAddr::V6(address) => kind_v6(address),
    }
}

fn kind_v4(address: Ipv4Addr) -> Kind {
    if NEVER_V4.iter().any(|net| net.contains(&address)) {
        Kind::Never
    } else if PRIVATE_V4.iter().any(|net| net.contains(&address)) {
        Kind::Private
    } else {
        Kind::Public
    }
}

fn kind_v6(address: Ipv6Addr) -> Kind {
    let inner = carried(address).map(kind_v4);
    let is_in = |nets: &[Ipv6Net]| nets.iter().any(|net| net.contains(&address));
    if inner == Some(Kind::Never) || is_in(&NEVER_V6) {
        Kind::Never
    } else if NAT64.contains(&address) {
        // How a network without IPv4 reaches all of it: as good as the address it stands for.
        inner.unwrap_or(Kind::Private)
    } else if PUBLIC_V6.contains(&address) && !is_in(&PRIVATE_V6) {
        Kind::Public
    } else {
        Kind::Private
    }
}

/// The IPv4 address that a router on the way may take out of this one.
fn carried(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let bytes = address.octets();
    let last = Ipv4Addr::new(bytes[12], bytes[13], bytes[14], bytes[15]);
    if [COMPATIBLE, NAT64, NAT64_LOCAL].iter().any(|net| net.contains(&address)) {
        Some(last)
    } else if SIX_TO_FOUR.contains(&address) {
        Some(Ipv4Addr::new(bytes[2], bytes[3], bytes[4], bytes[5]))
    } else if TEREDO.contains(&address) {
        Some(Ipv4Addr::from(!u32::from(last)))
    } else {
        None
    }
}
