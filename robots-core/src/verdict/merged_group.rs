//! The merged group of a crawler: all groups that the crawler follows, combined into one ([`MergedGroup`]).
//!
//! Start at [`MergedGroup::select`]. This function reads the user-agent lines once to find the first and the last of
//! these groups. When a caller needs the groups between them, the lines are searched again, so no list of groups is
//! allocated. [`MergedGroup::select_by_one`] is the fast path. A property test compares the fast path with
//! [`MergedGroup::select_by_any`], the reference implementation. Another test checks that a token is compared with each
//! octet of the file at most once.

use core::fmt;
use core::iter;
use core::time::Duration;

use super::group::{Group, Rule, UserAgentLine};
use crate::agent::{self, CrawlerRef};
use crate::file::view::View;
use crate::line::LineNumber;
use crate::line::span::Place;
use crate::meaning::is_control;

/// The groups that one crawler follows, merged into one.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dialect/line_parser.rs"));
/// # fn main() {
/// # let robots = robots_core::RobotsTxt::parse(&LineParser,
/// #     "user-agent: a\ndisallow: /x\nuser-agent: *\nuser-agent: A\ndisallow: /y\n",
/// #     robots_core::Options::default());
/// let merged = robots.followed_by("a").unwrap();
/// assert_eq!(merged.groups().count(), 2);
/// assert_eq!(merged.rules().count(), 2);
/// assert_eq!(merged.user_agent().line().number, 1);
/// # }
/// ```
#[derive(Clone)]
pub struct MergedGroup<'r> {
    chosen: Chosen<'r>,
    selector: Selector<'r>,
}

/// The first and the last of the merged groups. One pass over the user-agent lines of the file finds these groups.
#[derive(Clone, Copy)]
struct Chosen<'r> {
    /// The first user-agent line that selects a group.
    first: UserAgentLine<'r>,
    /// The position of the group that this line selects.
    position: usize,
    /// The position of the last selected group. In most files, the first selected group is also the last.
    last: usize,
}

/// The name that selects groups: a product token in the spelling of the first user-agent line that names it, or `*`.
#[derive(Clone, Copy)]
enum Selector<'r> {
    Token(&'r [u8]),
    Global,
}

impl<'r> MergedGroup<'r> {
    /// Finds the groups that a crawler follows, in one pass over the user-agent lines.
    ///
    /// The first of the crawler's tokens that a line names selects the groups. Under google-2018 and google-2019, it is
    /// enough if a line names a prefix of a token. The longest prefix that a line names then selects the groups.
    #[inline]
    pub(crate) fn select(view: View<'r>, crawler: CrawlerRef<'_>) -> Option<Self> {
        let merged = match crawler.only_token() {
            Some(token) if !view.semantics().agent_prefix_fallback => {
                Self::select_by_one(view, token.as_bytes())
            }
            _ => Self::select_by_any(view, crawler),
        };
        merged.filter(|merged| {
            matches!(merged.selector, Selector::Token(_)) || crawler.follows_global()
        })
    }

    /// Finds the groups of a crawler with one token, under an edition without fallback to prefixes. Most crawlers have
    /// one token. [`select_by_any`](Self::select_by_any) is the reference implementation.
    #[inline]
    fn select_by_one(view: View<'r>, token: &[u8]) -> Option<Self> {
        let (mut global, mut named) = (None, None);
        // `folded` makes letters lower case. If two octets differ after folding, they are not the same letter in upper
        // or lower case.
        let folded = |octet: u8| octet | 0x20;
        let first = folded(*token.first()?);
        for group in Group::all(view) {
            let position = group.index();
            for line in group.user_agents() {
                let value = line.value();
                let chosen = match value {
                    b"*" => &mut global,
                    [octet, ..] if folded(*octet) == first && names(value, token) => &mut named,
                    _ => continue,
                };
                let chosen = chosen.get_or_insert(Chosen { first: line, position, last: position });
                chosen.last = position;
            }
        }
        match named {
            Some(chosen) => {
                let selector = Selector::Token(&chosen.first.value()[..token.len()]);
                Some(Self { chosen, selector })
            }
            None => global.map(|chosen| Self { chosen, selector: Selector::Global }),
        }
    }

