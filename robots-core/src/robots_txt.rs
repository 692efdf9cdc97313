//! Defines a parsed file, with the functions that return its lines, groups and sitemaps, and verdicts on URLs.
//!
//! Start at [`RobotsTxt`]. A parsed file stores offsets into the body, so the body may be borrowed or owned.

use alloc::string::String;
use core::fmt;

use crate::agent::{CrawlerRef, NotAProductToken};
use crate::edition::Edition;
use crate::file::Options;
use crate::file::index::Index;
use crate::file::view::View;
use crate::line::span::Place;
use crate::line::{Field, Line, LineKind, LineNumber, Remark};
use crate::parser::{Parser, Report};
use crate::path::PathAndQuery;
use crate::path::path_and_query::NotAUrl;
#[cfg(feature = "usage")]
use crate::verdict::Usage;
use crate::verdict::{Group, MergedGroup, Reason, Record, RuleSet, Verdict};

/// A parsed robots.txt with its body, borrowed or owned.
///
/// A parsed file is `Send` and `Sync` if the body is `Send` and `Sync`. If the body is owned, the parsed file borrows
/// nothing, so a cache can keep it.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dialect/line_parser.rs"));
/// # fn main() {
/// use robots_core::{Options, RobotsTxt};
/// let body = "user-agent: examplebot\ndisallow: /private\n".to_owned();
/// let robots = RobotsTxt::parse(&LineParser, body, Options::default());
/// assert!(!robots.verdict("examplebot", "https://example.com/private/x").is_allowed());
/// # }
/// ```
///
/// `robots_nom_parser::parse` is a shorter way to parse a file.
#[derive(Clone)]
pub struct RobotsTxt<B: ?Sized> {
    index: Index,
    body: B,
}

impl<B: AsRef<[u8]>> RobotsTxt<B> {
    /// Parses a body.
    ///
    /// If the body is longer than the limit, only the beginning is parsed. A line that the limit splits is not parsed,
    /// and [`truncated_at`](Self::truncated_at) returns the offset where reading ended.
    #[must_use]
    pub fn parse<P: Parser + ?Sized>(parser: &P, body: B, options: Options) -> Self {
        let mut report = Report::new(body.as_ref(), options);
        parser.parse(report.octets(), &mut report);
        let index = report.finish();
        Self { index, body }
    }

    /// Returns the body.
    #[must_use]
    pub fn into_body(self) -> B {
        self.body
    }
}

impl<B: AsRef<[u8]> + ?Sized> RobotsTxt<B> {
    /// Returns the edition under which the file was read.
    #[must_use]
    pub fn edition(&self) -> Edition {
        self.index.edition
    }

    /// Returns the octets of the body, including octets beyond the limit.
    #[must_use]
    pub fn body(&self) -> &[u8] {
        self.body.as_ref()
    }

    /// Returns the offset where reading ended because of the limit. This offset is the start of a line, or the limit
    /// itself if a line ending comes directly after the limit. Returns `None` if the whole body was read.
    #[must_use]
    pub fn truncated_at(&self) -> Option<usize> {
        self.index.truncated_at
    }

    /// Returns every line in order, with its meaning. The spans cover all octets that were read.
    #[inline]
    pub fn lines(&self) -> impl Iterator<Item = (Line, LineKind)> {
        self.view().lines()
    }

    /// Returns the line that has this number, and its meaning, or `None` if there is no such line.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dialect/line_parser.rs"));
    /// # fn main() {
    /// # let robots = robots_core::RobotsTxt::parse(&LineParser, "#\n\n", robots_core::Options::default());
    /// use robots_core::syntax::{LineKind, LineNumber};
    /// let second = LineNumber::FIRST.next();
    /// assert_eq!(robots.line(second).unwrap().1, LineKind::Blank);
    /// assert!(robots.line(second.next()).is_none());
    /// # }
    /// ```
    #[must_use]
    pub fn line(&self, number: LineNumber) -> Option<(Line, LineKind)> {
        let view = self.view();
        let place = Place::at(usize::try_from(number.get()).ok()?.checked_sub(1)?);
        (place < view.end())
            .then(|| (view.line(place), view.index.lines[place.index()].kind().kind()))
    }

