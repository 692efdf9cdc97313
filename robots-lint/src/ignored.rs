//! Comments in a file that switch findings off: `# robots-lint: ignore useless-star`.
//!
//! Start at [`Ignored::of`]. A comment on a separate line applies to the whole file. A comment after other text applies
//! only to its line. Crawlers ignore comments, so these comments change no verdict.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;

use super::construct::Construct;
use super::kind::FindingKind;
use robots_core::RobotsTxtRef;
use robots_core::syntax::{LineKind, LineNumber};

/// The findings that comments in a file switch off.
///
/// A comment names kinds of findings, or constructs, separated by commas or spaces. Without a name, the comment applies
/// to all kinds of findings and to all constructs.
///
/// ```
/// let robots = robots_nom_parser::parse(
///     "# robots-lint: ignore useless-star\nuser-agent: *\ndisallow: /a*\ndisallow: /b%  # robots-lint: ignore\n",
/// );
/// let ignored = robots_lint::Ignored::of(&robots);
/// assert!(robots_lint::findings(&robots).all(|found| ignored.covers(found.kind().name(), found.line())));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Ignored {
    comments: Vec<Comment>,
    /// The names that comments switch off. A key is a line, or `None` for the whole file. A value has the names, or is
    /// `None` if all names are switched off. A file may have many findings and many comments, so the names are in a
    /// map, where look-ups are fast.
    off: BTreeMap<Option<LineNumber>, Option<BTreeSet<String>>>,
}

#[derive(Clone, Debug)]
struct Comment {
    line: LineNumber,
    names: Vec<String>,
}

impl Ignored {
    /// Reads the comments of a file.
    #[must_use]
    pub fn of<'r>(robots: impl Into<RobotsTxtRef<'r>>) -> Self {
        let robots = robots.into();
        let mut ignored = Self::default();
        for (line, kind) in robots.lines() {
            let comment = line.comment.map(|comment| &robots.body()[comment.range()]);
            let Some(names) = comment.and_then(names) else { continue };
            let place = (kind != LineKind::Comment).then_some(line.number);
            if names.is_empty() {
                ignored.off.insert(place, None);
            } else if let Some(known) =
                ignored.off.entry(place).or_insert_with(|| Some(BTreeSet::new()))
            {
                known.extend(names.iter().cloned());
            }
            ignored.comments.push(Comment { line: line.number, names });
        }
        ignored
    }

    /// Returns whether a comment switches off a kind of finding, or a construct, on a line.
    #[must_use]
    pub fn covers(&self, name: &str, line: LineNumber) -> bool {
        [None, Some(line)].iter().any(|place| {
            let names = self.off.get(place);
            names.is_some_and(|names| names.as_ref().is_none_or(|names| names.contains(name)))
        })
    }

    /// Returns the unknown names in the comments, with their lines. A name is unknown if no kind of finding and no
    /// construct has it.
    pub fn unknown(&self) -> impl Iterator<Item = (LineNumber, &str)> {
        let is_known =
            |name: &str| name.parse::<FindingKind>().is_ok() || name.parse::<Construct>().is_ok();
        self.comments.iter().flat_map(move |comment| {
            let unknown = comment.names.iter().filter(move |name| !is_known(name));
            unknown.map(|name| (comment.line, name.as_str()))
        })
    }
}

/// Returns the names after `# robots-lint: ignore`, or `None` for another comment.
fn names(comment: &[u8]) -> Option<Vec<String>> {
    let text = core::str::from_utf8(comment).ok()?.trim_start_matches('#').trim();
    let rest = text.strip_prefix("robots-lint:")?.trim_start().strip_prefix("ignore")?;
    let is_separator = |character: char| character == ',' || character.is_whitespace();
    if !rest.is_empty() && !rest.starts_with(is_separator) {
        return None;
    }
    Some(rest.split(is_separator).filter(|name| !name.is_empty()).map(String::from).collect())
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use rstest::rstest;

    use super::names;

    #[rstest]
    #[trace]
    #[case("# robots-lint: ignore", Some(vec![]))]
    #[case("#robots-lint: ignore a, b c", Some(vec!["a", "b", "c"]))]
    #[case("# robots-lint: ignored a", None)]
    #[case("# ignore a", None)]
    fn comments(#[case] comment: &str, #[case] expected: Option<vec::Vec<&str>>) {
        let found = names(comment.as_bytes());
        assert_eq!(
            found.as_ref().map(|names| names.iter().map(|name| &name[..]).collect()),
            expected
        );
    }
}
