//! Assigns addresses and ports to origins, and binds sockets for them.
//!
//! Start at [`bind()`]. This function first finds the host and the addresses of every origin. Origins that share a port
//! number are bound together, because the number must be free at each of their addresses. On loopback, every host gets
//! a separate address if the machine allows it, so that two hosts can have the same port. An origin that refuses
//! connections has a bound socket too ([`Door::Refusing`]), so that no other process gets its port.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

use socket2::{Domain, Socket, Type};

use crate::error::StartError;
use crate::namespace::{Names, Namespace};
use crate::sites::{Origin, Scheme, Sites};

/// The kind of network of a test server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Net {
    /// Loopback. Each host without a name has a separate address of 127.0.0.0/8. If the machine answers only on
    /// 127.0.0.1, all these hosts use this address, and differ by their ports.
    #[default]
    Loopback,
    /// Loopback. All hosts without a name are on 127.0.0.1, and differ by their ports.
    Ports,
    /// The network namespace of this process ([`Namespace`]): host names and default ports.
    Namespace,
}

/// An origin with its address.
#[derive(Clone, Debug)]
pub(crate) struct Located {
    /// The host in the form that a URL contains.
    pub(crate) host: String,
    /// Host and port in the form that a URL contains, without the scheme's default port.
    pub(crate) authority: String,
    /// The sockets of the origin, one for each address, as indices of [`Bound::doors`].
    pub(crate) doors: Vec<usize>,
}

/// The bound sockets.
pub(crate) struct Bound {
    /// The names in the hosts file for these sockets.
    pub(crate) names: Option<Names>,
    /// The addresses of the origins, in the order of the sites.
    pub(crate) located: Vec<Located>,
    pub(crate) doors: Vec<Door>,
}

/// A bound socket.
pub(crate) enum Door {
    Open(TcpListener),
    /// The socket is bound, so that no other process gets the port, but does not listen, so that it refuses
    /// connections.
    Refusing {
        _socket: Socket,
    },
}

/// Binds a socket for each address and port of the sites.
pub(crate) fn bind(sites: &Sites, net: Net) -> Result<Bound, StartError> {
    let namespace = match net {
        Net::Namespace => Some(Namespace::here()?.ok_or_else(|| {
            StartError::NotHere("this process is not in a separate network namespace".to_owned())
        })?),
        _ => None,
    };
    let mut hosts = Hosts { net, namespace, addresses: HashMap::new(), names: BTreeMap::new() };
    let mut origins = Vec::new();
    for (name, origin) in &sites.0 {
        let label = root(sites, name, |origin| origin.host.as_deref())?;
        let port = root(sites, name, |origin| origin.port.as_deref())?;
        let (host, addresses) = hosts.of(label, origin)?;
        origins.push(Planned { origin, label, port, host, addresses });
    }
    let names = namespace.map(|namespace| namespace.claim(hosts.names)).transpose();
    let names = names.map_err(StartError::Io)?;
    let mut bound = Bound { names, located: Vec::new(), doors: Vec::new() };
    // Origins that share a port number are bound together: either all sockets are bound, or none.
    let mut ports: HashMap<&str, (u16, HashMap<IpAddr, usize>)> = HashMap::new();
    for planned in &origins {
        if !ports.contains_key(planned.port) {
            let together = origins.iter().filter(|other| other.port == planned.port);
            let group = bind_together(&together.collect::<Vec<_>>(), net, &mut bound.doors)?;
            ports.insert(planned.port, group);
        }
        let (port, doors) = &ports[planned.port];
        let authority = if *port == planned.origin.scheme.default_port() {
            planned.host.clone()
        } else {
            format!("{}:{port}", planned.host)
        };
        let doors = planned.addresses.iter().map(|address| doors[address]).collect();
        bound.located.push(Located { host: planned.host.clone(), authority, doors });
    }
    Ok(bound)
}

struct Planned<'s> {
    origin: &'s Origin,
    /// The name of the origin that defines the host of this origin.
    label: &'s str,
    /// The name of the origin that defines the port of this origin.
    port: &'s str,
    host: String,
    addresses: Vec<IpAddr>,
}

/// Returns the name of the origin that defines the host or the port. `next` returns the `host` or the `port` of an
/// origin, which names another origin.
fn root<'s>(
    sites: &'s Sites,
    name: &'s str,
    next: impl Fn(&'s Origin) -> Option<&'s str>,
) -> Result<&'s str, StartError> {
    let mut at = name;
    for _ in 0..=sites.0.len() {
        let origin = sites.0.get(at).ok_or_else(|| {
            StartError::Sites(format!("origin {name} refers to {at}, which does not exist"))
        })?;
        match next(origin) {
            Some(other) if other != at => at = other,
            _ => return Ok(at),
        }
    }
    Err(StartError::Sites(format!("origin {name} refers to itself through others")))
}

/// Assigns addresses to hosts.
struct Hosts<'s> {
    net: Net,
    namespace: Option<&'static Namespace>,
    addresses: HashMap<&'s str, IpAddr>,
    /// The names for the hosts file.
    names: BTreeMap<String, IpAddr>,
}

