//! Reads the URL of a robots.txt, and decides which URLs the file governs.
//!
//! This module checks the path and the query of a robots.txt URL in the text as given, because a URL parser could
//! change them. For the host and the port, the module uses the `url` crate, because this crate supports
//! internationalised host names.

use alloc::format;
use alloc::string::{String, ToString};
use core::fmt;
use core::net::Ipv4Addr;

use url::Url;

use super::scope::Scope;
use crate::text::{authority, split_scheme};

/// The URL of a robots.txt file. The file governs all URLs with the same scheme, host and port.
///
/// ```
/// use robots_core::fetch::RobotsUrl;
/// let robots = RobotsUrl::parse("https://www.müller.eu/robots.txt").unwrap();
/// assert!(robots.governs("https://www.xn--mller-kva.eu:443/folder/file"));
/// assert!(!robots.governs("http://www.müller.eu/"));
/// assert!(RobotsUrl::parse("https://example.com/folder/robots.txt").is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RobotsUrl {
    origin: Origin,
}

impl RobotsUrl {
    /// Reads the URL of a robots.txt file. The path of the URL must be exactly `/robots.txt`, as given, without a
    /// query. User information and a fragment are ignored.
    ///
    /// Sources: the section "location of the file and range of validity" of the Google editions; RFC 9309, 2.3.
    ///
    /// # Errors
    /// Returns [`NotARobotsUrl`] for any other text.
    pub fn parse(text: &str) -> Result<Self, NotARobotsUrl> {
        let (origin, rest) = Origin::split(text).ok_or(NotARobotsUrl(()))?;
        match rest.strip_prefix("/robots.txt") {
            Some("") => Ok(Self { origin }),
            Some(fragment) if fragment.starts_with('#') => Ok(Self { origin }),
            _ => Err(NotARobotsUrl(())),
        }
    }

    /// Returns the URL of the robots.txt file that governs a URL, or `None` if the text has no scheme and authority.
    ///
    /// ```
    /// use robots_core::fetch::RobotsUrl;
    /// let robots = RobotsUrl::governing("HTTPS://Example.com:443/a?b").unwrap();
    /// assert_eq!(robots.to_string(), "https://example.com/robots.txt");
    /// ```
    #[must_use]
    pub fn governing(url: &str) -> Option<Self> {
        Origin::split(url).map(|(origin, _)| Self { origin })
    }

    /// Returns whether the file's rules apply to the URL: scheme, host and port are the same.
    #[must_use]
    pub fn governs(&self, url: &str) -> bool {
        Self::governing(url).as_ref() == Some(self)
    }
}

impl fmt::Display for RobotsUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}/robots.txt", self.origin.scheme, self.origin.authority)
    }
}

/// The error for text that is not the URL of a robots.txt file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotARobotsUrl(());

impl fmt::Display for NotARobotsUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "not the URL of a robots.txt file: scheme, `://`, host and `/robots.txt`, no query",
        )
    }
}

impl core::error::Error for NotARobotsUrl {}

/// Returns whether the file at a robots.txt URL governs another URL.
///
/// ```
/// use robots_core::fetch::{Scope, scope};
/// assert_eq!(scope("http://example.com/robots.txt", "http://example.com:81/"), Scope::DoesNotGovern);
/// ```
#[must_use]
pub fn scope(robots_url: &str, url: &str) -> Scope {
    match RobotsUrl::parse(robots_url) {
        Err(NotARobotsUrl(())) => Scope::NotARobotsUrl,
        Ok(robots) if robots.governs(url) => Scope::Governs,
        Ok(_) => Scope::DoesNotGovern,
    }
}

/// The normalised scheme and authority of a URL, without user information and without a default port.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Origin {
    scheme: String,
    authority: String,
}

