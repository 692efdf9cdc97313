//! A [`Request`] is one line of an access log.

use std::borrow::Cow;
use std::net::IpAddr;
use std::time::Duration;

use robots_core::path::split_url;

/// One line of an access log: a request, and how it was answered.
///
/// The texts are octets as the client sent them: a reader of logs decodes the escapes of its format.
///
/// ```
/// use robots_audit::Request;
/// use std::time::Duration;
/// let request = Request {
///     time: Duration::from_secs(1_000_000_000),
///     target: b"/robots.txt",
///     user_agent: b"examplebot/1.0",
///     ..Request::default()
/// };
/// assert!(request.is_robots_txt() && request.status == 200);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request<'a> {
    /// The time of the line, since the Unix epoch.
    pub time: Duration,
    /// The scheme, `http` or `https`, if the log states it.
    pub scheme: Option<&'a str>,
    /// The host, with the port if it is not the scheme's default, if the log states it.
    pub host: Option<&'a str>,
    /// The method.
    pub method: &'a [u8],
    /// Path and query, or a whole URL, as the request line has it.
    pub target: &'a [u8],
    /// The length of the part of the target that the server has decoded, in octets. The client may have sent any octet of
    /// it percent-encoded.
    pub decoded: usize,
    /// The status of the answer. If no answer was sent, this is a number outside 200 to 599, or 499 as nginx writes it.
    pub status: u16,
    /// The length of the body that was sent, in octets, if the log states it.
    pub octets: Option<u64>,
    /// The value of the `User-Agent` field; empty if there was none.
    pub user_agent: &'a [u8],
    /// The address of the client, if the log states it.
    pub address: Option<IpAddr>,
    /// Whether the log states that the answer was not sent completely.
    pub is_aborted: bool,
}

impl Default for Request<'_> {
    /// Returns a `GET` of `/` at the Unix epoch that was answered 200.
    fn default() -> Self {
        Self {
            time: Duration::ZERO,
            scheme: None,
            host: None,
            method: b"GET",
            target: b"/",
            decoded: 0,
            status: 200,
            octets: None,
            user_agent: b"",
            address: None,
            is_aborted: false,
        }
    }
}

impl<'a> Request<'a> {
    /// Returns whether the request is for the robots.txt of its origin. The path must be exactly `/robots.txt`, without
    /// a query (RFC 9309, 2.3).
    #[must_use]
    pub fn is_robots_txt(&self) -> bool {
        self.path_and_query() == b"/robots.txt"
    }

    /// Returns path and query, as the request line has them.
    pub(crate) fn path_and_query(&self) -> &'a [u8] {
        split_url(self.target).map_or(self.target, |(_, rest)| rest)
    }

    /// Returns path and query as text, and the other forms in which the client may have sent them. Returns `None` if rules
    /// cannot be compared with the target, or if it has too many forms. Octets that are not UTF-8 are percent-encoded, as
    /// they are before a comparison with rules.
    pub(crate) fn urls(&self) -> Option<(Cow<'a, str>, Vec<String>)> {
        let octets = self.path_and_query();
        if octets.first() != Some(&b'/') {
            return None;
        }
        let url = str::from_utf8(octets).map_or_else(|_| valid(octets).into(), Cow::Borrowed);
        if self.decoded == 0 {
            return Some((url, Vec::new()));
        }
        let (path, query) = octets.split_at_checked(self.decoded)?;
        Some((url, forms(path, query)?))
    }

    /// Returns scheme and host: those of a target that is a whole URL, or those of the log.
    pub(crate) fn origin(&self) -> (Option<&'a str>, Option<&'a str>) {
        let whole = split_url(self.target);
        let whole = whole.and_then(|(origin, _)| str::from_utf8(origin).ok()?.split_once("://"));
        match whole {
            Some((scheme, host)) => (Some(scheme), Some(host)),
            None => (self.scheme, self.host),
        }
    }
}

/// The largest number of forms of a decoded path that are compared with rules.
const FORMS: usize = 64;

/// Returns the forms of a decoded path with at least one octet encoded, each followed by the query. Returns `None` if there
/// are too many, or if the path has an octet whose form is unknown. Unreserved octets mean the same in both forms (RFC
/// 3986, 2.3). A slash is taken as a slash: otherwise, each rule for a folder would leave every request open, and Apache
/// refuses encoded slashes unless it is told to accept them.
fn forms(path: &[u8], query: &[u8]) -> Option<Vec<String>> {
    let mut forms = vec![String::new()];
    for octet in path {
        let encoded = match octet {
            b'/' | b'-' | b'.' | b'_' | b'~' => Vec::new(),
            octet if octet.is_ascii_alphanumeric() => Vec::new(),
            b'?' | b'#' | b'%' => return None,
            // IIS writes a space as `+`.
            b'+' => vec!["%2B".to_owned(), "%20".to_owned()],
            octet if octet.is_ascii_graphic() => vec![format!("%{octet:02X}")],
            _ => return None,
        };
        if forms.len() * (1 + encoded.len()) > FORMS {
            return None;
        }
        let mut others = Vec::new();
        for form in &mut forms {
            others.extend(encoded.iter().map(|encoded| format!("{form}{encoded}")));
            form.push(char::from(*octet));
        }
        forms.append(&mut others);
    }
    let query = valid(query);
    Some(forms.into_iter().skip(1).map(|form| form + &query).collect())
}

/// Returns octets as text. Those that are not UTF-8 are replaced by their percent-encoding, which a URL has for them anyway.
pub(crate) fn valid(octets: &[u8]) -> String {
    let mut text = String::with_capacity(octets.len() + 16);
    for chunk in octets.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|octet| format!("%{octet:02X}")));
    }
    text
}
