//! Where robots.txt lies, and what it governs.
//!
//! Path and query of a robots.txt URL are judged on the text as given, before any URL parser sees it;
//! only host and port are parsed, by the `url` crate, which knows internationalised host names.

use alloc::format;
use alloc::string::{String, ToString};
use core::fmt;

use url::Url;

use super::scope::Scope;
use crate::text::{authority, split_scheme};

/// The URL of a robots.txt file: what it governs has the same scheme, host and port.
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
    /// Reads the URL of a robots.txt file: its path is exactly `/robots.txt`, as given, and it has no
    /// query. User information is ignored, and so is a fragment.
    ///
    /// Sources: "location of the file and range of validity" of the Google editions; RFC 9309, 2.3.
    ///
    /// # Errors
    /// [`NotARobotsUrl`] for any other text.
    pub fn parse(text: &str) -> Result<Self, NotARobotsUrl> {
        let (origin, rest) = Origin::split(text).ok_or(NotARobotsUrl(()))?;
        match rest.strip_prefix("/robots.txt") {
            Some("") => Ok(Self { origin }),
            Some(fragment) if fragment.starts_with('#') => Ok(Self { origin }),
            _ => Err(NotARobotsUrl(())),
        }
    }

    /// Returns the URL of the robots.txt file that governs a URL; `None` for text without scheme and
    /// authority.
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

/// The error of text that is not the URL of a robots.txt file.
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

/// Returns what a robots.txt URL has to do with another URL.
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

/// Scheme and authority, normalised, without user information and default port.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Origin {
    scheme: String,
    authority: String,
}

impl Origin {
    /// Cuts a URL's text into its origin and what follows the authority.
    fn split(text: &str) -> Option<(Self, &str)> {
        let (scheme, after) = split_scheme(text.as_bytes())?;
        let scheme = text[..scheme.len()].to_ascii_lowercase();
        let after = &text[text.len() - after.len()..];
        let (authority, rest) = after.split_at(authority(after.as_bytes()).len());
        // What a URL parser would drop or rewrite in silence.
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

/// Host and port of a scheme whose default port is not known: an empty port is none, and a host outside
/// brackets holds no colon (RFC 3986, 3.2.2).
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
    let url = Url::parse(&format!("{scheme}://{host_and_port}/")).ok()?;
    let host = url.host_str()?;
    Some(url.port().map_or_else(|| host.to_string(), |port| format!("{host}:{port}")))
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use rstest::rstest;

    use super::Scope::{self, DoesNotGovern, Governs, NotARobotsUrl};
    use super::{RobotsUrl, scope};

    /// What governs a URL is written as text that says the same; what could not be is none.
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

    proptest::proptest! {
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