impl Origin {
    /// Splits a URL's text into its origin and the text after the authority.
    fn split(text: &str) -> Option<(Self, &str)> {
        let (scheme, after) = split_scheme(text.as_bytes())?;
        let scheme = text[..scheme.len()].to_ascii_lowercase();
        let after = &text[text.len() - after.len()..];
        let (authority, rest) = after.split_at(authority(after.as_bytes()).len());
        // A URL parser would silently drop or rewrite these characters, so the text is refused.
        if authority.contains(|c: char| c.is_ascii_control() || matches!(c, ' ' | '\\')) {
            return None;
        }
        let host_and_port = authority.rsplit_once('@').map_or(authority, |(_, after)| after);
        let authority = match &*scheme {
            "http" | "https" | "ftp" => parsed(&scheme, host_and_port)?,
            _ => unparsed(host_and_port)?,
        };
        Some((Self { scheme, authority }, rest))
    }
}

/// Returns host and port in lower case, for a scheme without a known default port. Removes an empty port. Returns
/// `None` if the host is not in brackets and contains a colon (RFC 3986, 3.2.2).
fn unparsed(host_and_port: &str) -> Option<String> {
    let host_and_port = host_and_port.strip_suffix(':').unwrap_or(host_and_port);
    let behind_brackets = host_and_port.rsplit_once(']').map_or(host_and_port, |(_, after)| after);
    let is_host = !behind_brackets.ends_with(':') && behind_brackets.matches(':').count() <= 1;
    is_host.then(|| host_and_port.to_ascii_lowercase())
}

fn parsed(scheme: &str, host_and_port: &str) -> Option<String> {
    if host_and_port.is_empty() {
        return None;
    }
    if is_normal(scheme, host_and_port) {
        return Some(host_and_port.to_string());
    }
    let url = Url::parse(&format!("{scheme}://{host_and_port}/")).ok()?;
    let host = url.host_str()?;
    Some(url.port().map_or_else(|| host.to_string(), |port| format!("{host}:{port}")))
}

