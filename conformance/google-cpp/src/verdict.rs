//! Decides the verdict in one pass over the lines. The pass remembers the best rules for the crawler and for `*`.
//!
//! Start at [`verdict`]. If a group names the crawler, the groups of `*` do not count, even if that group has no rule.
//! All groups that name the crawler count together.

use std::fmt;

use robots_conformance::kind::Agents;
use robots_core::RuleKind;
use robots_core::syntax::Shown;

use crate::line::{Field, Record, is_global, lines, names};
use crate::path;
use crate::pattern::Pattern;

/// Returns the verdict of Google's published library on a URL, according to the observations.
///
/// Any text counts as a URL, and any octets count as a file.
#[must_use]
pub fn verdict<'r>(robots_txt: &'r [u8], agents: &Agents, url: &str) -> Verdict<'r> {
    let path = path::of(url);
    let (mut specific, mut global) = (Standing::default(), Standing::default());
    // In the current group, the first user-agent line that names the crawler and the first one that names `*`.
    // `in_rules` is true after the group's first rule.
    let mut by: [Option<Line<'r>>; 2] = [None; 2];
    let mut in_rules = false;
    for (number, line) in lines(robots_txt) {
        let Some(Record { field, value }) = Record::of(line) else { continue };
        let line = Line { number, value };
        match field {
            Field::UserAgent => {
                if in_rules {
                    (by, in_rules) = ([None; 2], false);
                }
                if is_global(value) {
                    global.named(by[1].get_or_insert(line));
                } else if agents.texts().iter().any(|agent| names(value, agent)) {
                    specific.named(by[0].get_or_insert(line));
                }
            }
            Field::Rule(kind) => {
                in_rules = true;
                // Each path begins with `/`, so only a value that begins with `/` or `*` can match. An empty value
                // matches too, but decides nothing.
                if matches!(value.first(), Some(b'/' | b'*')) {
                    for (standing, by) in [&mut specific, &mut global].into_iter().zip(by) {
                        if let Some(by) = by {
                            standing.rule(kind, line, by, &path);
                        }
                    }
                }
            }
        }
    }
    Verdict(if specific.first.is_some() { specific } else { global })
}

/// A verdict of Google's published library, and the rule that decided it.
#[derive(Clone, Debug)]
pub struct Verdict<'r>(Standing<'r>);

impl Verdict<'_> {
    /// Returns whether the URL may be fetched.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        self.0.best().is_none_or(|(kind, _)| kind == RuleKind::Allow)
    }

    /// Returns the number of the deciding line, from 1, or `None` if no rule matches.
    #[must_use]
    pub fn line(&self) -> Option<u32> {
        self.0.best().map(|(_, best)| best.line.number)
    }
}

/// The results of the pass for the groups of the crawler, or for the groups of `*`.
#[derive(Clone, Debug, Default)]
struct Standing<'r> {
    /// The first user-agent line that names the crawler, or the first that names `*`.
    first: Option<Line<'r>>,
    has_rules: bool,
    allow: Option<Best<'r>>,
    disallow: Option<Best<'r>>,
}

/// A line: its number and the value of its field.
#[derive(Clone, Copy, Debug)]
struct Line<'r> {
    number: u32,
    value: &'r [u8],
}

/// The longest matching rule of a kind (allow or disallow). If several rules are equally long, this is the first of
/// them.
#[derive(Clone, Copy, Debug)]
struct Best<'r> {
    len: usize,
    line: Line<'r>,
    /// The first user-agent line that names the crawler or `*` in the group of the rule.
    by: Line<'r>,
}

impl<'r> Standing<'r> {
    fn named(&mut self, by: &Line<'r>) {
        self.first.get_or_insert(*by);
    }

    fn rule(&mut self, kind: RuleKind, line: Line<'r>, by: Line<'r>, path: &[u8]) {
        self.has_rules = true;
        let whole = Some(Pattern::new(line.value)).filter(|pattern| pattern.matches(path));
        let matching = whole.or_else(|| {
            let folder = (kind == RuleKind::Allow).then(|| Pattern::folder(line.value));
            folder.flatten().filter(|folder| folder.matches(path))
        });
        let best = if kind == RuleKind::Allow { &mut self.allow } else { &mut self.disallow };
        if let Some(pattern) = matching
            && best.is_none_or(|best| best.len < pattern.len())
        {
            *best = Some(Best { len: pattern.len(), line, by });
        }
    }

