//! Makes clients: [`Builder`].
//!
//! The client for tokio and the blocking client share this type; `C` is the type of the client. The module of each
//! client adds the method `build`, which makes this client. The methods of the builder only store values; `build`
//! reports every mistake, for example a proxy that cannot be used. [`Builder::new`] sets the defaults.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use robots_core::Edition;

use crate::guard::Guard;
use crate::key::CacheKey;
use crate::settings::Settings;
use crate::store::{AnyStore, Store};
use crate::transport::{Config, ProxySettings};

/// A function that returns the current time.
pub(super) type Clock = Arc<dyn Fn() -> SystemTime + Send + Sync>;

/// A function that returns whether a site is known to answer 5xx for pages that do not exist.
pub(super) type Sites = Arc<dyn Fn(&CacheKey) -> bool + Send + Sync>;

/// Makes a client of the type `C`.
pub struct Builder<C> {
    pub(super) agents: Vec<String>,
    pub(super) identification: Option<String>,
    pub(super) settings: Settings,
    pub(super) transport: Config,
    pub(super) store: Option<Box<dyn AnyStore>>,
    pub(super) memory: u64,
    pub(super) concurrency: usize,
    pub(super) clock: Clock,
    pub(super) server_errors_for_missing_pages: Option<Sites>,
    made: PhantomData<fn() -> C>,
}

impl<C> Builder<C> {
    pub(crate) fn new(agent: String) -> Self {
        Self {
            agents: vec![agent],
            identification: None,
            settings: Settings::default(),
            transport: Config::default(),
            store: None,
            memory: 256 << 20,
            concurrency: 256,
            clock: Arc::new(SystemTime::now),
            server_errors_for_missing_pages: None,
            made: PhantomData,
        }
    }

    /// Adds another product token of the crawler. The new token must be less specific than the tokens before it. The
    /// crawler follows the groups of its first token that the file has groups for.
    #[must_use]
    pub fn also_named(mut self, agent: impl Into<String>) -> Self {
        self.agents.push(agent.into());
        self
    }

    /// Sets the text that is sent as `User-Agent`: name, version, and the address of a page about the crawler. The
    /// default is the first product token. RFC 9309 (2.2.1) says that the text should contain the token.
    #[must_use]
    pub fn identification(mut self, text: impl Into<String>) -> Self {
        self.identification = Some(text.into());
        self
    }

    /// Sets all settings: the edition, the limits, lifetimes and retries.
    #[must_use]
    pub fn settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// Sets the edition. The default is google-2022.
    #[must_use]
    pub fn edition(mut self, edition: Edition) -> Self {
        self.settings = self.settings.edition(edition);
        self
    }

    /// Sets a store, which keeps records outside the client. Some stores also keep them between runs. By default there
    /// is no store.
    #[must_use]
    pub fn store(mut self, store: impl Store) -> Self {
        self.store = Some(Box::new(store));
        self
    }

    /// Sets the guard, which decides to which addresses the client may connect. By default all addresses are allowed.
    /// This example refuses addresses that are not public:
    ///
    /// ```
    /// # use robots_fetch::{Client, guard::PublicOnly};
    /// let builder = Client::builder("examplebot").guard(PublicOnly::default());
    /// ```
    #[must_use]
    pub fn guard(mut self, guard: impl Guard + 'static) -> Self {
        self.transport.guard = Some(Arc::new(guard));
        self
    }

    /// Sets the sites that are known to answer 5xx for pages that do not exist. By default there are no such sites.
    /// Under the Google editions, a 5xx for the robots.txt of such a site counts as 404.
    ///
    /// ```
    /// # use robots_fetch::Client;
    /// let builder = Client::builder("examplebot")
    ///     .server_errors_for_missing_pages(|site| site.as_str() == "https://old.example.com");
    /// ```
    #[must_use]
    pub fn server_errors_for_missing_pages(
        mut self,
        sites: impl Fn(&CacheKey) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.server_errors_for_missing_pages = Some(Arc::new(sites));
        self
    }

    /// Sets the time limit for a connection, from the look-up of the host to the end of the TLS handshake. The
    /// default is 10 seconds.
    #[must_use]
    pub fn connect_timeout(mut self, time: Duration) -> Self {
        self.transport.timeouts.connect = time;
        self
    }

    /// Sets the time limit for the header of an answer, after the connection is made. The default is 15 seconds.
    #[must_use]
    pub fn answer_timeout(mut self, time: Duration) -> Self {
        self.transport.timeouts.header = time;
        self
    }

    /// Sets the maximum time to wait for the next octets of a body. The default is 10 seconds.
    #[must_use]
    pub fn idle_timeout(mut self, time: Duration) -> Self {
        self.transport.timeouts.body_idle = time;
        self
    }

    /// Sets the time limit for one request, from the look-up of the host to the end of the body. The default is 60
    /// seconds.
    #[must_use]
    pub fn total_timeout(mut self, time: Duration) -> Self {
        self.transport.timeouts.total = time;
        self
    }

    /// Sets the maximum number of octets that are kept in memory, files and compiled rules together. The default is 256
    /// MiB. The entry that was not used for the longest time is removed first.
    #[must_use]
    pub fn memory(mut self, octets: u64) -> Self {
        self.memory = octets;
        self
    }

    /// Sets the maximum number of origins to which the client sends requests at the same time. The default is 256.
    #[must_use]
    pub fn concurrency(mut self, origins: usize) -> Self {
        self.concurrency = origins.max(1);
        self
    }

    /// Adds an authority that is trusted in addition to the system's authorities. The argument is its certificate in
    /// PEM.
    #[must_use]
    pub fn trust(mut self, pem: impl Into<Vec<u8>>) -> Self {
        self.transport.authorities.push(pem.into());
        self
    }

    /// Trusts only the authorities that [`trust`](Self::trust) adds, and not the system's authorities.
    #[must_use]
    pub fn trust_no_others(mut self) -> Self {
        self.transport.only_these = true;
        self
    }

    /// Sets the proxy of every HTTP and HTTPS request, as `http://host:port` or `https://host:port`. If neither this
    /// function nor [`no_proxy`](Self::no_proxy) is called, the environment's `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY`
    /// and `NO_PROXY` apply. FTP uses no proxy.
    #[must_use]
    pub fn proxy(mut self, url: &str) -> Self {
        self.transport.proxies = ProxySettings::all(url);
        self
    }

    /// Uses no proxy, even if the environment names one.
    #[must_use]
    pub fn no_proxy(mut self) -> Self {
        self.transport.proxies = ProxySettings::none();
        self
    }

    /// Sets the clock. The default is the clock of the system.
    #[must_use]
    pub fn clock(mut self, clock: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        self.clock = Arc::new(clock);
        self
    }
}

impl<C> fmt::Debug for Builder<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder").field("agents", &self.agents).finish_non_exhaustive()
    }
}
