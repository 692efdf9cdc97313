//! Makes the connection for a request: looks up the host, asks the guard, connects directly or through a proxy, and
//! adds TLS.
//!
//! Start at [`Connector::connect`]. The connector uses only addresses that the guard has allowed, because there is no
//! second look-up. If the client uses a proxy, the guard checks the addresses of the proxy.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, ToSocketAddrs, UdpSocket};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use robots_core::fetch::Failure;
use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::{JoinSet, spawn_blocking};
use tokio::time::sleep;
use tokio_rustls::TlsConnector;
use url::{Host, Url};

use super::failed::{Failed, Of, is_local};
use super::http::{self, Connected, Stream};
use super::proxy::{Proxies, Proxy, ProxySettings};
use crate::error::Error;
use crate::guard::{Connection, Guard};

/// The time after which the next address is tried too (the "Connection Attempt Delay" of RFC 8305, 5).
const NEXT_ADDRESS: Duration = Duration::from_millis(250);

/// A running look-up of a host: the future of its addresses.
pub(super) type LookUp = Pin<Box<dyn Future<Output = io::Result<Vec<SocketAddr>>> + Send>>;

/// Makes the connections of a transport: it knows the proxies, the guard and the TLS configuration.
pub(super) struct Connector {
    tls: TlsConnector,
    proxies: Proxies,
    guard: Option<Arc<dyn Guard>>,
}

impl Connector {
    pub(super) fn new(
        tls: ClientConfig,
        proxies: &ProxySettings,
        guard: Option<Arc<dyn Guard>>,
    ) -> Result<Self, Error> {
        let tls = TlsConnector::from(Arc::new(tls));
        Ok(Self { tls, proxies: Proxies::new(proxies)?, guard })
    }

    #[cfg(feature = "ftp")]
    pub(super) fn guard(&self) -> Option<Arc<dyn Guard>> {
        self.guard.clone()
    }

    /// Returns the proxy for a URL, or `None` if the client connects to the host itself.
    pub(super) fn proxy(&self, url: &Url) -> Option<Proxy> {
        self.proxies.of(url)
    }

    /// Begins the look-up of a URL's host, or of the proxy. Waits until a thread of the runtime is free for it. All
    /// threads may be busy with other work, which shows nothing about the site, so the time limits begin only then.
    pub(super) async fn look_up(url: &Url, proxy: Option<&Proxy>) -> LookUp {
        let to = proxy.map_or(url, |proxy| &proxy.url);
        let port = to.port_or_known_default().unwrap_or_default();
        let found = match to.host() {
            Some(Host::Domain(name)) => {
                let (began, start) = oneshot::channel();
                let name = name.to_owned();
                let task = spawn_blocking(move || {
                    let _ = began.send(());
                    Ok((&*name, port).to_socket_addrs()?.collect())
                });
                // If the runtime ends before the look-up begins, the task reports that.
                let _ = start.await;
                return Box::pin(async move { task.await? });
            }
            Some(Host::Ipv4(address)) => vec![(address, port).into()],
            Some(Host::Ipv6(address)) => vec![(address, port).into()],
            None => Vec::new(),
        };
        Box::pin(std::future::ready(Ok(found)))
    }