    /// Returns the rule that decides. If an allow and a disallow rule have equal length, the allow rule decides.
    fn best(&self) -> Option<(RuleKind, &Best<'r>)> {
        match (&self.allow, &self.disallow) {
            (Some(allow), Some(disallow)) if disallow.len > allow.len => {
                Some((RuleKind::Disallow, disallow))
            }
            (Some(allow), _) => Some((RuleKind::Allow, allow)),
            (None, disallow) => disallow.as_ref().map(|best| (RuleKind::Disallow, best)),
        }
    }

    fn is_tie(&self) -> bool {
        matches!((&self.allow, &self.disallow), (Some(one), Some(other)) if one.len == other.len)
    }
}

/// Writes the verdict and its reason with the same words as the core's verdicts.
impl fmt::Display for Verdict<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(standing) = self;
        f.write_str(if self.is_allowed() { "allow: " } else { "disallow: " })?;
        let by = if let Some((kind, best)) = standing.best() {
            f.write_str(if standing.is_tie() {
                "allow wins the tie of the longest matching rules:"
            } else {
                "the longest matching rule is"
            })?;
            let Line { number, value } = best.line;
            write!(f, " line {number}, `{kind}: {}`", Shown(value))?;
            Some(best.by)
        } else {
            f.write_str(match standing {
                Standing { first: None, .. } => "no group for this crawler",
                Standing { has_rules: true, .. } => "no rule matches",
                _ => "the group has no rules",
            })?;
            standing.first
        };
        match by {
            Some(Line { number, value }) => {
                write!(f, ", for `user-agent: {}` in line {number}", Shown(value))
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use robots_conformance::kind::Agents;
    use rstest::rstest;

    use super::verdict;

    #[rstest]
    #[trace]
    #[case("", "allow: no group for this crawler")]
    #[case("user-agent: b\ndisallow: /", "allow: no group for this crawler")]
    #[case("user-agent: a\n", "allow: the group has no rules, for `user-agent: a` in line 1")]
    #[case(
        "user-agent: *\ndisallow: /\nuser-agent: a/1\ndisallow: /y\n",
        "allow: no rule matches, for `user-agent: a/1` in line 3"
    )]
    #[case(
        "user-agent: a\nuser-agent: *\ndisallow: /x",
        "disallow: the longest matching rule is line 3, `disallow: /x`, for `user-agent: a` in line 1"
    )]
    #[case(
        "user-agent: * all\ndisallow: /x\nallow: /x",
        "allow: allow wins the tie of the longest matching rules: line 3, `allow: /x`, for \
         `user-agent: * all` in line 1"
    )]
    #[case(
        "user-agent: a\ndisallow: /x\nuser-agent: b\nuser-agent: a\ndisallow: /x/y",
        "disallow: the longest matching rule is line 5, `disallow: /x/y`, for `user-agent: a` in line 4"
    )]
    fn reasons(#[case] file: &str, #[case] expected: &str) {
        let agents = Agents::new(["a"]).unwrap();
        assert_eq!(verdict(file.as_bytes(), &agents, "/x/y").to_string(), expected);
    }

    /// The question has the maximum number of agents and a file of 14 MB of user-agent lines. The time must be linear
    /// in the size of the file.
    #[test]
    fn agents_cost_no_square() {
        let agents = Agents::new((0..32).map(|number| "a".repeat(200 + number))).unwrap();
        let line = |number: usize| ["user-agent: ", &"a".repeat(number % 256), "\n"].concat();
        let file: String = (0..100_000).map(line).collect();
        assert!(file.len() > 14_000_000);
        let start = Instant::now();
        assert!(verdict(file.as_bytes(), &agents, "/").is_allowed());
        let one_line = ["user-agent: ", &"a,".repeat(7_000_000), "\ndisallow: /\n"].concat();
        assert!(!verdict(one_line.as_bytes(), &Agents::new(["a"]).unwrap(), "/").is_allowed());
        assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    }
}
