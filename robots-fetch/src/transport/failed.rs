//! The reason why no answer arrived: [`Failed`]; and the time limits of a request.

use std::fmt;
use std::future::Future;
use std::io;
use std::time::Duration;

use robots_core::fetch::Failure;
use tokio::time::timeout;

use super::proxy::Proxy;

/// The time limits of one request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timeouts {
    /// From the look-up of the host to the end of the TLS handshake.
    pub(crate) connect: Duration,
    /// From the end of the handshake to the end of the header.
    pub(crate) header: Duration,
    /// Between two parts of the body.
    pub(crate) body_idle: Duration,
    /// From the look-up to the end of the body.
    pub(crate) total: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            header: Duration::from_secs(15),
            body_idle: Duration::from_secs(10),
            total: Duration::from_secs(60),
        }
    }
}

/// The reason why no answer arrived.
#[derive(Debug)]
pub(crate) struct Failed {
    pub(crate) failure: Failure,
    /// The reason as a clause.
    pub(crate) why: String,
    pub(crate) of: Of,
}

/// The party that caused the failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Of {
    /// The site, as far as can be known.
    Site,
    /// The guard refused the connection.
    Guard,
    /// The client cannot send the request, because a proxy fails or a scheme is not built in. This says nothing about
    /// the site.
    Client,
}

impl Failed {
    pub(crate) fn new(failure: Failure, why: impl Into<String>) -> Self {
        Self { failure, why: why.into(), of: Of::Site }
    }

    /// Makes the failure that an error of a connection means.
    pub(super) fn connection(error: &io::Error) -> Self {
        let failure = match error.kind() {
            io::ErrorKind::TimedOut => Failure::Timeout,
            _ => Failure::Connection,
        };
        Self::new(failure, error.to_string())
    }

    /// Attributes the failure to the client if it came before the head of an answer through this proxy, because the
    /// proxy may be its cause.
    pub(super) fn behind(self, proxy: &Proxy) -> Self {
        match self.of {
            Of::Site => {
                Self::of_client(self.failure, format!("{} (through the proxy {proxy})", self.why))
            }
            Of::Guard | Of::Client => self,
        }
    }

    pub(crate) fn of_client(failure: Failure, why: impl Into<String>) -> Self {
        Self { failure, why: why.into(), of: Of::Client }
    }
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl std::error::Error for Failed {}

/// Waits for a future up to a time limit; `what` describes what did not happen.
pub(super) async fn within<T>(
    time: Duration,
    what: &str,
    future: impl Future<Output = T>,
) -> Result<T, Failed> {
    timeout(time, future).await.map_err(|_| late(what, time))
}

pub(super) fn late(what: &str, limit: Duration) -> Failed {
    Failed::new(Failure::Timeout, format!("{what} within {} s", limit.as_secs_f32()))
}
