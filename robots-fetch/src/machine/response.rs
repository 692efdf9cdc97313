//! A [`Response`] is the answer that a transport gives to the retrieval. Start at [`Response::new`].
//!
//! A [`Response`] keeps only the fields that the retrieval uses, and checks the framing of the message (RFC 9112, 6.3).

use std::time::{Duration, UNIX_EPOCH};

use super::body::Body;

/// The longest `Location` that is accepted, in octets. A redirect with a longer `Location` counts as a failure.
const LOCATION: usize = 8 * 1024;
/// The longest validator, media type or `Retry-After` that is kept, in octets.
const FIELD: usize = 1024;
/// The longest head of an answer, in octets. For [`Response::new`], the fields are the head.
pub(crate) const HEAD: usize = 64 * 1024;
/// The largest number of fields of an answer.
pub(crate) const FIELDS: usize = 100;

/// An answer to a request for robots.txt: the status, the fields that the retrieval uses, and the body.
///
/// ```
/// use robots_fetch::retrieval::{Body, Response};
/// let response = Response::new(200, [("etag", &b"\"v1\""[..]), ("x-other", b"1")])
///     .with_body(Body::of("user-agent: *\ndisallow: /private\n"));
/// assert!(response.has_a_file());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Response {
    pub(super) status: u16,
    pub(super) location: Option<Vec<u8>>,
    pub(super) etag: Option<String>,
    pub(super) last_modified: Option<String>,
    pub(super) content_type: Option<String>,
    content_encoding: Option<String>,
    max_age: Option<Duration>,
    age: Option<Duration>,
    date: Option<Duration>,
    retry_after: Option<String>,
    pub(super) varies: bool,
    framing: Framing,
    pub(super) body: Body,
}

/// The way in which a message marks the end of its body (RFC 9112, 6.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Framing {
    /// The body ends with the connection.
    #[default]
    Close,
    /// The body ends with the last chunk.
    Chunked,
    /// The body has this number of octets.
    Length(u64),
    /// The fields do not define the end of the body, or define two different ends, or the head is malformed.
    Invalid(&'static str),
}

impl Framing {
    /// Adds a line of `Transfer-Encoding`. Only a single `chunked` is valid, because no request asks for another coding
    /// (none has a `TE` field). If a client ignored an unknown coding, it would read encoded octets as the file.
    fn with_transfer_encoding(self, value: &[u8]) -> Self {
        match self {
            Self::Close if value.trim_ascii().eq_ignore_ascii_case(b"chunked") => Self::Chunked,
            Self::Close | Self::Chunked => {
                Self::Invalid("its Transfer-Encoding is not a single `chunked`")
            }
            Self::Length(_) => BOTH,
            Self::Invalid(_) => self,
        }
    }

    /// Adds a line of `Content-Length`. `Content-Length` may repeat the same number (RFC 9110, 8.6).
    fn with_content_length(self, value: &[u8]) -> Self {
        value.split(|octet| *octet == b',').fold(self, |framing, value| {
            let digits = str::from_utf8(value.trim_ascii()).ok();
            let digits = digits.filter(|digits| digits.bytes().all(|octet| octet.is_ascii_digit()));
            let length = digits.and_then(|digits| digits.parse().ok());
            match (framing, length) {
                (Self::Close, Some(length)) => Self::Length(length),
                (Self::Length(before), Some(length)) if before == length => framing,
                (Self::Close | Self::Length(_), _) => {
                    Self::Invalid("its Content-Length is not one number")
                }
                (Self::Chunked, _) => BOTH,
                (Self::Invalid(_), _) => framing,
            }
        })
    }
}

/// The framing of a message with both `Transfer-Encoding` and `Content-Length`. Two clients could read two different
/// bodies from such a message. RFC 9112 (6.3) says that such a message ought to be handled as an error.
const BOTH: Framing = Framing::Invalid("it has both Transfer-Encoding and Content-Length");

