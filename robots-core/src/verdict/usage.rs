//! Finds the preferences that a file states about the use of a URL's content, and the statements that decide.
//!
//! Start at [`Usage`]. The verdict on the URL comes first, because a URL that may not be fetched has no preferences.
//! After that, the statements (`content-usage` lines) of the crawler's groups are compared with the URL like rules. The
//! longest path decides, and statements with paths of the same length are combined. `RobotsTxt::usage` reads the
//! statements line by line. [`Statements`] contains the statements in compiled form for `RuleSet::usage`.
//! `tests/usage.rs` compares the results of the two functions.
//!
//! The drafts leave some points open. `docs/aipref.md` lists how this module interprets these points.
//!
//! Source: draft-ietf-aipref-attach-05, section 3.

use alloc::vec::Vec;
use core::fmt;

use super::Verdict;
use super::merged_group::MergedGroup;
use crate::file::index::held;
use crate::file::slot::Slot;
use crate::file::view::View;
use crate::line::span::Place;
use crate::line::{Field, Line};
use crate::path::{PathAndQuery, Pattern};
use crate::preference::{Category, Preference, Preferences, Vocabulary, split};
use crate::text::Shown;

/// The preferences of a file and of an HTTP response's header about the use of a URL's content, with the statements
/// that decide.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dialect/line_parser.rs"));
/// # fn main() {
/// # use robots_core::{Edition, Options, RobotsTxt};
/// use robots_core::usage::{Category, Preference};
/// let body = "user-agent: *\ncontent-usage: train-ai=n\ncontent-usage: /open/ train-ai=y\n";
/// let robots = RobotsTxt::parse(&LineParser, body, Options::from(Edition::Aipref2026_08));
/// let usage = robots.usage("examplebot", "/open/page", &[]);
/// assert_eq!(usage.preference(Category::TrainAi), Some(Preference::Allowed));
/// assert_eq!(usage.statements().next().unwrap().line().number, 3);
/// assert_eq!(
///     usage.to_string(),
///     "train-ai allowed: the longest matching path is line 3, `content-usage: /open/ train-ai=y`"
/// );
/// # }
/// ```
#[derive(Clone)]
pub struct Usage<'r> {
    verdict: Verdict<'r>,
    view: View<'r>,
    /// The statements with the longest matching path.
    statements: Vec<Place>,
    /// The preferences of the `Content-Usage` header, if the response has one.
    header: Option<Preferences>,
    preferences: Preferences,
    vocabulary: Vocabulary,
}