    /// Returns a connection on which a request for a URL can be sent.
    pub(super) async fn connect<'p>(
        &self,
        url: &Url,
        proxy: Option<&'p Proxy>,
        look_up: LookUp,
    ) -> Result<Connected<'p>, Failed> {
        let Some(proxy) = proxy else {
            let tcp = to_any(self.addresses(url, None, look_up).await?)
                .await
                .map_err(|error| Failed::connection(&error))?;
            let stream: Box<dyn Stream> = match url.scheme() {
                "https" => self
                    .secure(Box::new(tcp), url)
                    .await
                    .map_err(|error| Failed::connection(&error))?,
                _ => Box::new(tcp),
            };
            return Ok(Connected { stream, forwarder: None });
        };
        let stream = self.to_proxy(url, proxy, look_up).await?;
        if url.scheme() != "https" {
            return Ok(Connected { stream, forwarder: Some(proxy) });
        }
        let stream = http::tunnel(stream, url, proxy).await?;
        let stream = self.secure(stream, url).await.map_err(|error| Failed::connection(&error))?;
        Ok(Connected { stream, forwarder: None })
    }

    /// Connects to a proxy. An unavailable proxy counts as a failure of the client, because it shows nothing about the
    /// site.
    async fn to_proxy(
        &self,
        url: &Url,
        proxy: &Proxy,
        look_up: LookUp,
    ) -> Result<Box<dyn Stream>, Failed> {
        let away = |why: &dyn std::fmt::Display| {
            let why = format!("the proxy {proxy} cannot be reached: {why}");
            Failed::of_client(Failure::Connection, why)
        };
        let tcp = to_any(self.addresses(url, Some(proxy), look_up).await?).await;
        let tcp = Box::new(tcp.map_err(|error| away(&error))?);
        match proxy.url.scheme() {
            "https" => self.secure(tcp, &proxy.url).await.map_err(|error| away(&error)),
            _ => Ok(tcp),
        }
    }

    /// Does the TLS handshake with the host of a URL.
    async fn secure(&self, stream: Box<dyn Stream>, url: &Url) -> io::Result<Box<dyn Stream>> {
        let name = match url.host() {
            // A name is sent without its final dot (RFC 6066, 3).
            Some(Host::Domain(name)) => {
                ServerName::try_from(name.strip_suffix('.').unwrap_or(name).to_owned())
            }
            Some(Host::Ipv4(address)) => Ok(ServerName::from(IpAddr::V4(address))),
            Some(Host::Ipv6(address)) => Ok(ServerName::from(IpAddr::V6(address))),
            None => ServerName::try_from(String::new()),
        };
        let name = name.map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
        Ok(Box::new(self.tls.connect(name, stream).await?))
    }

    /// Returns the addresses of a look-up that the guard allows.
    pub(super) async fn addresses(
        &self,
        url: &Url,
        proxy: Option<&Proxy>,
        look_up: LookUp,
    ) -> Result<Vec<SocketAddr>, Failed> {
        let found = look_up.await.and_then(|found| {
            let no_address = || io::Error::other("the host has no address");
            if found.is_empty() { Err(no_address()) } else { Ok(found) }
        });
        let found = found.map_err(|error| match proxy {
            Some(proxy) => {
                let why = format!("the proxy {proxy} cannot be reached: {error}");
                Failed::of_client(Failure::Dns, why)
            }
            None if is_local(&error) || lacks_sockets() => {
                let why = format!("this machine cannot look up the host: {error}");
                Failed::of_client(Failure::Dns, why)
            }
            None => Failed::new(Failure::Dns, error.to_string()),
        })?;
        match self.guard.as_deref() {
            Some(guard) => checked(guard, url, proxy, found),
            None => Ok(found),
        }
    }
}

/// Returns whether this machine cannot open a socket, for example because no file descriptor is free. The error of a
/// resolver does not show this cause.
fn lacks_sockets() -> bool {
    UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).is_err_and(|error| is_local(&error))
}

/// Asks the guard about every address, and returns the allowed addresses, or a refusal if no address is allowed.
pub(super) fn checked(
    guard: &dyn Guard,
    url: &Url,
    proxy: Option<&Proxy>,
    found: Vec<SocketAddr>,
) -> Result<Vec<SocketAddr>, Failed> {
    let proxy = proxy.map(Proxy::to_string);
    let host = url.host_str().unwrap_or_default();
    let port = url.port_or_known_default().unwrap_or_default();
    let (mut passed, mut refused) = (Vec::new(), None);
    for address in found {
        let mut connection = Connection::direct(host, port, address.ip());
        connection.proxy = proxy.as_deref();
        match guard.check(&connection) {
            Ok(()) => passed.push(address),
            Err(why) => refused = Some(why),
        }
    }
    match refused {
        Some(why) if passed.is_empty() => {
            let why = format!("the guard refused the connection: {why}");
            Err(Failed { failure: Failure::Connection, why, of: Of::Guard })
        }
        _ => Ok(passed),
    }
}

/// Connects to one of several addresses. It tries the next address when an address has failed or is slow, and uses the
/// first address that answers.
async fn to_any(addresses: Vec<SocketAddr>) -> io::Result<TcpStream> {
    let mut addresses = in_turn(addresses).into_iter();
    let stream = match (addresses.next(), addresses.len()) {
        (Some(only), 0) => TcpStream::connect(only).await?,
        (first, _) => to_first(first.into_iter().chain(addresses)).await?,
    };
    stream.set_nodelay(true)?;
    Ok(stream)
}

