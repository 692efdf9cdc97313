//! Who may be connected to: [`Guard`].

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Decides before every connection, of every hop, whether it is made.
///
/// It sees the address that is then connected to: there is no second look-up between. A closure is a guard;
/// [`PublicOnly`] is one.
///
/// ```
/// use robots_fetch::guard::{Connection, Guard, Refused};
/// let no_tor = |connection: &Connection<'_>| {
///     let is_tor = connection.host.ends_with(".onion");
///     if is_tor { Err(Refused::because("onion services are not crawled")) } else { Ok(()) }
/// };
/// assert!(no_tor.check(&Connection::direct("x.onion", 80, [192, 0, 2, 1].into())).is_err());
/// ```
pub trait Guard: Send + Sync {
    /// Returns why a connection is refused.
    ///
    /// # Errors
    /// [`Refused`] where it is.
    fn check(&self, connection: &Connection<'_>) -> Result<(), Refused>;
}

impl<F: Fn(&Connection<'_>) -> Result<(), Refused> + Send + Sync> Guard for F {
    fn check(&self, connection: &Connection<'_>) -> Result<(), Refused> {
        self(connection)
    }
}

/// A connection that is about to be made.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Connection<'c> {
    /// The host of the URL: a name, or an address as text.
    pub host: &'c str,
    /// The port of the URL.
    pub port: u16,
    /// The address that is connected to: the host's, or the proxy's.
    pub address: IpAddr,
    /// The URL of the proxy through which the host is reached. The proxy looks the host up by itself.
    pub proxy: Option<&'c str>,
}

impl<'c> Connection<'c> {
    /// Makes a connection to the host itself.
    #[must_use]
    pub const fn direct(host: &'c str, port: u16, address: IpAddr) -> Self {
        Self { host, port, address, proxy: None }
    }

    /// Makes it a connection through a proxy; the address is then the proxy's.
    #[must_use]
    pub const fn through(self, proxy: &'c str) -> Self {
        Self { proxy: Some(proxy), ..self }
    }
}

/// Why a connection is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused(String);

impl Refused {
    /// Makes it of a reason, a clause without a full stop.
    #[must_use]
    pub fn because(reason: impl Into<String>) -> Self {
        Self(reason.into())
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refused {}

/// Refuses addresses that are not of the public Internet: loopback, private and link-local networks, the metadata
/// services of clouds among them, and what is set aside for documentation, multicast and the like.
///
/// Through a proxy the address of the host is not known, so such a connection is refused too, unless the proxy is
/// trusted to do the same.
///
/// ```
/// use robots_fetch::guard::{Connection, Guard, PublicOnly};
/// let guard = PublicOnly::default();
/// let to = |address: [u8; 4]| guard.check(&Connection::direct("example.com", 80, address.into()));
/// assert!(to([93, 184, 215, 14]).is_ok());
/// assert!(to([169, 254, 169, 254]).is_err());
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct PublicOnly {
    trusts_proxy: bool,
}

impl PublicOnly {
    /// Allows every connection that goes through a proxy.
    #[must_use]
    pub const fn trusting_the_proxy() -> Self {
        Self { trusts_proxy: true }
    }
}

impl Guard for PublicOnly {
    fn check(&self, connection: &Connection<'_>) -> Result<(), Refused> {
        if let Some(proxy) = connection.proxy {
            return if self.trusts_proxy {
                Ok(())
            } else {
                Err(Refused::because(format!(
                    "{} is reached through the proxy {proxy}, which hides its address; trust the \
                     proxy to refuse private addresses, or use none",
                    connection.host
                )))
            };
        }
        match special(connection.address) {
            None => Ok(()),
            Some(what) => Err(Refused::because(format!(
                "{} has the address {}, which is {what}",
                connection.host, connection.address
            ))),
        }
    }
}

/// Returns what an address is, where it is none of the public Internet (the registries of special-purpose
/// addresses, RFC 6890).
fn special(address: IpAddr) -> Option<&'static str> {
    match address {
        IpAddr::V4(address) => special_v4(address),
        IpAddr::V6(address) => special_v6(address),
    }
}

fn special_v4(address: Ipv4Addr) -> Option<&'static str> {
    Some(match address.octets() {
        [0, ..] => "of this network",
        [10, ..] | [172, 16..=31, ..] | [192, 168, ..] => "private",
        [100, 64..=127, ..] => "shared by a provider's customers",
        [127, ..] => "loopback",
        [169, 254, ..] => "link-local",
        // Azure's, and public by its number.
        [168, 63, 129, 16] => "a cloud's metadata service",
        [192, 0, 0, _] | [192, 88, 99, _] => "set aside for protocols",
        [192, 0, 2, _] | [198, 51, 100, _] | [203, 0, 113, _] => "for documentation",
        [198, 18..=19, ..] => "for benchmarks",
        [224..=239, ..] => "multicast",
        [240..=255, ..] => "reserved",
        _ => return None,
    })
}

