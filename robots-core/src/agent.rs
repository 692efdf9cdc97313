//! Defines product tokens and crawlers, and compares a token with the value of a user-agent line.
//!
//! Start at [`Crawler`]. The module `verdict` decides which groups a crawler follows.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

/// A product token: the name of a crawler in robots.txt.
///
/// A token consists of ASCII letters, digits, `_` and `-`. RFC 9309 (2.2.1) does not permit digits, but some real
/// crawlers use them.
///
/// ```
/// use robots_core::ProductToken;
/// let token = ProductToken::new("ExampleBot").unwrap();
/// assert_eq!(token.as_str(), "ExampleBot");
/// assert!(token.is_rfc9309());
/// assert!(!ProductToken::new("MJ12bot").unwrap().is_rfc9309());
/// assert!(ProductToken::new("Mozilla/5.0 (compatible; ExampleBot/0.1)").is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProductToken(String);

impl ProductToken {
    /// The maximum length of a token in octets. A longer text is probably a mistake and is refused.
    pub const MAX: usize = 256;

    /// Makes a product token from its text.
    ///
    /// # Errors
    /// Returns [`NotAProductToken`] if the text is empty, has more than 256 octets, or contains anything except
    /// letters, digits, `_` and `-`, for example a version or a whole `User-Agent` header.
    pub fn new(text: impl Into<String>) -> Result<Self, NotAProductToken> {
        let text = text.into();
        checked(&text)?;
        Ok(Self(text))
    }

    /// Returns the product token of a whole `User-Agent` header: the first token that [`Crawler::from_header`] finds.
    ///
    /// ```
    /// use robots_core::ProductToken;
    /// let header = "Mozilla/5.0 (compatible; ExampleBot/0.1; https://www.example.com/bot.html)";
    /// assert_eq!(ProductToken::from_header(header).unwrap().as_str(), "ExampleBot");
    /// ```
    ///
    /// # Errors
    /// Returns [`NotAProductToken`] if the header names no product, or if the first token has more than 256 octets.
    pub fn from_header(header: &str) -> Result<Self, NotAProductToken> {
        products(header).first().ok_or(NotAProductToken(())).and_then(|product| Self::new(*product))
    }

    /// Returns the product token at the start of a user-agent line's value. The result is empty if the value does not
    /// begin with a token.
    ///
    /// ```
    /// use robots_core::ProductToken;
    /// assert_eq!(ProductToken::leading(b"ExampleBot/1.0"), b"ExampleBot");
    /// assert_eq!(ProductToken::leading(b"*"), b"");
    /// ```
    #[must_use]
    pub fn leading(value: &[u8]) -> &[u8] {
        let end = value.iter().position(|octet| !is_token_octet(*octet));
        &value[..end.unwrap_or(value.len())]
    }

    /// Returns the token.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns whether RFC 9309 (2.2.1) permits the token: letters, `_` and `-` only.
    #[must_use]
    pub fn is_rfc9309(&self) -> bool {
        !self.0.bytes().any(|octet| octet.is_ascii_digit())
    }

    /// Returns whether browsers share the name, for example `Mozilla`. In a `User-Agent` header, such a name identifies
    /// no crawler.
    ///
    /// ```
    /// use robots_core::ProductToken;
    /// assert!(ProductToken::new("mozilla").unwrap().is_shared_by_browsers());
    /// assert!(!ProductToken::new("examplebot").unwrap().is_shared_by_browsers());
    /// ```
    #[must_use]
    pub fn is_shared_by_browsers(&self) -> bool {
        is_shared(&self.0)
    }
}

impl fmt::Display for ProductToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl FromStr for ProductToken {
    type Err = NotAProductToken;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::new(text)
    }
}

/// The error for a text that is not a product token, or for a crawler that would have no token or more than 32.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NotAProductToken(());

impl fmt::Display for NotAProductToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "not a product token: write 1 to 256 letters, digits, `_` and `-`, and 1 to 32 tokens for a \
             crawler; `ProductToken::from_header` finds the token in a User-Agent header",
        )
    }
}

impl core::error::Error for NotAProductToken {}

