//! Which certificates are trusted.

use std::sync::Arc;

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::ServerCertVerifier;
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::Verifier;

use crate::error::{Error, ErrorKind};

fn refused(error: impl std::fmt::Display) -> Error {
    Error::new(ErrorKind::Certificate, error)
}

/// Reads certificates in PEM; one at least in each text.
pub(crate) fn certificates(texts: &[Vec<u8>]) -> Result<Vec<CertificateDer<'static>>, Error> {
    let mut certificates = Vec::new();
    for text in texts {
        let before = certificates.len();
        for certificate in CertificateDer::pem_slice_iter(text) {
            certificates.push(certificate.map_err(refused)?);
        }
        if certificates.len() == before {
            return Err(refused("there is no certificate in the text"));
        }
    }
    Ok(certificates)
}

/// Returns how servers are verified: as the system does, or by the given authorities alone.
pub(crate) fn config(texts: &[Vec<u8>], only_these: bool) -> Result<ClientConfig, Error> {
    let provider: Arc<CryptoProvider> = Arc::new(ring::default_provider());
    let certificates = certificates(texts)?;
    let verifier: Arc<dyn ServerCertVerifier> = if only_these {
        let mut roots = RootCertStore::empty();
        for certificate in certificates {
            roots.add(certificate).map_err(refused)?;
        }
        let roots =
            WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(&provider));
        roots.build().map_err(refused)?
    } else {
        system(certificates, Arc::clone(&provider))?
    };
    let config =
        ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    Ok(config
        .map_err(refused)?
        .dangerous()
        .with_custom_certificate_verifier(verifier)
        .with_no_client_auth())
}

#[cfg(any(windows, target_vendor = "apple", target_os = "linux", target_os = "freebsd"))]
fn system(
    more: Vec<CertificateDer<'static>>,
    provider: Arc<CryptoProvider>,
) -> Result<Arc<dyn ServerCertVerifier>, Error> {
    match Verifier::new_with_extra_roots(more, provider) {
        Ok(verifier) => Ok(Arc::new(verifier)),
        Err(error) => Err(refused(error)),
    }
}

#[cfg(not(any(windows, target_vendor = "apple", target_os = "linux", target_os = "freebsd")))]
fn system(
    more: Vec<CertificateDer<'static>>,
    provider: Arc<CryptoProvider>,
) -> Result<Arc<dyn ServerCertVerifier>, Error> {
    if !more.is_empty() {
        return Err(refused("this system takes no authorities besides its own"));
    }
    match Verifier::new(provider) {
        Ok(verifier) => Ok(Arc::new(verifier)),
        Err(error) => Err(refused(error)),
    }
}
