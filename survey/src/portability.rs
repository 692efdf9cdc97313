//! Writes the constructs that measured software reads differently as robots-cli/portability.json, which `robots lint`
//! uses.
//!
//! In this module, a *claim* is the statement that certain software reads a construct differently.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::json;

use crate::constructs::Shown;
use crate::crawlers::{self, Crawler};
use crate::files::{Text, settle, workspace};
use crate::manifests::Listed;
use crate::peers::{self, Peer};
use crate::row::Row;
use crate::suite::{EDITIONS, Suite};

const FILE: &str = "robots-cli/portability.json";

/// The maximum number of cases that a claim names.
const CASES: usize = 3;

/// The claims: the software that reads a construct in another way, by edition and the construct's name.
pub(crate) type Claims = BTreeMap<&'static str, BTreeMap<&'static str, Vec<Reader>>>;

/// A piece of software that reads a construct in another way than an edition.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Reader {
    pub(crate) name: String,
    pub(crate) version: String,
    /// The cases that show the difference, as `area::case`.
    pub(crate) cases: Vec<String>,
    /// The reason why the software counts as old, with a source.
    #[serde(skip_serializing_if = "Option::is_none")]
    old: Option<String>,
}

/// Finds the claims that the parsers' answers and the fetches of other projects' crawlers support.
pub(crate) fn claims(
    peers: &[Row<'_, Peer>],
    crawlers: &[Row<'_, Crawler>],
    suite: &Suite,
) -> Claims {
    let shown = Shown::of(&suite.questions);
    let mut claims = Claims::new();
    for row in peers {
        add(&mut claims, &shown, row, &peers::failed(row).collect(), |_| true);
    }
    for row in crawlers.iter().filter(|row| !row.listed.is_ours()) {
        let failed = crawlers::failed(row, suite);
        add(&mut claims, &shown, row, &failed, |case| crawlers::is_evidence(row, case));
    }
    for readers in claims.values_mut().flat_map(BTreeMap::values_mut) {
        readers.sort_by_key(|reader| reader.name.to_lowercase());
    }
    claims
}

/// Adds the claims about one piece of software, with the cases that are evidence. If there is already a claim about the
/// same construct and software, it is kept.
fn add<T: Listed>(
    claims: &mut Claims,
    shown: &Shown<'_>,
    row: &Row<'_, T>,
    failed: &BTreeSet<(&str, &str)>,
    is_evidence: impl Fn(&str) -> bool,
) {
    for edition in EDITIONS {
        let failing = failed.iter().filter(|(of, _)| *of == edition).map(|(_, name)| *name);
        let known = claims.entry(edition).or_default();
        for (construct, cases) in shown.claims(edition, &failing.collect()) {
            let cases: Vec<&str> = cases.into_iter().filter(|case| is_evidence(case)).collect();
            if cases.is_empty() {
                continue;
            }
            let readers = known.entry(construct).or_default();
            if readers.iter().all(|there| there.name != row.head.software) {
                readers.push(Reader {
                    name: row.head.software.clone(),
                    version: row.head.version.clone(),
                    cases: cases.into_iter().take(CASES).map(str::to_owned).collect(),
                    old: row.listed.old().map(str::to_owned),
                });
            }
        }
    }
}

/// Writes the claims, or checks them. Returns whether the file is up to date.
///
/// # Errors
/// Returns a message about the file that cannot be written.
pub(crate) fn run(claims: &Claims, check: bool) -> Result<bool, String> {
    settle("portability", &workspace(), &[text(claims)], check)
}

/// Returns the file, with a line for each edition and construct.
fn text(claims: &Claims) -> Text {
    let edition = |(edition, constructs): (&&str, &BTreeMap<&str, Vec<Reader>>)| {
        let lines =
            constructs.iter().map(|(name, readers)| format!("{}:{}", json!(name), json!(readers)));
        format!("{}:{{\n{}}}", json!(edition), lines.collect::<Vec<_>>().join(",\n"))
    };
    let editions: Vec<String> = claims.iter().map(edition).collect();
    (FILE.to_owned(), format!("{{\"editions\":{{\n{}\n}}}}\n", editions.join(",\n")))
}