    /// Returns the groups as written, before merging.
    pub fn groups(&self) -> impl Iterator<Item = Group<'_>> {
        Group::all(self.view())
    }

    /// Returns the lines that have a field, known or not, inside and outside groups, in order.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dialect/line_parser.rs"));
    /// # fn main() {
    /// # let robots = robots_core::RobotsTxt::parse(&LineParser,
    /// #     "Host: example.com\nuser-agent: *\ndisallow:\n", robots_core::Options::default());
    /// let names: Vec<_> = robots.records().map(|record| record.name()).collect();
    /// assert_eq!(names, [&b"Host"[..], b"user-agent", b"disallow"]);
    /// # }
    /// ```
    pub fn records(&self) -> impl Iterator<Item = Record<'_>> {
        let view = self.view();
        Record::all(view, Place::FIRST..view.end())
    }

    /// Returns, in order, the lines that name a sitemap, each with its value as written.
    pub fn sitemaps(&self) -> impl Iterator<Item = (&[u8], Line)> {
        let view = self.view();
        view.slots(view.index.sitemaps.clone())
            .filter(|(_, slot)| slot.kind().is(Field::Sitemap))
            .map(move |(at, slot)| (&view.octets[view.value_of(slot).range()], view.line(at)))
    }

    /// Returns the irregularities that do not change the meaning of a line, each with its line.
    pub fn remarks(&self) -> impl Iterator<Item = (Line, Remark)> {
        let octets = self.body();
        self.lines()
            .flat_map(move |(line, _)| line.remarks(octets).map(move |remark| (line, remark)))
    }

    /// Returns the groups that a crawler follows, merged into one. Returns `None` if the file has no group for the
    /// crawler, or if the text given for the crawler is not a product token.
    ///
    /// The crawler uses the first of its tokens that the file names. All groups that name this token are merged, and
    /// their rules stay in the order of the file. The crawler follows the groups of `*` only if the file names none of
    /// the crawler's tokens. Groups of `*` are never merged with groups that name a token (google-2022, "grouping of
    /// rules"; RFC 9309, 2.2.1).
    #[must_use]
    pub fn followed_by<'c>(&self, crawler: impl Into<CrawlerRef<'c>>) -> Option<MergedGroup<'_>> {
        self.merged(crawler.into()).unwrap_or(None)
    }

    /// Returns the verdict on a URL for a crawler, with the lines that led to this verdict.
    ///
    /// The crawler is a product token or a [`&Crawler`](crate::Crawler). The URL is a whole URL, or path and query, as
    /// [`PathAndQuery::parse`] accepts them. A text that is not a URL is never allowed. If the text for the crawler is
    /// not a product token, for example a whole `User-Agent` header, nothing is allowed. In both cases the verdict
    /// states the reason.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dialect/line_parser.rs"));
    /// # fn main() {
    /// # let robots = robots_core::RobotsTxt::parse(&LineParser, "", robots_core::Options::default());
    /// assert!(robots.verdict("examplebot", "/").is_allowed());
    /// assert!(!robots.verdict("examplebot", "example.com").is_allowed());
    /// assert!(!robots.verdict("Mozilla/5.0 (compatible; examplebot/1.0)", "/").is_allowed());
    /// # }
    /// ```
    #[must_use]
    pub fn verdict<'c>(&self, crawler: impl Into<CrawlerRef<'c>>, url: &str) -> Verdict<'_> {
        let without = |reason| Verdict::without_group(self.view(), reason);
        match self.try_verdict(crawler, url) {
            Ok(verdict) => verdict,
            Err(NotAQuestion::Url(error)) => without(Reason::NotAUrl(error)),
            Err(NotAQuestion::ProductToken(error)) => without(Reason::NotAProductToken(error)),
        }
    }

    /// Returns the preferences about the use of a URL's content, with the lines that state them.
    ///
    /// `header` contains the values of the `Content-Usage` field lines of the HTTP response, in order. If the URL may
    /// not be fetched, the result contains no preferences. Under an edition that does not define the field
    /// `content-usage`, no line of the file states a preference. This function needs the feature `usage`.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dialect/line_parser.rs"));
    /// # fn main() {
    /// # use robots_core::{Edition, Options, RobotsTxt};
    /// use robots_core::usage::{Category, Preference};
    /// let body = "user-agent: *\ndisallow: /private\ncontent-usage: train-ai=n\n";
    /// let robots = RobotsTxt::parse(&LineParser, body, Options::from(Edition::Aipref2026_08));
    /// let usage = robots.usage("examplebot", "/page", &[b"search=y"]);
    /// assert_eq!(usage.preference(Category::TrainAi), Some(Preference::Disallowed));
    /// assert_eq!(usage.preference(Category::Search), Some(Preference::Allowed));
    /// assert_eq!(robots.usage("examplebot", "/private", &[]).preference(Category::TrainAi), None);
    /// # }
    /// ```
    #[cfg(feature = "usage")]
    #[must_use]
    pub fn usage<'c>(
        &self,
        crawler: impl Into<CrawlerRef<'c>>,
        url: &str,
        header: &[&[u8]],
    ) -> Usage<'_> {
        let without = |reason| Usage::not_a_question(Verdict::without_group(self.view(), reason));
        match self.try_usage(crawler, url, header) {
            Ok(usage) => usage,
            Err(NotAQuestion::Url(error)) => without(Reason::NotAUrl(error)),
            Err(NotAQuestion::ProductToken(error)) => without(Reason::NotAProductToken(error)),
        }
    }

    /// Returns the same preferences as [`usage`](Self::usage), or an error if the URL or the crawler is invalid.
    ///
    /// # Errors
    /// Returns [`NotAQuestion`] if [`PathAndQuery::parse`] refuses the URL, or if the text given for the crawler is not
    /// a product token.
    #[cfg(feature = "usage")]
    pub fn try_usage<'c>(
        &self,
        crawler: impl Into<CrawlerRef<'c>>,
        url: &str,
        header: &[&[u8]],
    ) -> Result<Usage<'_>, NotAQuestion> {
        let (view, crawler) = (self.view(), crawler.into());
        let path = PathAndQuery::of(url).map_err(NotAQuestion::Url)?;
        crawler.check().map_err(NotAQuestion::ProductToken)?;
        let verdict = Verdict::of(view, crawler, &path);
        Ok(Usage::of(verdict, MergedGroup::select(view, crawler).as_ref(), &path, header))
    }

    /// Compiles the rules that one crawler follows, for verdicts on many URLs.
    ///
    /// The verdicts are the same as those of [`verdict`](Self::verdict).
    #[must_use]
    pub fn rules_for<'c>(&self, crawler: impl Into<CrawlerRef<'c>>) -> RuleSet {
        let without = |reason| RuleSet::without_group(self.edition(), reason);
        match self.merged(crawler.into()) {
            Ok(Some(merged)) => RuleSet::compile(&merged),
            Ok(None) => without(Reason::NoGroup),
            Err(error) => without(Reason::NotAProductToken(error)),
        }
    }

    /// Calls a function with each URL and the verdict on it, in order.
    ///
    /// The verdicts are the same as those of [`verdict`](Self::verdict). If there are at least eight URLs, the rules are
    /// compiled first, which saves time.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dialect/line_parser.rs"));
    /// # fn main() {
    /// # let robots = robots_core::RobotsTxt::parse(&LineParser,
    /// #     "user-agent: *\ndisallow: /a", robots_core::Options::default());
    /// let mut allowed = Vec::new();
    /// robots.verdicts("examplebot", ["/a", "/b"].into_iter(), |url, verdict| {
    ///     allowed.push((url, verdict.is_allowed()));
    /// });
    /// assert_eq!(allowed, [("/a", false), ("/b", true)]);
    /// # }
    /// ```
    pub fn verdicts<'c, U: AsRef<str>>(
        &self,
        crawler: impl Into<CrawlerRef<'c>>,
        urls: impl Iterator<Item = U> + Clone,
        mut each: impl FnMut(U, Verdict<'_>),
    ) {
        let crawler = crawler.into();
        if urls.clone().nth(MANY - 1).is_some() {
            let rules = self.rules_for(crawler);
            urls.for_each(|url| {
                let verdict = rules.verdict(url.as_ref());
                each(url, verdict);
            });
        } else {
            urls.for_each(|url| {
                let verdict = self.verdict(crawler, url.as_ref());
                each(url, verdict);
            });
        }
    }

    /// Returns the same verdict as [`verdict`](Self::verdict), or an error if the URL or the crawler is invalid.
    ///
    /// # Errors
    /// Returns [`NotAQuestion`] if [`PathAndQuery::parse`] refuses the URL, or if the text given for the crawler is not
    /// a product token.
    pub fn try_verdict<'c>(
        &self,
        crawler: impl Into<CrawlerRef<'c>>,
        url: &str,
    ) -> Result<Verdict<'_>, NotAQuestion> {
        let (view, crawler) = (self.view(), crawler.into());
        let path = PathAndQuery::of(url).map_err(NotAQuestion::Url)?;
        crawler.check().map_err(NotAQuestion::ProductToken)?;
        Ok(Verdict::of(view, crawler, &path))
    }

    fn merged(&self, crawler: CrawlerRef<'_>) -> Result<Option<MergedGroup<'_>>, NotAProductToken> {
        crawler.check()?;
        Ok(MergedGroup::select(self.view(), crawler))
    }

    pub(crate) fn view(&self) -> View<'_> {
        let body = self.body();
        let read = self.index.truncated_at.unwrap_or(body.len());
        View { octets: &body[..read], index: &self.index }
    }
}