/// A crawler: its product tokens, most specific first.
/// A crawler follows the groups of the first of its tokens that the file names. If the file names none of them, the
/// crawler follows the groups of `*`, unless it is a crawler [without them](Self::without_global).
///
/// ```
/// use robots_core::Crawler;
/// let crawler = Crawler::new(["googlebot-news", "googlebot"]).unwrap();
/// assert_eq!(crawler.tokens()[1].as_str(), "googlebot");
/// assert!(Crawler::new(["googlebot/2.1"]).is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Crawler {
    tokens: Vec<ProductToken>,
    ignores_global: bool,
    identification: Option<String>,
}

impl Crawler {
    /// The maximum number of product tokens of a crawler. The number is limited because each token is compared with
    /// every user-agent line.
    pub const MAX: usize = 32;

    /// Makes a crawler from its product tokens, most specific first.
    ///
    /// # Errors
    /// Returns [`NotAProductToken`] if a text is not a product token, or if there are no texts or more than 32.
    pub fn new<T: Into<String>>(
        tokens: impl IntoIterator<Item = T>,
    ) -> Result<Self, NotAProductToken> {
        let tokens = tokens.into_iter().take(Self::MAX + 1).map(ProductToken::new);
        let tokens = tokens.collect::<Result<Vec<_>, _>>()?;
        if tokens.is_empty() || tokens.len() > Self::MAX {
            return Err(NotAProductToken(()));
        }
        Ok(Self { tokens, ..Self::unnamed() })
    }

    /// Makes a crawler without a product token. No group can name it, so it follows the groups of `*`.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dialect/line_parser.rs"));
    /// # fn main() {
    /// # use robots_core::{Crawler, Options, RobotsTxt};
    /// let body = "user-agent: *\ndisallow: /private\nuser-agent: examplebot\nallow: /\n";
    /// let robots = RobotsTxt::parse(&LineParser, body, Options::default());
    /// assert!(!robots.verdict(&Crawler::unnamed(), "/private").is_allowed());
    /// # }
    /// ```
    #[must_use]
    pub const fn unnamed() -> Self {
        Self { tokens: Vec::new(), ignores_global: false, identification: None }
    }

    /// Makes a crawler from a whole `User-Agent` header. The first tokens are the products after `compatible;` in a
    /// comment. The products outside comments follow, in the order of the header. Names that browsers share (`Mozilla`,
    /// `AppleWebKit`, `Chrome` …) are omitted if another name remains.
    ///
    /// ```
    /// use robots_core::Crawler;
    /// let header = "Mozilla/5.0 (compatible; ExampleBot/0.1; https://www.example.com/bot.html)";
    /// assert_eq!(Crawler::from_header(header), Crawler::new(["ExampleBot"]));
    /// ```
    ///
    /// # Errors
    /// Returns [`NotAProductToken`] if the header names no product, if it names more than 32, or if a token has more
    /// than 256 octets.
    pub fn from_header(header: &str) -> Result<Self, NotAProductToken> {
        Self::new(products(header))
    }

    /// Lets the crawler follow only groups that name one of its tokens, and not those of `*`. Some operators document such
    /// crawlers, for example Google for AdsBot-Google.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dialect/line_parser.rs"));
    /// # fn main() {
    /// # use robots_core::{Crawler, Options, RobotsTxt};
    /// let crawler = Crawler::new(["AdsBot-Google"]).unwrap().without_global();
    /// let robots = RobotsTxt::parse(&LineParser, "user-agent: *\ndisallow: /\n", Options::default());
    /// assert!(robots.verdict(&crawler, "/").is_allowed());
    /// # }
    /// ```
    #[must_use]
    pub fn without_global(self) -> Self {
        Self { ignores_global: true, ..self }
    }

