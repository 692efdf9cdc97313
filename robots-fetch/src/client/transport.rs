//! Requests by reqwest: one at a time, redirects and content codings left to the machine.

use std::borrow::Cow;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::time::Duration;

use reqwest::header::HeaderValue;
use reqwest::redirect::Policy;
use robots_core::fetch::Failure;
use rustls::ClientConfig;
use tokio::net::lookup_host;
use tokio::time::{Instant, timeout};
use url::{Host, Url};

use crate::error::{Error, ErrorKind};
use crate::retrieval::{BodyReader, Progress, Request, Response};
use crate::shared::{Parts, Shared, count};
use crate::tls;
use crate::transport::{Failed, checked, late};

pub(crate) struct Transport {
    tls: ClientConfig,
    /// For all requests, where no guard has to see addresses.
    client: reqwest::Client,
}

impl Transport {
    pub(crate) fn new(parts: &Parts) -> Result<Self, Error> {
        parts.proxies.check()?;
        let tls = tls::config(&parts.authorities, parts.only_these)?;
        let proxies = parts.proxies.clone();
        let mut builder = builder(&tls, parts.patience.connect);
        if !proxies.is_none() {
            builder = builder.proxy(reqwest::Proxy::custom(move |url| proxies.of(url)));
        }
        let client = builder.build().map_err(|error| Error::new(ErrorKind::Client, error))?;
        Ok(Self { tls, client })
    }

    /// Sends a request and reads what counts of its answer.
    pub(crate) async fn send(&self, shared: &Shared, request: Request) -> Result<Response, Failed> {
        if request.url().scheme() == "ftp" {
            // It ends by itself in time, and until then its turn is not another's.
            return ftp(shared, request.url()).await;
        }
        let patience = shared.patience;
        // None where it lies beyond all time.
        let end = Instant::now().checked_add(patience.whole);
        let limit = Limit { time: patience.whole, end, whole: patience.whole };
        let (url, fields) = request.into_parts();
        let pinned;
        let client = if shared.guard.is_some() {
            pinned = limit.hold("", pin!(self.guarded(shared, &url))).await??;
            &pinned
        } else {
            &self.client
        };
        let mut sent = client.get(url);
        for (name, value) in fields {
            sent = match value {
                Cow::Borrowed(value) => sent.header(name, HeaderValue::from_static(value)),
                Cow::Owned(value) => sent.header(name, value),
            };
        }
        let first = patience.connect.saturating_add(patience.header);
        let limit = Limit { time: first, ..limit };
        let answer = limit.hold("no answer began", pin!(sent.send())).await?;
        let mut answer = answer.map_err(|error| failed(&error))?;
        let fields = answer.headers().iter();
        let fields = fields.map(|(name, value)| (name.as_str(), value.as_bytes()));
        let response = Response::new(answer.status().as_u16(), fields);
        if !response.has_a_file() {
            return Ok(response);
        }
        let unreadable = |why: crate::retrieval::BodyError| {
            Failed::new(Failure::InvalidResponse, why.to_string())
        };
        let mut reader =
            BodyReader::new(response.content_encoding(), shared.reader.settings.limit())
                .map_err(unreadable)?;
        let limit = Limit { time: patience.body, ..limit };
        loop {
            let chunk = limit.hold("the body went no further", pin!(answer.chunk())).await?;
            let Some(chunk) = chunk.map_err(|error| failed(&error))? else { break };
            count(&shared.counters.octets, chunk.len() as u64);
            if reader.push(&chunk).map_err(unreadable)? == Progress::Full {
                break;
            }
        }
        // A connection whose answer was not read to its end is closed with it.
        drop(answer);
        Ok(response.with_body(reader.finish().map_err(unreadable)?))
    }

    /// Looks a host up, puts every address to the guard, and returns a client that connects to those that it lets
    /// pass and to no other.
    async fn guarded(&self, shared: &Shared, url: &Url) -> Result<reqwest::Client, Failed> {
        let proxy = shared.proxies.of(url);
        let to = proxy.as_ref().unwrap_or(url);
        let addresses = guarded_addresses(shared, url, to, proxy.as_ref()).await?;
        let mut builder = builder(&self.tls, shared.patience.connect);
        if let Some(proxy) = &proxy {
            let proxy = reqwest::Proxy::all(proxy.as_str());
            builder = builder.proxy(proxy.map_err(|error| failed(&error))?);
        }
        if let Some(name) = to.domain() {
            builder = builder.resolve_to_addrs(name, &addresses);
        }
        builder.build().map_err(|error| failed(&error))
    }
}

