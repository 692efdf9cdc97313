//! Defines groups, rules and user-agent lines, as written in a file.
//!
//! Start at [`Group`]. Each type stores the [`View`] of the file, and the place of a line or the position of a group.
//! So a value is cheap to copy, and octets are read only when a caller needs them. The view contains a whole file, or
//! the groups of a file that a rule set has copied. The positions of groups and the numbers of lines that callers see
//! are always those of the original file.

use core::fmt;

use crate::agent::{self, ProductToken};
use crate::file::view::View;
use crate::line::span::{Place, Span};
use crate::line::{Line, LineKind, LineNumber, RuleKind};
use crate::meaning::is_control;
use crate::text::Shown;

/// A group as written: a run of user-agent lines and the rules that follow it.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dialect/line_parser.rs"));
/// # fn main() {
/// use robots_core::{Options, RobotsTxt};
/// let body = "user-agent: a\nuser-agent: b\ncrawl-delay: 5\ndisallow: /x\n";
/// let robots = RobotsTxt::parse(&LineParser, body, Options::default());
/// let group = robots.groups().next().unwrap();
/// assert_eq!(group.user_agents().count(), 2);
/// assert_eq!(group.rules().next().unwrap().path(), b"/x");
/// let delay = group.lines().find(|line| line.is_named("Crawl-Delay")).unwrap();
/// assert_eq!(delay.value(), b"5");
/// # }
/// ```
#[derive(Clone, Copy)]
pub struct Group<'r> {
    view: View<'r>,
    position: usize,
}

impl<'r> Group<'r> {
    #[inline]
    pub(crate) fn new(view: View<'r>, position: usize) -> Self {
        Self { view, position }
    }

    /// Returns all groups of a view, in order.
    #[inline]
    pub(crate) fn all(view: View<'r>) -> impl Iterator<Item = Self> {
        (0..view.index.groups.len()).map(move |position| Self { view, position })
    }

    /// Returns the group's position among the groups of the file, from 0, before merging.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dialect/line_parser.rs"));
    /// # fn main() {
    /// # let robots = robots_core::RobotsTxt::parse(&LineParser,
    /// #     "user-agent: a\nallow: /\nuser-agent: b\nallow: /\n", robots_core::Options::default());
    /// let rules = robots.rules_for("b");
    /// assert_eq!(rules.groups().next().unwrap().position(), 1);
    /// assert_eq!(robots.followed_by("b").unwrap().groups().next().unwrap().position(), 1);
    /// # }
    /// ```
    #[must_use]
    pub fn position(&self) -> usize {
        // A rule set contains only some groups of a file. For each of them, `excerpts` contains the position in the
        // file.
        match self.view.index.excerpts.get(self.position) {
            Some(excerpt) => excerpt.group as usize,
            None => self.position,
        }
    }

    /// Returns the group's position among the groups of the view.
    #[inline]
    pub(crate) fn index(&self) -> usize {
        self.position
    }

    /// Returns the group's user-agent lines, in order.
    #[inline]
    pub fn user_agents(&self) -> impl Iterator<Item = UserAgentLine<'r>> + use<'r> {
        let view = self.view;
        view.slots(self.places())
            .take_while(|(_, slot)| !slot.kind().is_rule())
            .filter(|(_, slot)| slot.kind().is_agent())
            .map(move |(place, slot)| UserAgentLine { view, place, value: view.value_of(slot) })
    }

    /// Returns the group's rules with effect, in order.
    #[inline]
    pub fn rules(&self) -> impl Iterator<Item = Rule<'r>> + use<'r> {
        let view = self.view;
        view.slots(self.places()).filter_map(move |(place, slot)| {
            let kind = slot.kind().rule()?;
            Some(Rule { view, place, kind, value: view.value_of(slot) })
        })
    }

    /// Returns the group's lines that have a field, known or not, in order: user-agent lines, rules, `crawl-delay`, and
    /// any other field between the group's first user-agent line and the next group. A [`RuleSet`](crate::RuleSet)
    /// leaves out the lines after the last line that belongs to the group.
    pub fn lines(&self) -> impl Iterator<Item = Record<'r>> + use<'r> {
        Record::all(self.view, self.places())
    }

