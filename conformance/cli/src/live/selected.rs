//! What is asked: which cases under which editions.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use robots_core::Edition;
use robots_test_web::live::Case;

use super::verdicts::{self, OnTheWire};
use super::{Cases, LiveArgs, cases};

/// What is asked.
pub(super) struct Selected {
    pub(super) editions: Vec<Edition>,
    pub(super) wire: Vec<Case>,
    /// By product token.
    pub(super) verdicts: BTreeMap<String, Vec<Case>>,
    /// The verdict cases that cannot be put on the wire, by reason.
    pub(super) unwired: BTreeMap<String, Vec<String>>,
    /// The verdict cases whose file names the crawler, whatever its product token is.
    pub(super) for_everybody: BTreeSet<String>,
    filter: Option<String>,
    /// The names of everything there is.
    names: HashSet<String>,
}

impl Selected {
    pub(super) fn of(arguments: &LiveArgs) -> Result<Self, String> {
        let wire = cases()?;
        let OnTheWire { cases: verdicts, unwired, for_everybody, .. } = verdicts::on_the_wire()?;
        let name = |case: &Case| {
            let id = case.id.clone();
            case.expect.keys().map(move |edition| format!("{id}::{edition}")).collect::<Vec<_>>()
        };
        let names = wire.iter().chain(verdicts.values().flatten()).flat_map(name).collect();
        let editions = match &*arguments.editions {
            [] => Edition::ALL.to_vec(),
            given => given.to_vec(),
        };
        let mut all = Self {
            editions,
            wire: Vec::new(),
            verdicts: BTreeMap::new(),
            unwired: BTreeMap::new(),
            for_everybody,
            filter: arguments.filter.clone(),
            names,
        };
        let asked = |case: &Case| all.of_case(case).next().is_some();
        let (mut asked_wire, mut asked_verdicts) = (Vec::new(), BTreeMap::new());
        if arguments.cases != Cases::Verdicts {
            asked_wire = wire.into_iter().filter(asked).collect();
        }
        if arguments.cases != Cases::Wire {
            for (token, cases) in verdicts {
                let cases: Vec<Case> = cases.into_iter().filter(asked).collect();
                if !cases.is_empty() {
                    asked_verdicts.insert(token, cases);
                }
            }
            all.unwired = unwired;
        }
        (all.wire, all.verdicts) = (asked_wire, asked_verdicts);
        Ok(all)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.wire.is_empty() && self.verdicts.is_empty()
    }

    /// Returns whether there is a trial of this name, selected or not.
    pub(super) fn knows(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Returns the editions that are asked of a case.
    pub(super) fn of_case<'s>(&'s self, case: &'s Case) -> impl Iterator<Item = Edition> + 's {
        self.editions.iter().copied().filter(move |edition| {
            case.expect.contains_key(edition)
                && self
                    .filter
                    .as_ref()
                    .is_none_or(|text| format!("{}::{edition}", case.id).contains(text))
        })
    }

    /// Returns how many trials there are.
    pub(super) fn trials(&self) -> usize {
        let cases = self.wire.iter().chain(self.verdicts.values().flatten());
        cases.map(|case| self.of_case(case).count()).sum()
    }
}