/// How long one thing may take, and when all must be over.
#[derive(Clone, Copy)]
struct Limit {
    time: Duration,
    end: Option<Instant>,
    whole: Duration,
}

impl Limit {
    /// Waits for a thing; `not_there` says what is missing where the time is up.
    async fn hold<T>(
        self,
        not_there: &str,
        thing: Pin<&mut impl Future<Output = T>>,
    ) -> Result<T, Failed> {
        let left = self.end.map_or(self.time, |end| end.saturating_duration_since(Instant::now()));
        if left.is_zero() {
            return Err(late("the answer was not whole", self.whole));
        }
        timeout(left.min(self.time), thing).await.map_err(|_| {
            if left <= self.time {
                late("the answer was not whole", self.whole)
            } else {
                late(not_there, self.time)
            }
        })
    }
}

fn builder(tls: &ClientConfig, connect: Duration) -> reqwest::ClientBuilder {
    reqwest::Client::builder()
        .tls_backend_preconfigured(tls.clone())
        .http1_only()
        .redirect(Policy::none())
        .referer(false)
        .retry(reqwest::retry::never())
        .no_proxy()
        .connect_timeout(connect)
        // Codings are the machine's, whatever reqwest was built with elsewhere.
        .no_gzip()
        .no_brotli()
        .no_zstd()
        .no_deflate()
        // One origin is asked once; there is nothing to keep a connection for.
        .pool_max_idle_per_host(0)
}

/// Returns the addresses of a host that the guard lets pass.
async fn guarded_addresses(
    shared: &Shared,
    url: &Url,
    to: &Url,
    proxy: Option<&Url>,
) -> Result<Vec<SocketAddr>, Failed> {
    let port = to.port_or_known_default().unwrap_or_default();
    let found: Vec<SocketAddr> = match to.host() {
        Some(Host::Ipv4(address)) => vec![(address, port).into()],
        Some(Host::Ipv6(address)) => vec![(address, port).into()],
        Some(Host::Domain(name)) => {
            let connect = shared.patience.connect;
            let found = timeout(connect, lookup_host((name, port))).await;
            let found = found.map_err(|_| late("the host was not looked up", connect))?;
            found.map_err(|error| Failed::new(Failure::Dns, error.to_string()))?.collect()
        }
        None => Vec::new(),
    };
    if found.is_empty() {
        return Err(Failed::new(Failure::Dns, "the host has no address"));
    }
    match shared.guard.as_deref() {
        Some(guard) => checked(guard, url, proxy, found),
        None => Ok(found),
    }
}

fn failed(error: &reqwest::Error) -> Failed {
    // What happened stands at the end of the chain; what is before it repeats the URL.
    let mut cause: &dyn std::error::Error = error;
    let mut broken_chunk = false;
    while let Some(deeper) = cause.source() {
        cause = deeper;
        broken_chunk |= cause.to_string().contains("chunk");
    }
    let why = cause.to_string();
    let failure = if error.is_timeout() {
        Failure::Timeout
    } else if error.is_dns() {
        Failure::Dns
    } else if error.is_connect() {
        Failure::Connection
    } else if error.is_body() || error.is_decode() {
        if broken_chunk { Failure::Chunking } else { Failure::Incomplete }
    } else if cause.is::<std::io::Error>() {
        Failure::Connection
    } else {
        Failure::InvalidResponse
    };
    Failed::new(failure, why)
}

#[cfg(feature = "ftp")]
async fn ftp(shared: &Shared, url: &Url) -> Result<Response, Failed> {
    let wanted = crate::ftp::Wanted {
        addresses: guarded_addresses(shared, url, url, None).await?,
        url: url.clone(),
        guard: shared.guard.clone(),
        patience: shared.patience,
        limit: shared.reader.settings.limit(),
    };
    tokio::task::spawn_blocking(move || crate::ftp::retrieve(&wanted))
        .await
        .unwrap_or_else(|error| Err(Failed::new(Failure::Connection, error.to_string())))
}

#[cfg(not(feature = "ftp"))]
async fn ftp(_: &Shared, _: &Url) -> Result<Response, Failed> {
    std::future::ready(Err(Failed::without_ftp())).await
}