impl Response {
    /// Makes the answer from its status and its fields, whose names may be in upper or lower case.
    ///
    /// The answer is a failure if it has more than 100 fields, if they are longer than 64 KiB, or if one is malformed. An
    /// HTTP library that accepts a malformed field may have missed the fields beside it.
    pub fn new<'f>(status: u16, fields: impl IntoIterator<Item = (&'f str, &'f [u8])>) -> Self {
        let mut response = Self { status, ..Self::default() };
        let mut head = 0;
        for (index, (name, value)) in fields.into_iter().enumerate() {
            head += name.len() + ": ".len() + value.len() + "\r\n".len();
            if let Some(why) = malformed(index, head, name, value) {
                response.framing = Framing::Invalid(why);
                break;
            }
            // HTTP libraries usually give names in lower case, so this rarely allocates.
            if name.bytes().any(|octet| octet.is_ascii_uppercase()) {
                response.take(&name.to_ascii_lowercase(), value);
            } else {
                response.take(name, value);
            }
        }
        response
    }

    /// Returns the status.
    #[must_use]
    pub const fn status(&self) -> u16 {
        self.status
    }

    /// Adds the body.
    #[must_use]
    pub fn with_body(self, body: Body) -> Self {
        Self { body, ..self }
    }

    /// Returns whether the body is a file that must be read. The body of any other answer is ignored.
    #[must_use]
    pub fn has_a_file(&self) -> bool {
        matches!(self.status, 200..=299) && self.invalid_head().is_none()
    }

    /// Returns the reason why the head is malformed or the end of the body is unknown, as a part of a sentence. Such an
    /// answer is a failure, whatever its status.
    pub(super) fn invalid_head(&self) -> Option<&'static str> {
        match self.framing {
            Framing::Invalid(why) => Some(why),
            _ => None,
        }
    }

    /// Returns whether the answer itself marks the end of its body, so that an empty body is intended. A 204 has no
    /// body, whatever its `Content-Length`.
    pub(super) fn shows_its_end(&self) -> bool {
        self.status == 204 || matches!(self.framing, Framing::Chunked | Framing::Length(0))
    }

    /// Returns the approximate size of the answer in memory, in octets.
    #[cfg(feature = "warc")]
    pub(crate) fn size(&self) -> usize {
        size_of::<Self>() + self.body.octets().len() + self.location.as_ref().map_or(0, Vec::len)
    }

    #[cfg(feature = "warc")]
    pub(super) fn is_chunked(&self) -> bool {
        self.framing == Framing::Chunked
    }

    /// Returns the `Content-Length`, if it defines the end of the body.
    pub(super) fn declared_length(&self) -> Option<u64> {
        match self.framing {
            Framing::Length(length) => Some(length),
            _ => None,
        }
    }

    /// Returns whether the body is shorter than its `Content-Length`, given the number of octets that arrived.
    pub(super) fn is_longer_than(&self, arrived: usize) -> bool {
        let declared = self.declared_length().unwrap_or_default();
        u64::try_from(arrived).is_ok_and(|arrived| arrived < declared)
    }

    /// Returns the content codings of the body, for [`BodyReader::new`](super::retrieval::BodyReader::new).
    #[must_use]
    pub fn content_encoding(&self) -> Option<&str> {
        self.content_encoding.as_deref()
    }

    fn take(&mut self, name: &str, value: &[u8]) {
        let text = || str::from_utf8(value).ok().map(|text| text.trim().to_owned());
        let field = || text().filter(|text| !text.is_empty() && text.len() <= FIELD);
        match name {
            "location" if self.location.is_none() => self.location = Some(value.to_vec()),
            "etag" => self.etag = field(),
            "last-modified" => self.last_modified = field(),
            "content-type" => self.content_type = field(),
            // If the field occurs twice, the body was encoded twice. A value that is not text becomes `?`, which counts
            // as an unknown coding.
            "content-encoding" => {
                let coding = text().unwrap_or_else(|| "?".to_owned());
                self.content_encoding = Some(match self.content_encoding.take() {
                    Some(before) => format!("{before}, {coding}"),
                    None => coding,
                });
            }
            "cache-control" => {
                self.max_age = self.max_age.or_else(|| max_age(&String::from_utf8_lossy(value)));
            }
            "age" => self.age = text().and_then(|age| seconds(&age)),
            "date" => self.date = text().and_then(|date| since_epoch(&date)),
            "transfer-encoding" => self.framing = self.framing.with_transfer_encoding(value),
            "content-length" => self.framing = self.framing.with_content_length(value),
            "retry-after" => self.retry_after = field(),
            "vary" => {
                self.varies |= String::from_utf8_lossy(value)
                    .split(',')
                    .any(|name| matches!(&*name.trim().to_ascii_lowercase(), "*" | "user-agent"));
            }
            _ => {}
        }
    }

    /// Returns the remaining lifetime: `max-age` minus `Age` (RFC 9111, 4.2).
    pub(super) fn life_left(&self) -> Option<Duration> {
        self.max_age.map(|max_age| max_age.saturating_sub(self.age.unwrap_or_default()))
    }

    /// Returns the age of the answer: its `Age`, or the time since its `Date`, whichever is larger (RFC 9111, 4.2.3).
    pub(super) fn age(&self, now: Duration) -> Option<Duration> {
        self.age.max(self.date.map(|date| now.saturating_sub(date)))
    }

    /// Returns the time for which the server asks the client to wait (RFC 9110, 10.2.3).
    pub(super) fn retry_after(&self, now: Duration) -> Option<Duration> {
        let text = self.retry_after.as_deref()?;
        if let Some(seconds) = seconds(text) {
            return Some(seconds);
        }
        Some(since_epoch(text)?.saturating_sub(now))
    }

    /// Returns the `Location`, `None` if it is absent or empty, or an error if it is too long or not text.
    pub(super) fn location(&self) -> Option<Result<&str, &'static str>> {
        let location = self.location.as_deref()?;
        if location.len() > LOCATION {
            return Some(Err("its Location is longer than 8 KiB"));
        }
        let text = std::str::from_utf8(location).map_err(|_| "its Location is not UTF-8");
        // An empty `Location` names no target.
        text.map(str::trim)
            .map_or_else(|error| Some(Err(error)), |text| (!text.is_empty()).then_some(Ok(text)))
    }
}

