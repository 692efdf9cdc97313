//! The published address ranges of crawlers: [`Ranges`].
//!
//! Operators publish the addresses of their crawlers as JSON (draft-illyes-aipref-jafar). A [`Ranges`] joins the
//! prefixes of each crawler and finds an address with a binary search. This module reads no files.

use std::collections::HashMap;
use std::fmt;
use std::net::IpAddr;

use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use serde::Deserialize;

/// The published address ranges of crawlers.
///
/// ```
/// use robots_audit::{Address, Ranges};
/// let json = br#"{"creationTime": "2026-01-01T00:00:00", "prefixes": [
///     {"ipv4Prefix": "192.0.2.0/24"}, {"ipv6Prefix": "2001:db8::/32"}]}"#;
/// let mut ranges = Ranges::default();
/// ranges.add("examplebot", json)?;
/// assert_eq!(ranges.check("ExampleBot", "192.0.2.7".parse().ok()), Address::Confirmed);
/// assert_eq!(ranges.check("ExampleBot", "198.51.100.7".parse().ok()), Address::Contradicted);
/// assert_eq!(ranges.check("otherbot", "192.0.2.7".parse().ok()), Address::Claimed);
/// # Ok::<(), robots_audit::NotRanges>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Ranges {
    /// For each product token in lower case, the joined prefixes in ascending order, IPv4 first.
    prefixes: HashMap<String, Vec<IpNet>>,
}

/// Whether the address of a client is one of the crawler that it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Address {
    /// The operator of the crawler publishes the address.
    Confirmed,
    /// Nothing is known about the address: the crawler has no published ranges here, or the log has no address, or one
    /// of the own network, such as that of a proxy.
    Claimed,
    /// The operator publishes its addresses, and this is none of them.
    Contradicted,
}

impl Address {
    /// Returns the value as one word.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Confirmed => "confirmed",
            Self::Claimed => "claimed",
            Self::Contradicted => "contradicted",
        }
    }
}

/// The error for octets that are not published address ranges. The text says which part is wrong.
#[derive(Debug)]
pub struct NotRanges(String);

impl fmt::Display for NotRanges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "not address ranges: {}; expected {{\"prefixes\": [{{\"ipv4Prefix\": \"192.0.2.0/24\"}}, …]}}",
            self.0
        )
    }
}

impl std::error::Error for NotRanges {}

/// A published file.
#[derive(Deserialize)]
struct File {
    prefixes: Vec<Prefix>,
}

/// A prefix. Other keys are ignored, because operators add their own.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Prefix {
    ipv4_prefix: Option<String>,
    ipv6_prefix: Option<String>,
}

impl Ranges {
    /// Adds the published ranges of a crawler. Several files of one crawler are joined.
    ///
    /// # Errors
    /// Returns [`NotRanges`] if the octets are not JSON with a list `prefixes`, or if a prefix is not an address with a
    /// length. A file without any prefix is an error too, because it would contradict every address.
    pub fn add(&mut self, token: &str, json: &[u8]) -> Result<(), NotRanges> {
        let file: File =
            serde_json::from_slice(json).map_err(|error| NotRanges(error.to_string()))?;
        let known = self.prefixes.get(&token.to_ascii_lowercase());
        let mut prefixes = known.cloned().unwrap_or_default();
        for prefix in &file.prefixes {
            prefixes.extend(prefix.nets()?);
        }
        if prefixes.is_empty() {
            return Err(NotRanges("the list `prefixes` has no prefix".to_owned()));
        }
        let mut joined = IpNet::aggregate(&prefixes);
        joined.sort_unstable();
        self.prefixes.insert(token.to_ascii_lowercase(), joined);
        Ok(())
    }

    /// Compares the address of a client with the published ranges of the crawler that it names. The ranges of a token
    /// are also those of its variants: those of `examplebot` apply to `ExampleBot-Image`, unless it has its own.
    #[must_use]
    pub fn check(&self, token: &str, address: Option<IpAddr>) -> Address {
        let (Some(prefixes), Some(address)) = (self.of(token), address) else {
            return Address::Claimed;
        };
        let address = address.to_canonical();
        let at = prefixes.partition_point(|net| net.network() <= address);
        match at.checked_sub(1).map(|before| prefixes[before].contains(&address)) {
            Some(true) => Address::Confirmed,
            _ if !is_public(address) => Address::Claimed,
            _ => Address::Contradicted,
        }
    }

    fn of(&self, token: &str) -> Option<&[IpNet]> {
        if self.prefixes.is_empty() {
            return None;
        }
        let mut token = &*token.to_ascii_lowercase();
        loop {
            if let Some(prefixes) = self.prefixes.get(token) {
                return Some(prefixes);
            }
            token = token.rsplit_once('-')?.0;
        }
    }
}

/// Returns whether an address can be the one of a client on the internet. Others are those of a proxy.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(four) => {
            // The addresses between a provider and its customers (RFC 6598).
            let is_shared = four.octets()[0] == 100 && four.octets()[1] & 0xC0 == 64;
            !(four.is_private() || four.is_loopback() || four.is_link_local() || is_shared)
        }
        IpAddr::V6(six) => {
            !(six.is_unique_local() || six.is_loopback() || six.is_unicast_link_local())
        }
    }
}

impl Prefix {
    fn nets(&self) -> Result<impl Iterator<Item = IpNet>, NotRanges> {
        let wrong = |text: &str| NotRanges(format!("{text:?} is not an address and a length"));
        let four = self.ipv4_prefix.as_deref();
        let four = four.map(|text| text.parse::<Ipv4Net>().map_err(|_| wrong(text))).transpose()?;
        let six = self.ipv6_prefix.as_deref();
        let six = six.map(|text| text.parse::<Ipv6Net>().map_err(|_| wrong(text))).transpose()?;
        Ok(four.map(IpNet::V4).into_iter().chain(six.map(IpNet::V6)))
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{Address, Ranges};

    /// An address of the own network is the one of a proxy. It does not show who the client is.
    #[rstest]
    #[trace]
    #[case("192.0.2.7", Address::Confirmed)]
    #[case("198.51.100.7", Address::Contradicted)]
    #[case("2001:db8::1", Address::Contradicted)]
    #[case("10.0.0.1", Address::Claimed)]
    #[case("::ffff:172.16.0.1", Address::Claimed)]
    #[case("192.168.0.1", Address::Claimed)]
    #[case("100.64.0.1", Address::Claimed)]
    #[case("169.254.1.1", Address::Claimed)]
    #[case("127.0.0.1", Address::Claimed)]
    #[case("::1", Address::Claimed)]
    #[case("fd00::1", Address::Claimed)]
    #[case("fe80::1", Address::Claimed)]
    fn only_public_addresses_contradict(#[case] address: &str, #[case] expected: Address) {
        let mut ranges = Ranges::default();
        ranges.add("examplebot", br#"{"prefixes": [{"ipv4Prefix": "192.0.2.0/24"}]}"#).unwrap();
        assert_eq!(ranges.check("examplebot", address.parse().ok()), expected);
    }
}
