//! Makes the certificates of the servers, and the authority that issues them. Every run has new keys, so that a crawler
//! never trusts this authority outside a test.

use std::net::IpAddr;
use std::sync::{Arc, LazyLock};

use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose,
};
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

use crate::sites::Certificate;

/// An authority that issues certificates.
struct Authority {
    issuer: Issuer<'static, KeyPair>,
    pem: String,
}

/// The authority of this run, which crawlers are configured to trust.
static TRUSTED: LazyLock<Authority> = LazyLock::new(|| Authority::new("Test web, only this run"));

/// An authority that crawlers do not know.
static UNKNOWN: LazyLock<Authority> = LazyLock::new(|| Authority::new("Test web, unknown issuer"));

/// Returns the certificate of the run's authority, in PEM.
pub(crate) fn authority_pem() -> &'static str {
    &TRUSTED.pem
}

/// Makes the TLS configuration of a server at this host.
pub(crate) fn server(host: &str, certificate: Certificate) -> Arc<ServerConfig> {
    let (authority, name) = match certificate {
        Certificate::Trusted => (&TRUSTED, host),
        Certificate::WrongName => (&TRUSTED, "wrong-name.example"),
        Certificate::UnknownIssuer => (&UNKNOWN, host),
    };
    let name = name.trim_start_matches('[').trim_end_matches(']');
    let key = KeyPair::generate().expect("a key of the default kind can be made");
    let mut params = CertificateParams::new([ascii(name)]).expect("a host is an address or a name");
    params.distinguished_name.push(DnType::CommonName, name);
    params.use_authority_key_identifier_extension = true;
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    let leaf = params.signed_by(&key, &authority.issuer).expect("the authority can sign");
    let key = PrivateKeyDer::try_from(key.serialize_der()).expect("the key is PKCS #8");
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("the provider knows the default versions")
        .with_no_client_auth()
        .with_single_cert(vec![leaf.der().clone()], key)
        .expect("the certificate belongs to that key");
    Arc::new(config)
}

impl Authority {
    fn new(name: &str) -> Self {
        let key = KeyPair::generate().expect("a key of the default kind can be made");
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        let pem = params.self_signed(&key).expect("it signs itself").pem();
        Self { issuer: Issuer::new(params, key), pem }
    }
}

/// Returns a host in the form that certificates contain.
fn ascii(name: &str) -> String {
    match name.parse::<IpAddr>() {
        Ok(address) => address.to_string(),
        Err(_) => name.to_owned(),
    }
}