    /// Adds the identification string that the crawler sends, for example its `User-Agent` header. This string does not
    /// affect which groups the crawler follows. The string should contain a product token (RFC 9309, 2.2.1).
    ///
    /// ```
    /// use robots_core::Crawler;
    /// let header = "Mozilla/5.0 (compatible; ExampleBot/0.1; https://www.example.com/bot.html)";
    /// let crawler = Crawler::new(["ExampleBot"])?.identified_as(header);
    /// assert_eq!(crawler.identification(), Some(header));
    /// # Ok::<(), robots_core::error::NotAProductToken>(())
    /// ```
    #[must_use]
    pub fn identified_as(self, identification: impl Into<String>) -> Self {
        Self { identification: Some(identification.into()), ..self }
    }

    /// Returns the identification string, if the crawler has one.
    #[must_use]
    pub fn identification(&self) -> Option<&str> {
        self.identification.as_deref()
    }

    /// Returns the product tokens, most specific first. Only an [`unnamed`](Self::unnamed) crawler has no
    /// tokens.
    #[must_use]
    pub fn tokens(&self) -> &[ProductToken] {
        &self.tokens
    }
}

impl From<ProductToken> for Crawler {
    fn from(token: ProductToken) -> Self {
        Self { tokens: Vec::from([token]), ..Self::unnamed() }
    }
}

impl FromStr for Crawler {
    type Err = NotAProductToken;

    /// Reads product tokens that are separated by commas, most specific first.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::new(text.split(',').map(str::trim))
    }
}

impl fmt::Display for Crawler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.tokens.is_empty() {
            return f.write_str("*");
        }
        for (position, token) in self.tokens.iter().enumerate() {
            write!(f, "{}{token}", if position == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

/// A borrowed crawler, or the text of one product token.
///
/// With this type, a function that gives verdicts accepts `"examplebot"` as well as a [`&Crawler`](Crawler). The
/// conversion to this type does not allocate memory. If the text is not a product token, no URL is allowed, and the
/// verdict gives this as its reason.
#[derive(Clone, Copy, Debug)]
pub struct CrawlerRef<'c>(Ref<'c>);

#[derive(Clone, Copy, Debug)]
enum Ref<'c> {
    Token(&'c str),
    Crawler(&'c Crawler),
}

impl<'c> CrawlerRef<'c> {
    /// Returns an error if a text was given instead of a crawler, and this text is not a product token.
    #[inline]
    pub(crate) fn check(self) -> Result<(), NotAProductToken> {
        match self.0 {
            Ref::Token(text) => checked(text),
            Ref::Crawler(_) => Ok(()),
        }
    }

    /// Returns whether the crawler follows the groups of `*` if no group names it.
    #[inline]
    pub(crate) fn follows_global(self) -> bool {
        !matches!(self.0, Ref::Crawler(Crawler { ignores_global: true, .. }))
    }

    /// If the crawler has exactly one product token, returns this token as given.
    #[inline]
    pub(crate) fn only_token(self) -> Option<&'c str> {
        match self.0 {
            Ref::Token(text) => Some(text),
            Ref::Crawler(crawler) => match &crawler.tokens[..] {
                [token] => Some(token.as_str()),
                _ => None,
            },
        }
    }

    /// Returns the product tokens as given, most specific first. A text that is not a product token is returned too.
    #[inline]
    pub fn tokens(self) -> impl Iterator<Item = &'c str> {
        let (one, many) = match self.0 {
            Ref::Token(text) => (Some(text), &[][..]),
            Ref::Crawler(crawler) => (None, &crawler.tokens[..]),
        };
        one.into_iter().chain(many.iter().map(ProductToken::as_str))
    }
}

impl<'c> From<&'c str> for CrawlerRef<'c> {
    fn from(token: &'c str) -> Self {
        Self(Ref::Token(token))
    }
}

impl<'c> From<&'c String> for CrawlerRef<'c> {
    fn from(token: &'c String) -> Self {
        Self(Ref::Token(token))
    }
}

impl<'c> From<&'c ProductToken> for CrawlerRef<'c> {
    fn from(token: &'c ProductToken) -> Self {
        Self(Ref::Token(token.as_str()))
    }
}

impl<'c> From<&'c Crawler> for CrawlerRef<'c> {
    fn from(crawler: &'c Crawler) -> Self {
        Self(Ref::Crawler(crawler))
    }
}