impl<'s> Hosts<'s> {
    /// Returns the host in the form that a URL contains, and its addresses.
    fn of(&mut self, host: &'s str, origin: &Origin) -> Result<(String, Vec<IpAddr>), StartError> {
        let v6 = IpAddr::V6(Ipv6Addr::LOCALHOST);
        let v4 = IpAddr::V4(Ipv4Addr::LOCALHOST);
        match origin.name.as_deref() {
            Some("[::1]") if can_bind(v6) => Ok(("[::1]".to_owned(), vec![v6])),
            Some("[::1]") => {
                Err(StartError::NotHere("this machine has no IPv6 loopback".to_owned()))
            }
            Some("127.0.0.1") => Ok(("127.0.0.1".to_owned(), vec![v4])),
            // A crawler's resolver decides which of the two addresses the crawler tries first.
            Some("localhost") if can_bind(v6) => Ok(("localhost".to_owned(), vec![v4, v6])),
            Some("localhost") => Ok(("localhost".to_owned(), vec![v4])),
            Some(name) if self.namespace.is_none() => Err(StartError::NotHere(format!(
                "the host name {name} needs a network namespace, and this is loopback"
            ))),
            Some(name) => {
                let literal = name.trim_start_matches('[').trim_end_matches(']').parse().ok();
                let address = match literal {
                    Some(address) => address,
                    None => self.address(host),
                };
                if literal.is_none() {
                    self.names.insert(name.to_owned(), address);
                }
                Ok((name.to_owned(), vec![address]))
            }
            None => {
                let address = self.address(host);
                Ok((address.to_string(), vec![address]))
            }
        }
    }

    /// Returns the address of a host that has no name, or whose name is in the hosts file.
    fn address(&mut self, host: &'s str) -> IpAddr {
        let (net, namespace) = (self.net, self.namespace);
        *self.addresses.entry(host).or_insert_with(|| match (net, namespace) {
            (Net::Namespace, Some(namespace)) => namespace.address(),
            (Net::Loopback, _) => own_address(),
            _ => IpAddr::V4(Ipv4Addr::LOCALHOST),
        })
    }
}

/// Returns a new address of 127.0.0.0/8 for a host. The addresses of a process repeat only after millions of hosts. If
/// the machine does not answer at the new address, returns 127.0.0.1.
fn own_address() -> IpAddr {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number =
        NEXT.fetch_add(1, Ordering::Relaxed).wrapping_add(process::id().wrapping_mul(7919));
    // Some addresses that begin with 127.0 or 127.255 are in use. Addresses that end in .0 or .255 may have a special
    // meaning.
    let digit = |number: u32, base: u32| u8::try_from(number % base).unwrap_or_default();
    let (last, low, high) = (digit(number, 254), digit(number / 254, 256), number / 254 / 256);
    let address = IpAddr::V4(Ipv4Addr::new(127, 16 + digit(high, 200), low, 1 + last));
    if can_bind(address) { address } else { IpAddr::V4(Ipv4Addr::LOCALHOST) }
}

fn can_bind(address: IpAddr) -> bool {
    TcpListener::bind((address, 0)).is_ok()
}

/// Binds the same port number at all addresses of these origins. Returns the number, and the index in `doors` of the
/// socket at each address.
fn bind_together(
    origins: &[&Planned<'_>],
    net: Net,
    doors: &mut Vec<Door>,
) -> Result<(u16, HashMap<IpAddr, usize>), StartError> {
    let addresses: BTreeSet<IpAddr> =
        origins.iter().flat_map(|planned| &planned.addresses).copied().collect();
    let mut labels: HashMap<&str, &str> = HashMap::new();
    let schemes: HashSet<Scheme> = origins.iter().map(|planned| planned.origin.scheme).collect();
    // Each host of a namespace has a separate address, so the scheme's default port is usually free.
    let default = match (net, schemes.iter().next()) {
        (Net::Namespace, Some(scheme)) if schemes.len() == 1 => scheme.default_port(),
        _ => 0,
    };
    for planned in origins {
        let label = labels.entry(&planned.host).or_insert(planned.label);
        if *label != planned.label {
            return Err(StartError::NotHere(
                "two hosts with one port number need two addresses of loopback".to_owned(),
            ));
        }
    }
    let refuses = |address: &IpAddr| {
        origins
            .iter()
            .filter(|planned| planned.addresses.contains(address))
            .all(|planned| planned.origin.refuses)
    };
    let mut last = None;
    for attempt in 0..50 {
        match bind_all(&addresses, &refuses, if attempt == 0 { default } else { 0 }) {
            Ok((port, bound)) => {
                let first = doors.len();
                let sockets = addresses.iter().enumerate();
                let sockets = sockets.map(|(index, address)| (*address, first + index)).collect();
                doors.extend(bound);
                return Ok((port, sockets));
            }
            // Another process uses the port at one of the addresses, so another port is tried.
            Err(error) => last = Some(error),
        }
    }
    Err(StartError::Io(last.unwrap_or_else(|| io::Error::other("no port is free"))))
}

fn bind_all(
    addresses: &BTreeSet<IpAddr>,
    refuses: &dyn Fn(&IpAddr) -> bool,
    mut port: u16,
) -> io::Result<(u16, Vec<Door>)> {
    let mut doors = Vec::new();
    for address in addresses {
        let socket =
            Socket::new(Domain::for_address(SocketAddr::new(*address, 0)), Type::STREAM, None)?;
        if address.is_ipv6() {
            socket.set_only_v6(true)?;
        }
        if port != 0 {
            // A server that ended a moment ago may have used the default port.
            socket.set_reuse_address(true)?;
        }
        socket.bind(&SocketAddr::new(*address, port).into())?;
        let bound = socket.local_addr()?.as_socket();
        port = bound.map(|bound| bound.port()).ok_or_else(|| io::Error::other("no port"))?;
        doors.push(if refuses(address) {
            Door::Refusing { _socket: socket }
        } else {
            socket.listen(1024)?;
            socket.set_nonblocking(true)?;
            Door::Open(socket.into())
        });
    }
    Ok((port, doors))
}