    /// Returns the numbers of the group's lines in the file, as a range. The range begins with the first user-agent
    /// line of the group. In a parsed file, the range ends before the first line of the next group, or after the last
    /// line of the file. In a [`RuleSet`](crate::RuleSet), the range ends after the last line that belongs to the
    /// group, so comments and sitemaps after that line are left out.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dialect/line_parser.rs"));
    /// # fn main() {
    /// # let robots = robots_core::RobotsTxt::parse(&LineParser,
    /// #     "# hello\nuser-agent: a\nallow: /\nuser-agent: b\n", robots_core::Options::default());
    /// let numbers = robots.groups().next().unwrap().line_numbers();
    /// assert_eq!((numbers.start.get(), numbers.end.get()), (2, 4));
    /// # }
    /// ```
    #[must_use]
    pub fn line_numbers(&self) -> core::ops::Range<LineNumber> {
        let places = self.places();
        let (not_kept, _) = self.view.index.not_kept_before(places.start);
        places.start.number(not_kept)..places.end.number(not_kept)
    }

    /// Returns the places of the group's lines.
    #[inline]
    pub(crate) fn places(&self) -> core::ops::Range<Place> {
        self.view.lines_of(self.position)
    }
}

impl fmt::Debug for Group<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        struct List<F>(F);

        impl<I: Iterator<Item: fmt::Debug>, F: Fn() -> I> fmt::Debug for List<F> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_list().entries((self.0)()).finish()
            }
        }

        f.debug_struct("Group")
            .field("user_agents", &List(|| self.user_agents()))
            .field("rules", &List(|| self.rules()))
            .finish()
    }
}

/// A user-agent line.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dialect/line_parser.rs"));
/// # fn main() {
/// # let robots = robots_core::RobotsTxt::parse(&LineParser,
/// #     "user-agent: ExampleBot/1.0\n", robots_core::Options::default());
/// let line = robots.groups().next().unwrap().user_agents().next().unwrap();
/// assert_eq!(line.value(), b"ExampleBot/1.0");
/// assert!(line.names("examplebot"));
/// assert!(!line.is_global());
/// # }
/// ```
#[derive(Clone, Copy)]
pub struct UserAgentLine<'r> {
    view: View<'r>,
    place: Place,
    value: Span,
}

impl<'r> UserAgentLine<'r> {
    /// Returns the user-agent line at a place.
    #[inline]
    pub(crate) fn new(view: View<'r>, place: Place) -> Self {
        Self { view, place, value: view.value(place) }
    }

    #[inline]
    pub(crate) fn place(self) -> Place {
        self.place
    }

    #[inline]
    pub(crate) fn view(self) -> View<'r> {
        self.view
    }

    /// Returns the value as written, without surrounding white space.
    #[must_use]
    #[inline]
    pub fn value(&self) -> &'r [u8] {
        &self.view.octets[self.value.range()]
    }

    /// Returns the line.
    #[must_use]
    pub fn line(&self) -> Line {
        self.view.line(self.place)
    }

    /// Returns whether the value is only `*`, which names all crawlers.
    #[must_use]
    #[inline]
    pub fn is_global(&self) -> bool {
        self.value() == b"*"
    }

    /// Returns the product token that the value names, or `None` for `*` and any other value that names no crawler.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dialect/line_parser.rs"));
    /// # fn main() {
    /// # let robots = robots_core::RobotsTxt::parse(&LineParser,
    /// #     "user-agent: ExampleBot/1.0\nuser-agent: *\n", robots_core::Options::default());
    /// let tokens = robots.groups().flat_map(|group| group.user_agents()).map(|line| line.token());
    /// assert_eq!(tokens.collect::<Vec<_>>(), [Some("ExampleBot"), None]);
    /// # }
    /// ```
    #[must_use]
    pub fn token(&self) -> Option<&'r str> {
        let token = core::str::from_utf8(ProductToken::leading(self.value())).ok()?;
        (agent::checked(token).is_ok() && self.names(token)).then_some(token)
    }

    /// Returns whether the value names a product token: the value begins with the token, without regard to ASCII case,
    /// and the next octet, if there is one, cannot be in a token. A value with a control octet names no token.
    ///
    /// Sources: the section "order of precedence for user agents" of the Google editions; RFC 9309, 2.2.1.
    #[must_use]
    #[inline]
    pub fn names(&self, token: &str) -> bool {
        agent::names(self.value(), token.as_bytes())
            && !self.value().iter().copied().any(is_control)
    }
}

impl fmt::Debug for UserAgentLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {self}", self.view.number(self.place))
    }
}

/// Writes the field and the value as a line of a file. Octets that could mislead are escaped, and the middle of a long
/// value is omitted.
impl fmt::Display for UserAgentLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "user-agent: {}", Shown(self.value()))
    }
}

