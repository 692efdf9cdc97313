//! Who asks: product tokens, crawlers, and what a user-agent line's value names.
//!
//! Start at [`Crawler`]. Which group a crawler follows is decided in `select`.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// A product token: the name by which a crawler finds itself in robots.txt.
///
/// The token is the longest run of ASCII letters, digits, `_` and `-` with which the text begins;
/// what follows, a version say, is kept as written and compares with nothing.
///
/// ```
/// use robots_core::ProductToken;
/// let token = ProductToken::new("ExampleBot/1.2");
/// assert_eq!(token.as_str(), "ExampleBot");
/// assert!(token.is_rfc9309());
/// assert!(!ProductToken::new("MJ12bot").is_rfc9309());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ProductToken {
    written: String,
    token_len: usize,
}

impl ProductToken {
    /// Makes a product token of the text's beginning; a text that begins with no token octet gives the
    /// empty token, which no user-agent line names.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        let written = text.into();
        let token_len = token_of(&written).len();
        Self { written, token_len }
    }

    /// Returns the token alone.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.written[..self.token_len]
    }

    /// Returns the text the token was made of.
    #[must_use]
    pub fn as_written(&self) -> &str {
        &self.written
    }

    /// Returns whether RFC 9309 (2.2.1) permits the token: letters, `_` and `-` only, at least one.
    #[must_use]
    pub fn is_rfc9309(&self) -> bool {
        self.token_len > 0 && !self.as_str().bytes().any(|octet| octet.is_ascii_digit())
    }
}

impl fmt::Display for ProductToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A crawler: its product tokens, most specific first.
///
/// It follows the groups of the first of its tokens that the file names, and the groups of `*` where
/// the file names none.
///
/// ```
/// use robots_core::Crawler;
/// let crawler = Crawler::new(["googlebot-news", "googlebot"]);
/// assert_eq!(crawler.tokens()[1].as_str(), "googlebot");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Crawler {
    tokens: Vec<ProductToken>,
    identification: Option<String>,
}

impl Crawler {
    /// Makes a crawler of product tokens, most specific first.
    #[must_use]
    pub fn new<T: Into<String>>(tokens: impl IntoIterator<Item = T>) -> Self {
        let tokens = tokens.into_iter().map(ProductToken::new).collect();
        Self { tokens, identification: None }
    }

    /// Makes a crawler of a whole `User-Agent` header.
    ///
    /// The tokens are the products after `compatible;` in a comment, then the products outside
    /// comments, in the order of the header. Names that browsers share (`Mozilla`, `AppleWebKit`,
    /// `Chrome` …) are left out as long as another name remains.
    ///
    /// ```
    /// use robots_core::Crawler;
    /// let header = "Mozilla/5.0 (compatible; ExampleBot/0.1; https://www.example.com/bot.html)";
    /// assert_eq!(Crawler::from_user_agent_header(header), Crawler::new(["ExampleBot/0.1"]));
    /// ```
    #[must_use]
    pub fn from_user_agent_header(header: &str) -> Self {
        let (mut in_comments, mut outside) = (Vec::new(), Vec::new());
        for (depth, text) in comments(header) {
            if depth == 0 {
                outside.extend(text.split_ascii_whitespace().filter(|word| is_product(word)));
            } else if let Some((_, after)) = text.split_once("compatible;") {
                in_comments.extend(after.split(';').map(str::trim).filter(|part| is_product(part)));
            }
        }
        let all: Vec<&str> = in_comments.into_iter().chain(outside).collect();
        let named =
            |product: &&&str| !SHARED.iter().any(|s| s.eq_ignore_ascii_case(token_of(product)));
        let mut chosen: Vec<&str> = all.iter().filter(named).copied().collect();
        if chosen.is_empty() {
            chosen = all;
        }
        Self::new(chosen)
    }

    /// Adds the identification string the crawler sends, its `User-Agent` header say. No group is found by
    /// it; a product token should be a part of it (RFC 9309, 2.2.1).
    ///
    /// ```
    /// use robots_core::Crawler;
    /// let header = "Mozilla/5.0 (compatible; ExampleBot/0.1; https://www.example.com/bot.html)";
    /// let crawler = Crawler::new(["ExampleBot"]).identified_as(header);
    /// assert_eq!(crawler.identification(), Some(header));
    /// ```
    #[must_use]
    pub fn identified_as(self, identification: impl Into<String>) -> Self {
        Self { identification: Some(identification.into()), ..self }
    }

    /// Returns the identification string, where the crawler has one.
    #[must_use]
    pub fn identification(&self) -> Option<&str> {
        self.identification.as_deref()
    }

    /// Returns the product tokens, most specific first.
    #[must_use]
    pub fn tokens(&self) -> &[ProductToken] {
        &self.tokens
    }
}