/// Returns the reason why a field cannot be accepted, as a part of a sentence. `head` is the length of the fields up to
/// this one, in octets.
fn malformed(index: usize, head: usize, name: &str, value: &[u8]) -> Option<&'static str> {
    let is_token = |name: &str| !name.is_empty() && name.bytes().all(is_token_octet);
    if index >= FIELDS {
        Some("it has more than 100 fields")
    } else if head > HEAD {
        Some("its fields are longer than 64 KiB")
    } else if !is_token(name) {
        Some("the name of a field is not a token")
    } else if value.iter().any(|octet| matches!(octet, b'\r' | b'\0')) {
        // A browser joins the values of a repeated field with LF, so LF is not an error here.
        Some("the value of a field contains CR or NUL")
    } else {
        None
    }
}

/// Returns whether an octet is a `tchar` (RFC 9110, 5.6.2).
const fn is_token_octet(octet: u8) -> bool {
    octet.is_ascii_alphanumeric()
        || matches!(octet, b'!' | b'#'..=b'\'' | b'*' | b'+' | b'-' | b'.' | b'^'..=b'`' | b'|' | b'~')
}

/// Reads digits as a number of seconds. Returns `None` for any other text. A number that is too large becomes the
/// maximum.
fn seconds(digits: &str) -> Option<Duration> {
    let is_number = !digits.is_empty() && digits.bytes().all(|octet| octet.is_ascii_digit());
    is_number.then(|| Duration::from_secs(digits.parse().unwrap_or(u64::MAX)))
}

/// Reads an HTTP date, and returns it as the time since the Unix epoch.
fn since_epoch(date: &str) -> Option<Duration> {
    httpdate::parse_http_date(date).ok()?.duration_since(UNIX_EPOCH).ok()
}

