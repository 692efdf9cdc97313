//! A parser as it was measured: an entry of survey/peers.json, a row of the table and a section of survey/peers.md.
//!
//! `measure.rs` makes an entry. An entry is kept until the next measurement, so [`revise`](measured::Entry::revise)
//! removes the failures of questions that were withdrawn or are open now ([`Today`]). Start at [`Entry::standing`],
//! which decides whether a failure counts against the parser, and if not, why. The row counts only verdict questions
//! for parsers under two editions; the section lists all failures.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use robots_conformance::kind;
use robots_conformance::report::{AreaRecord, Totals};
use robots_conformance::robots_core::Profile;
use robots_conformance::robots_core::engine::{Engine as _, QuestionKind};
use robots_conformance::run::outcome::OutcomeKind;
use robots_conformance::run::trial;
use robots_conformance::suite::Suite;
use robots_google_cpp::GoogleCpp;
use serde::{Deserialize, Serialize};

use super::manifest::Peer;
use crate::claims::{Claim, Named};
use crate::documents::Documents;
use crate::measured::{self, Column, NOT_ASKED, Subject, conforming, folded, millionths};

/// The editions that the ranking uses.
const RANKED: [&str; 2] = ["rfc9309", "google-2022"];

#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Entry {
    #[serde(flatten)]
    pub(crate) subject: Subject,
    /// The manifest's text about the use of the parser.
    pub(super) usage: String,
    /// The editions by which the parser is judged.
    pub(super) editions: Vec<String>,
    pub(super) claim: Claim,
    /// For each edition, the number of verdict questions for parsers with each outcome.
    pub(super) verdicts: BTreeMap<String, Totals>,
    /// For each area and edition, the number of questions with each outcome.
    pub(crate) areas: Vec<AreaRecord>,
    /// The trials that failed or errored, by requirement.
    pub(super) failing: BTreeMap<String, Vec<String>>,
    /// The failing trials that are not verdict questions for parsers. These trials do not count in the ranking.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(super) unranked: BTreeSet<String>,
    /// The failing trials to which the parser gave no answer in time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) late: Vec<String>,
    /// For a port of Google's published library: the failing trials to which the library gives the same answer.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(super) like_the_library: BTreeSet<String>,
    /// The answers to trials that failed, errored, are contested or are open. The answers to other trials follow from
    /// the expectation.
    #[serde(default)]
    pub(crate) answers: BTreeMap<String, String>,
}

/// States whether a failure counts against a parser (`Charged`), and if not, why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    Charged,
    /// The document that the parser names does not contain the requirement, or decides it differently.
    OutsideItsClaims,
    /// The parser gave no answer in time. No document states a time limit.
    Late,
    /// The parser is not judged by the edition; its answers are only compared.
    Compared,
}

/// The facts about the current trials that an entry needs.
pub(crate) struct Today {
    known: BTreeSet<String>,
    /// The names of the trials with a closed question. A question is closed if at least one answer to it would fail.
    closed: BTreeSet<String>,
    /// The verdicts of the engine for Google's published library, by the name of the trial.
    verdicts: BTreeMap<String, String>,
}

impl Today {
    /// Reads the trials of the suite, and asks the engine for Google's library every verdict question.
    pub(super) fn of(suite: &Suite) -> Self {
        let trials = trial::published(suite);
        let known = trials.iter().map(|trial| trial.name().to_owned()).collect();
        let closed = trials.iter().filter(|trial| !trial.is_open());
        let closed = closed.map(|trial| trial.name().to_owned()).collect();
        let verdicts = trials.iter().filter(|trial| trial.kind() == QuestionKind::Verdict);
        let verdicts = verdicts.map(|trial| {
            let mut question = trial.question();
            question.profile = Profile::GoogleCpp;
            let answer = kind::answer_text(&GoogleCpp.answer(&question));
            let verdict = answer.lines().next().unwrap_or_default();
            (trial.name().to_owned(), verdict.to_owned())
        });
        Self { known, closed, verdicts: verdicts.collect() }
    }
}

