//! Whom to trust: what the machine trusts, so that an operator's own authority counts; in a container without any
//! certificates, those that browsers trust.

use crate::SetupError;
use rustls::{ClientConfig, RootCertStore, crypto::ring};
use std::sync::Arc;

/// Made once: it also remembers sessions, which shortens the next handshake.
pub(crate) fn config() -> Result<ClientConfig, SetupError> {
    with_roots(roots())
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
