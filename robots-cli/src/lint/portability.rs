//! Lists the measured software that reads a construct in another way than the edition. A construct is a part of a file
//! that software is known to read in more than one way, for example a `*` in a path.
//!
//! Start at [`Portability::claims`]. A claim says that some software reads a construct of a file in another way than the
//! edition. Cases of the suite support each claim, because the software fails them. `cargo survey portability` generates
//! `portability.json` from the measurements.

use robots_console::error::Error;
use std::collections::BTreeMap;

use robots_core::syntax::{LineNumber, Span};
use robots_core::{Edition, RobotsTxt};
use serde::{Deserialize, Serialize};

/// The results of the measurements, by edition and construct.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Portability {
    /// The software that reads a construct in another way, by edition and the construct's name.
    editions: BTreeMap<String, BTreeMap<String, Vec<Reader>>>,
}

/// A piece of software that reads a construct in another way than an edition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Reader {
    /// The name.
    pub name: String,
    /// The version that was measured.
    pub version: String,
    /// The cases that show the difference, as `area::case`; at most three.
    pub cases: Vec<String>,
    /// The reason why the software counts as old, with a source, or `None` if the software is in current use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old: Option<String>,
}

/// The software that portability notes are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Software {
    /// Software in current use.
    Current,
    /// Software in current use, and old software.
    All,
    /// No software, so there are no portability notes.
    Nobody,
}

impl std::str::FromStr for Software {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match text {
            "current" => Ok(Self::Current),
            "all" => Ok(Self::All),
            "none" => Ok(Self::Nobody),
            _ => Err(Error::new("unknown software; it is current, all or none")),
        }
    }
}

/// A construct that a file uses, and the software that reads it in another way.
#[derive(Clone, Debug)]
pub(crate) struct Claim<'p> {
    /// The name of the construct, which is a [`robots_lint::Construct`] or a [`robots_lint::FindingKind`].
    pub(crate) construct: &'static str,
    /// A short description of the construct.
    pub says: &'static str,
    /// The first line that has the construct.
    pub line: LineNumber,
    /// The position of the construct in this line.
    pub span: Span,
    /// The number of lines that have the construct.
    pub lines: usize,
    /// The software that reads the construct in another way.
    pub readers: Vec<&'p Reader>,
}

impl Portability {
    /// Returns the measurements that are built into this program.
    ///
    /// # Errors
    /// Returns a message if the built-in file is invalid.
    pub(crate) fn embedded() -> Result<Self, Error> {
        serde_json::from_str(include_str!("../../portability.json")).map_err(|error| {
            Error::new(format!("portability.json: {error}; run `cargo survey portability`"))
        })
    }

    /// Returns the selected software that reads a construct in another way than an edition.
    pub(crate) fn readers(
        &self,
        construct: &str,
        edition: Edition,
        software: Software,
    ) -> Vec<&Reader> {
        let known =
            self.editions.get(edition.id()).and_then(|constructs| constructs.get(construct));
        let is_asked_for = |reader: &&Reader| match software {
            Software::Current => reader.old.is_none(),
            Software::All => true,
            Software::Nobody => false,
        };
        known.into_iter().flatten().filter(is_asked_for).collect()
    }

    /// Returns the claims about the constructs in a file, in the order of the lines.
    pub(crate) fn claims<B: AsRef<[u8]>>(
        &self,
        robots: &RobotsTxt<B>,
        software: Software,
    ) -> Vec<Claim<'_>> {
        let mut claims: Vec<Claim<'_>> = Vec::new();
        let mut known: BTreeMap<&str, Vec<&Reader>> = BTreeMap::new();
        for (construct, says, line, span) in constructs(robots) {
            let readers = known
                .entry(construct)
                .or_insert_with(|| self.readers(construct, robots.edition(), software));
            if readers.is_empty() {
                continue;
            }
            if let Some(claim) = claims.iter_mut().find(|claim| claim.construct == construct) {
                claim.lines += 1;
            } else {
                let readers = readers.clone();
                claims.push(Claim { construct, says, line, span, lines: 1, readers });
            }
        }
        claims.sort_by_key(|claim| claim.line);
        claims
    }
}

/// Returns every construct of a file, well-formed or not, with its position.
fn constructs<B: AsRef<[u8]>>(
    robots: &RobotsTxt<B>,
) -> impl Iterator<Item = (&'static str, &'static str, LineNumber, Span)> {
    let used = robots_lint::constructs(robots)
        .map(|(construct, line, span)| (construct.name(), construct.says(), line, span));
    let found = robots_lint::findings(robots).map(|finding| {
        (finding.kind().name(), finding.kind().summary(), finding.line(), finding.span())
    });
    used.chain(found)
}