/// A row of the ranking.
pub(crate) struct Score {
    /// The shares of conforming verdicts, in the order of [`RANKED`].
    pub(crate) shares: [String; RANKED.len()],
    pub(crate) wrong: usize,
    /// The number of wrong answers that are outside the parser's claims.
    pub(crate) outside: usize,
    pub(crate) unanswered: usize,
}

impl measured::Entry for Entry {
    type Listed = Peer;
    type Cases = Today;

    const FILES: Documents = Documents { verb: "peers" };
    const HEAD: &str = HEAD;
    const COLUMNS: &[Column] = &[
        Column::Words("claims"),
        Column::Numbers("RFC 9309"),
        Column::Numbers("Google 2022"),
        Column::Numbers("wrong"),
        Column::Numbers("outside its claims"),
        Column::Numbers("no answer"),
    ];
    const ORDER: &str = "The table is sorted by the share of conforming answers in both editions \
        together. The greatest share comes first.";

    fn subject(&self) -> &Subject {
        &self.subject
    }

    fn subject_mut(&mut self) -> &mut Subject {
        &mut self.subject
    }

    fn follow(&mut self, listed: &Peer) {
        self.usage.clone_from(&listed.usage);
        self.claim.clone_from(&listed.claims);
    }

    fn revise(&mut self, today: &Today) {
        // After the measurement, a case may have been withdrawn, or its question may have become open.
        for trials in self.failing.values_mut() {
            trials.retain(|trial| today.closed.contains(trial));
        }
        self.failing.retain(|_, trials| !trials.is_empty());
        self.late.retain(|trial| today.closed.contains(trial));
        self.unranked.retain(|trial| today.closed.contains(trial));
        self.answers.retain(|trial, _| today.known.contains(trial));
        if self.claim.document != Some(Named::GoogleLibrary) {
            self.like_the_library.clear();
            return;
        }
        let is_like = |trial: &&String| {
            let verdict = self.answers.get(*trial).and_then(|answer| answer.lines().next());
            verdict.is_some() && verdict == today.verdicts.get(*trial).map(String::as_str)
        };
        self.like_the_library = self.failing.values().flatten().filter(is_like).cloned().collect();
    }

    fn rank(&self) -> usize {
        let [conforming, asked] = self.ranked();
        millionths(1, 1) - millionths(conforming, asked)
    }

    fn cells(&self) -> Vec<String> {
        let Score { shares: [rfc, google], wrong, outside, unanswered } = self.score();
        let mut cells = vec![self.claim.title().to_owned(), rfc, google];
        cells.extend([wrong, outside, unanswered].map(|number| number.to_string()));
        cells
    }

    fn facts(&self) -> String {
        let editions = self.editions.join(", ");
        format!(". It is judged under {editions}.\n\n{}\n\n{}", self.usage, self.claim.sentence())
    }

    fn section(&self, text: &mut String) {
        let columns: BTreeSet<&str> = self.areas.iter().map(|area| area.edition.as_str()).collect();
        let rows: BTreeSet<&str> = self.areas.iter().map(|area| area.area.as_str()).collect();
        let _ = writeln!(
            text,
            "\nThe table shows how many answers conform, by area and edition. It leaves out \
             questions to which every answer conforms.\n"
        );
        let _ = writeln!(
            text,
            "| area | {} |",
            columns.iter().copied().collect::<Vec<_>>().join(" | ")
        );
        let _ = writeln!(text, "|---|{}", "--:|".repeat(columns.len()));
        for row in rows {
            let cells = columns.iter().map(|column| {
                let cell = self.areas.iter().find(|a| a.area == row && a.edition == *column);
                cell.map_or_else(String::new, |cell| conforming(cell.totals))
            });
            let cells: Vec<String> = cells.collect();
            // Areas without a question for a parser have no row.
            if cells.iter().any(|cell| cell != NOT_ASKED) {
                let _ = writeln!(text, "| {row} | {} |", cells.join(" | "));
            }
        }
        for (standing, heading) in [
            (Standing::Charged, "answered wrongly or with an error"),
            (Standing::OutsideItsClaims, "answered wrongly, outside its claims"),
            (Standing::Late, "not answered within a minute"),
            (
                Standing::Compared,
                "answered differently from an edition by which the peer is not judged",
            ),
        ] {
            let cases = self.failing_cases(standing);
            if cases.is_empty() {
                continue;
            }
            let questions: usize = cases.values().flat_map(BTreeMap::values).sum();
            let summary = format!("{questions} questions in {} cases were {heading}", cases.len());
            let mut lines = String::new();
            for ((case, requirement), editions) in cases {
                let editions: Vec<String> = editions
                    .into_iter()
                    .map(|(edition, count)| format!("{edition} {count}"))
                    .collect();
                let _ = writeln!(lines, "- `{case}` ({requirement}): {}", editions.join(", "));
            }
            folded(text, &summary, &lines);
        }
    }
}

