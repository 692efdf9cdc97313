//! The transport of both clients: it sends a request of the retrieval and returns the answer.
//!
//! A client knows only [`Exchange`]. [`Transport`] implements it over the network; start at its `send`. Tests implement
//! it over the script of a timeline. `connect` looks up the host, asks the guard whether the address is permitted,
//! connects, and adds proxy and TLS. `http` does one exchange on a connection, and `ftp` does one retrieval. This
//! module follows no redirect and does not know what a status means. `BodyReader` in `machine` decodes content codings.
//! The type of an error decides the kind of a failure, and the text of the error does not matter. Only `ftp` reads the
//! text of a reply, because many servers use the codes of permanent refusals for other errors too.

mod connect;
mod failed;
#[cfg(feature = "ftp")]
mod ftp;
mod http;
mod proxy;
mod tls;

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use robots_core::fetch::Failure;
use url::Url;

use self::connect::{Connector, LookUp};
use self::failed::within;
pub(crate) use self::failed::{Failed, Of, Timeouts};
use self::http::Seen;
use self::proxy::Proxy;
pub(crate) use self::proxy::ProxySettings;
use crate::error::Error;
use crate::guard::Guard;
use crate::machine::retrieval::{Request, Response};

/// The configuration of a transport.
pub(crate) struct Config {
    pub(crate) timeouts: Timeouts,
    pub(crate) guard: Option<Arc<dyn Guard>>,
    pub(crate) proxies: ProxySettings,
    /// The certificates, in PEM, of authorities that are trusted in addition to the system's authorities.
    pub(crate) authorities: Vec<Vec<u8>>,
    /// Whether only `authorities` are trusted, and not the system's authorities.
    pub(crate) only_these: bool,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            timeouts: Timeouts::default(),
            guard: None,
            proxies: ProxySettings::from_environment(),
            authorities: Vec::new(),
            only_these: false,
        }
    }
}

/// Sends the requests of a client.
pub(crate) trait Exchange: Send + Sync {
    /// Sends a request and returns its answer. The body has at most `limit + 1` octets: the last one shows that the
    /// body is longer than the limit.
    fn send<'e>(&'e self, request: &'e Request, limit: usize) -> Exchanged<'e>;

    /// Returns the number of octets of HTTP bodies that were received, before decoding.
    fn received(&self) -> u64;
}

/// The answer to a request, as a future. The future is boxed because it is large: a task that waits for it in several
/// places would reserve memory for each place.
pub(crate) type Exchanged<'e> = Pin<Box<dyn Future<Output = Result<Response, Failed>> + Send + 'e>>;

/// Sends requests over the network.
pub(crate) struct Transport {
    connector: Connector,
    timeouts: Timeouts,
    received: AtomicU64,
}

impl Transport {
    pub(crate) fn new(config: &Config) -> Result<Self, Error> {
        let tls = tls::config(&config.authorities, config.only_these)?;
        let connector = Connector::new(tls, &config.proxies, config.guard.clone())?;
        Ok(Self { connector, timeouts: config.timeouts, received: AtomicU64::new(0) })
    }

    async fn exchange(&self, request: &Request, limit: usize) -> Result<Response, Failed> {
        if request.url().scheme() == "ftp" {
            // `ftp` enforces the time limits itself, because a thread that waits for a server cannot be cancelled from
            // here.
            return self.by_ftp(request.url(), limit).await;
        }
        let proxy = self.connector.proxy(request.url());
        let look_up = Connector::look_up(request.url(), proxy.as_ref()).await;
        let has_head = AtomicBool::new(false);
        let answer = self.by_http(request, proxy.as_ref(), look_up, limit, &has_head);
        let answer = within(self.timeouts.total, "the answer was incomplete", answer).await;
        let answer = answer.unwrap_or_else(Err);
        match proxy {
            // No answer of the site arrived, so perhaps the proxy failed and not the site.
            Some(proxy) if !has_head.into_inner() => answer.map_err(|failed| failed.behind(&proxy)),
            _ => answer,
        }
    }

    /// Sends a request, and sets `has_head` when the head of the site's answer has arrived.
    async fn by_http(
        &self,
        request: &Request,
        proxy: Option<&Proxy>,
        look_up: LookUp,
        limit: usize,
        has_head: &AtomicBool,
    ) -> Result<Response, Failed> {
        let connection = self.connector.connect(request.url(), proxy, look_up);
        let connection = within(self.timeouts.connect, "no connection was made", connection);
        let seen = Seen { has_head, received: &self.received };
        http::exchange(connection.await??, request, limit, self.timeouts, seen).await
    }

    #[cfg(feature = "ftp")]
    async fn by_ftp(&self, url: &Url, limit: usize) -> Result<Response, Failed> {
        let look_up = Connector::look_up(url, None).await;
        let addresses = self.connector.addresses(url, None, look_up);
        let addresses = within(self.timeouts.connect, "the host was not resolved", addresses);
        let wanted = ftp::Wanted {
            addresses: addresses.await??,
            url: url.clone(),
            guard: self.connector.guard(),
            timeouts: self.timeouts,
            limit,
        };
        tokio::task::spawn_blocking(move || ftp::retrieve(&wanted))
            .await
            .unwrap_or_else(|error| Err(Failed::of_client(Failure::Connection, error.to_string())))
    }

    #[cfg(not(feature = "ftp"))]
    async fn by_ftp(&self, _: &Url, _: usize) -> Result<Response, Failed> {
        let why = "ftp is not built in; build with the feature `ftp`";
        std::future::ready(Err(Failed::of_client(Failure::Connection, why))).await
    }
}

impl Exchange for Transport {
    fn send<'e>(&'e self, request: &'e Request, limit: usize) -> Exchanged<'e> {
        Box::pin(self.exchange(request, limit))
    }

    fn received(&self) -> u64 {
        self.received.load(Ordering::Relaxed)
    }
}
