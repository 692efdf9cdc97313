//! Finds well-formed parts of a file that software is known to read in more than one way: [`Construct`].
//!
//! Start at [`constructs`]. These parts are not mistakes. Tests of other software use them: a file with only one
//! construct shows how the software reads this construct.

use super::field_name;
use robots_core::syntax::{Field, Line, LineKind, LineNumber, Span};
use robots_core::{RobotsTxtRef, RuleKind};

/// Returns the constructs of a file, in the order of the lines. In each line, a construct is reported at most once.
///
/// ```
/// let robots = robots_nom_parser::parse("user-agent: *\ndisallow: /*.pdf$\n");
/// let names: Vec<_> = robots_lint::constructs(&robots).map(|(construct, ..)| construct.name()).collect();
/// assert_eq!(names, ["wildcard", "end-anchor"]);
/// ```
pub fn constructs<'r>(
    robots: impl Into<RobotsTxtRef<'r>>,
) -> impl Iterator<Item = (Construct, LineNumber, Span)> {
    let robots = robots.into();
    let mut state = State::default();
    robots.lines().flat_map(move |(line, kind)| {
        let mut uses = Uses { line, found: [None; Construct::ALL.len()] };
        state.look(robots.body(), kind, &mut uses);
        uses.found
            .into_iter()
            .flatten()
            .map(move |(construct, span)| (construct, line.number, span))
    })
}

/// The state that is kept between lines.
#[derive(Default)]
struct State {
    /// Whether the current group has no rule so far. `None` if there is no current group.
    group: Option<bool>,
    /// The constructs after the group's last line: a blank line, a comment, or a line with another field. Such lines
    /// are reported as constructs only if the group continues.
    within: [Option<Construct>; 3],
    /// Whether the group has allow rules. `disallow` is the same for disallow rules.
    allow: bool,
    disallow: bool,
    /// Whether an earlier group is for `*`. `named` is true if an earlier group is for a named crawler.
    global: bool,
    named: bool,
}

/// A line and its constructs.
struct Uses {
    line: Line,
    found: [Option<(Construct, Span)>; Construct::ALL.len()],
}

impl Uses {
    fn add(&mut self, construct: Construct, span: Span) {
        self.found[construct as usize].get_or_insert((construct, span));
    }
}

impl State {
    fn look(&mut self, octets: &[u8], kind: LineKind, uses: &mut Uses) {
        let line = uses.line;
        layout(octets, &line, uses);
        match kind {
            LineKind::Blank => self.within[0] = Some(Construct::BlankInGroup),
            LineKind::Comment => self.within[1] = Some(Construct::CommentInGroup),
            LineKind::Record { field: Field::UserAgent, effect } => {
                let value = &octets[line.value.unwrap_or_default().range()];
                if self.group == Some(true) {
                    self.goes_on(uses);
                    uses.add(Construct::SeveralAgents, line.content);
                } else {
                    *self = Self { global: self.global, named: self.named, ..Self::default() };
                }
                self.group = Some(true);
                if effect.is_ok() {
                    let (global, named) = (value == b"*", value != b"*");
                    (self.global, self.named) = (self.global | global, self.named | named);
                    if self.global && self.named {
                        uses.add(Construct::NamedAndGlobal, line.content);
                    }
                }
            }
            LineKind::Record { field, effect } if field.rule().is_some() => {
                if self.group.is_some() {
                    self.goes_on(uses);
                    self.group = Some(false);
                }
                self.rule(octets, field, effect.is_ok(), uses);
            }
            _ => self.within[2] = Some(Construct::FieldInGroup),
        }
    }

    /// Reports the constructs between two lines of the group, at the second of these lines.
    fn goes_on(&mut self, uses: &mut Uses) {
        for construct in &mut self.within {
            if let Some(construct) = construct.take() {
                uses.add(construct, uses.line.content);
            }
        }
    }

    fn rule(&mut self, octets: &[u8], field: Field, has_effect: bool, uses: &mut Uses) {
        let value = uses.line.value.unwrap_or_default();
        let path = &octets[value.range()];
        if path.is_empty() {
            return uses.add(Construct::EmptyPath, uses.line.content);
        }
        if !has_effect {
            return;
        }
        if field.rule() == Some(RuleKind::Allow) {
            self.allow = true;
            uses.add(Construct::Allow, uses.line.content);
        } else {
            self.disallow = true;
        }
        if self.allow && self.disallow {
            uses.add(Construct::AllowAndDisallow, uses.line.content);
        }
        let at =
            |position: usize| Span::new(value.start() + position, value.start() + position + 1);
        // Stars at the beginning or the end of a path are ignored here, because findings report them.
        let inner = path.strip_suffix(b"$").unwrap_or(path);
        let inner = inner.trim_ascii();
        let stars = inner.iter().rev().take_while(|octet| **octet == b'*').count();
        let inner = &inner[..inner.len() - stars];
        if let Some(star) = inner.iter().skip(1).position(|octet| *octet == b'*') {
            uses.add(Construct::Wildcard, at(star + 1));
        }
        if path.ends_with(b"$") {
            uses.add(Construct::EndAnchor, at(path.len() - 1));
        }
        if let Some(query) = memchr::memchr(b'?', path) {
            uses.add(Construct::Query, at(query));
        }
        let is_hex = |position: usize| path.get(position).is_some_and(u8::is_ascii_hexdigit);
        let triplet = memchr::memchr_iter(b'%', path)
            .find(|percent| is_hex(percent + 1) && is_hex(percent + 2));
        if let Some(percent) = triplet {
            uses.add(Construct::PercentEncoding, at(percent));
        }
    }
}

