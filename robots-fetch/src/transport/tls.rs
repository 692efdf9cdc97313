//! The configuration of TLS: the cryptography provider, and the authorities that are trusted. Start at [`config`].

use std::sync::Arc;

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::ServerCertVerifier;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::Verifier;

use crate::error::{Error, ErrorKind};

fn refused(error: impl std::fmt::Display) -> Error {
    Error::new(ErrorKind::Certificate, error)
}

/// Reads certificates in PEM. Each text must contain at least one certificate.
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

/// Returns the cryptography provider that a feature selects. Each configuration names it, so nothing depends on the
/// process-wide default of the application.
#[cfg(feature = "ring")]
fn provider() -> CryptoProvider {
    rustls::crypto::ring::default_provider()
}

#[cfg(all(feature = "aws-lc-rs", not(feature = "ring")))]
fn provider() -> CryptoProvider {
    rustls::crypto::aws_lc_rs::default_provider()
}

#[cfg(not(any(feature = "ring", feature = "aws-lc-rs")))]
compile_error!("the client of robots-fetch needs one of the features `ring` and `aws-lc-rs`");

#[cfg(not(any(feature = "ring", feature = "aws-lc-rs")))]
fn provider() -> CryptoProvider {
    unreachable!("it does not compile")
}

/// Returns the configuration that verifies servers, with the system's authorities and the given ones, or only with the
/// given ones.
pub(crate) fn config(texts: &[Vec<u8>], only_these: bool) -> Result<ClientConfig, Error> {
    let provider: Arc<CryptoProvider> = Arc::new(provider());
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
        return Err(refused("this system does not accept additional authorities"));
    }
    match Verifier::new(provider) {
        Ok(verifier) => Ok(Arc::new(verifier)),
        Err(error) => Err(refused(error)),
    }
}