impl<'r> Usage<'r> {
    /// Returns the verdict on the URL.
    #[must_use]
    pub fn verdict(&self) -> Verdict<'r> {
        self.verdict
    }

    /// Returns the preference for a category, or `None` if the URL may not be fetched, because no preference applies to
    /// such a URL (attach-05, 3).
    #[must_use]
    pub fn preference(&self, category: Category) -> Option<Preference> {
        self.preferences().map(|preferences| preferences.get(category))
    }

    /// Returns the preferences for the categories of the vocabulary, or `None` if the URL may not be fetched.
    #[must_use]
    pub fn preferences(&self) -> Option<Preferences> {
        self.verdict.is_allowed().then(|| self.preferences.within(self.vocabulary))
    }

    /// Returns the same result, but with the categories of the given vocabulary.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dialect/line_parser.rs"));
    /// # fn main() {
    /// # use robots_core::{Edition, Options, RobotsTxt};
    /// use robots_core::usage::{Category, Preference, Vocabulary};
    /// let body = "user-agent: *\ncontent-usage: ai-use=n\n";
    /// let robots = RobotsTxt::parse(&LineParser, body, Options::from(Edition::Aipref2026_08));
    /// let usage = robots.usage("examplebot", "/", &[]);
    /// assert_eq!(usage.preference(Category::AiUse), Some(Preference::Unknown));
    /// let usage = usage.by(Vocabulary::Vocab08);
    /// assert_eq!(usage.preference(Category::AiUse), Some(Preference::Disallowed));
    /// # }
    /// ```
    #[must_use]
    pub fn by(self, vocabulary: Vocabulary) -> Self {
        Self { vocabulary, ..self }
    }

    /// Returns the statements that decide, in the order of the file: the statements with the longest matching path.
    pub fn statements(&self) -> impl Iterator<Item = Statement<'r>> + '_ {
        let view = self.view;
        self.statements.iter().map(move |place| Statement { view, place: *place })
    }

    /// Returns the preferences of the response's `Content-Usage` header, if there was one.
    #[must_use]
    pub fn header(&self) -> Option<Preferences> {
        self.header.map(|header| header.within(self.vocabulary))
    }

    /// Makes the [`Usage`] of a URL from the statements of the crawler's groups, given the verdict on the URL.
    pub(crate) fn of(
        verdict: Verdict<'r>,
        merged: Option<&MergedGroup<'r>>,
        path: &PathAndQuery<'_>,
        header: &[&[u8]],
    ) -> Self {
        let statements = merged.into_iter().flat_map(MergedGroup::statements);
        let matching = statements.filter_map(|statement| {
            let precedence = match statement.path().map(Pattern::new) {
                None => 0,
                Some(pattern) => pattern.matches(path).then(|| pattern.precedence())?,
            };
            Some((statement.place, precedence, statement.preferences()))
        });
        Self::longest(verdict, matching, header)
    }

    /// Makes the [`Usage`] for an invalid URL or crawler, given the verdict that states this reason.
    pub(crate) fn not_a_question(verdict: Verdict<'r>) -> Self {
        Self::longest(verdict, core::iter::empty(), &[])
    }

    /// Makes the [`Usage`] from the matching statements. Only the statements with the longest path are used. Each item
    /// is the place of a statement, its precedence and its preferences.
    fn longest(
        verdict: Verdict<'r>,
        matching: impl Iterator<Item = (Place, usize, Preferences)>,
        header: &[&[u8]],
    ) -> Self {
        let (mut statements, mut longest) = (Vec::new(), 0);
        let mut preferences = Preferences::UNKNOWN;
        for (place, precedence, stated) in matching.filter(|_| verdict.is_allowed()) {
            if precedence > longest {
                (longest, preferences) = (precedence, Preferences::UNKNOWN);
                statements.clear();
            }
            if precedence == longest {
                preferences = preferences.and(stated);
                statements.push(place);
            }
        }
        let header = (!header.is_empty()).then(|| Preferences::read_header(header));
        let preferences = preferences.and(header.unwrap_or_default());
        let (view, vocabulary) = (verdict.view, Vocabulary::default());
        Self { verdict, view, statements, header, preferences, vocabulary }
    }
}

impl fmt::Debug for Usage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Usage")
            .field("verdict", &self.verdict)
            .field("preferences", &self.preferences)
            .field("statements", &self.statements().collect::<Vec<_>>())
            .field("header", &self.header)
            .field("vocabulary", &self.vocabulary)
            .finish()
    }
}

impl fmt::Display for Usage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(preferences) = self.preferences() else {
            return write!(f, "not applicable: {}", self.verdict);
        };
        write!(f, "{preferences}: ")?;
        match self.statements.len() {
            0 => f.write_str("no statement of the file matches")?,
            1 => f.write_str("the longest matching path is")?,
            _ => f.write_str("the longest matching paths are combined:")?,
        }
        for (position, statement) in self.statements().enumerate() {
            let comma = if position == 0 { "" } else { "," };
            write!(f, "{comma} line {}, `{statement}`", statement.line().number)?;
        }
        match self.header() {
            Some(header) => write!(f, "; the header says {header}"),
            None => Ok(()),
        }
    }
}

impl<'r> MergedGroup<'r> {
    /// Returns the statements of all the merged groups, in the order of the file: their `content-usage` lines, with and
    /// without effect. Under an edition that does not define this field, there is no statement. This function needs the
    /// feature `usage`.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dialect/line_parser.rs"));
    /// # fn main() {
    /// # use robots_core::{Edition, Options, RobotsTxt};
    /// let body = "user-agent: *\ncontent-usage: /a train-ai=n\n";
    /// let robots = RobotsTxt::parse(&LineParser, body, Options::from(Edition::Aipref2026_08));
    /// let merged = robots.followed_by("examplebot").unwrap();
    /// assert_eq!(merged.statements().next().unwrap().path(), Some(&b"/a"[..]));
    /// # }
    /// ```
    pub fn statements(&self) -> impl Iterator<Item = Statement<'r>> + use<'r> {
        let view = self.user_agent().view();
        let groups = self.groups().filter(move |_| has_statements(view));
        let lines = groups.flat_map(move |group| view.slots(group.places())).filter(is_statement);
        lines.map(move |(place, _)| Statement { view, place })
    }
}