/// Returns whether a user-agent line's value names the token: the value begins with the token, without regard to ASCII
/// case, and the next octet, if there is one, cannot be in a token.
#[inline]
pub(crate) fn names(value: &[u8], token: &[u8]) -> bool {
    if token.is_empty() || value.len() < token.len() {
        return false;
    }
    #[cfg(test)]
    counted::add(token.len());
    value[..token.len()].eq_ignore_ascii_case(token) && ends_token(value, token.len())
}

/// Returns the length of the common prefix of a value and a token, without regard to ASCII case.
#[inline]
pub(crate) fn common_token(value: &[u8], token: &[u8]) -> usize {
    let common = value.iter().zip(token).take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count();
    #[cfg(test)]
    counted::add(common + 1);
    common
}

/// Counts the octets that are compared, so that tests can check the number.
#[cfg(test)]
pub(crate) mod counted {
    extern crate std;

    use core::cell::Cell;

    std::thread_local! {
        static OCTETS: Cell<usize> = const { Cell::new(0) };
    }

    pub(super) fn add(octets: usize) {
        OCTETS.set(OCTETS.get() + octets);
    }

    /// Returns the number of octets that this thread compared since the last call.
    pub(crate) fn take() -> usize {
        OCTETS.take()
    }
}

/// Returns whether a token can end before an offset of a value: the value has no octet at this offset, or the octet
/// cannot be in a token.
#[inline]
pub(crate) fn ends_token(value: &[u8], at: usize) -> bool {
    !value.get(at).is_some_and(|octet| is_token_octet(*octet))
}

#[inline]
const fn is_token_octet(octet: u8) -> bool {
    TOKEN[octet as usize]
}

/// For each octet, whether a product token may contain it. This is a table for speed, because every verdict checks the
/// octets of its product token.
const TOKEN: [bool; 256] = {
    let mut table = [false; 256];
    let mut octet = 0_u8;
    while octet < 128 {
        table[octet as usize] = octet.is_ascii_alphanumeric() || matches!(octet, b'_' | b'-');
        octet += 1;
    }
    table
};

#[inline]
pub(crate) fn checked(text: &str) -> Result<(), NotAProductToken> {
    let fits = (1..=ProductToken::MAX).contains(&text.len());
    if fits && text.bytes().all(is_token_octet) { Ok(()) } else { Err(NotAProductToken(())) }
}

/// Returns the product tokens in a header, in the order that [`Crawler::from_header`] describes.
fn products(header: &str) -> Vec<&str> {
    let (mut in_comments, mut outside) = (Vec::new(), Vec::new());
    for (depth, text) in comments(header) {
        if depth == 0 {
            outside.extend(text.split_ascii_whitespace().filter(|word| is_product(word)));
        } else if let Some((_, after)) = text.split_once("compatible;") {
            in_comments.extend(after.split(';').map(str::trim).filter(|part| is_product(part)));
        }
    }
    let all: Vec<&str> = in_comments.into_iter().chain(outside).map(token_of).collect();
    let named: Vec<&str> = all.iter().filter(|token| !is_shared(token)).copied().collect();
    if named.is_empty() { all } else { named }
}

fn is_shared(token: &str) -> bool {
    SHARED.iter().any(|shared| shared.eq_ignore_ascii_case(token))
}

fn token_of(text: &str) -> &str {
    let len = text.bytes().take_while(|octet| is_token_octet(*octet)).count();
    &text[..len]
}

/// Names in a header that identify browsers, engines and platforms, not crawlers.
const SHARED: [&str; 16] = [
    "Mozilla",
    "compatible",
    "AppleWebKit",
    "WebKit",
    "KHTML",
    "like",
    "Gecko",
    "Chrome",
    "Chromium",
    "CriOS",
    "Safari",
    "Mobile",
    "Version",
    "Firefox",
    "Edg",
    "Opera",
];

/// Returns whether text is a product: a token alone, or a token followed by a slash or a space. A URL or an e-mail
/// address is not a product.
fn is_product(word: &str) -> bool {
    let token = token_of(word);
    !token.is_empty()
        && matches!(word.as_bytes().get(token.len()), None | Some(b'/' | b' '))
        && !word.contains("://")
}