impl Entry {
    /// Returns the parser's row of the ranking.
    pub(crate) fn score(&self) -> Score {
        let share = |edition| {
            self.verdicts.get(edition).map_or_else(|| "–".to_owned(), |totals| percent(*totals))
        };
        let of_all = RANKED.iter().filter_map(|edition| self.verdicts.get(*edition));
        let unanswered = of_all.map(|totals| totals.sum(&[OutcomeKind::Unanswered])).sum();
        let ranked = self.charges().filter(|(_, trial)| {
            !self.unranked.contains(*trial)
                && edition(trial).is_some_and(|edition| RANKED.contains(&edition))
        });
        let standings: Vec<Standing> =
            ranked.map(|(requirement, trial)| self.standing(requirement, trial)).collect();
        let count = |standing| standings.iter().filter(|it| **it == standing).count();
        let outside = count(Standing::OutsideItsClaims);
        let wrong = count(Standing::Charged) + outside;
        Score { shares: RANKED.map(share), wrong, outside, unanswered }
    }

    /// Returns two numbers about the closed verdict questions that the parser answered in the ranked editions: how many
    /// of the answers conform, and how many questions there are.
    fn ranked(&self) -> [usize; 2] {
        let totals = RANKED.iter().filter_map(|edition| self.verdicts.get(*edition));
        totals.fold([0, 0], |[conforming, asked], totals| {
            [conforming + totals.conforming(), asked + totals.closed()]
        })
    }

    /// Returns the trials that failed or errored.
    pub(crate) fn failing(&self) -> impl Iterator<Item = &String> {
        self.failing.values().flatten()
    }

    /// Returns the trials that failed or errored, with their requirements.
    fn charges(&self) -> impl Iterator<Item = (&String, &String)> {
        self.failing
            .iter()
            .flat_map(|(requirement, trials)| trials.iter().map(move |trial| (requirement, trial)))
    }

    fn fails(&self, trial: &str) -> bool {
        self.failing().any(|failing| failing == trial)
    }

    /// Returns whether a failed trial counts against the parser, and if it does not, why.
    fn standing(&self, requirement: &str, trial: &str) -> Standing {
        let Some(edition) = edition(trial) else { return Standing::Charged };
        if !self.editions.iter().any(|judged| judged == edition) {
            return Standing::Compared;
        }
        if self.late.iter().any(|late| late == trial) {
            return Standing::Late;
        }
        // A failure under RFC 9309 does not count if the parser names Google's page or library, and passes the same
        // question under the edition of that page.
        let is_right_by_google = |google| !self.fails(&trial.replace(RANKED[0], google));
        let is_by_the_rfc_alone =
            edition == RANKED[0] && self.claim.edition_of_google().is_some_and(is_right_by_google);
        let is_a_port = self.claim.document == Some(Named::GoogleLibrary);
        let case = trial.split("::").nth(1).unwrap_or(trial);
        if is_by_the_rfc_alone
            || (is_a_port && self.like_the_library.contains(trial))
            || self.claim.excludes(requirement, case)
        {
            Standing::OutsideItsClaims
        } else {
            Standing::Charged
        }
    }

    /// Returns the cases that the parser failed in any edition, as area and id.
    pub(crate) fn failed_cases(&self) -> BTreeSet<&str> {
        let cases = self.failing().filter_map(|trial| {
            let (end, _) = trial.match_indices("::").nth(1)?;
            Some(&trial[..end])
        });
        cases.collect()
    }