/// Returns the `max-age` of a `Cache-Control`. A number that is too large becomes the maximum (RFC 9111, 1.2.2).
fn max_age(value: &str) -> Option<Duration> {
    value.split(',').find_map(|directive| {
        let (name, value) = directive.split_once('=')?;
        let value = value.trim().trim_matches('"');
        let is_number = !value.is_empty() && value.bytes().all(|octet| octet.is_ascii_digit());
        let is_max_age = name.trim().eq_ignore_ascii_case("max-age") && is_number;
        is_max_age.then(|| Duration::from_secs(value.parse().unwrap_or(u64::from(u32::MAX))))
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rstest::rstest;

    use super::Response;

    #[rstest]
    #[trace]
    #[case("max-age=60", None, Some(60))]
    #[case("public, Max-Age=\"60\"", None, Some(60))]
    #[case("max-age=60", Some("45"), Some(15))]
    #[case("max-age=60", Some("90"), Some(0))]
    #[case("max-age=60", Some("99999999999999999999"), Some(0))]
    #[case("max-age=99999999999999999999", None, Some(4_294_967_295))]
    #[case("max-age=-1", None, None)]
    #[case("max-age", None, None)]
    #[case("s-maxage=60, no-store", None, None)]
    fn lives(#[case] control: &str, #[case] age: Option<&str>, #[case] left: Option<u64>) {
        let fields = [("Cache-Control", control), ("Age", age.unwrap_or("x"))];
        let response = Response::new(200, fields.map(|(name, value)| (name, value.as_bytes())));
        assert_eq!(response.life_left(), left.map(Duration::from_secs));
    }

    #[rstest]
    #[trace]
    #[case(&[], None)]
    #[case(&[("Age", "90000")], Some(90_000))]
    #[case(&[("Age", "x")], None)]
    #[case(&[("Date", "Sun, 06 Nov 1994 08:48:37 GMT")], Some(60))]
    #[case(&[("Date", "Sun, 06 Nov 1994 09:49:37 GMT")], Some(0))]
    #[case(&[("Age", "50"), ("Date", "Sun, 06 Nov 1994 08:48:37 GMT")], Some(60))]
    #[case(&[("Age", "70"), ("Date", "Sun, 06 Nov 1994 08:48:37 GMT")], Some(70))]
    fn ages(#[case] fields: &[(&str, &str)], #[case] age: Option<u64>) {
        let fields = fields.iter().map(|(name, value)| (*name, value.as_bytes()));
        let now = Duration::from_secs(784_111_777);
        assert_eq!(Response::new(200, fields).age(now), age.map(Duration::from_secs));
    }

    #[rstest]
    #[trace]
    #[case("120", Some(120))]
    #[case("Sun, 06 Nov 1994 08:50:37 GMT", Some(60))]
    #[case("Sun, 06 Nov 1994 08:00:00 GMT", Some(0))]
    #[case("99999999999999999999", Some(u64::MAX))]
    #[case("-1", None)]
    #[case("soon", None)]
    fn retries(#[case] value: &str, #[case] seconds: Option<u64>) {
        let response = Response::new(503, [("retry-after", value.as_bytes())]);
        let now = Duration::from_secs(784_111_777);
        assert_eq!(response.retry_after(now), seconds.map(Duration::from_secs));
    }

    /// If a field occurs twice, the first `Location` and the last `ETag` are used.
    #[test]
    fn a_field_may_occur_twice() {
        let fields = [("location", "/a"), ("location", "/b"), ("etag", "1"), ("etag", "2")];
        let fields = fields.into_iter().chain([("content-type", "text/html")]);
        let response = Response::new(301, fields.map(|(name, value)| (name, value.as_bytes())));
        assert_eq!(response.location(), Some(Ok("/a")));
        assert_eq!(response.etag.as_deref(), Some("2"));
        assert_eq!(response.content_type.as_deref(), Some("text/html"));
    }

    #[test]
    fn fields_are_bounded() {
        let (fits, long) = ("a".repeat(1024), "a".repeat(1025));
        let kept = |value: &str| Response::new(200, [("etag", value.as_bytes())]).etag.is_some();
        assert!(kept(&fits) && !kept(&long));
        let (fits, long) = ("a".repeat(8 << 10), "a".repeat((8 << 10) + 1));
        let read = |value: &str| {
            let response = Response::new(301, [("location", value.as_bytes())]);
            response.location().unwrap().is_ok()
        };
        assert!(read(&fits) && !read(&long));
    }

    #[rstest]
    #[trace]
    #[case::token("!#$%&'*+-.^_`|~09azAZ", "y", true)]
    #[case::octets_above_127("x", "\u{e9}", true)]
    #[case::values_that_a_browser_joins("set-cookie", "a=b\nc=d", true)]
    #[case::empty_name("", "y", false)]
    #[case::space("X Cache", "HIT", false)]
    #[case::space_before_the_colon("Content-Encoding ", "gzip", false)]
    #[case::parenthesis("x(y)", "z", false)]
    #[case::name_above_127("x\u{e9}", "y", false)]
    #[case::nul_in_a_name("\0x", "y", false)]
    #[case::nul("x", "a\0b", false)]
    #[case::cr("x", "a\rLocation: /b", false)]
    #[case::folded("x", "a\r\n b", false)]
    fn malformed_fields(#[case] name: &str, #[case] value: &str, #[case] is_valid: bool) {
        let fields = [("location", &b"/a"[..]), (name, value.as_bytes())];
        for status in [200, 301, 404] {
            let why = Response::new(status, fields).invalid_head();
            assert_eq!(why.is_none(), is_valid, "{why:?}");
        }
    }

    #[test]
    fn heads_are_bounded() {
        let is_valid = |response: Response| response.invalid_head().is_none();
        let many = |fields| is_valid(Response::new(404, vec![("x", &b"y"[..]); fields]));
        assert!(many(100) && !many(101));
        let long = |value| is_valid(Response::new(404, [("x", &*vec![b'y'; value])]));
        assert!(long(65_531) && !long(65_532));
    }

    /// If the framing of an answer is valid, all readers find the same body (RFC 9112, 6.3).
    #[rstest]
    #[trace]
    #[case::no_length(&[], true)]
    #[case(&[("Transfer-Encoding", "chunked")], true)]
    #[case(&[("transfer-encoding", "\t CHUNKED ")], true)]
    #[case(&[("transfer-encoding", "gzip, chunked")], false)]
    #[case(&[("transfer-encoding", "gzip")], false)]
    #[case(&[("transfer-encoding", "xchunked")], false)]
    #[case(&[("transfer-encoding", "chunked, chunked")], false)]
    #[case(&[("transfer-encoding", "chunked,")], false)]
    #[case(&[("transfer-encoding", "chunked;q=1")], false)]
    #[case(&[("transfer-encoding", "identity")], false)]
    #[case(&[("transfer-encoding", "")], false)]
    #[case(&[("transfer-encoding", "\u{e4}")], false)]
    #[case(&[("transfer-encoding", "chunked"), ("transfer-encoding", "chunked")], false)]
    #[case(&[("transfer-encoding", "gzip"), ("transfer-encoding", "chunked")], false)]
    #[case(&[("transfer-encoding", "chunked"), ("content-length", "5")], false)]
    #[case(&[("content-length", "5"), ("transfer-encoding", "chunked")], false)]
    #[case(&[("content-length", "5")], true)]
    #[case(&[("content-length", "5, 5"), ("content-length", "5")], true)]
    #[case(&[("content-length", "5"), ("content-length", "6")], false)]
    #[case(&[("content-length", "5,6")], false)]
    #[case(&[("content-length", "+5")], false)]
    #[case(&[("content-length", "")], false)]
    #[case(&[("content-length", "99999999999999999999")], false)]
    fn framings(#[case] fields: &[(&str, &str)], #[case] is_valid: bool) {
        let fields = || fields.iter().map(|(name, value)| (*name, value.as_bytes()));
        for status in [200, 206, 301, 404, 503] {
            let response = Response::new(status, fields());
            let why = response.invalid_head();
            assert_eq!(why.is_none(), is_valid, "{why:?}");
            assert_eq!(response.has_a_file(), is_valid && status < 300);
        }
    }

    #[rstest]
    #[trace]
    #[case("User-Agent, Accept", true)]
    #[case("*", true)]
    #[case("accept-encoding", false)]
    fn varying(#[case] value: &str, #[case] varies: bool) {
        assert_eq!(Response::new(200, [("vary", value.as_bytes())]).varies, varies);
    }
}