    /// Finds the groups of a crawler with any number of tokens, with or without fallback to prefixes.
    fn select_by_any(view: View<'r>, crawler: CrawlerRef<'_>) -> Option<Self> {
        let semantics = view.semantics();
        let mut global: Option<Chosen<'r>> = None;
        // A pair: the position of the token, and the number of octets at the end of the token that the line does not
        // name. A smaller pair is better.
        let mut named: Option<((usize, usize), Chosen<'r>)> = None;
        for group in Group::all(view) {
            let position = group.index();
            for line in group.user_agents() {
                let value = line.value();
                if value == b"*" {
                    let chosen =
                        global.get_or_insert(Chosen { first: line, position, last: position });
                    chosen.last = position;
                    continue;
                }
                for (at, token) in crawler.tokens().enumerate() {
                    let Some(left) = left_of(token, value, semantics.agent_prefix_fallback) else {
                        continue;
                    };
                    match &mut named {
                        Some((rank, _)) if *rank < (at, left) => {}
                        Some((rank, chosen)) if *rank == (at, left) => chosen.last = position,
                        _ => {
                            let chosen = Chosen { first: line, position, last: position };
                            named = Some(((at, left), chosen));
                        }
                    }
                    break;
                }
            }
        }
        let Some(((at, left), chosen)) = named else {
            return global.map(|chosen| Self { chosen, selector: Selector::Global });
        };
        let token = crawler.tokens().nth(at).map_or(0, str::len) - left;
        let selector = Selector::Token(&chosen.first.value()[..token]);
        Some(Self { chosen, selector })
    }

    /// Returns the merged groups, in the order of the file. There is at least one.
    #[inline]
    pub fn groups(&self) -> impl Iterator<Item = Group<'r>> + use<'r> {
        self.chosen().map(|(group, _)| group)
    }

    /// Returns the first user-agent line that selects the first of the merged groups.
    #[must_use]
    #[inline]
    pub fn user_agent(&self) -> UserAgentLine<'r> {
        self.chosen.first
    }

    /// Returns the rules of all the merged groups, in the order of the file.
    #[inline]
    pub fn rules(&self) -> impl Iterator<Item = Rule<'r>> + use<'r> {
        self.groups().flat_map(|group| group.rules())
    }

    /// Returns the values of a field for the crawler, as written, in the order of the file. The case of the name does
    /// not matter.
    ///
    /// The values come after the first user-agent line that selects the groups. Values before this line belong to other
    /// crawlers: no rule may be between the user-agent lines of two crawlers, but each of them may have its own
    /// `crawl-delay`.
    pub fn values<'n>(&self, name: &'n str) -> impl Iterator<Item = &'r [u8]> + use<'r, 'n> {
        values_after(self.user_agent().line().number, self.groups(), name)
    }

    /// Returns the first valid `crawl-delay` of the crawler: a number of seconds. No edition defines this field.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dialect/line_parser.rs"));
    /// # fn main() {
    /// # let robots = robots_core::RobotsTxt::parse(&LineParser,
    /// #     "user-agent: a\nCrawl-delay: 2.5\nuser-agent: b\nallow: /\n", robots_core::Options::default());
    /// use core::time::Duration;
    /// assert_eq!(robots.followed_by("a").unwrap().crawl_delay(), Some(Duration::from_millis(2500)));
    /// assert_eq!(robots.followed_by("b").unwrap().crawl_delay(), None);
    /// # }
    /// ```
    #[must_use]
    pub fn crawl_delay(&self) -> Option<Duration> {
        seconds(self.values(CRAWL_DELAY))
    }

    /// Returns the merged groups, each with the first of its user-agent lines that selects it.
    #[inline]
    pub(crate) fn chosen(&self) -> impl Iterator<Item = (Group<'r>, Place)> + use<'r> {
        let first = (self.first(), self.chosen.first.place());
        let (selector, view) = (self.selector, self.chosen.first.view());
        let others = (self.chosen.position + 1..=self.chosen.last).filter_map(move |position| {
            let group = Group::new(view, position);
            Some((group, selector.selecting(&group)?))
        });
        iter::once(first).chain(others)
    }

    /// Returns the first of the merged groups.
    #[inline]
    pub(crate) fn first(&self) -> Group<'r> {
        Group::new(self.chosen.first.view(), self.chosen.position)
    }

    /// Returns the next merged group after a given group, with the first of its user-agent lines that selects it.
    #[inline]
    pub(crate) fn after(&self, group: Group<'r>) -> Option<(Group<'r>, Place)> {
        let view = self.chosen.first.view();
        let mut others = group.index() + 1..=self.chosen.last;
        others.find_map(|position| {
            let group = Group::new(view, position);
            Some((group, self.selector.selecting(&group)?))
        })
    }
}