/// Adds the constructs in the layout of a line.
fn layout(octets: &[u8], line: &Line, uses: &mut Uses) {
    let ending = &octets[line.ending().range()];
    if ending == b"\r" {
        uses.add(Construct::CarriageReturn, line.content);
    } else if ending.is_empty() && !line.content.is_empty() {
        uses.add(Construct::NoFinalLineEnding, line.content);
    }
    let (Some(field), Some(colon), Some(value)) = (line.field, line.colon, line.value) else {
        return;
    };
    if let Some(comment) = line.comment {
        uses.add(Construct::CommentBehindValue, comment);
    }
    if field.start() > line.content.start() {
        uses.add(Construct::Indented, line.content);
    }
    if colon.start() > field.end() {
        uses.add(Construct::SpaceBeforeColon, line.content);
    }
    if !value.is_empty() && octets.get(colon.end()..value.start()) != Some(b" ") {
        uses.add(Construct::SpaceBehindColon, line.content);
    }
    if !value.is_empty()
        && octets.get(value.end()).is_some_and(|octet| matches!(octet, b' ' | b'\t'))
        && line.comment.is_none()
    {
        uses.add(Construct::TrailingSpace, line.content);
    }
    let name = &octets[field.range()];
    let is_usual = name.iter().skip(1).all(|octet| !octet.is_ascii_uppercase())
        || Field::named(name) == Some(Field::UserAgent) && name == b"User-Agent";
    if field_name::named(name).is_some() && !is_usual {
        uses.add(Construct::FieldCase, field);
    }
}

robots_core::named!(Construct, name, "construct", "constructs");

macro_rules! constructs {
    ($($construct:ident = $name:literal, $says:literal, $rules:literal;)*) => {
        /// A well-formed part of a file that software is known to read in more than one way.
        ///
        /// ```
        /// use robots_lint::Construct;
        /// assert_eq!("wildcard".parse(), Ok(Construct::Wildcard));
        /// assert_eq!(Construct::Wildcard.says(), "`*` in a path");
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Construct {
            $(#[doc = $says] $construct,)*
        }

        impl Construct {
            /// Contains every construct.
            pub const ALL: &'static [Self] = &[$(Self::$construct,)*];

            /// Returns the name, for example `wildcard`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$construct => $name,)*
                }
            }

            /// Returns a short description.
            #[must_use]
            pub const fn says(self) -> &'static str {
                match self {
                    $(Self::$construct => $says,)*
                }
            }

            /// Returns a small file that has the construct.
            #[must_use]
            pub const fn example(self) -> &'static str {
                match self {
                    $(Self::$construct => concat!("User-agent: *\n", $rules),)*
                }
            }
        }
    };
}

constructs! {
    Allow = "allow", "an allow rule", "Allow: /a\n";
    AllowAndDisallow = "allow-and-disallow", "allow and disallow rules in one group", "Disallow: /a\nAllow: /a/b\n";
    Wildcard = "wildcard", "`*` in a path", "Disallow: /a*b\n";
    EndAnchor = "end-anchor", "`$` at the end of a path", "Disallow: /a$\n";
    Query = "query", "`?` in a path", "Disallow: /a?b\n";
    PercentEncoding = "percent-encoding", "a percent-encoded octet in a path", "Disallow: /caf%C3%A9\n";
    EmptyPath = "empty-path", "a rule without a path", "Disallow:\n";
    SeveralAgents = "several-agents", "several user-agent lines of one group", "User-agent: examplebot\nDisallow: /a\n";
    NamedAndGlobal = "named-and-global", "a group for `*` and one for a named crawler",
        "Disallow: /a\n\nUser-agent: examplebot\nDisallow: /b\n";
    BlankInGroup = "blank-in-group", "a blank line within a group", "\nDisallow: /a\n";
    CommentInGroup = "comment-in-group", "a comment line within a group", "# private\nDisallow: /a\n";
    FieldInGroup = "field-in-group", "a line of another field within a group", "Crawl-delay: 5\nDisallow: /a\n";
    CommentBehindValue = "comment-behind-value", "a comment behind a value", "Disallow: /a # private\n";
    FieldCase = "field-case", "a field name in unusual case", "DISALLOW: /a\n";
    Indented = "indented", "white space before a field name", "  Disallow: /a\n";
    SpaceBeforeColon = "space-before-colon", "white space before the colon", "Disallow : /a\n";
    SpaceBehindColon = "space-behind-colon", "no white space, a tab, or many spaces after the colon", "Disallow:/a\n";
    TrailingSpace = "trailing-space", "white space behind a value", "Disallow: /a \n";
    CarriageReturn = "carriage-return", "lines that end in CR alone", "Disallow: /a\r";
    NoFinalLineEnding = "no-final-line-ending", "a last line without a line ending", "Disallow: /a";
}

#[cfg(test)]
mod tests {
    use super::{Construct, constructs};

    #[test]
    fn an_example_has_its_construct() {
        for construct in Construct::ALL {
            let robots = robots_nom_parser::parse(construct.example());
            let has = constructs(&robots).any(|(found, ..)| found == *construct);
            assert!(has, "{construct}");
        }
    }
}
