//! Where a request may go: the one place that decides, for an address that is saved, for one that is sent, and for
//! every address that a name turns out to have.

use crate::{
    AllowList, EgressError,
    address::{self, Kind},
    allow::{host_name, literal},
};
use std::net::{IpAddr, SocketAddr};
use url::{Host, Url};

const LONGEST: usize = 2048;

#[derive(Debug)]
pub(crate) struct Policy {
    allow: AllowList,
}

/// Where a request goes, once it is known that it may be tried.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub host: String,
    pub port: u16,
    literal: Option<IpAddr>,
    is_https: bool,
}

impl Policy {
    pub fn new(allow: AllowList) -> Self {
        Self { allow }
    }

    /// What can be said of an address without asking for its name. Fragments are dropped, so is a dot at the end of
    /// the host: one host has one spelling.
    pub fn check(&self, text: &str) -> Result<(Url, Target), EgressError> {
        if text.len() > LONGEST {
            return Err(EgressError::InvalidUrl("it is too long"));
        }
        if text.bytes().any(|byte| byte.is_ascii_control() || byte == b' ') {
            return Err(EgressError::InvalidUrl("it has blanks or control characters"));
        }
        self.check_url(Url::parse(text).map_err(|_| EgressError::InvalidUrl("it cannot be read"))?)
    }

    /// The same for one that was read before.
    pub fn check_url(&self, mut url: Url) -> Result<(Url, Target), EgressError> {
        if url.as_str().len() > LONGEST {
            return Err(EgressError::InvalidUrl("it is too long"));
        }
        let target = target(&url)?;
        url.set_fragment(None);
        if url.domain().is_some_and(|name| name != target.host) {
            url.set_host(Some(&target.host))
                .map_err(|_| EgressError::InvalidUrl("the host cannot be read"))?;
        }
        self.check_target(&target)?;
        Ok((url, target))
    }

    /// A host and a port of another protocol than HTTP, under the same rules.
    pub fn check_host(&self, host: &str, port: u16, is_encrypted: bool) -> Result<Target, EgressError> {
        let unreadable = || EgressError::InvalidUrl("the host cannot be read");
        let host = Host::parse(host).map_err(|_| unreadable())?;
        let host = match &host {
            Host::Domain(name) => Host::Domain(name.as_str()),
            Host::Ipv4(address) => Host::Ipv4(*address),
            Host::Ipv6(address) => Host::Ipv6(*address),
        };
        if port == 0 || !is_proper(&host) {
            return Err(unreadable());
        }
        let target = Target { host: host_name(&host), port, literal: literal(&host), is_https: is_encrypted };
        self.check_target(&target)?;
        Ok(target)
    }

    fn check_target(&self, target: &Target) -> Result<(), EgressError> {
        match target.literal {
            Some(address) => self.check_address(target, address),
            // A network says nothing of a name: whose addresses it has is known when somebody connects, and by then the
            // tool is saved. Whoever wants a name in clear lists that name.
            None if target.is_https || self.is_listed(target) => Ok(()),
            None => Err(EgressError::HttpsRequired { host: target.host.clone() }),
        }
    }

    /// One bad address spoils the whole answer: an honest name does not mix public and private ones, and an attacker
    /// who mixes them hopes that the wrong one is tried.
    pub fn check_answer(&self, target: &Target, found: &[SocketAddr]) -> Result<(), EgressError> {
        if found.is_empty() {
            return Err(EgressError::UnknownHost { host: target.host.clone() });
        }
        found.iter().try_for_each(|address| self.check_address(target, address.ip()))
    }

    pub fn check_address(&self, target: &Target, address: IpAddr) -> Result<(), EgressError> {
        let kind = address::kind(address);
        let is_open = self.is_listed(target) || self.allow.has_address(address);
        match kind {
            Kind::Private | Kind::Public if is_open => Ok(()),
            Kind::Public if target.is_https => Ok(()),
            Kind::Public => Err(EgressError::HttpsRequired { host: target.host.clone() }),
            Kind::Private | Kind::Never => Err(EgressError::BlockedAddress { host: target.host.clone() }),
        }
    }

    fn is_listed(&self, target: &Target) -> bool {
        self.allow.has_host(&target.host, target.port)
    }
}

impl Target {
    pub fn literal(&self) -> Option<IpAddr> {
        self.literal
    }
}

pub(crate) fn target(url: &Url) -> Result<Target, EgressError> {
    let is_https = match url.scheme() {
        "https" => true,
        "http" => false,
        _ => return Err(EgressError::InvalidUrl("it must begin with https://")),
    };
    if !url.username().is_empty() || url.password().is_some() {
        return Err(EgressError::InvalidUrl("it must not hold a user name or a password"));
    }
    let host = url.host().ok_or(EgressError::InvalidUrl("it has no host"))?;
    let port = url.port_or_known_default().filter(|port| *port != 0);
    let port = port.ok_or(EgressError::InvalidUrl("it has no valid port"))?;
    if !is_proper(&host) {
        return Err(EgressError::InvalidUrl("the host cannot be read"));
    }
    Ok(Target { host: host_name(&host), port, literal: literal(&host), is_https })
}

/// A name has labels of 1 to 63 characters between its dots; the last dot may be followed by nothing.
fn is_proper(host: &Host<&str>) -> bool {
    let Host::Domain(name) = host else { return true };
    let name = name.strip_suffix('.').unwrap_or(name);
    name.len() <= 253 && name.split('.').all(|label| (1..=63).contains(&label.len()))
}