/// The name of the field that contains the time between two requests.
pub(super) const CRAWL_DELAY: &str = "crawl-delay";

/// Returns the values of a field in the lines of groups, after the line that selects them.
pub(super) fn values_after<'r>(
    selecting: LineNumber,
    groups: impl Iterator<Item = Group<'r>>,
    name: &str,
) -> impl Iterator<Item = &'r [u8]> {
    let lines = groups.flat_map(|group| group.lines());
    let named = lines.filter(move |line| line.line().number > selecting && line.is_named(name));
    named.map(|line| line.value())
}

/// Returns the first value that is a number of seconds.
pub(super) fn seconds<'r>(mut values: impl Iterator<Item = &'r [u8]>) -> Option<Duration> {
    values.find_map(|value| {
        let seconds = core::str::from_utf8(value).ok()?.parse().ok()?;
        Duration::try_from_secs_f64(seconds).ok()
    })
}

impl Selector<'_> {
    /// Returns the place of the first user-agent line that selects a group, or `None` if no line of the group does.
    #[inline]
    fn selecting(&self, group: &Group<'_>) -> Option<Place> {
        let line = match self {
            Self::Token(token) => group.user_agents().find(|line| names(line.value(), token)),
            Self::Global => group.user_agents().find(UserAgentLine::is_global),
        };
        line.map(UserAgentLine::place)
    }
}

/// Returns whether a user-agent line's value names a token and contains no control octet.
#[inline]
fn names(value: &[u8], token: &[u8]) -> bool {
    agent::names(value, token) && !value.iter().copied().any(is_control)
}

/// Compares the value of a user-agent line with a token. Returns 0 if the value names the whole token. With fallback,
/// the value may also name a prefix of the token that ends before a `-` or `_`. For such a value, returns the number of
/// octets after the prefix. Returns `None` for every other value.
#[inline]
fn left_of(token: &str, value: &[u8], fallback: bool) -> Option<usize> {
    let token = token.as_bytes();
    let left = match fallback {
        false if agent::names(value, token) => 0,
        false => return None,
        true => {
            let named = agent::common_token(value, token);
            let left = token.len() - named;
            let ends = left == 0 || named > 0 && matches!(token[named], b'-' | b'_');
            (ends && agent::ends_token(value, named)).then_some(left)?
        }
    };
    (!value.iter().copied().any(is_control)).then_some(left)
}

