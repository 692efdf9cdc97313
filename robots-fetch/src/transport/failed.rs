//! [`Failed`] is the reason why no answer arrived, and [`Timeouts`] contains the time limits of a request.
//!
//! A failure is attributed to the site, the guard or the client ([`Of`]), because only a failure of the site begins an
//! outage.

use std::fmt;
use std::future::{Future, poll_fn};
use std::io;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use robots_core::fetch::Failure;
use tokio::task::coop::unconstrained;
use tokio::time::sleep;

use super::proxy::Proxy;

/// The time limits of one request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timeouts {
    /// The limit for the time from the look-up of the host to the end of the TLS handshake.
    pub(crate) connect: Duration,
    /// The limit for the time from the moment when the connection is made to the end of the answer's header.
    pub(crate) header: Duration,
    /// The limit for the time between two parts of the body.
    pub(crate) body_idle: Duration,
    /// The limit for the time from the look-up of the host to the end of the body.
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
    /// Probably the site.
    Site,
    /// The guard refused the connection.
    Guard,
    /// The client cannot send the request, because its machine or a proxy fails, or because this build does not support
    /// the scheme. The failure says nothing about the site.
    Client,
}

impl Failed {
    pub(crate) fn new(failure: Failure, why: impl Into<String>) -> Self {
        Self { failure, why: why.into(), of: Of::Site }
    }

    /// Makes a failure from an error of a connection.
    pub(super) fn connection(error: &io::Error) -> Self {
        let failure = match error.kind() {
            // On some systems, a blocking socket reports a time-out as `WouldBlock`.
            io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => Failure::Timeout,
            _ => Failure::Connection,
        };
        let of = if is_local(error) { Of::Client } else { Of::Site };
        Self { failure, why: error.to_string(), of }
    }

    /// Attributes a failure of the site to the client, because the proxy may be its cause. Call this function only if
    /// no head of an answer has arrived through the proxy.
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

/// Returns whether an error comes from this machine: it has no network, it may not connect, or it lacks resources. Such
/// an error says nothing about a site. A router can also cause some of these errors. Even then they show nothing about
/// the site.
pub(super) fn is_local(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::AddrNotAvailable
            | io::ErrorKind::NetworkDown
            | io::ErrorKind::NetworkUnreachable
            | io::ErrorKind::OutOfMemory
            | io::ErrorKind::PermissionDenied
    ) || error.raw_os_error().is_some_and(|code| SHORTAGES.contains(&code))
}

/// The codes of errors that have no `ErrorKind`: the process (`EMFILE`) or the system (`ENFILE`) has no free file
/// descriptor, or there are no free buffers (`ENOBUFS`).
const SHORTAGES: &[i32] = if cfg!(windows) {
    // `WSAEMFILE` and `WSAENOBUFS`.
    &[10_024, 10_055]
} else if cfg!(any(target_os = "linux", target_os = "android")) {
    &[24, 23, 105]
} else {
    // The BSDs and macOS.
    &[24, 23, 55]
};

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl std::error::Error for Failed {}

/// Waits for a future up to a time limit. For the error message, `what` says what did not happen in time.
pub(super) async fn within<T>(
    time: Duration,
    what: &str,
    future: impl Future<Output = T>,
) -> Result<T, Failed> {
    // A server can use up the task's budget in tokio at each poll, and then `timeout` and `select!` do not poll the
    // limit. So the limit is outside the budget.
    let (mut future, mut limit) = (pin!(future), pin!(unconstrained(sleep(time))));
    poll_fn(|cx| match future.as_mut().poll(cx) {
        Poll::Ready(done) => Poll::Ready(Ok(done)),
        Poll::Pending => limit.as_mut().poll(cx).map(|()| Err(late(what, time))),
    })
    .await
}

pub(super) fn late(what: &str, limit: Duration) -> Failed {
    Failed::new(Failure::Timeout, format!("{what} within {} s", limit.as_secs_f32()))
}

#[cfg(test)]
mod tests {
    use std::io::{self, ErrorKind};

    use rstest::rstest;

    use super::{Failed, Of};

    #[rstest]
    #[trace]
    #[case(ErrorKind::NetworkDown, Of::Client)]
    #[case(ErrorKind::NetworkUnreachable, Of::Client)]
    #[case(ErrorKind::AddrNotAvailable, Of::Client)]
    #[case(ErrorKind::PermissionDenied, Of::Client)]
    #[case(ErrorKind::OutOfMemory, Of::Client)]
    #[case(ErrorKind::HostUnreachable, Of::Site)]
    #[case(ErrorKind::ConnectionRefused, Of::Site)]
    #[case(ErrorKind::ConnectionReset, Of::Site)]
    #[case(ErrorKind::TimedOut, Of::Site)]
    #[case(ErrorKind::InvalidData, Of::Site)]
    fn an_error_of_this_machine_is_none_of_the_site(#[case] kind: ErrorKind, #[case] of: Of) {
        assert_eq!(Failed::connection(&io::Error::from(kind)).of, of);
    }

    /// Rust has no `ErrorKind` for these errors.
    #[cfg(target_os = "linux")]
    #[rstest]
    #[trace]
    #[case(24, "EMFILE")]
    #[case(23, "ENFILE")]
    #[case(105, "ENOBUFS")]
    fn a_lack_of_resources_is_no_failure_of_the_site(#[case] code: i32, #[case] name: &str) {
        assert_eq!(
            Failed::connection(&io::Error::from_raw_os_error(code)).of,
            Of::Client,
            "{name}"
        );
    }
}
