//! What both builders set.

/// Writes the methods that the two builders have in common, for one whose field `parts` holds what they gather.
macro_rules! common {
    () => {
        /// Adds a product token under which the crawler is also named: the groups of all are merged.
        #[must_use]
        pub fn also_named(mut self, agent: impl Into<String>) -> Self {
            self.parts.agents.push(agent.into());
            self
        }

        /// Sets what is sent as `User-Agent`: name, version, and where to read about the crawler. The first product
        /// token unless set; RFC 9309 (2.2.1) wants the token to be part of it.
        #[must_use]
        pub fn identification(mut self, text: impl Into<String>) -> Self {
            self.parts.identification = Some(text.into());
            self
        }

        /// Sets the edition, the limit, lives and retries.
        #[must_use]
        pub fn settings(mut self, settings: $crate::Settings) -> Self {
            self.parts.settings = settings;
            self
        }

        /// Sets the edition; google-2022 unless set.
        #[must_use]
        pub fn edition(mut self, edition: robots_core::Edition) -> Self {
            self.parts.settings = self.parts.settings.edition(edition);
            self
        }

        /// Sets who may be connected to; everybody unless set. To refuse what is not public:
        ///
        /// ```
        /// # use robots_fetch::{Client, guard::PublicOnly};
        /// let builder = Client::builder("examplebot").guard(PublicOnly::default());
        /// ```
        #[must_use]
        pub fn guard(mut self, guard: impl $crate::Guard + 'static) -> Self {
            self.parts.transport.guard = Some(std::sync::Arc::new(guard));
            self
        }

        /// Sets of which sites it is known that they answer 5xx for pages that do not exist; of none unless set.
        /// google-2022 and the editions before then read their 5xx for robots.txt as 404.
        ///
        /// ```
        /// # use robots_fetch::Client;
        /// let builder = Client::builder("examplebot")
        ///     .server_errors_for_missing_pages(|site| site.as_str() == "https://old.example.com");
        /// ```
        #[must_use]
        pub fn server_errors_for_missing_pages(
            mut self,
            sites: impl Fn(&$crate::CacheKey) -> bool + Send + Sync + 'static,
        ) -> Self {
            self.parts.fails_for_missing_pages = Some(std::sync::Arc::new(sites));
            self
        }

        /// Sets how long to wait for a connection, for the answer to begin, for the body to go on, and for the
        /// whole of one hop; 10, 15, 10 and 60 seconds unless set.
        #[must_use]
        pub fn time_limits(
            mut self,
            connect: std::time::Duration,
            header: std::time::Duration,
            body: std::time::Duration,
            whole: std::time::Duration,
        ) -> Self {
            self.parts.transport.timeouts =
                $crate::transport::Timeouts { connect, header, body_idle: body, total: whole };
            self
        }

        /// Sets how many octets are kept in memory, files and compiled rules together, 256 MiB unless set; what was
        /// not used for the longest time goes first.
        #[must_use]
        pub fn memory(mut self, octets: u64) -> Self {
            self.parts.memory = octets;
            self
        }

        /// Sets how many origins are asked at once; 256 unless set.
        #[must_use]
        pub fn concurrency(mut self, origins: usize) -> Self {
            self.parts.concurrency = origins.max(1);
            self
        }

        /// Trusts an authority besides those of the system: its certificate in PEM.
        #[must_use]
        pub fn trust(mut self, pem: impl Into<Vec<u8>>) -> Self {
            self.parts.transport.authorities.push(pem.into());
            self
        }

        /// Trusts none of the system's authorities, and only those that [`trust`](Self::trust) names.
        #[must_use]
        pub fn trust_no_others(mut self) -> Self {
            self.parts.transport.only_these = true;
            self
        }

        /// Sets the proxy of every request, as `http://host:port` or `https://host:port`. Unless this or [`no_proxy`](Self::no_proxy) is said, the environment's
        /// `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY` hold.
        #[must_use]
        pub fn proxy(mut self, url: &str) -> Self {
            self.parts.transport.proxies = $crate::transport::ProxySettings::all(url);
            self
        }

        /// Uses no proxy, whatever the environment says.
        #[must_use]
        pub fn no_proxy(mut self) -> Self {
            self.parts.transport.proxies = $crate::transport::ProxySettings::none();
            self
        }

        /// Sets what tells the time; the system's clock unless set.
        #[must_use]
        pub fn clock(
            mut self,
            clock: impl Fn() -> std::time::SystemTime + Send + Sync + 'static,
        ) -> Self {
            self.parts.clock = std::sync::Arc::new(clock);
            self
        }
    };
}

pub(crate) use common;