impl fmt::Debug for MergedGroup<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut groups = f.debug_list();
        groups.entries(self.groups()).finish()
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;
    use alloc::vec::Vec;

    use proptest::prelude::*;
    use rstest::rstest;

    use super::{Group, MergedGroup};
    use crate::agent::counted;
    use crate::line::span::Place;
    use crate::syntax::{Line, Parser, Report};
    use crate::{Crawler, Edition, Options, RobotsTxt};

    /// A parser that accepts only lines of the form `field: value`.
    struct Agents;

    impl Parser for Agents {
        fn name(&self) -> &'static str {
            "agents"
        }

        fn parse(&self, octets: &[u8], report: &mut Report<'_>) {
            let mut start = 0;
            for line in octets.split_inclusive(|octet| *octet == b'\n') {
                use crate::syntax::Span;
                let at = line.iter().position(|octet| *octet == b':').unwrap();
                let [field, colon, value] = [(0, at), (at, at + 1), (at + 2, line.len() - 1)]
                    .map(|(from, to)| Span::new(start + from, start + to));
                let mut whole = Line::new(
                    Span::new(start, start + line.len()),
                    Span::new(start, start + line.len() - 1),
                );
                (whole.field, whole.colon, whole.value) = (Some(field), Some(colon), Some(value));
                report.line(whole);
                start += line.len();
            }
        }
    }

    proptest! {
        /// The fast function and the general function choose the same groups, and the same user-agent line for each
        /// group.
        #[test]
        fn one_token_selects_as_any_tokens_do(
            values in prop::collection::vec(
                prop::sample::select(vec!["*", "**", "a", "A", "a-b", "ab", "a/1", "a b", "b", "@", "a\u{1}", ""]),
                0..12,
            ),
            rules in any::<u16>(),
            token in prop::sample::select(vec!["a", "A", "ab", "a-b", "b", "c", "_"]),
        ) {
            let line = |(at, value): (usize, &&str)| {
                let rule = if rules >> at & 1 == 1 { "disallow: /\n" } else { "" };
                format!("user-agent: {value}\n{rule}")
            };
            let body: String = values.iter().enumerate().map(line).collect();
            let robots = RobotsTxt::parse(&Agents, &body, Options::from(Edition::Rfc9309));
            let chosen = |merged: Option<MergedGroup<'_>>| merged.map(|merged| {
                let places = |(group, place): (Group<'_>, Place)| (group.position(), place);
                merged.chosen().map(places).collect::<Vec<_>>()
            });
            let one = MergedGroup::select_by_one(robots.view(), token.as_bytes());
            let any = MergedGroup::select_by_any(robots.view(), token.into());
            prop_assert_eq!(chosen(one), chosen(any), "{:?}", body);
        }
    }

    /// The values of a field are those after the crawler's user-agent line. Compiled rules return the same values.
    #[rstest]
    #[trace]
    #[case::the_first_of_two_agents("a", &["1", "2"], Some(1.0))]
    #[case::the_second_of_two_agents("b", &["2"], Some(2.0))]
    #[case::groups_are_merged("c", &["x", "-1", "inf", "2.5"], Some(2.5))]
    #[case::the_groups_of_all("d", &["7"], Some(7.0))]
    fn a_field_has_the_values_after_the_user_agent_line(
        #[case] token: &str,
        #[case] values: &[&str],
        #[case] delay: Option<f64>,
    ) {
        let body = "host: a\nuser-agent: a\ncrawl-delay: 1\nuser-agent: b\nCrawl-Delay: 2\nallow: /\n\
                    user-agent: c\ncrawl-delay: x\nallow: /\ncrawl-delay: -1\nuser-agent: *\ncrawl-delay: 7\n\
                    allow: /\nuser-agent: c\ncrawl-delay: inf\ncrawl-delay: 2.5\nsitemap: x\n";
        let robots = RobotsTxt::parse(&Agents, body, Options::default());
        let (merged, rules) = (robots.followed_by(token).unwrap(), robots.rules_for(token));
        let text = |value| core::str::from_utf8(value).unwrap();
        assert_eq!(merged.values("crawl-delay").map(text).collect::<Vec<_>>(), values);
        assert_eq!(rules.values("CRAWL-DELAY").map(text).collect::<Vec<_>>(), values);
        let delay = delay.map(core::time::Duration::from_secs_f64);
        assert_eq!((merged.crawl_delay(), rules.crawl_delay()), (delay, delay));
        let nobody = RobotsTxt::parse(&Agents, "crawl-delay: 1\n", Options::default());
        assert_eq!(nobody.rules_for(token).crawl_delay(), None);
    }

    /// With and without fallback, a token is compared with each octet of the file at most once.
    #[rstest]
    #[trace]
    #[case::a_token_of_many_ends("a-", 1)]
    #[case::as_many_tokens_as_there_may_be("a-", 32)]
    #[case::one_long_word("a", 32)]
    #[cfg_attr(
        miri,
        ignore = "Miri takes minutes for a file that a processor reads in a millisecond"
    )]
    fn selection_looks_at_each_octet_once(
        #[case] unit: &str,
        #[case] tokens: usize,
        #[values(Edition::Google2018, Edition::Rfc9309)] edition: Edition,
    ) {
        let token = |number: usize| format!("{}{number}", unit.repeat(240 / unit.len()));
        let crawler = Crawler::new((0..tokens).map(token).collect::<Vec<_>>()).unwrap();
        let mut counts = Vec::new();
        for lines in [250, 500, 1000] {
            let agents =
                (0..lines).map(|line| format!("user-agent: {}x\n", unit.repeat(line % 250)));
            let body: String = agents.collect();
            let robots =
                RobotsTxt::parse(&Agents, &body, Options::from(edition).with_limit(body.len()));
            assert_eq!(
                robots.groups().next().map(|group| group.user_agents().count()),
                Some(lines)
            );
            counted::take();
            assert!(robots.verdict(&crawler, "/").is_allowed());
            let octets = counted::take();
            assert!(
                octets <= tokens * body.len(),
                "{octets} octets compared, limit {}",
                body.len()
            );
            counts.push(octets);
        }
        assert!(counts[0] > 0 && counts[2] <= 5 * counts[0], "{counts:?}");
    }
}