    /// Returns the failed cases whose failures have this [`Standing`], as area and id with the requirement. For each
    /// case, the map has the number of failed questions for each edition.
    fn failing_cases(&self, standing: Standing) -> BTreeMap<(&str, &str), BTreeMap<&str, usize>> {
        let mut cases: BTreeMap<_, BTreeMap<&str, usize>> = BTreeMap::new();
        let charges = self.charges();
        for (requirement, trial) in
            charges.filter(|(requirement, trial)| self.standing(requirement, trial) == standing)
        {
            let Some((end, _)) = trial.match_indices("::").nth(1) else { continue };
            let Some(edition) = edition(trial) else { continue };
            let key = (&trial[..end], requirement.as_str());
            *cases.entry(key).or_default().entry(edition).or_default() += 1;
        }
        cases
    }
}

/// Returns the edition in the name of a trial.
fn edition(trial: &str) -> Option<&str> {
    trial.split("::").nth(2)
}

fn percent(totals: Totals) -> String {
    // The share is rounded down, so that only a peer without failures has 100 %.
    let tenths = totals.conforming() * 1000 / totals.closed().max(1);
    format!("{}.{} %", tenths / 10, tenths % 10)
}

const HEAD: &str = "\
# The peers, measured

`cargo survey peers` writes this page; do not edit it by hand. A *peer* is a parser of another project. Our own parser is
measured in the same way and marked *(ours)*. The version of each peer is pinned. A small program, the adapter
(`survey/peers`), calls the peer as the peer's documentation describes, and passes every question of the suite to
it.

A *verdict* question asks whether a crawler may fetch a URL under a robots.txt file. The columns *RFC 9309* and *Google
2022* show the share of a peer's answers to verdict questions that conform to the edition. Only verdict questions count
in the share, because every peer can answer this kind of question. If two passages of an edition disagree, an answer
that follows one of them conforms. The share leaves out questions to which every answer conforms, questions about
requirements for crawlers, and questions that the peer cannot answer, for example about a crawler with several product
tokens. *No answer* counts the verdict questions that the peer cannot answer.

*Claims* shows the document that the manual, README or source of the peer names. The section of the peer gives the
statement itself, quoted or shortened. *Wrong* counts the verdict questions that the peer answers wrongly or with an
error under RFC 9309. If the peer promises the behaviour of Google's page or library, *wrong* also counts these
questions under Google's edition of 2022. In *wrong* and in the two shares, a failure of a requirement at the level
*should* counts like a failure at the level *must*. If a peer does not answer a question within a minute, the question
does not count as wrong, because no document states a time limit. But the share counts it as an answer that does not
conform, and the section of the peer lists it. Every peer is also asked about Google's edition of 2022, for comparison.
If the peer is not judged by this edition, its answers count only in the column *Google 2022*.

A failure counts under the requirement that the peer violates. Usually this is the requirement of the case. But if a
peer fails every case (at least three) about the fault of a [reader with one fault](../conformance/faults/src/fault.rs), its failures in other
cases that this reader also fails count under the requirement of the fault. For example, a case about another
requirement may have a rule with a wildcard. If a peer without wildcards fails this case, the failure counts under the
requirement about wildcards. If a peer does not know allow lines, such failures count under PREC-LENGTH, because a
longer allow rule does not win over a shorter disallow rule.

A failure is *outside the claims* of a peer if the document that the peer names does not contain the violated
requirement, or contradicts it. For example, the documents of 1994 and 1996 have no wildcards. If a peer names Google's
page or library, a failure under RFC 9309 is also outside its claims if the peer passes the same question under
google-2022, or under google-2018 if the peer names the page before 2019. If a peer is a port of Google's published
library, a failure is also outside its claims if the library gives the same answer. The column *outside its claims*
counts these failures. They are a part of *wrong*, and the section of the peer lists them separately. If a peer names no
document, no failure is outside its claims.

