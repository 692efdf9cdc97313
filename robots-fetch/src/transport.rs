//! What the transports of both clients have in common.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use robots_core::fetch::Failure;
use url::Url;

use crate::guard::{Connection, Guard};
use crate::proxy;

/// Why no answer came.
#[derive(Debug)]
pub(crate) struct Failed {
    pub(crate) failure: Failure,
    pub(crate) why: String,
    /// Whether it was the guard that refused.
    pub(crate) by_guard: bool,
    /// Whether it is this client's own affair, and no fact about the site: the guard, or a scheme that is not built in.
    pub(crate) is_own: bool,
}

impl Failed {
    pub(crate) fn new(failure: Failure, why: impl Into<String>) -> Self {
        Self { failure, why: why.into(), by_guard: false, is_own: false }
    }

    #[cfg(not(feature = "ftp"))]
    pub(crate) fn without_ftp() -> Self {
        let why = "ftp is not built in; build with the feature `ftp`";
        Self { is_own: true, ..Self::new(Failure::Connection, why) }
    }
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl std::error::Error for Failed {}

/// Puts every address to the guard; one that it refuses is not connected to.
pub(crate) fn checked(
    guard: &dyn Guard,
    url: &Url,
    proxy: Option<&Url>,
    found: Vec<SocketAddr>,
) -> Result<Vec<SocketAddr>, Failed> {
    let proxy = proxy.map(proxy::shown);
    let check = |address: IpAddr| {
        let host = url.host_str().unwrap_or_default();
        let port = url.port_or_known_default().unwrap_or_default();
        let mut connection = Connection::direct(host, port, address);
        connection.proxy = proxy.as_deref();
        guard.check(&connection)
    };
    let (mut passed, mut refused) = (Vec::new(), None);
    for address in found {
        match check(address.ip()) {
            Ok(()) => passed.push(address),
            Err(why) => refused = Some(why),
        }
    }
    match refused {
        Some(why) if passed.is_empty() => {
            let why = format!("the guard refused it: {why}");
            Err(Failed { by_guard: true, is_own: true, ..Failed::new(Failure::Connection, why) })
        }
        _ => Ok(passed),
    }
}

pub(crate) fn late(what: &str, limit: Duration) -> Failed {
    Failed::new(Failure::Timeout, format!("{what} within {} s", limit.as_secs_f32()))
}
