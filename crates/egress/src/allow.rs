//! What the operator opens although it is private: the setting `ALCADA_EGRESS_ALLOW`.

use crate::address::{self, Kind};
use ipnet::IpNet;
use std::net::IpAddr;
use url::Host;

/// Networks, or one host on one port. These may be spoken to without TLS as well; a name only where it is listed itself.
#[derive(Clone, Debug, Default)]
pub struct AllowList {
    networks: Vec<IpNet>,
    hosts: Vec<(String, u16)>,
}

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum AllowListError {
    #[error("\"{0}\" is neither a network such as 10.0.0.0/8, nor an address, nor host:port")]
    NotUnderstood(String),
    #[error("\"{0}\" is link-local or a cloud's metadata service: it can never be allowed")]
    Never(String),
}

impl AllowList {
    /// Separated by commas; blanks around an entry and empty entries do no harm.
    pub fn parse(text: &str) -> Result<Self, AllowListError> {
        let mut list = Self::default();
        for entry in text.split(',').map(str::trim).filter(|entry| !entry.is_empty()) {
            list.add(entry)?;
        }
        Ok(list)
    }

    fn add(&mut self, entry: &str) -> Result<(), AllowListError> {
        if let Some(network) = network(entry) {
            refuse_never(entry, network.network())?;
            self.networks.push(network.trunc());
        } else if let Some((host, port)) = host_and_port(entry) {
            if let Some(address) = literal(&host) {
                refuse_never(entry, address)?;
            }
            self.hosts.push((host_name(&host), port));
        } else {
            return Err(AllowListError::NotUnderstood(entry.to_owned()));
        }
        Ok(())
    }

    pub(crate) fn has_address(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.networks.iter().any(|network| network.contains(&address))
    }

    /// `host` is written as [`host_name`] writes it.
    pub(crate) fn has_host(&self, host: &str, port: u16) -> bool {
        self.hosts.iter().any(|(listed, on)| *on == port && listed == host)
    }
}

fn refuse_never(entry: &str, address: IpAddr) -> Result<(), AllowListError> {
    match address::kind(address) {
        Kind::Never => Err(AllowListError::Never(entry.to_owned())),
        Kind::Public | Kind::Private => Ok(()),
    }
}

fn network(entry: &str) -> Option<IpNet> {
    let single = || entry.parse().ok().map(|address: IpAddr| IpNet::from(address.to_canonical()));
    entry.parse().ok().or_else(single)
}

fn host_and_port(entry: &str) -> Option<(Host, u16)> {
    let (host, port) = entry.rsplit_once(':')?;
    let port = port.parse().ok().filter(|port| *port != 0)?;
    // Somebody hopes for a pattern: better to say at once that there are none.
    if host.contains('*') {
        return None;
    }
    Host::parse(host).ok().map(|host| (host, port))
}

/// One spelling for one host, whatever form its address came in.
pub(crate) fn host_name<S: AsRef<str>>(host: &Host<S>) -> String {
    match literal(host) {
        Some(address) => address.to_string(),
        None => host.to_string().trim_end_matches('.').to_owned(),
    }
}

pub(crate) fn literal<S>(host: &Host<S>) -> Option<IpAddr> {
    match host {
        Host::Ipv4(address) => Some(IpAddr::V4(*address)),
        Host::Ipv6(address) => Some(IpAddr::V6(*address).to_canonical()),
        Host::Domain(_) => None,
    }
}