/// A content-usage line: a preference, with or without a path.
#[derive(Clone, Copy)]
pub struct Statement<'r> {
    view: View<'r>,
    place: Place,
}

impl<'r> Statement<'r> {
    /// Returns the line.
    #[must_use]
    pub fn line(&self) -> Line {
        self.view.line(self.place)
    }

    /// Returns the value as written, without surrounding white space.
    #[must_use]
    pub fn value(&self) -> &'r [u8] {
        &self.view.octets[self.view.value(self.place).range()]
    }

    /// Returns the path as written, or `None` if the value does not begin with `/`.
    #[must_use]
    pub fn path(&self) -> Option<&'r [u8]> {
        split(self.value()).0
    }

    /// Returns the preferences of the statement.
    #[must_use]
    pub fn preferences(&self) -> Preferences {
        Preferences::read(split(self.value()).1)
    }
}

impl fmt::Debug for Statement<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {self}", self.view.number(self.place))
    }
}

/// Writes the statement as a line of a file. Octets that could mislead are escaped, and the middle of a long value is
/// omitted.
impl fmt::Display for Statement<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", Field::ContentUsage, Shown(self.value()))
    }
}

/// Returns whether `content-usage` lines belong to groups under the edition of a file. If they do not, no line of the
/// file is a statement.
fn has_statements(view: View<'_>) -> bool {
    view.semantics().role(Field::ContentUsage).is_some_and(|role| role.is_of_group)
}

/// Returns whether a stored line is a `content-usage` line that the edition of the file defines.
fn is_statement((_, slot): &(Place, &Slot)) -> bool {
    // A `content-usage` line without effect is a statement too: it states no preference, but its path may be the
    // longest.
    matches!(slot.kind().field(), Some((Field::ContentUsage, _)))
}

/// The statements of a crawler's groups, compiled for many URLs.
pub(crate) struct Statements(Vec<Compiled>);

struct Compiled {
    place: Place,
    /// `None` if the statement has no path.
    pattern: Option<Pattern<'static>>,
    preferences: Preferences,
}

impl Statements {
    /// Makes the empty list of statements.
    pub(crate) const fn none() -> Self {
        Self(Vec::new())
    }

    /// Compiles the statements of all groups of a view.
    pub(crate) fn of(view: View<'_>) -> Self {
        if !has_statements(view) {
            return Self::none();
        }
        let lines = view.slots(Place::FIRST..view.end()).filter(is_statement);
        let compiled = lines.map(|(place, slot)| {
            let (path, preference) = split(&view.octets[view.value_of(slot).range()]);
            let pattern = path.map(|path| Pattern::new(path).into_owned());
            Compiled { place, pattern, preferences: Preferences::read(preference) }
        });
        Self(compiled.collect())
    }

    /// Returns the [`Usage`] of a URL, given the verdict on the URL.
    pub(crate) fn usage<'r>(
        &self,
        verdict: Verdict<'r>,
        path: &PathAndQuery<'_>,
        header: &[&[u8]],
    ) -> Usage<'r> {
        let matching = self.0.iter().filter_map(|statement| {
            let precedence = match &statement.pattern {
                None => 0,
                Some(pattern) => pattern.matches(path).then(|| pattern.precedence())?,
            };
            Some((statement.place, precedence, statement.preferences))
        });
        Usage::longest(verdict, matching, header)
    }

    /// Returns the memory that the statements need, in octets.
    pub(crate) fn size(&self) -> usize {
        let patterns = self.0.iter().filter_map(|statement| statement.pattern.as_ref());
        held(&self.0) + patterns.map(|pattern| pattern.as_octets().len()).sum::<usize>()
    }
}
