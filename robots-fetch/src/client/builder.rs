//! Makes clients: [`Builder`].

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

/// Tells the time, since the Unix epoch.
pub(super) type Clock = Arc<dyn Fn() -> SystemTime + Send + Sync>;

/// Says something of sites.
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

    /// Adds a product token under which the crawler is also named: the groups of all are merged.
    #[must_use]
    pub fn also_named(mut self, agent: impl Into<String>) -> Self {
        self.agents.push(agent.into());
        self
    }

    /// Sets what is sent as `User-Agent`: name, version, and where to read about the crawler. The first product token
    /// unless set; RFC 9309 (2.2.1) wants the token to be part of it.
    #[must_use]
    pub fn identification(mut self, text: impl Into<String>) -> Self {
        self.identification = Some(text.into());
        self
    }

    /// Sets the edition, the limit, lives and retries.
    #[must_use]
    pub fn settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// Sets the edition; google-2022 unless set.
    #[must_use]
    pub fn edition(mut self, edition: Edition) -> Self {
        self.settings = self.settings.edition(edition);
        self
    }

    /// Sets where records are kept beyond memory, and between runs; nowhere unless set.
    #[must_use]
    pub fn store(mut self, store: impl Store) -> Self {
        self.store = Some(Box::new(store));
        self
    }

    /// Sets which addresses may be connected to; all unless set. To refuse what is not public:
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

    /// Sets which sites are known to answer 5xx for pages that do not exist; none unless set. google-2022 and the
    /// editions before then read their 5xx for robots.txt as 404.
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

    /// Sets how long to wait for a connection, from the look-up of the host to the end of the TLS handshake; 10 seconds
    /// unless set.
    #[must_use]
    pub fn connect_timeout(mut self, time: Duration) -> Self {
        self.transport.timeouts.connect = time;
        self
    }

    /// Sets how long to wait for the head of an answer; 15 seconds unless set.
    #[must_use]
    pub fn answer_timeout(mut self, time: Duration) -> Self {
        self.transport.timeouts.header = time;
        self
    }

    /// Sets how long to wait for the next octets of a body; 10 seconds unless set.
    #[must_use]
    pub fn idle_timeout(mut self, time: Duration) -> Self {
        self.transport.timeouts.body_idle = time;
        self
    }

    /// Sets how long one request may take, from the look-up of the host to the end of the body; 60 seconds unless set.
    #[must_use]
    pub fn total_timeout(mut self, time: Duration) -> Self {
        self.transport.timeouts.total = time;
        self
    }

    /// Sets how many octets are kept in memory, files and compiled rules together, 256 MiB unless set; what was not
    /// used for the longest time goes first.
    #[must_use]
    pub fn memory(mut self, octets: u64) -> Self {
        self.memory = octets;
        self
    }

    /// Sets how many origins are asked at once; 256 unless set.
    #[must_use]
    pub fn concurrency(mut self, origins: usize) -> Self {
        self.concurrency = origins.max(1);
        self
    }

    /// Trusts an authority besides those of the system: its certificate in PEM.
    #[must_use]
    pub fn trust(mut self, pem: impl Into<Vec<u8>>) -> Self {
        self.transport.authorities.push(pem.into());
        self
    }

    /// Trusts none of the system's authorities, and only those that [`trust`](Self::trust) names.
    #[must_use]
    pub fn trust_no_others(mut self) -> Self {
        self.transport.only_these = true;
        self
    }

    /// Sets the proxy of every request, as `http://host:port` or `https://host:port`. Unless this or
    /// [`no_proxy`](Self::no_proxy) is set, the environment's `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`
    /// apply.
    #[must_use]
    pub fn proxy(mut self, url: &str) -> Self {
        self.transport.proxies = ProxySettings::all(url);
        self
    }

    /// Uses no proxy, whatever the environment says.
    #[must_use]
    pub fn no_proxy(mut self) -> Self {
        self.transport.proxies = ProxySettings::none();
        self
    }

    /// Sets the clock; the system's unless set.
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
