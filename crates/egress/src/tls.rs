//! Whom to trust: what the machine trusts; in a container without any certificates, those that browsers trust; and
//! besides, the authorities that the operator names.

use crate::SetupError;
use base64::{Engine, prelude::BASE64_STANDARD};
use rustls::{
    ClientConfig, RootCertStore,
    crypto::ring,
    pki_types::{CertificateDer, pem::PemObject},
};
use std::sync::Arc;

/// Certificates of authorities that are trusted beside the usual ones.
#[derive(Clone, Debug, Default)]
pub struct Authorities(Arc<[CertificateDer<'static>]>);

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no certificate in it, or one that cannot be read")]
pub struct BadAuthorities;

impl Authorities {
    /// One certificate or more, as text (PEM).
    pub fn from_pem(text: &[u8]) -> Result<Self, BadAuthorities> {
        let read: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(text).collect();
        let all = read.map_err(|_| BadAuthorities)?;
        if all.is_empty() || !all.iter().all(is_usable) {
            return Err(BadAuthorities);
        }
        Ok(Self(all.into()))
    }

    /// These and the machine's own, as text (PEM): for clients that take them in no other form.
    pub fn pem_with_native(&self) -> String {
        let native = rustls_native_certs::load_native_certs().certs;
        let all = native.iter().filter(|certificate| is_usable(certificate)).chain(self.0.iter());
        let pem = |certificate: &CertificateDer<'_>| {
            let body = BASE64_STANDARD.encode(certificate);
            format!("-----BEGIN CERTIFICATE-----\n{body}\n-----END CERTIFICATE-----\n")
        };
        all.map(pem).collect()
    }

    /// Each in DER.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.0.iter().map(|certificate| certificate.as_ref())
    }
}

fn is_usable(certificate: &CertificateDer<'static>) -> bool {
    RootCertStore::empty().add(certificate.clone()).is_ok()
}

/// Made once: it also remembers sessions, which shortens the next handshake.
pub(crate) fn config(extra: &Authorities) -> Result<ClientConfig, SetupError> {
    let mut roots = roots();
    roots.add_parsable_certificates(extra.0.iter().cloned());
    with_roots(roots)
}

pub(crate) fn with_roots(roots: RootCertStore) -> Result<ClientConfig, SetupError> {
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let builder = builder.with_safe_default_protocol_versions()?;
    Ok(builder.with_root_certificates(roots).with_no_client_auth())
}

fn roots() -> RootCertStore {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    }
    roots
}