async fn to_first(mut addresses: impl Iterator<Item = SocketAddr>) -> io::Result<TcpStream> {
    let mut attempts = JoinSet::new();
    let mut first_error: Option<io::Error> = None;
    let mut next = addresses.next();
    loop {
        if let Some(address) = next.take() {
            attempts.spawn(TcpStream::connect(address));
            next = addresses.next();
        }
        tokio::select! {
            attempt = attempts.join_next() => match attempt {
                Some(Ok(Ok(stream))) => return Ok(stream),
                // An error of this machine, such as missing IPv6, is replaced by the next error, which says more about
                // the host.
                Some(Ok(Err(error))) if first_error.as_ref().is_none_or(is_local) => {
                    first_error = Some(error);
                }
                Some(Ok(Err(_))) => {}
                Some(Err(error)) => return Err(error.into()),
                None => {
                    let none = || io::Error::other("the host has no address");
                    return Err(first_error.unwrap_or_else(none));
                }
            },
            () = sleep(NEXT_ADDRESS), if next.is_some() => {}
        }
    }
}

/// Orders addresses so that IPv4 and IPv6 alternate. The first address stays first (RFC 8305, 4).
fn in_turn(addresses: Vec<SocketAddr>) -> Vec<SocketAddr> {
    let first_is_v6 = addresses.first().is_some_and(SocketAddr::is_ipv6);
    let count = addresses.len();
    let (one, other): (Vec<_>, Vec<_>) =
        addresses.into_iter().partition(|address| address.is_ipv6() == first_is_v6);
    let (mut one, mut other) = (one.into_iter(), other.into_iter());
    let turns = std::iter::from_fn(|| Some([one.next(), other.next()]));
    turns.flatten().flatten().take(count).collect()
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;
    use std::net::{SocketAddr, TcpListener};
    use std::time::{Duration, Instant};

    use url::Url;

    use super::{Of, checked, in_turn, to_any};
    use crate::guard::PublicOnly;

    fn addresses(texts: &[&str]) -> Vec<SocketAddr> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    #[test]
    fn families_take_turns() {
        let found = ["[::1]:1", "[::2]:1", "[::3]:1", "1.0.0.1:1"];
        let wanted = ["[::1]:1", "1.0.0.1:1", "[::2]:1", "[::3]:1"];
        assert_eq!(in_turn(addresses(&found)), addresses(&wanted));
        assert_eq!(in_turn(Vec::new()), []);
    }

    /// After an address that refuses, the next one is tried at once.
    #[tokio::test]
    async fn the_first_address_that_answers_is_taken() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let there = listener.local_addr().unwrap();
        let refusing = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let began = Instant::now();
        let stream = to_any(vec![refusing, there]).await.unwrap();
        assert_eq!(stream.peer_addr().unwrap(), there);
        assert!(began.elapsed() < Duration::from_millis(200), "{:?}", began.elapsed());
        assert!(to_any(vec![refusing, refusing]).await.is_err());
    }

    /// If a machine has no IPv6 and the host refuses over IPv4, the error is the refusal.
    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn the_error_of_the_site_is_preferred() {
        // TCP has no broadcast, so Linux reports that the network is unreachable.
        let unroutable = addresses(&["255.255.255.255:9"])[0];
        let refusing = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let error = to_any(vec![unroutable]).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NetworkUnreachable, "{error}");
        for both in [vec![unroutable, refusing], vec![refusing, unroutable]] {
            let error = to_any(both).await.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::ConnectionRefused, "{error}");
        }
    }

    /// If a host has a public and a private address, the client connects only to the public one.
    #[test]
    fn an_address_that_is_refused_takes_no_other_with_it() {
        let url = Url::parse("http://example.com/robots.txt").unwrap();
        let [private, public]: [SocketAddr; 2] =
            ["10.0.0.1:80", "93.184.215.14:80"].map(|address| address.parse().unwrap());
        for found in [vec![private, public], vec![public, private]] {
            assert_eq!(checked(&PublicOnly::default(), &url, None, found).unwrap(), [public]);
        }
        let refused = checked(&PublicOnly::default(), &url, None, vec![private]).unwrap_err();
        assert_eq!(refused.of, Of::Guard);
    }
}
