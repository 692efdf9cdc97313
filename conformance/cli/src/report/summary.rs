//! The counts of a report: per edition, per area and edition, in all.

use std::collections::BTreeMap;
use std::fmt;

use robots_core::Profile;
use robots_core::engine::Role;
use serde::{Deserialize, Serialize, Serializer};

use robots_conformance::case::Level;
use robots_conformance::judge::Outcome;
use robots_conformance::run::Finished;
use robots_conformance::run::Report;

/// How many trials ended how. In JSON it is an object of the outcomes' names, each with its count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "BTreeMap<String, usize>")]
pub struct Totals([usize; Outcome::NAMES.len()]);

impl Totals {
    /// Counts trials.
    pub fn of<'f>(finished: impl IntoIterator<Item = &'f Finished>) -> Self {
        let mut totals = Self::default();
        for finished in finished {
            let name = finished.outcome.name();
            for (count, other) in totals.0.iter_mut().zip(Outcome::NAMES) {
                *count += usize::from(other == name);
            }
        }
        totals
    }

    /// Returns the names of the outcomes with their counts.
    pub fn named(&self) -> impl Iterator<Item = (&'static str, usize)> {
        Outcome::NAMES.into_iter().zip(self.0)
    }

    /// Returns the outcomes that a table shows: *passed*, *failed*, and every other one that occurs.
    #[must_use]
    pub fn columns(&self) -> Vec<&'static str> {
        let is_shown =
            |(name, count): &(&str, usize)| *count > 0 || ["passed", "failed"].contains(name);
        self.named().filter(is_shown).map(|(name, _)| name).collect()
    }

    /// Returns the count of the outcome with this name, 0 where there is no such outcome.
    pub fn get(&self, name: &str) -> usize {
        self.named().find(|(other, _)| *other == name).map_or(0, |(_, count)| count)
    }

    /// Returns the sum of both.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        for (count, more) in self.0.iter_mut().zip(other.0) {
            *count += more;
        }
        self
    }

    /// Returns the number of trials.
    pub fn all(&self) -> usize {
        self.0.iter().sum()
    }

    /// Returns the number of trials that were asked and answered, and that some answer fails: what a share is of.
    pub fn closed(&self) -> usize {
        let left_out = ["open", "not-asked", "unanswered"].map(|name| self.get(name));
        self.all() - left_out.iter().sum::<usize>()
    }

    /// Returns the number of closed trials whose answer conforms.
    pub fn conforming(&self) -> usize {
        self.get("passed") + self.get("contested")
    }
}

impl Serialize for Totals {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.named())
    }
}

impl TryFrom<BTreeMap<String, usize>> for Totals {
    type Error = String;

    fn try_from(mut counts: BTreeMap<String, usize>) -> Result<Self, String> {
        let mut totals = Self::default();
        for (count, name) in totals.0.iter_mut().zip(Outcome::NAMES) {
            *count = counts.remove(name).unwrap_or(0);
        }
        match counts.into_keys().next() {
            Some(name) => Err(format!("the totals count {name:?}, which is no outcome")),
            None => Ok(totals),
        }
    }
}

/// What one edition's trials for one role showed.
#[derive(Clone, Debug)]
pub struct EditionLine {
    /// The edition, or the observed profile where it was asked for.
    pub edition: Profile,
    /// Who was asked.
    pub role: Role,
    /// The failed and errored trials by level: must, should, may. An error on an open question is none.
    pub failures: [usize; 3],
    /// The failed and errored trials of the observed profile, which no document demands.
    pub differences: usize,
    /// All its trials.
    pub totals: Totals,
    /// Whether only a selection was asked, or the run was told to end.
    pub is_selection: bool,
}

impl EditionLine {
    /// Returns whether the engine conforms: all was asked and answered, and nothing failed or deviates.
    #[must_use]
    pub fn conforms(&self) -> bool {
        !self.is_selection && self.is_right() && self.totals.get("unanswered") == 0
    }