";

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Entry, Standing, Today};
    use crate::measured::Entry as _;

    fn entry(document: &str, editions: &[&str]) -> Entry {
        let entry = json!({
            "name": "a", "version": "1", "language": "C", "registry": "r", "usage": "u", "editions": editions,
            "claim": { "says": "x", "source": "y", "document": document }, "verdicts": {}, "areas": [],
            "failing": {
                "MATCH-STAR": ["p::star::rfc9309::/x", "p::star::google-2018::/x"],
                "MATCH-PREFIX": ["p::both::rfc9309::/x", "p::both::google-2022::/x"],
                "GRAMMAR-EOF": ["g::lines::rfc9309"],
            },
            "unranked": ["g::lines::rfc9309"],
        });
        serde_json::from_value(entry).unwrap()
    }

    #[test]
    fn wrong_answers_outside_the_claims_are_counted_apart() {
        let old = entry("standard-1994", &["rfc9309"]);
        let score = old.score();
        // The standard of 1994 has no wildcards. The answers under Google's editions are only compared.
        assert_eq!((score.wrong, score.outside), (2, 1));
        let outside: Vec<_> = old.failing_cases(Standing::OutsideItsClaims).into_keys().collect();
        assert_eq!(outside, [("g::lines", "GRAMMAR-EOF"), ("p::star", "MATCH-STAR")]);
        assert_eq!(old.failing_cases(Standing::Compared).len(), 2);

        let new = entry("rfc9309", &["rfc9309"]);
        assert_eq!((new.score().wrong, new.score().outside), (2, 0));
    }

    #[test]
    fn who_names_googles_page_is_not_charged_with_what_that_page_does_not_demand() {
        let google = entry("google", &["rfc9309", "google-2022"]);
        let outside: Vec<_> =
            google.failing_cases(Standing::OutsideItsClaims).into_keys().collect();
        assert_eq!(outside, [("g::lines", "GRAMMAR-EOF"), ("p::star", "MATCH-STAR")]);
        let charged: Vec<_> = google.failing_cases(Standing::Charged).into_keys().collect();
        assert_eq!(charged, [("p::both", "MATCH-PREFIX")]);
        assert_eq!((google.score().wrong, google.score().outside), (3, 1));
        // The parser names an older page, so its trial under google-2018 counts.
        let before = entry("google-2018", &["rfc9309"]);
        let charged: Vec<_> = before.failing_cases(Standing::Charged).into_keys().collect();
        assert_eq!(charged, [("p::star", "MATCH-STAR")]);
        let outside: Vec<_> =
            before.failing_cases(Standing::OutsideItsClaims).into_keys().collect();
        assert_eq!(outside, [("g::lines", "GRAMMAR-EOF"), ("p::both", "MATCH-PREFIX")]);
    }

    /// Answers that equal the library's answers do not count against a port of Google's library, and late answers count
    /// against no parser.
    #[test]
    fn a_port_is_not_charged_with_the_answers_of_the_library() {
        let star = "p::star::rfc9309::/x".to_owned();
        let both = ["p::both::rfc9309::/x", "p::both::google-2022::/x"].map(str::to_owned);
        let today = Today {
            known: both.iter().chain([&star]).cloned().collect(),
            closed: both.iter().chain([&star]).cloned().collect(),
            verdicts: both.iter().map(|trial| (trial.clone(), "allow".to_owned())).collect(),
        };
        let measured = |document| {
            let mut entry = entry(document, &["rfc9309", "google-2022"]);
            entry.answers =
                both.iter().map(|it| (it.clone(), "allow\nline 2".to_owned())).collect();
            entry.late = vec![star.clone(), "gone::late::rfc9309".to_owned()];
            entry.revise(&today);
            entry
        };
        let port = measured("google-library");
        assert_eq!((port.score().wrong, port.score().outside), (2, 2));
        let late: Vec<_> = port.failing_cases(Standing::Late).into_keys().collect();
        assert_eq!(late, [("p::star", "MATCH-STAR")]);
        assert_eq!(port.late, std::slice::from_ref(&star));
        let page = measured("google");
        assert_eq!((page.score().wrong, page.score().outside), (2, 0));
        assert!(page.like_the_library.is_empty());
        // The case of GRAMMAR-EOF was withdrawn, and the other case no longer has a question under google-2018.
        assert_eq!(page.failing().count(), 3);
    }
}
