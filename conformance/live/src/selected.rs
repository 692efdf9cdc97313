//! Selects the trials of a run: cases and editions.
//!
//! [`Selected`] contains the cases about fetching and the verdict cases that the options select, and the editions under
//! which each case is judged. It also contains the names of all trials, selected or not.

use std::collections::{BTreeMap, BTreeSet};

use robots_conformance::engine::Profile;
use robots_conformance::kind::QuestionKind;
use robots_conformance::run::selection::Selection;
use robots_core::Edition;

use crate::case::Case;
use crate::options::{CaseSelection, Options};
use crate::trial::name;
use crate::verdicts::{OnTheWire, Suited};

/// The cases that are crawled, and the editions under which they are judged.
pub(crate) struct Selected {
    pub(crate) editions: Vec<Edition>,
    pub(crate) wire: Vec<Case>,
    /// The verdict cases, by the product token that the crawler must have.
    pub(crate) verdicts: BTreeMap<String, Vec<Case>>,
    /// The verdict questions that cannot be tested with a crawler, by reason.
    pub(crate) unwired: BTreeMap<String, Vec<String>>,
    /// The verdict cases that can test crawlers with other product tokens.
    pub(crate) suited: Suited,
    agent: String,
    selection: Selection,
    /// The names of all trials, selected or not. These names do not contain the name of the crawler.
    names: Vec<String>,
}

impl Selected {
    pub(crate) fn of(options: &Options, wire: Vec<Case>, verdicts: OnTheWire) -> Self {
        let OnTheWire { cases: verdicts, unwired, suited, .. } = verdicts;
        let trials = |case: &Case| {
            let editions = case.expect.keys();
            editions.map(|edition| name("", case, *edition)).collect::<Vec<_>>()
        };
        let names = wire.iter().chain(verdicts.values().flatten()).flat_map(trials).collect();
        let selection = options.selection.clone();
        let is_wanted = |edition: &Edition| selection.has_profile(Profile::Edition(*edition));
        let editions =
            Edition::ALL.iter().chain(Edition::DRAFTS).copied().filter(is_wanted).collect();
        let mut all = Self {
            editions,
            wire: Vec::new(),
            verdicts: BTreeMap::new(),
            unwired: BTreeMap::new(),
            suited,
            agent: options.settings.agent.clone(),
            selection,
            names,
        };
        let asked = |case: &Case| all.of_case(case).next().is_some();
        let (mut asked_wire, mut asked_verdicts) = (Vec::new(), BTreeMap::new());
        if options.cases != CaseSelection::Verdicts {
            asked_wire = wire.into_iter().filter(asked).collect();
        }
        if options.cases != CaseSelection::Wire {
            for (token, cases) in verdicts {
                let cases: Vec<Case> = cases.into_iter().filter(asked).collect();
                if !cases.is_empty() {
                    asked_verdicts.insert(token, cases);
                }
            }
            all.unwired = unwired;
        }
        (all.wire, all.verdicts) = (asked_wire, asked_verdicts);
        all
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.cases().next().is_none()
    }

    pub(crate) fn cases(&self) -> impl Iterator<Item = &Case> {
        self.wire.iter().chain(self.verdicts.values().flatten())
    }

    /// Returns the areas of all trials, each once, selected or not.
    pub(crate) fn areas(&self) -> Vec<&str> {
        // A name begins with `::`, followed by the area.
        let areas = self.names.iter().filter_map(|name| name.split("::").nth(1));
        areas.collect::<BTreeSet<&str>>().into_iter().collect()
    }

    /// Returns the full names of all trials of a crawler, selected or not. The values of the map are `None`, because a
    /// crawl has no kind of question.
    pub(crate) fn crawls(&self, crawler: &str) -> BTreeMap<String, Option<QuestionKind>> {
        self.names.iter().map(|name| (format!("{crawler}{name}"), None)).collect()
    }

    /// Returns the selected editions under which a case is judged.
    pub(crate) fn of_case<'s>(&'s self, case: &'s Case) -> impl Iterator<Item = Edition> + 's {
        self.editions.iter().copied().filter(move |edition| {
            case.expect.contains_key(edition)
                && self.selection.has_area(&case.area)
                && self.selection.has_name(&name(&self.agent, case, *edition))
        })
    }

    /// Returns the number of selected trials.
    pub(crate) fn trials(&self) -> usize {
        self.cases().map(|case| self.of_case(case).count()).sum()
    }
}
