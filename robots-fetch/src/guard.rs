//! A [`Guard`] decides to which addresses a client may connect.
//!
//! A client asks its guard before every connection. [`PublicOnly`] is a guard that refuses addresses that are not
//! public.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use robots_core::syntax::Shown;

/// Decides before each connection, also for each redirect, whether the client may make it.
///
/// A guard receives exactly the address that the client will connect to, because there is no second look-up. Closures
/// and [`PublicOnly`] are guards.
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
    /// Checks a connection before it is made, and returns an error with the reason if it is not permitted.
    ///
    /// # Errors
    /// Returns [`Refused`] if the connection is refused.
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
    /// The address of the connection: the host's address, or the proxy's.
    pub address: IpAddr,
    /// The URL of the proxy, if there is one. The proxy itself looks up the host.
    pub proxy: Option<&'c str>,
}

impl<'c> Connection<'c> {
    /// Describes a connection to the host itself, without a proxy. This function does not connect.
    #[must_use]
    pub const fn direct(host: &'c str, port: u16, address: IpAddr) -> Self {
        Self { host, port, address, proxy: None }
    }

    /// Changes the connection to one through a proxy. The address must be the proxy's address.
    #[must_use]
    pub const fn through(self, proxy: &'c str) -> Self {
        Self { proxy: Some(proxy), ..self }
    }
}

/// The reason why a connection is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused(String);

impl Refused {
    /// Makes a refusal from a reason: a clause without a full stop.
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

/// Refuses addresses outside the public Internet: loopback, private and link-local networks, the metadata services of
/// clouds, addresses for documentation and multicast, and the other special-purpose addresses of IANA's registries (RFC
/// 6890). A block of these registries is allowed if the whole block is globally reachable.
///
/// If an IPv6 address contains an IPv4 address, that IPv4 address is checked. Any other IPv6 address outside `2000::/3`
/// is refused. If there is a proxy, the address of the host is unknown. So a connection through a proxy is refused too,
/// unless the caller trusts the proxy to do the same check.
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
    /// Makes a guard that allows every connection through a proxy.
    #[must_use]
    pub const fn trusting_the_proxy() -> Self {
        Self { trusts_proxy: true }
    }
}

impl Guard for PublicOnly {
    fn check(&self, connection: &Connection<'_>) -> Result<(), Refused> {
        let host = Shown(connection.host.as_bytes());
        if let Some(proxy) = connection.proxy {
            let proxy = Shown(proxy.as_bytes());
            return if self.trusts_proxy {
                Ok(())
            } else {
                Err(Refused::because(format!(
                    "{host} is reached through the proxy {proxy}, which hides its address; trust the \
                     proxy to refuse private addresses, or use none"
                )))
            };
        }
        match special(connection.address) {
            None => Ok(()),
            Some(what) => Err(Refused::because(format!(
                "{host} has the address {}, which is {what}",
                connection.address
            ))),
        }
    }
}

/// Returns the kind of an address if it is not on the public Internet.
fn special(address: IpAddr) -> Option<&'static str> {
    match address {
        IpAddr::V4(address) => special_v4(address),
        IpAddr::V6(address) => special_v6(address),
    }
}

fn special_v4(address: Ipv4Addr) -> Option<&'static str> {
    let is_in = |prefix: Ipv4Addr, length: u8| {
        (address.to_bits() ^ prefix.to_bits()).checked_shr(32 - u32::from(length)) == Some(0)
    };
    let found = SPECIAL_V4.iter().find(|(prefix, length, _)| is_in(*prefix, *length));
    found.map(|(_, _, what)| *what)
}

fn special_v6(address: Ipv6Addr) -> Option<&'static str> {
    if let Some(wrapped) = unwrapped(address) {
        return special_v4(wrapped);
    }
    let is_in = |prefix: Ipv6Addr, length: u8| {
        (address.to_bits() ^ prefix.to_bits()).checked_shr(128 - u32::from(length)) == Some(0)
    };
    if let Some((_, _, what)) =
        SPECIAL_V6.iter().find(|(prefix, length, _)| is_in(*prefix, *length))
    {
        return Some(what);
    }
    // All public IPv6 addresses are in this block; the other seven eighths of the addresses are special or unused.
    (!is_in(Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3)).then_some("outside 2000::/3")
}

/// Returns the IPv4 address inside an IPv6 address, because packets go to that address.
fn unwrapped(address: Ipv6Addr) -> Option<Ipv4Addr> {
    // The patterns are IPv4-mapped (RFC 4291, 2.5.5.2), NAT64 (RFC 6052, 2.1) and 6to4 addresses (RFC 3056, 2).
    let ([0, 0, 0, 0, 0, 0xffff, high, low]
    | [0x64, 0xff9b, 0, 0, 0, 0, high, low]
    | [0x2002, high, low, ..]) = address.segments()
    else {
        return None;
    };
    Some(Ipv4Addr::from_bits((u32::from(high) << 16) | u32::from(low)))
}