    /// Whether nothing that was answered failed or deviates.
    fn is_right(&self) -> bool {
        self.failures == [0; 3] && self.differences == 0 && self.totals.get("deviation") == 0
    }
}

impl EditionLine {
    /// Returns what its trials showed: `conforms`, or how many failed; of a selection how many of those
    /// asked are right.
    #[must_use]
    pub fn result(&self) -> String {
        let [must, should, may] = self.failures;
        let (deviations, unanswered) =
            (self.totals.get("deviation"), self.totals.get("unanswered"));
        let mut facts = Vec::new();
        let observed = self.edition.edition().is_none();
        if self.is_selection {
            let (right, closed) = (self.totals.conforming(), self.totals.closed());
            facts.push(format!("{right} of {closed} asked"));
        }
        if observed && self.differences > 0 {
            facts.push(counted(self.differences, "difference"));
        } else if !self.is_right() && !observed {
            facts.push(counted(must, "must-failure"));
            facts.push(counted(should, "should-failure"));
        } else if self.is_right() && !self.is_selection {
            let all = if observed { "answers as the library" } else { "conforms" };
            let some = if unanswered == 0 { "" } else { " where it answers" };
            facts.push(format!("{all}{some}"));
        }
        if may > 0 {
            facts.push(counted(may, "may-failure"));
        }
        if deviations > 0 {
            facts.push(counted(deviations, "deviation"));
        }
        if unanswered > 0 {
            facts.push(format!("{unanswered} of {} unanswered", self.totals.all()));
        }
        facts.join(", ")
    }
}

impl fmt::Display for EditionLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<12} {:<8} {}", self.edition, self.role, self.result())
    }
}

fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// The counts of a report.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The editions that were asked about, oldest first, and the observed profile, each role by itself.
    pub editions: Vec<EditionLine>,
    /// The areas in the order of the suite, each with its counts edition by edition.
    pub areas: Vec<(String, Vec<(Profile, Totals)>)>,
    /// All trials.
    pub totals: Totals,
}

impl Summary {
    /// Counts a report.
    pub fn of(report: &Report) -> Self {
        let finished = &report.finished;
        let of_edition =
            |edition: Profile| finished.iter().filter(move |done| done.trial.profile() == edition);
        let of_role = |edition: Profile, role: Role| {
            of_edition(edition).filter(move |done| done.trial.role() == role)
        };
        let asked = |(edition, role): &(Profile, Role)| {
            of_role(*edition, *role).any(|done| done.outcome != Outcome::NotAsked)
        };
        let both = |edition| Role::ALL.iter().map(move |role| (edition, *role));
        let lines = Profile::ALL.iter().copied().flat_map(both).filter(asked);
        let editions = lines.map(|(edition, role)| EditionLine {
            edition,
            role,
            failures: Level::ALL.map(|level| {
                let counts = |done: &&Finished| {
                    done.outcome.is_failure()
                        && !done.trial.is_open()
                        && done.trial.level() == Some(level)
                };
                of_role(edition, role).filter(counts).count()
            }),
            differences: of_role(edition, role)
                .filter(|done| done.outcome.is_failure() && done.trial.level().is_none())
                .count(),
            totals: Totals::of(of_role(edition, role)),
            is_selection: report.is_selection || report.unasked > 0,
        });
        let mut names: Vec<&str> = Vec::new();
        for done in finished {
            let area = done.trial.case().area.as_str();
            if !names.contains(&area) {
                names.push(area);
            }
        }
        let areas = names.into_iter().map(|area| {
            let of_area = |edition: Profile| {
                of_edition(edition).filter(|done| done.trial.case().area == area)
            };
            let counts =
                Profile::ALL.iter().copied().map(|edition| (edition, Totals::of(of_area(edition))));
            (area.to_owned(), counts.filter(|(_, totals)| totals.all() > 0).collect())
        });
        Self { editions: editions.collect(), areas: areas.collect(), totals: Totals::of(finished) }
    }
}