fn special_v6(address: Ipv6Addr) -> Option<&'static str> {
    let segments = address.segments();
    // What only wraps an IPv4 address is judged by that one: mapped, compatible, NAT64 and 6to4.
    let wrapped = match segments {
        [0, 0, 0, 0, 0, 0 | 0xffff, ..] | [0x64, 0xff9b, 0, 0, 0, 0, ..] => {
            Some((segments[6], segments[7]))
        }
        [0x2002, high, low, ..] => Some((high, low)),
        _ => None,
    };
    Some(match segments {
        [0, 0, 0, 0, 0, 0, 0, 0] => "unspecified",
        [0, 0, 0, 0, 0, 0, 0, 1] => "loopback",
        [0x64, 0xff9b, 1, ..] => "local to a translator",
        [0x100, 0, 0, 0, ..] => "a sink",
        [0x2001, 0..=0x1ff, ..] => "set aside for protocols",
        [0x2001, 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => "for documentation",
        [0x5f00, ..] => "for segment routing",
        [0xfc00..=0xfdff, ..] => "private",
        [0xfe80..=0xfebf, ..] => "link-local",
        [0xfec0..=0xfeff, ..] => "site-local",
        [0xff00..=0xffff, ..] => "multicast",
        _ => {
            let (high, low) = wrapped?;
            let [a, b] = high.to_be_bytes();
            let [c, d] = low.to_be_bytes();
            return special_v4(Ipv4Addr::new(a, b, c, d));
        }
    })
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use rstest::rstest;

    use super::{Connection, Guard, PublicOnly};

    #[rstest]
    #[trace]
    #[case("93.184.215.14", true)]
    #[case("2606:2800:21f:cb07:6820:80da:af6b:8b2c", true)]
    #[case("172.15.0.1", true)]
    #[case("172.32.0.1", true)]
    #[case("100.128.0.1", true)]
    #[case("127.0.0.1", false)]
    #[case("127.255.0.9", false)]
    #[case("0.0.0.0", false)]
    #[case("10.1.2.3", false)]
    #[case("172.16.0.1", false)]
    #[case("172.31.255.255", false)]
    #[case("192.168.1.1", false)]
    #[case("100.100.100.200", false)]
    #[case("169.254.169.254", false)]
    #[case("168.63.129.16", false)]
    #[case("168.63.129.17", true)]
    #[case("64:ff9b::a83f:8110", false)]
    #[case("224.0.0.1", false)]
    #[case("255.255.255.255", false)]
    #[case("192.0.2.1", false)]
    #[case("::", false)]
    #[case("::1", false)]
    #[case("::ffff:127.0.0.1", false)]
    #[case("::ffff:93.184.215.14", true)]
    #[case("64:ff9b::a9fe:a9fe", false)]
    #[case("2002:a9fe:a9fe::1", false)]
    #[case("fd00:ec2::254", false)]
    #[case("fe80::1", false)]
    #[case("ff02::1", false)]
    #[case("2001:db8::1", false)]
    fn addresses(#[case] address: IpAddr, #[case] allowed: bool) {
        let answer = PublicOnly::default().check(&Connection::direct("host", 80, address));
        assert_eq!(answer.is_ok(), allowed, "{answer:?}");
    }

    #[test]
    fn a_proxy_hides_the_address_and_has_to_be_trusted() {
        let public: IpAddr = [93, 184, 215, 14].into();
        let connection = Connection::direct("host", 80, public).through("http://proxy:3128");
        let error = PublicOnly::default().check(&connection).unwrap_err().to_string();
        assert!(error.contains("http://proxy:3128"), "{error}");
        assert_eq!(PublicOnly::trusting_the_proxy().check(&connection), Ok(()));
    }
}