/// The special-purpose IPv4 addresses of IANA's registry, as of May 2025, and multicast. Blocks that are globally
/// reachable as a whole are omitted. A block of which only a part is globally reachable is refused as a whole. Azure's
/// metadata service is added, because its address is in a public block.
#[rustfmt::skip]
const SPECIAL_V4: &[(Ipv4Addr, u8, &str)] = &[
    (Ipv4Addr::UNSPECIFIED, 8, "of this network"),
    (Ipv4Addr::new(10, 0, 0, 0), 8, "private"),
    (Ipv4Addr::new(100, 64, 0, 0), 10, "shared by a provider's customers"),
    (Ipv4Addr::new(127, 0, 0, 0), 8, "loopback"),
    (Ipv4Addr::new(168, 63, 129, 16), 32, "a cloud's metadata service"),
    (Ipv4Addr::new(169, 254, 0, 0), 16, "link-local"),
    (Ipv4Addr::new(172, 16, 0, 0), 12, "private"),
    (Ipv4Addr::new(192, 0, 0, 0), 24, "reserved for protocols"),
    (Ipv4Addr::new(192, 0, 2, 0), 24, "for documentation"),
    (Ipv4Addr::new(192, 88, 99, 0), 24, "reserved for protocols"),
    (Ipv4Addr::new(192, 168, 0, 0), 16, "private"),
    (Ipv4Addr::new(198, 18, 0, 0), 15, "for benchmarks"),
    (Ipv4Addr::new(198, 51, 100, 0), 24, "for documentation"),
    (Ipv4Addr::new(203, 0, 113, 0), 24, "for documentation"),
    (Ipv4Addr::new(224, 0, 0, 0), 4, "multicast"),
    (Ipv4Addr::new(240, 0, 0, 0), 4, "reserved"),
];

/// IANA's registry of special-purpose IPv6 addresses, as of May 2025 (RFC 9780): the blocks in `2000::/3`, and blocks
/// outside it that have a useful name for the message. Blocks that are globally reachable as a whole are omitted.
#[rustfmt::skip]
const SPECIAL_V6: &[(Ipv6Addr, u8, &str)] = &[
    (Ipv6Addr::UNSPECIFIED, 128, "unspecified"),
    (Ipv6Addr::LOCALHOST, 128, "loopback"),
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23, "reserved for protocols"),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32, "for documentation"),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20, "for documentation"),
    (Ipv6Addr::new(0xfc00, 0, 0, 0, 0, 0, 0, 0), 7, "private"),
    (Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, 0), 10, "link-local"),
    (Ipv6Addr::new(0xff00, 0, 0, 0, 0, 0, 0, 0), 8, "multicast"),
];

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use rstest::rstest;

    use super::{Connection, Guard, PublicOnly};

    #[rstest]
    #[trace]
    #[case("93.184.215.14", true)]
    #[case("2606:2800:21f:cb07:6820:80da:af6b:8b2c", true)]
    // The registries list the next four blocks, but these blocks are globally reachable.
    #[case("192.31.196.1", true)]
    #[case("192.52.193.1", true)]
    #[case("192.175.48.1", true)]
    #[case("2620:4f:8000::1", true)]
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
    #[case("2001:1ff:ffff::1", false)]
    #[case("2001:200::1", true)]
    #[case("3fff:fff::1", false)]
    #[case("3fff:1000::1", true)]
    #[case("198.17.255.255", true)]
    #[case("198.18.0.1", false)]
    #[case("198.19.255.255", false)]
    #[case("198.20.0.0", true)]
    #[case("223.255.255.255", true)]
    #[case("2002:7f00:1::1", false)]
    #[case("2002:c612:1::1", false)]
    #[case("2002:5db8:d70e::1", true)]
    #[case("64:ff9b::5db8:d70e", true)]
    #[case("64:ff9b:0:0:1::5db8:d70e", false)]
    #[case("64:ff9b:1::5db8:d70e", false)]
    #[case("::ffff:0:7f00:1", false)]
    #[case("::ffff:0:5db8:d70e", false)]
    #[case("::1:7f00:1", false)]
    #[case("::5db8:d70e", false)]
    #[case("100::1", false)]
    #[case("100:0:0:1::1", false)]
    #[case("1fff:ffff::1", false)]
    #[case("2000::1", true)]
    #[case("3fff:ffff:ffff::1", true)]
    #[case("4000::1", false)]
    #[case("5f00::1", false)]
    #[case("fbff::1", false)]
    #[case("fec0::1", false)]
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