/// Splits a header at its parentheses. Each part has a depth: 0 outside comments, 1 in a comment, more in a nested
/// comment.
fn comments(header: &str) -> impl Iterator<Item = (usize, &str)> {
    let (mut depth, mut rest) = (0_usize, header);
    core::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = rest.find(['(', ')']);
        let run = (depth, &rest[..end.unwrap_or(rest.len())]);
        match end {
            Some(at) if rest.as_bytes()[at] == b'(' => depth += 1,
            Some(_) => depth = depth.saturating_sub(1),
            None => {}
        }
        rest = end.map_or("", |at| &rest[at + 1..]);
        Some(run)
    })
}

#[cfg(test)]
mod tests {
    use alloc::string::String;
    use alloc::vec::Vec;

    use rstest::rstest;

    use super::{Crawler, ProductToken, names};

    #[rstest]
    #[trace]
    #[case("googlebot", "googlebot", true)]
    #[case("GoogleBot", "googlebot", true)]
    #[case("googlebot/1.2", "googlebot", true)]
    #[case("googlebot*", "googlebot", true)]
    #[case("Googlebot Images", "googlebot", true)]
    #[case("googlebot-news", "googlebot", false)]
    #[case("googlebot_x", "googlebot", false)]
    #[case("goo", "googlebot", false)]
    #[case("MJ12bot", "mj12bot", true)]
    #[case("MJ12bot", "MJ", false)]
    fn a_value_names_a_token(#[case] value: &str, #[case] token: &str, #[case] expected: bool) {
        assert_eq!(names(value.as_bytes(), token.as_bytes()), expected);
    }

    #[rstest]
    #[trace]
    #[case("", "")]
    #[case("*bot", "")]
    #[case("bot/1.0", "bot")]
    #[case("MJ12bot", "MJ12bot")]
    #[case("a_b-c d", "a_b-c")]
    fn a_value_begins_with_a_token(#[case] value: &str, #[case] expected: &str) {
        assert_eq!(ProductToken::leading(value.as_bytes()), expected.as_bytes());
    }

    #[rstest]
    #[trace]
    #[case("")]
    #[case("*")]
    #[case("ExampleBot/1.0")]
    #[case("Mozilla/5.0 (compatible; ExampleBot/0.1)")]
    #[case("café")]
    #[case("two words")]
    fn other_text_is_no_product_token(#[case] text: &str) {
        assert!(ProductToken::new(text).is_err());
        assert!(Crawler::new(["a", text]).is_err());
    }

    #[test]
    fn tokens_are_bounded() {
        assert!(ProductToken::new("a".repeat(256)).is_ok());
        assert!(ProductToken::new("a".repeat(257)).is_err());
        assert!(Crawler::new(["a"; 32]).is_ok());
        assert!(Crawler::new(["a"; 33]).is_err());
        assert!(Crawler::new(Vec::<String>::new()).is_err());
    }

    #[rstest]
    #[trace]
    #[case("ExampleBot/1.0 (+https://example.com/bot)", &["ExampleBot"])]
    #[case("Mozilla/5.0 (compatible; ExampleBot/0.1; https://e.com/b.html)", &["ExampleBot"])]
    #[case(
        "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://b.com) \
         Chrome/1.2 Safari/537.36",
        &["bingbot"]
    )]
    #[case("curl/8.0", &["curl"])]
    #[case("Mozilla/5.0", &["Mozilla"])]
    #[case("a/1 b/2", &["a", "b"])]
    #[case("Mozilla/5.0 (Windows NT 10.0; Win64) examplebot/1.0", &["examplebot"])]
    #[case("a/1 (of (two) depths) b/2", &["a", "b"])]
    #[case("Mozilla/5.0 (compatible; bot@example.com)", &["Mozilla"])]
    #[case("((((", &[])]
    #[case("", &[])]
    fn a_header_gives_a_crawler(#[case] header: &str, #[case] tokens: &[&str]) {
        assert_eq!(Crawler::from_header(header), Crawler::new(tokens.iter().copied()));
    }
}
