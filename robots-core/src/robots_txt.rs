//! A parsed file: lines to groups, merging, sitemaps, verdicts.
//!
//! Start at [`RobotsTxt`]. It keeps offsets over the body, so that a body of any ownership can be kept
//! with what was read from it.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::agent::CrawlerRef;
use crate::edition::Semantics;
use crate::group::{Followed, Group, Rule};
use crate::path::RuleSet;
use crate::target::{NotAUrl, Target};
use crate::verdict::Verdict;
use crate::{Edition, Line, LineKind, Parser, Remark, RuleKind};

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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    edition: Edition,
    limit: usize,
}

impl Options {
    /// Sets the edition by which the file is read and questions are answered.
    #[must_use]
    pub const fn edition(self, edition: Edition) -> Self {
        Self { edition, ..self }
    }

    /// Sets how many octets are read; the rest is ignored. Never more than 4 GiB - 1 are read.
    #[must_use]
    pub const fn limit(self, octets: usize) -> Self {
        Self { limit: octets, ..self }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self { edition: Edition::default(), limit: DEFAULT_LIMIT }
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
    pub fn parse<P: Parser + ?Sized>(parser: &P, body: B, options: Options) -> Self {
        let index = Index::build(parser, body.as_ref(), options);
        Self { body, index }
    }

    /// Returns the edition by which the file was read.
    #[must_use]
    pub fn edition(&self) -> Edition {
        self.index.edition
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
    pub fn lines(&self) -> impl Iterator<Item = (Line, LineKind)> {
        let (octets, semantics) = (self.body(), self.index.edition.semantics());
        self.index.lines.iter().map(move |line| (*line, line.kind(octets, semantics)))
    }

    /// Returns the groups as written, before merging.
    pub fn groups(&self) -> impl Iterator<Item = Group<'_>> {
        self.view().groups()
    }

    /// Returns the values of the sitemap lines that name one, as written, in order, and their lines.
    pub fn sitemaps(&self) -> impl Iterator<Item = (&[u8], Line)> {
        let octets = self.body();
        self.index.sitemaps.iter().map(move |line| {
            let line = self.index.lines[*line as usize];
            (line.value.map_or(&[][..], |value| &octets[value.range()]), line)
        })
    }

    /// Returns what is odd about lines without changing what they mean.
    pub fn remarks(&self) -> impl Iterator<Item = (Line, Remark)> {
        let octets = self.body();
        self.index
            .lines
            .iter()
            .flat_map(move |line| line.remarks(octets).map(|remark| (*line, remark)))
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
        match Target::parse(url) {
            Ok(target) => Verdict::of(self.view(), crawler.into(), &target),
            Err(error) => Verdict::not_a_url(error),
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
        Ok(Verdict::of(self.view(), crawler.into(), &Target::parse(url)?))
    }

    fn view(&self) -> View<'_> {
        View { octets: self.body(), index: &self.index }
    }
}

impl<B: AsRef<[u8]>> fmt::Debug for RobotsTxt<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RobotsTxt")
            .field("edition", &self.index.edition)
            .field("body", &String::from_utf8_lossy(self.body()))
            .field("truncated_at", &self.index.truncated_at)
            .finish_non_exhaustive()
    }
}

/// What was read of a body: offsets only.
#[derive(Clone)]
pub(crate) struct Index {
    pub(crate) edition: Edition,
    truncated_at: Option<usize>,
    pub(crate) lines: Vec<Line>,
    /// The user-agent lines, as indices into `lines`.
    pub(crate) agents: Vec<u32>,
    /// The rules with effect that stand in a group.
    pub(crate) rules: Vec<IndexedRule>,
    pub(crate) groups: Vec<IndexedGroup>,
    /// The sitemap lines with effect, as indices into `lines`.
    sitemaps: Vec<u32>,
}

#[derive(Clone, Copy)]
pub(crate) struct IndexedRule {
    pub(crate) line: u32,
    pub(crate) group: u32,
    pub(crate) kind: RuleKind,
}

/// Where a group's user-agent lines and rules begin; they end where the next group's begin.
#[derive(Clone, Copy)]
pub(crate) struct IndexedGroup {
    pub(crate) agents: u32,
    pub(crate) rules: u32,
}

/// A body with its index.
#[derive(Clone, Copy)]
pub(crate) struct View<'r> {
    pub(crate) octets: &'r [u8],
    pub(crate) index: &'r Index,
}

impl<'r> View<'r> {
    pub(crate) fn semantics(self) -> &'static Semantics {
        self.index.edition.semantics()
    }

    pub(crate) fn groups(self) -> impl Iterator<Item = Group<'r>> {
        (0..self.index.groups.len()).map(move |number| Group::new(self, number))
    }

    pub(crate) fn rule(self, rule: IndexedRule) -> Rule<'r> {
        Rule::new(self, rule)
    }

    /// The value of a line that has one.
    pub(crate) fn value(self, line: u32) -> &'r [u8] {
        self.index.lines[line as usize].value.map_or(&[], |value| &self.octets[value.range()])
    }
}

impl Index {
    fn build<P: Parser + ?Sized>(parser: &P, octets: &[u8], options: Options) -> Self {
        let truncated_at = cut(octets, options.limit.min(u32::MAX as usize));
        let octets = &octets[..truncated_at.unwrap_or(octets.len())];
        let mut index = Self {
            edition: options.edition,
            truncated_at,
            lines: Vec::new(),
            agents: Vec::new(),
            rules: Vec::new(),
            groups: Vec::new(),
            sitemaps: Vec::new(),
        };
        let semantics = options.edition.semantics();
        let mut in_run_of_agents = false;
        parser.parse(octets, &mut |line| {
            index.push(line, line.kind(octets, semantics), &mut in_run_of_agents);
        });
        index
    }

    /// Adds a line. User-agent lines that no allow or disallow line parts share a group; every other
    /// line leaves the run of user-agent lines open.
    fn push(&mut self, line: Line, kind: LineKind, in_run_of_agents: &mut bool) {
        let at = index_of(self.lines.len());
        match kind {
            LineKind::UserAgent { .. } => {
                if !*in_run_of_agents {
                    let (agents, rules) = (index_of(self.agents.len()), index_of(self.rules.len()));
                    self.groups.push(IndexedGroup { agents, rules });
                }
                *in_run_of_agents = true;
                self.agents.push(at);
            }
            LineKind::Rule { kind, effect } => {
                *in_run_of_agents = false;
                if let (Ok(()), Some(group)) = (effect, self.groups.len().checked_sub(1)) {
                    self.rules.push(IndexedRule { line: at, group: index_of(group), kind });
                }
            }
            LineKind::Sitemap { effect: Ok(()) } => self.sitemaps.push(at),
            _ => {}
        }
        self.lines.push(line);
    }
}

/// Lines are at least one octet long and offsets have 32 bits, so that every index fits.
#[expect(clippy::cast_possible_truncation, reason = "see above")]
fn index_of(len: usize) -> u32 {
    len as u32
}

/// Returns where reading ends when a body is longer than the limit: behind the last line whose content
/// lies within it.
fn cut(octets: &[u8], limit: usize) -> Option<usize> {
    let within = octets.get(..limit).filter(|_| octets.len() > limit)?;
    if matches!(octets[limit], b'\r' | b'\n') {
        return Some(limit);
    }
    Some(memchr::memrchr2(b'\r', b'\n', within).map_or(0, |end| end + 1))
}

/// Returns the text of octets, those outside UTF-8 as U+FFFD.
pub(crate) fn text(octets: &[u8]) -> String {
    String::from_utf8_lossy(octets).into_owned()
}
