//! Cases to trials: one question about one edition, with what conforms.

use std::sync::Arc;

use robots_core::{Edition, Question};

use crate::case::{Ask, Case, Conforming, Expect, Member, Stated, Suite};

/// One question of one case about one edition.
#[derive(Clone, Debug)]
pub struct Trial {
    name: String,
    case: Arc<Case>,
    edition: Edition,
    member: usize,
    conforming: Conforming,
}

impl Trial {
    /// Returns the name `area::case-id::edition`, with `::member` where the case has lists.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the name with the engine's before it: `engine::area::case-id::edition[::member]`.
    pub fn full_name(&self, engine: &str) -> String {
        format!("{engine}::{}", self.name)
    }

    /// Returns the case.
    pub fn case(&self) -> &Case {
        &self.case
    }

    /// Returns the edition asked about.
    pub fn edition(&self) -> Edition {
        self.edition
    }

    /// Returns what kind of question it is.
    pub fn ask(&self) -> Ask {
        self.case.ask
    }

    /// Returns the member of the case.
    pub fn member(&self) -> &Member {
        &self.case.members[self.member]
    }

    /// Returns what the edition expects of the case: level, source, row.
    ///
    /// # Panics
    /// Never: a trial is made of an edition the case names.
    pub fn expect(&self) -> &Expect {
        &self.case.expect[&self.edition]
    }

    /// Returns which answers conform.
    pub fn conforming(&self) -> &Conforming {
        &self.conforming
    }

    /// Returns the question, borrowed from the trial.
    pub fn question(&self) -> Question<'_> {
        self.member().subject.question(self.edition)
    }
}

/// Returns every trial of a suite: case by case, edition by edition, member by member.
pub fn trials(suite: &Suite) -> Vec<Arc<Trial>> {
    suite.cases.iter().flat_map(of_case).collect()
}

/// Returns the trials of one case.
pub fn of_case(case: &Arc<Case>) -> Vec<Arc<Trial>> {
    let mut trials = Vec::new();
    for (edition, expect) in &case.expect {
        for (index, member) in case.members.iter().enumerate() {
            // The loader refuses `as-listed` where there are no lists.
            let answer = |stated: &Stated| match (stated, &member.listed) {
                (Stated::Answer(answer), _) | (Stated::AsListed, Some(answer)) => answer.clone(),
                (Stated::AsListed, None) => unreachable!("as-listed without lists is refused"),
            };
            let suffix = member.name.as_ref().map_or_else(String::new, |name| format!("::{name}"));
            trials.push(Arc::new(Trial {
                name: format!("{}::{}::{edition}{suffix}", case.area, case.id),
                case: Arc::clone(case),
                edition: *edition,
                member: index,
                conforming: expect.conforming.map(answer),
            }));
        }
    }
    trials
}