/// The number of URLs from which on compiling the rules takes less time than it saves.
const MANY: usize = 8;

/// A reference to a parsed file, whatever the type of its body is.
///
/// A function with a parameter of this type is compiled once, not once for each type of body.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dialect/line_parser.rs"));
/// # fn main() {
/// use robots_core::{Options, RobotsTxt, RobotsTxtRef};
///
/// /// Returns the longest path of a rule.
/// fn longest(robots: RobotsTxtRef<'_>) -> Option<&[u8]> {
///     robots.groups().flat_map(|group| group.rules()).map(|rule| rule.path()).max_by_key(|path| path.len())
/// }
///
/// let owned = RobotsTxt::parse(&LineParser, "user-agent: *\ndisallow: /a\n".to_owned(), Options::default());
/// assert_eq!(longest(&owned), Some(&b"/a"[..]));
/// # }
/// ```
pub type RobotsTxtRef<'r> = &'r RobotsTxt<dyn AsRef<[u8]> + 'r>;

impl<'r, B: AsRef<[u8]>> From<&'r RobotsTxt<B>> for RobotsTxtRef<'r> {
    #[inline]
    fn from(robots: &'r RobotsTxt<B>) -> Self {
        robots
    }
}

impl<B: AsRef<[u8]> + ?Sized> fmt::Debug for RobotsTxt<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RobotsTxt")
            .field("edition", &self.index.edition)
            .field("body", &String::from_utf8_lossy(self.body()))
            .field("truncated_at", &self.index.truncated_at)
            .finish_non_exhaustive()
    }
}

