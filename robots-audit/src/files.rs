//! The files of a history, parsed, with the rules of each crawler: [`Files`].
//!
//! All origins number their files together, because the file of one origin can be valid for another after a redirect.
//! Rules are compiled once for all crawlers that follow the same groups.

use std::cell::RefCell;
use std::collections::HashMap;
use std::time::Duration;

use robots_core::syntax::{LineNumber, Span};
use robots_core::{Crawler, Edition, MergedGroup, Options, ProductToken, RobotsTxt, RuleSet};

use crate::agents::{Client, named};
use crate::history::{History, Version};
use crate::report::Reason;

/// The number of a version of a file, in all origins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct VersionId(usize);

/// The number of a list of versions, which origins may share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct List(usize);

impl List {
    /// The list of all origins that have none of their own.
    pub(crate) const SHARED: Self = Self(0);
}

/// The versions of all origins.
#[derive(Debug)]
pub(crate) struct Files {
    versions: Vec<Parsed>,
    /// The versions of each list in the order of their times. The first list is shared.
    lists: Vec<Vec<VersionId>>,
    /// The list of each origin that has its own, by its cache key.
    origins: HashMap<String, List>,
    /// The rules of the crawlers that follow the groups with these positions.
    compiled: RefCell<HashMap<(VersionId, Vec<usize>), RuleSet>>,
    /// The rules that the crawlers of a `User-Agent` field may follow instead, by field and version.
    others: RefCell<HashMap<Vec<u8>, OtherRules>>,
}

/// The rules by version that the crawlers of one `User-Agent` field may follow; `None` for no rules.
type OtherRules = HashMap<VersionId, Vec<(Reason, Option<RuleSet>)>>;

/// The largest number of `User-Agent` fields whose other rules are remembered.
const FIELDS: usize = 1_000;

#[derive(Debug)]
struct Parsed {
    /// The earliest time from which this version or a later one of the list may be valid.
    earliest: Duration,
    from: Duration,
    robots: Option<RobotsTxt<Vec<u8>>>,
    /// The file without a limit of its size, if it exceeds the limit.
    whole: Option<RobotsTxt<Vec<u8>>>,
}

/// The rules of one crawler by version; `None` if the version has no file.
#[derive(Debug, Default)]
pub(crate) struct Rules(HashMap<VersionId, Option<RuleSet>>);

impl Files {
    pub(crate) fn new(history: History, edition: Edition) -> Self {
        let (versions, lists, origins) = (Vec::new(), Vec::new(), HashMap::new());
        let mut files = Self {
            versions,
            lists,
            origins,
            compiled: RefCell::default(),
            others: RefCell::default(),
        };
        files.add(history.shared, edition);
        for (key, versions) in history.origins {
            let list = files.add(versions, edition);
            files.origins.insert(key, list);
        }
        files
    }

    fn add(&mut self, versions: Vec<Version>, edition: Edition) -> List {
        let first = self.versions.len();
        self.versions.extend(versions.into_iter().map(|Version { earliest, from, file }| {
            let unlimited = Options::from(edition).with_limit(Options::MAX);
            let robots = file.map(|file| robots_nom_parser::parse_with(file, edition));
            let cut = robots.as_ref().filter(|robots| robots.truncated_at().is_some());
            let parse = |cut: &RobotsTxt<Vec<u8>>| {
                robots_nom_parser::parse_with(cut.body().to_vec(), unlimited)
            };
            Parsed { earliest, from, whole: cut.map(parse), robots }
        }));
        let mut earliest = Duration::MAX;
        for version in self.versions[first..].iter_mut().rev() {
            earliest = earliest.min(version.earliest);
            version.earliest = earliest;
        }
        self.lists.push((first..self.versions.len()).map(VersionId).collect());
        List(self.lists.len() - 1)
    }

    /// Returns the list of an origin that has its own, given its cache key.
    pub(crate) fn own_list(&self, key: &str) -> Option<List> {
        self.origins.get(key).copied()
    }