/// An allow or disallow line with effect.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dialect/line_parser.rs"));
/// # fn main() {
/// # let robots = robots_core::RobotsTxt::parse(&LineParser,
/// #     "user-agent: *\nDisallow : /x # why\n", robots_core::Options::default());
/// let rule = robots.groups().next().unwrap().rules().next().unwrap();
/// assert_eq!((rule.kind().name(), rule.path()), ("disallow", &b"/x"[..]));
/// assert_eq!(rule.line().number, 2);
/// assert_eq!(rule.to_string(), "disallow: /x");
/// # }
/// ```
#[derive(Clone, Copy)]
pub struct Rule<'r> {
    view: View<'r>,
    place: Place,
    kind: RuleKind,
    value: Span,
}

impl<'r> Rule<'r> {
    /// Returns the rule at a place. The line must be a rule of this kind with effect.
    #[inline]
    pub(crate) fn new(view: View<'r>, place: Place, kind: RuleKind) -> Self {
        Self { view, place, kind, value: view.value(place) }
    }

    /// Returns whether the rule allows or disallows.
    #[must_use]
    #[inline]
    pub fn kind(&self) -> RuleKind {
        self.kind
    }

    /// Returns the path pattern as written, without surrounding white space.
    #[must_use]
    #[inline]
    pub fn path(&self) -> &'r [u8] {
        &self.view.octets[self.value.range()]
    }

    /// Returns the line.
    #[must_use]
    pub fn line(&self) -> Line {
        self.view.line(self.place)
    }

    /// Returns the group that contains the rule. Returns `None` for a rule before the first user-agent line. A rule
    /// without a group never decides about a URL.
    #[must_use]
    pub fn group(&self) -> Option<Group<'r>> {
        self.view.group_of(self.place).map(|position| Group::new(self.view, position))
    }
}

impl fmt::Debug for Rule<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {self}", self.view.number(self.place))
    }
}

/// Writes the rule as a line of a file. Octets that could mislead are escaped, and the middle of a long value is
/// omitted.
impl fmt::Display for Rule<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind(), Shown(self.path()))
    }
}

/// A line with a field, known or not.
#[derive(Clone, Copy)]
pub struct Record<'r> {
    view: View<'r>,
    /// The line. Its spans refer to the octets of the view.
    line: Line,
    kind: LineKind,
    place: Place,
}

impl<'r> Record<'r> {
    /// Returns the lines of a view that have a field.
    pub(crate) fn all(
        view: View<'r>,
        places: core::ops::Range<Place>,
    ) -> impl Iterator<Item = Self> + use<'r> {
        let lines = (places.start.index()..).map(Place::at).zip(view.lines_at(places));
        lines.filter(|(_, (line, _))| line.field.is_some()).map(move |(place, (line, kind))| Self {
            view,
            line,
            kind,
            place,
        })
    }

    /// Returns the field name as written, without surrounding white space.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dialect/line_parser.rs"));
    /// # fn main() {
    /// # let robots = robots_core::RobotsTxt::parse(&LineParser,
    /// #     "Host: example.com\n", robots_core::Options::default());
    /// let record = robots.records().next().unwrap();
    /// assert_eq!((record.name(), record.value()), (&b"Host"[..], &b"example.com"[..]));
    /// # }
    /// ```
    #[must_use]
    pub fn name(&self) -> &'r [u8] {
        &self.view.octets[self.line.field.unwrap_or_default().range()]
    }

    /// Returns whether the field has this name, without regard to ASCII case.
    #[must_use]
    pub fn is_named(&self, name: &str) -> bool {
        self.name().eq_ignore_ascii_case(name.as_bytes())
    }

    /// Returns the value as written, without surrounding white space.
    #[must_use]
    pub fn value(&self) -> &'r [u8] {
        &self.view.octets[self.line.value.unwrap_or_default().range()]
    }

    /// Returns the meaning of the line.
    #[must_use]
    pub fn kind(&self) -> LineKind {
        self.kind
    }

    /// Returns the line.
    #[must_use]
    pub fn line(&self) -> Line {
        self.view.line(self.place)
    }
}

impl fmt::Debug for Record<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {self}", self.line.number)
    }
}

/// Writes the field and the value as a line of a file. Octets that could mislead are escaped, and the middle of a long
/// value is omitted.
impl fmt::Display for Record<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", Shown(self.name()), Shown(self.value()))
    }
}