/// Returns whether it is certain that a URL parser would not change host and port. This fast check is enough for most
/// hosts, which are ASCII names in lower case. If the result is `false`, the URL parser must decide.
fn is_normal(scheme: &str, host_and_port: &str) -> bool {
    let (host, port) = match host_and_port.split_once(':') {
        Some((host, port)) => (host, Some(port)),
        None => (host_and_port, None),
    };
    let default = match scheme {
        "http" => 80,
        "https" => 443,
        _ => 21,
    };
    let is_port = |text: &str| {
        !text.starts_with(['0', '+']) && text.parse().is_ok_and(|port: u16| port != default)
    };
    // A host whose last label is a number is an address, which can be written in several forms. A label with `--` may
    // need IDNA checks.
    let is_label = |label: &str| {
        let octet = |octet| matches!(octet, b'a'..=b'z' | b'0'..=b'9' | b'-');
        !label.is_empty() && label.bytes().all(octet) && !label.contains("--")
    };
    let is_name = host
        .rsplit('.')
        .next()
        .is_some_and(|last| last.as_bytes().first().is_some_and(u8::is_ascii_lowercase))
        && host.split('.').all(is_label);
    (is_name || host.parse::<Ipv4Addr>().is_ok()) && port.is_none_or(is_port)
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::ToString;

    use rstest::rstest;

    use super::Scope::{self, DoesNotGovern, Governs, NotARobotsUrl};
    use super::{RobotsUrl, is_normal, scope};

    /// If `RobotsUrl::parse` reads the text of a [`RobotsUrl`], the result is the same `RobotsUrl`.
    #[rstest]
    #[trace]
    #[case("x://::", None)]
    #[case("x://a::1", None)]
    #[case("x://a:", Some("x://a/robots.txt"))]
    #[case("x://[::1]:", Some("x://[::1]/robots.txt"))]
    #[case("x://:", Some("x:///robots.txt"))]
    #[case("http://a@b@C:80", Some("http://c/robots.txt"))]
    fn the_governing_file_survives_its_text(#[case] url: &str, #[case] written: Option<&str>) {
        let robots = RobotsUrl::governing(url);
        assert_eq!(robots.as_ref().map(ToString::to_string).as_deref(), written);
        if let (Some(robots), Some(written)) = (robots, written) {
            assert_eq!(RobotsUrl::parse(written), Ok(robots));
        }
    }

    #[rstest]
    #[trace]
    #[case("http", "example.com", true)]
    #[case("http", "example.com:8080", true)]
    #[case("http", "example.com:80", false)]
    #[case("https", "example.com:80", true)]
    #[case("https", "example.com:443", false)]
    #[case("ftp", "example.com:21", false)]
    #[case("http", "127.0.0.1:65535", true)]
    #[case("http", "127.0.0.1:65536", false)]
    #[case("http", "127.0.0.01", false)]
    #[case("http", "example.com:", false)]
    #[case("http", "example.com:+1", false)]
    #[case("http", "example.com:01", false)]
    #[case("http", "example.0x7f", false)]
    #[case("http", "Example.com", false)]
    #[case("http", "example.com.", false)]
    #[case("http", "a..com", false)]
    #[case("http", "xn--nxasmq6b.com", false)]
    #[case("http", "müller.eu", false)]
    #[case("http", "[::1]", false)]
    fn normal_at_once(#[case] scheme: &str, #[case] authority: &str, #[case] normal: bool) {
        assert_eq!(is_normal(scheme, authority), normal);
    }

    proptest::proptest! {
        /// A URL parser does not change a host and port that the fast check accepts.
        #[test]
        fn what_is_normal_is_left_alone(
            scheme in "https?|ftp",
            host in "([a-zA0-9x-]{0,5}\\.){0,3}[a-z0-9é]{0,4}\\.?|([0-9]{1,3}\\.){3}[0-9]{1,3}|xn--[a-z0-9]{1,6}",
            port in "(:[0-9+]{0,5}|:(80|443|21))?",
        ) {
            let authority = format!("{host}{port}");
            if is_normal(&scheme, &authority) {
                let url = url::Url::parse(&format!("{scheme}://{authority}/")).unwrap();
                proptest::prop_assert_eq!(&url[url::Position::BeforeHost..url::Position::AfterPort], authority);
            }
        }

        #[test]
        fn any_governing_file_survives_its_text(url in "(x|http|ftp)://[]\\[:@a1é.%-]{0,8}(/a)?") {
            if let Some(robots) = RobotsUrl::governing(&url) {
                proptest::prop_assert_eq!(RobotsUrl::parse(&robots.to_string()), Ok(robots));
            }
        }
    }

    #[rstest]
    #[trace]
    #[case("http://example.com/robots.txt", "http://example.com", Governs)]
    #[case("http://user:pw@example.com/robots.txt", "http://example.com/", Governs)]
    #[case("HTTP://EXAMPLE.com/robots.txt", "http://example.COM/", Governs)]
    #[case("http://example.com/robots.txt#x", "http://example.com/", Governs)]
    #[case("http://example.com:/robots.txt", "http://example.com/", Governs)]
    #[case("http://[::1]/robots.txt", "http://[0:0::1]:80/", Governs)]
    #[case("gopher://Example.com/robots.txt", "gopher://example.com/", Governs)]
    #[case("gopher://example.com/robots.txt", "gopher://example.com:70/", DoesNotGovern)]
    #[case("http://example.com/robots.txt", "http://example.com./", DoesNotGovern)]
    #[case("http://example.com/robots.txt", "http://exam\tple.com/", DoesNotGovern)]
    #[case("http://example.com/robots.txt", "/path", DoesNotGovern)]
    #[case("http://example.com/robots.txt?", "http://example.com/", NotARobotsUrl)]
    #[case("http://example.com/a/../robots.txt", "http://example.com/", NotARobotsUrl)]
    #[case("http://example.com/%2e%2e/robots.txt", "http://example.com/", NotARobotsUrl)]
    #[case("http://example.com/robots\t.txt", "http://example.com/", NotARobotsUrl)]
    #[case("http:\\\\example.com\\robots.txt", "http://example.com/", NotARobotsUrl)]
    #[case("http://example.com\\robots.txt", "http://example.com/", NotARobotsUrl)]
    #[case("http://example.com//robots.txt", "http://example.com/", NotARobotsUrl)]
    #[case("http:///robots.txt", "http://robots.txt/", NotARobotsUrl)]
    #[case("http://exa mple.com/robots.txt", "http://exa mple.com/", NotARobotsUrl)]
    fn scopes(#[case] robots_url: &str, #[case] url: &str, #[case] expected: Scope) {
        assert_eq!(scope(robots_url, url), expected);
    }
}
