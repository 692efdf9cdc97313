//! Requests by ureq: one at a time, redirects and content codings left to the machine.

use std::cell::RefCell;
use std::io::Read;
#[cfg(feature = "ftp")]
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

use http::Uri;
use robots_core::fetch::Failure;
use ureq::config::Config;
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};
use ureq::{Agent, Proxy};
use url::Url;

use crate::error::{Error, ErrorKind};
use crate::guard::Guard;
use crate::retrieval::{BodyError, BodyReader, Progress, Request, Response};
use crate::shared::{Parts, Shared, count};
use crate::transport::{Failed, checked, late};

/// The longest head of an answer, in octets.
const HEAD: usize = 64 * 1024;

pub(super) struct Transport {
    agent: Agent,
}

impl Transport {
    pub(super) fn new(parts: &Parts) -> Result<Self, Error> {
        parts.proxies.check()?;
        let patience = parts.patience;
        let config = Config::builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .proxy(None)
            .max_idle_connections(0)
            .max_response_header_size(HEAD)
            .timeout_global(Some(patience.whole))
            .timeout_resolve(Some(patience.connect))
            .timeout_connect(Some(patience.connect))
            .timeout_recv_response(Some(patience.header))
            .timeout_per_read(Some(patience.body))
            .tls_config(TlsConfig::builder().root_certs(roots(parts)?).build())
            .build();
        let resolver = Guarded { guard: parts.guard.clone(), inner: DefaultResolver::default() };
        let agent = Agent::with_parts(config, DefaultConnector::default(), resolver);
        Ok(Self { agent })
    }

    /// Sends a request and reads what counts of its answer.
    pub(super) fn send(&self, shared: &Shared, request: &Request) -> Result<Response, Failed> {
        let url = request.url();
        if url.scheme() == "ftp" {
            return ftp(shared, url);
        }
        let proxy = shared.proxies.of(url);
        let _asked = Asked::about(url, proxy.as_ref());
        let began = Instant::now();
        let mut sent = self.agent.get(url.as_str());
        for (name, value) in request.fields() {
            sent = sent.header(name, value);
        }
        if let Some(proxy) = &proxy {
            let proxy = Proxy::new(proxy.as_str()).map_err(failed)?;
            sent = sent.config().proxy(Some(proxy)).build();
        }
        let answer = sent.call().map_err(failed)?;
        let fields = answer.headers().iter();
        let fields = fields.map(|(name, value)| (name.as_str(), value.as_bytes()));
        let response = Response::new(answer.status().as_u16(), fields);
        if !response.has_a_file() {
            return Ok(response);
        }
        let unreadable = |why: BodyError| Failed::new(Failure::InvalidResponse, why.to_string());
        let mut reader =
            BodyReader::new(response.content_encoding(), shared.reader.settings.limit())
                .map_err(unreadable)?;
        let mut body = answer.into_body().into_reader();
        let mut buffer = vec![0; 16 * 1024];
        loop {
            let read = body.read(&mut buffer).map_err(|error| failed(error.into()))?;
            count(&shared.counters.octets, read as u64);
            if read == 0 || reader.push(&buffer[..read]).map_err(unreadable)? == Progress::Full {
                break;
            }
            if began.elapsed() > shared.patience.whole {
                return Err(late("the answer was not whole", shared.patience.whole));
            }
        }
        Ok(response.with_body(reader.finish().map_err(unreadable)?))
    }
}

/// Returns the authorities to trust: those of the system, unless it was said otherwise, and those that were given.
fn roots(parts: &Parts) -> Result<RootCerts, Error> {
    let refused = |error: &dyn std::fmt::Display| Error::new(ErrorKind::Certificate, error);
    let mut roots: Vec<Certificate<'static>> = Vec::new();
    for pem in &parts.authorities {
        let before = roots.len();
        for item in parse_pem(pem) {
            if let PemItem::Certificate(certificate) = item.map_err(|error| refused(&error))? {
                roots.push(certificate);
            }
        }
        if roots.len() == before {
            return Err(refused(&"there is no certificate in the text"));
        }
    }
    if !parts.only_these {
        let found = rustls_native_certs::load_native_certs();
        if let (Some(error), true) = (found.errors.first(), found.certs.is_empty()) {
            return Err(refused(error));
        }
        roots.extend(found.certs.iter().map(|found| Certificate::from_der(found).to_owned()));
    }
    Ok(RootCerts::new_with_certs(&roots))
}

thread_local! {
    /// What the request of this thread is about: the guard is told, and ureq's resolver does not know it.
    static ASKED: RefCell<Option<(Url, Option<Url>)>> = const { RefCell::new(None) };
}

struct Asked;

impl Asked {
    fn about(url: &Url, proxy: Option<&Url>) -> Self {
        ASKED.set(Some((url.clone(), proxy.cloned())));
        Self
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        ASKED.set(None);
    }
}

/// Looks a host up and returns the addresses that the guard lets pass: those are connected to.
struct Guarded {
    guard: Option<Arc<dyn Guard>>,
    inner: DefaultResolver,
}

impl std::fmt::Debug for Guarded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Guarded")
    }
}

impl Resolver for Guarded {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let found = self.inner.resolve(uri, config, timeout)?;
        let Some(guard) = self.guard.as_deref() else { return Ok(found) };
        let passed = ASKED.with_borrow(|asked| match asked {
            Some((url, proxy)) => checked(guard, url, proxy.as_ref(), found.to_vec()),
            None => Err(Failed::new(Failure::Connection, "no request is under way")),
        });
        let mut addresses = self.empty();
        for address in passed.map_err(|refused| ureq::Error::Other(Box::new(refused)))? {
            addresses.push(address);
        }
        Ok(addresses)
    }
}

fn failed(error: ureq::Error) -> Failed {
    let why = error.to_string();
    let failure = match error {
        ureq::Error::Other(other) => match other.downcast::<Failed>() {
            Ok(refused) => return *refused,
            Err(_) => Failure::Connection,
        },
        ureq::Error::Timeout(_) => Failure::Timeout,
        ureq::Error::HostNotFound => Failure::Dns,
        ureq::Error::Io(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            Failure::Incomplete
        }
        // The resolver's own error; what the operating system says of names has no kind.
        ureq::Error::Io(error) if error.to_string().contains("lookup") => Failure::Dns,
        ureq::Error::Io(_) | ureq::Error::ConnectionFailed | ureq::Error::Rustls(_) => {
            Failure::Connection
        }
        _ if why.contains("chunk") => Failure::Chunking,
        _ => Failure::InvalidResponse,
    };
    Failed::new(failure, why)
}

#[cfg(feature = "ftp")]
fn ftp(shared: &Shared, url: &Url) -> Result<Response, Failed> {
    let found: Vec<SocketAddr> =
        url.socket_addrs(|| None).map_err(|error| Failed::new(Failure::Dns, error.to_string()))?;
    let found = match shared.guard.as_deref() {
        Some(guard) => checked(guard, url, None, found)?,
        None => found,
    };
    crate::ftp::retrieve(&crate::ftp::Wanted {
        url: url.clone(),
        addresses: found,
        guard: shared.guard.clone(),
        patience: shared.patience,
        limit: shared.reader.settings.limit(),
    })
}

#[cfg(not(feature = "ftp"))]
fn ftp(_: &Shared, _: &Url) -> Result<Response, Failed> {
    Err(Failed::without_ftp())
}
