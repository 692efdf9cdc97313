//! A [`CacheKey`] is the cache key of a robots.txt.
//!
//! Start at [`CacheKey::of`]. `robots-core` normalises the origin, so all spellings of an origin have one key. A key is
//! a URL too, and the key of this URL is the key itself. A cache rarely needs to parse a URL, because `as_it_stands`
//! returns the start of the URL, which is scheme and authority as written. If this start is itself a key, it is the key
//! of the URL. Property tests check that a key is its own key. They also check that the start of a URL, if it is a key,
//! is the key that the URL parser computes.

use std::fmt::{self, Write as _};
use std::sync::Arc;

use robots_core::fetch::RobotsUrl;

use crate::error::{Error, ErrorKind};

/// The path of every robots.txt.
const FILE: &str = "/robots.txt";

/// The key of a robots.txt in a cache: scheme, host and port, as `robots-core` normalises them.
///
/// A rule applies only to its origin (RFC 9309, 2.3; "location of the file and range of validity" of the Google
/// editions). So `http` and `https` have different keys, and two ports of a host have different keys.
///
/// ```
/// use robots_fetch::CacheKey;
/// let key = CacheKey::of("HTTPS://Example.com:443/a?b")?;
/// assert_eq!(key.as_str(), "https://example.com");
/// assert_eq!(key.robots_url(), "https://example.com/robots.txt");
/// assert_ne!(key, CacheKey::of("https://example.com:8443/a?b")?);
/// # Ok::<(), robots_fetch::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CacheKey(Arc<str>);

impl CacheKey {
    /// Makes the key of the origin to which a URL belongs.
    ///
    /// # Errors
    /// Returns an error if the text is not a URL with an authority, if the URL has user information, or if its scheme
    /// is not `http`, `https` or `ftp`.
    pub fn of(url: &str) -> Result<Self, Error> {
        let governing =
            RobotsUrl::governing(url).ok_or_else(|| Error::new(ErrorKind::NotAUrl, url))?;
        let mut robots_url = String::with_capacity(url.len() + FILE.len());
        let _ = write!(robots_url, "{governing}");
        let origin = robots_url.strip_suffix(FILE).unwrap_or(&robots_url);
        let scheme = origin.split_once("://").map_or("", |(scheme, _)| scheme);
        match refusal(scheme, url) {
            Some(kind) => Err(Error::new(kind, url)),
            None => Ok(Self(origin.into())),
        }
    }

    /// Returns the key as text: the scheme, `://`, the host, and the port if it is not the scheme's default.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the URL of the robots.txt.
    #[must_use]
    pub fn robots_url(&self) -> String {
        [&self.0, FILE].concat()
    }
}

impl fmt::Display for CacheKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::borrow::Borrow<str> for CacheKey {
    fn borrow(&self) -> &str {
        &self.0
    }
}

/// Returns why no request for robots.txt is sent to a URL with this scheme, or `None` if one may be sent. This check
/// applies to the URL of a question and to the target of a redirect.
pub(crate) fn refusal(scheme: &str, url: &str) -> Option<ErrorKind> {
    if !matches!(scheme, "http" | "https" | "ftp") {
        return Some(ErrorKind::Scheme);
    }
    has_userinfo(url).then_some(ErrorKind::UserInfo)
}

fn has_userinfo(url: &str) -> bool {
    let after = url.split_once("://").map_or("", |(_, after)| after);
    let authority = after.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    authority.contains('@')
}

/// Returns scheme and authority of a URL exactly as written, or `None` if the scheme is not `http`, `https` or `ftp` in
/// lower case. If the returned text is a key, it is the key of the URL, because keys are in normal form. So a cache
/// finds an entry without a URL parser.
#[cfg(any(feature = "cache", test))]
#[inline]
pub(crate) fn as_it_stands(url: &str) -> Option<&str> {
    let authority = match url.as_bytes() {
        [b'h', b't', b't', b'p', b's', b':', b'/', b'/', ..] => 8,
        [b'h', b't', b't', b'p', b':', b'/', b'/', ..] => 7,
        [b'f', b't', b'p', b':', b'/', b'/', ..] => 6,
        _ => return None,
    };
    let octets = url.as_bytes()[authority..].iter();
    let end = octets.take_while(|octet| !matches!(octet, b'/' | b'?' | b'#')).count();
    Some(&url[..authority + end])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::{CacheKey, as_it_stands};

    #[rstest]
    #[trace]
    #[case("http://example.com/x", "http://example.com")]
    #[case("http://example.com:80/x", "http://example.com")]
    #[case("https://example.com:80", "https://example.com:80")]
    #[case("http://example.com:443?x", "http://example.com:443")]
    #[case("http://EXAMPLE.com./x", "http://example.com.")]
    #[case("http://[0:0::1]:8080/", "http://[::1]:8080")]
    #[case("http://127.1/", "http://127.0.0.1")]
    #[case("http://0x7f.0.0.1/", "http://127.0.0.1")]
    #[case("https://www.müller.eu/", "https://www.xn--mller-kva.eu")]
    #[case("ftp://example.com:21/x", "ftp://example.com")]
    fn keys(#[case] url: &str, #[case] key: &str) {
        assert_eq!(CacheKey::of(url).unwrap().as_str(), key);
    }

    #[rstest]
    #[trace]
    #[case("/path", "not a URL")]
    #[case("mailto:x@example.com", "not a URL")]
    #[case("http://user:secret@example.com/", "user information")]
    #[case("gopher://example.com/", "scheme")]
    #[case("http://exa mple.com/", "not a URL")]
    fn refused(#[case] url: &str, #[case] says: &str) {
        let error = CacheKey::of(url).unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
        assert!(!error.contains("secret"), "{error}");
    }

    proptest! {
        /// If scheme and authority as written are a key, the URL parser computes the same key.
        #[test]
        fn a_key_that_stands_there_is_the_keys(
            origin in "(https?|ftp)://[a-z0-9.xé\\[:\\]-]{0,12}",
            rest in "([/?#@\\\\:%A\t ][a-z@:\\\\]{0,4})?",
        ) {
            let Ok(kept) = CacheKey::of(&origin) else { return Ok(()) };
            for url in [format!("{origin}{rest}"), format!("{kept}{rest}")] {
                if as_it_stands(&url) == Some(kept.as_str()) {
                    prop_assert_eq!(&CacheKey::of(&url).unwrap(), &kept);
                }
            }
        }

        #[test]
        fn a_key_is_its_own_key(url in "(https?|ftp)://[a-zA-Z0-9.:é\\[\\]-]{1,12}/x") {
            if let Ok(key) = CacheKey::of(&url) {
                prop_assert_eq!(CacheKey::of(key.as_str()).unwrap(), key);
            }
        }
    }
}