/// The error for an invalid call: the text given for the URL is not a URL, or the text given for the crawler is not a
/// product token.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dialect/line_parser.rs"));
/// # fn main() {
/// # let robots = robots_core::RobotsTxt::parse(&LineParser, "", robots_core::Options::default());
/// use robots_core::error::NotAQuestion;
/// assert!(matches!(robots.try_verdict("examplebot", "x"), Err(NotAQuestion::Url(_))));
/// assert!(matches!(robots.try_verdict("bot/1.0", "/"), Err(NotAQuestion::ProductToken(_))));
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NotAQuestion {
    /// The text given for the URL is not a URL.
    Url(NotAUrl),
    /// The text given for the crawler is not a product token.
    ProductToken(NotAProductToken),
}

impl fmt::Display for NotAQuestion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Url(error) => error.fmt(f),
            Self::ProductToken(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for NotAQuestion {}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::vec::Vec;

    use proptest::prelude::*;

    use super::RobotsTxt;
    use crate::file::build::drawn;
    use crate::verdict::MergedGroup;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1024))]

        /// Whatever the roles are, compiled rules give the same verdicts as the file. A rule set contains the lines of
        /// each group up to the last line that belongs to the group by its role.
        #[test]
        fn compiled_rules_follow_the_roles_as_the_file_does(file in drawn::file()) {
            let robots = RobotsTxt { index: file.index(), body: file.body() };
            let is_of_group: Vec<bool> =
                file.roles().map(|role| role.is_none_or(|role| role.is_of_group)).collect();
            for token in ["a", "b"] {
                let rules = robots.rules_for(token);
                for url in ["/a", "/ab", "/b"] {
                    let by_rules = format!("{:?}", rules.verdict(url));
                    prop_assert_eq!(by_rules, format!("{:?}", robots.verdict(token, url)));
                    #[cfg(feature = "usage")]
                    {
                        let by_rules = format!("{:?}", rules.usage(url, &[]));
                        prop_assert_eq!(by_rules, format!("{:?}", robots.usage(token, url, &[])));
                    }
                }
                let followed = robots.followed_by(token);
                let groups = followed.iter().flat_map(MergedGroup::groups);
                let of_groups: Vec<_> = groups.map(|group| {
                    let numbers = group.line_numbers();
                    let (start, end) = (numbers.start.get(), numbers.end.get());
                    let last = (start..end).rev().find(|number| is_of_group[*number as usize - 1]);
                    (start, last.map_or(start, |last| last + 1))
                }).collect();
                let kept: Vec<_> = rules.groups().map(|group| {
                    let numbers = group.line_numbers();
                    (numbers.start.get(), numbers.end.get())
                }).collect();
                prop_assert_eq!(kept, of_groups);
            }
        }
    }
}