impl From<&str> for Crawler {
    fn from(token: &str) -> Self {
        Self::new([token])
    }
}

impl fmt::Display for Crawler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, token) in self.tokens.iter().enumerate() {
            write!(f, "{}{}", if position == 0 { "" } else { ", " }, token.as_written())?;
        }
        Ok(())
    }
}

/// A crawler, or one product token in its place, borrowed.
///
/// It lets a verdict be asked for `"examplebot"` as well as for a [`&Crawler`](Crawler), and allocates
/// nothing for either.
#[derive(Clone, Copy, Debug)]
pub struct CrawlerRef<'c>(Ref<'c>);

#[derive(Clone, Copy, Debug)]
enum Ref<'c> {
    Token(&'c str),
    Crawler(&'c Crawler),
}

impl<'c> CrawlerRef<'c> {
    /// Returns the product tokens, most specific first.
    pub(crate) fn tokens(self) -> impl Iterator<Item = &'c str> {
        self.written().map(token_of)
    }

    /// Returns the texts the tokens were made of.
    pub(crate) fn written(self) -> impl Iterator<Item = &'c str> {
        let (one, many) = match self.0 {
            Ref::Token(text) => (Some(text), &[][..]),
            Ref::Crawler(crawler) => (None, &crawler.tokens[..]),
        };
        one.into_iter().chain(many.iter().map(ProductToken::as_written))
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

impl<'c> From<&'c Crawler> for CrawlerRef<'c> {
    fn from(crawler: &'c Crawler) -> Self {
        Self(Ref::Crawler(crawler))
    }
}

/// Returns whether a user-agent line's value names the token: it begins with it, ASCII case ignored,
/// and no octet of a token follows.
#[inline]
pub(crate) fn names(value: &[u8], token: &[u8]) -> bool {
    !token.is_empty()
        && value.len() >= token.len()
        && value[..token.len()].eq_ignore_ascii_case(token)
        && !value.get(token.len()).is_some_and(|octet| is_token_octet(*octet))
}

/// Returns the prefixes of a token that end at a `-` or `_`, longest first: `googlebot` of
/// `googlebot-images`.
pub(crate) fn shorter(token: &str) -> impl Iterator<Item = &str> {
    token.rmatch_indices(['-', '_']).map(|(end, _)| &token[..end])
}

const fn is_token_octet(octet: u8) -> bool {
    octet.is_ascii_alphanumeric() || matches!(octet, b'_' | b'-')
}

fn token_of(text: &str) -> &str {
    let len = text.bytes().take_while(|octet| is_token_octet(*octet)).count();
    &text[..len]
}

/// Names in a header that tell browsers, engines and platforms, not crawlers.
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

/// A product is a token, perhaps with a version behind a slash; a URL or an address is none.
fn is_product(word: &str) -> bool {
    let token = token_of(word);
    !token.is_empty()
        && matches!(word.as_bytes().get(token.len()), None | Some(b'/' | b' '))
        && !word.contains("://")
}

/// Cuts a header into runs of text inside and outside of comments, with their depth.
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
    use alloc::vec::Vec;

    use rstest::rstest;

    use super::{Crawler, ProductToken, names, shorter};

    #[rstest]
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
    #[case("*", "*", false)]
    #[case("", "", false)]
    fn a_value_names_a_token(#[case] value: &str, #[case] token: &str, #[case] expected: bool) {
        assert_eq!(names(value.as_bytes(), ProductToken::new(token).as_str().as_bytes()), expected);
    }

    #[test]
    fn prefixes_end_at_boundaries_longest_first() {
        assert_eq!(shorter("a-b_c").collect::<Vec<_>>(), ["a-b", "a"]);
        assert_eq!(shorter("ab").count(), 0);
    }

    #[rstest]
    #[case("ExampleBot/1.0 (+https://example.com/bot)", &["ExampleBot/1.0"])]
    #[case("Mozilla/5.0 (compatible; ExampleBot/0.1; https://e.com/b.html)", &["ExampleBot/0.1"])]
    #[case(
        "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://b.com) \
         Chrome/1.2 Safari/537.36",
        &["bingbot/2.0"]
    )]
    #[case("curl/8.0", &["curl/8.0"])]
    #[case("Mozilla/5.0", &["Mozilla/5.0"])]
    #[case("a/1 b/2", &["a/1", "b/2"])]
    #[case("((((", &[])]
    #[case("", &[])]
    fn a_header_gives_a_crawler(#[case] header: &str, #[case] tokens: &[&str]) {
        assert_eq!(Crawler::from_user_agent_header(header), Crawler::new(tokens.iter().copied()));
    }
}
