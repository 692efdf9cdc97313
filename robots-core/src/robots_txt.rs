//! A parsed file: lines to groups, merging, sitemaps, verdicts.
//!
//! Start at [`RobotsTxt`]. It keeps offsets over the body, so that a body of any ownership can be kept
//! with what was read from it.

use alloc::string::String;
use core::fmt;

use crate::agent::CrawlerRef;
use crate::builder;
use crate::group::{Followed, Group};
use crate::index::{Index, View};
use crate::path::RuleSet;
use crate::target::{NotAUrl, Target};
use crate::verdict::Verdict;
use crate::{Edition, Line, LineKind, Parser, Profile, Remark};

/// The octets read of a file unless configured otherwise: 500 KiB (google-2019 and google-2022, "file
/// format"; RFC 9309, 2.5, demands at least as much).
pub const DEFAULT_LIMIT: usize = 500 * 1024;

/// How a file is read.
///
/// ```
/// use robots_core::{Edition, Options};
/// let options = Options::default().edition(Edition::Rfc9309).limit(1024 * 1024);
/// assert_eq!(options, Options::default().limit(1024 * 1024).edition(Edition::Rfc9309));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    pub(crate) profile: Profile,
    /// The octets to read, where it was said.
    limit: Option<usize>,
}

impl Options {
    /// Sets the edition by which the file is read and questions are answered.
    #[must_use]
    pub const fn edition(self, edition: Edition) -> Self {
        self.profile(Profile::Edition(edition))
    }

    /// Sets the profile by which the file is read and questions are answered: an edition, or the observed
    /// one, which has no limit unless one is set.
    ///
    /// ```
    /// use robots_core::{Edition, Options, Profile};
    /// let options = Options::default().profile(Profile::from(Edition::Rfc9309));
    /// assert_eq!(options, Options::default().edition(Edition::Rfc9309));
    /// ```
    #[must_use]
    pub const fn profile(self, profile: Profile) -> Self {
        Self { profile, ..self }
    }

    /// Sets how many octets are read; the rest is ignored. Never more than 4 GiB - 1 are read.
    #[must_use]
    pub const fn limit(self, octets: usize) -> Self {
        Self { limit: Some(octets), ..self }
    }

    /// The octets to read.
    pub(crate) fn octets(self) -> usize {
        self.limit.unwrap_or(self.profile.semantics().limit)
    }
}

/// A parsed robots.txt over a borrowed or an owned body.
///
/// It is `Send` and `Sync` where the body is, and an owned one can be kept for as long as a copy of the
/// file may be used.
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
/// `robots_nom_parser::parse` is the short way to one.
#[derive(Clone)]
pub struct RobotsTxt<B> {
    body: B,
    index: Index,
}

impl<B: AsRef<[u8]>> RobotsTxt<B> {
    /// Parses a body.
    ///
    /// A body beyond the limit is cut there before it is parsed; a line that the cut goes through is
    /// dropped, and [`truncated_at`](Self::truncated_at) tells where reading ended.
    #[must_use]
    pub fn parse<P: Parser>(parser: &P, body: B, options: Options) -> Self {
        let index = builder::index(parser, body.as_ref(), options);
        Self { body, index }
    }

    /// Returns the profile by which the file was read, as a rule an edition.
    #[must_use]
    pub fn profile(&self) -> Profile {
        self.index.profile
    }

    /// Returns the octets of the body, also those beyond the limit.
    #[must_use]
    pub fn body(&self) -> &[u8] {
        self.body.as_ref()
    }

    /// Returns the body.
    #[must_use]
    pub fn into_body(self) -> B {
        self.body
    }

    /// Returns the offset at which reading ended because of the limit, always at the start of a line;
    /// `None` where the whole body was read.
    #[must_use]
    pub fn truncated_at(&self) -> Option<usize> {
        self.index.truncated_at
    }

    /// Returns every line in order, with what it means. The spans tile what was read.
    #[inline]
    pub fn lines(&self) -> impl Iterator<Item = (Line, LineKind)> {
        self.view().lines()
    }

    /// Returns the groups as written, before merging.
    pub fn groups(&self) -> impl Iterator<Item = Group<'_>> {
        self.view().groups()
    }

    /// Returns the values of the sitemap lines that name one, as written, in order, and their lines.
    pub fn sitemaps(&self) -> impl Iterator<Item = (&[u8], Line)> {
        let view = self.view();
        view.short_lines(view.sitemaps())
            .filter(|(_, line)| line.kind().is_sitemap())
            .map(move |(at, line)| (&view.octets[view.value_of(line).range()], view.line(at)))
    }

    /// Returns what is odd about lines without changing what they mean.
    pub fn remarks(&self) -> impl Iterator<Item = (Line, Remark)> {
        let octets = self.body();
        self.lines()
            .flat_map(move |(line, _)| line.remarks(octets).map(move |remark| (line, remark)))
    }

    /// Returns the groups a crawler follows, as one; `None` where the file has none for it.
    ///
    /// All groups that name the chosen product token are merged, rules in the order of the file; the
    /// groups of `*` are followed only where no token of the crawler is named, and never merged with
    /// others (google-2022, "grouping of rules"; RFC 9309, 2.2.1).
    #[must_use]
    pub fn followed_by<'c>(&self, crawler: impl Into<CrawlerRef<'c>>) -> Option<Followed<'_>> {
        Followed::select(self.view(), crawler.into())
    }

    /// Returns the verdict on a URL for a crawler, with its evidence.
    ///
    /// The crawler is a product token or a [`&Crawler`](crate::Crawler); the URL is a whole URL or path
    /// and query, as [`Target::parse`] takes them. Text that is no URL is never allowed, and the verdict
    /// says so.
    #[must_use]
    pub fn verdict<'c>(&self, crawler: impl Into<CrawlerRef<'c>>, url: &str) -> Verdict<'_> {
        match Target::of(url, self.view().semantics()) {
            Ok(target) => Verdict::of(self.view(), crawler.into(), &target),
            Err(error) => Verdict::not_a_url(self.view(), error),
        }
    }

    /// Compiles the rules one crawler follows, for many URLs.
    ///
    /// It answers as [`verdict`](Self::verdict) does.
    #[must_use]
    pub fn rules_for<'c>(&self, crawler: impl Into<CrawlerRef<'c>>) -> RuleSet<'_> {
        RuleSet::compile(self.view(), self.followed_by(crawler))
    }

    /// Returns the verdict as [`verdict`](Self::verdict) does, and an error for text that is no URL.
    ///
    /// # Errors
    /// [`NotAUrl`] where [`Target::parse`] refuses the text.
    pub fn try_verdict<'c>(
        &self,
        crawler: impl Into<CrawlerRef<'c>>,
        url: &str,
    ) -> Result<Verdict<'_>, NotAUrl> {
        let target = Target::of(url, self.view().semantics())?;
        Ok(Verdict::of(self.view(), crawler.into(), &target))
    }

    fn view(&self) -> View<'_> {
        let body = self.body();
        let read = self.index.truncated_at.unwrap_or(body.len());
        View { octets: &body[..read], index: &self.index }
    }
}

impl<B: AsRef<[u8]>> fmt::Debug for RobotsTxt<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RobotsTxt")
            .field("profile", &self.index.profile)
            .field("body", &String::from_utf8_lossy(self.body()))
            .field("truncated_at", &self.index.truncated_at)
            .finish_non_exhaustive()
    }
}

/// Returns the text of octets, those outside UTF-8 as U+FFFD.
pub(crate) fn text(octets: &[u8]) -> String {
    String::from_utf8_lossy(octets).into_owned()
}