    /// Returns the versions that may have been valid at some time of a period, the first and the last moment included. If
    /// the history may begin after the first moment, the result begins with `None`.
    pub(crate) fn during(
        &self,
        list: List,
        from: Duration,
        until: Duration,
    ) -> impl Iterator<Item = Option<VersionId>> {
        let list = &self.lists[list.0];
        let first = list.partition_point(|version| self.from(*version) <= from);
        let end = list.partition_point(|version| self.versions[version.0].earliest <= until);
        let known = list[first.saturating_sub(1)..end.max(first)].iter().copied().map(Some);
        (first == 0).then_some(None).into_iter().chain(known)
    }

    /// Returns the last version that is valid for sure at a time, or was valid before.
    pub(crate) fn at(&self, list: List, time: Duration) -> Option<VersionId> {
        self.during(list, time, time).next().flatten()
    }

    /// Returns the last version of a list.
    pub(crate) fn last(&self, list: List) -> Option<VersionId> {
        self.lists[list.0].last().copied()
    }

    /// Returns the time from which a version is valid for sure.
    pub(crate) fn from(&self, version: VersionId) -> Duration {
        self.versions[version.0].from
    }

    /// Returns the octets of a version, or `None` if there was no file.
    pub(crate) fn octets(&self, version: VersionId) -> Option<&[u8]> {
        self.versions[version.0].robots.as_ref().map(RobotsTxt::body)
    }

    /// Returns a line of a version without its comment.
    pub(crate) fn line(&self, version: VersionId, number: LineNumber) -> &[u8] {
        let robots = self.versions[version.0].robots.as_ref();
        let line = robots.and_then(|robots| Some((robots, robots.line(number)?.0)));
        let Some((robots, line)) = line else { return b"" };
        let end = line.comment.map_or(line.content.end(), Span::start);
        &robots.body()[line.content.start()..end]
    }

    /// Returns the rules of a crawler in a version, or `None` if there was no file.
    pub(crate) fn rules<'r>(
        &self,
        version: VersionId,
        crawler: &Crawler,
        known: &'r mut Rules,
    ) -> Option<&'r RuleSet> {
        known.0.entry(version).or_insert_with(|| self.compiled(version, crawler)).as_ref()
    }

    fn compiled(&self, version: VersionId, crawler: &Crawler) -> Option<RuleSet> {
        let robots = self.versions[version.0].robots.as_ref()?;
        let followed = robots.followed_by(crawler);
        let followed = followed.iter().flat_map(MergedGroup::groups);
        let key = (version, followed.map(|group| group.position()).collect());
        let mut compiled = self.compiled.borrow_mut();
        Some(compiled.entry(key).or_insert_with(|| robots.rules_for(crawler)).clone())
    }

    /// Returns the reason if a version allows a URL by rules that a client may follow instead of those of its groups: the
    /// rules for another token that its `User-Agent` field contains, those that its operator documents, or those of the
    /// whole file, because a crawler may read more than the limit.
    pub(crate) fn allowed_otherwise(
        &self,
        version: VersionId,
        client: &Client,
        field: &[u8],
        url: &str,
    ) -> Option<Reason> {
        let mut others = self.others.borrow_mut();
        if others.len() >= FIELDS && !others.contains_key(field) {
            others.clear();
        }
        let of_field = match others.get_mut(field) {
            Some(of_field) => of_field,
            None => others.entry(field.to_owned()).or_default(),
        };
        let rules = of_field.entry(version).or_insert_with(|| {
            let lower = field.to_ascii_lowercase();
            let is_inside = |token: &ProductToken| {
                memchr::memmem::find(&lower, token.as_str().to_ascii_lowercase().as_bytes())
                    .is_some()
            };
            let tokens = self.versions[version.0].robots.iter().flat_map(named).filter(is_inside);
            let crawlers = tokens.map(Crawler::from).chain(client.others.iter().cloned());
            let rules = crawlers.map(|crawler| self.compiled(version, &crawler));
            let whole = self.versions[version.0].whole.iter();
            let whole = whole.map(|file| Some(file.rules_for(&client.crawler)));
            let whole = whole.map(|rules| (Reason::SizeLimit, rules));
            rules.map(|rules| (Reason::OtherGroup, rules)).chain(whole).collect()
        });
        let is_allowed =
            |rules: &Option<RuleSet>| rules.as_ref().is_none_or(|it| it.verdict(url).is_allowed());
        rules.iter().find(|(_, rules)| is_allowed(rules)).map(|(reason, _)| *reason)
    }
}
