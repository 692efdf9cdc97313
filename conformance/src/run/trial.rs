//! Cases to trials: one question about one edition, or by the observed profile, with what conforms.

use std::sync::Arc;

use robots_core::Profile;
use robots_core::engine::{Question, QuestionKind, Role};

use crate::kind::Member;
use crate::suite::Suite;
use crate::suite::case::{Case, Conforming, Expect, Stated};
use crate::suite::requirement::Level;

/// One question of one case about one edition, or by the observed profile.
#[derive(Clone, Debug)]
pub struct Trial {
    name: String,
    case: Arc<Case>,
    profile: Profile,
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

    /// Returns the edition asked about, or the observed profile.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// Returns what kind of question it is.
    pub fn kind(&self) -> QuestionKind {
        self.case.ask
    }

    /// Returns who is asked.
    pub fn role(&self) -> Role {
        self.case.role
    }

    /// Returns whether every well-formed answer conforms.
    pub fn is_open(&self) -> bool {
        self.conforming.is_open(self.case.ask)
    }

    /// Returns the member of the case.
    pub fn member(&self) -> &Member {
        &self.case.members[self.member]
    }

    /// Returns what the edition expects of the case: level, source, row; of the observed profile the
    /// library.
    ///
    /// # Panics
    /// Never: a trial is made of an edition the case names, or of what was observed of it.
    pub fn expect(&self) -> &Expect {
        match self.profile.edition() {
            Some(edition) => &self.case.expect[&edition],
            None => &self.case.observed.as_ref().expect("it was observed").expect,
        }
    }

    /// Returns how firmly the edition states it; `None` by the observed profile, which no document states.
    pub fn level(&self) -> Option<Level> {
        self.profile.edition().map(|_| self.expect().level)
    }

    /// Returns the level as reports write it: `must`, `should`, `may`, or `observed`.
    pub fn level_id(&self) -> &'static str {
        self.level().map_or("observed", Level::id)
    }

    /// Returns which answers conform.
    pub fn conforming(&self) -> &Conforming {
        &self.conforming
    }

    /// Returns the question.
    pub fn question(&self) -> Question {
        Question { profile: self.profile, ask: self.member().ask.clone() }
    }
}

/// Returns every trial of a suite about an edition: case by case, edition by edition, member by member.
pub fn trials(suite: &Suite) -> Vec<Arc<Trial>> {
    suite.cases.iter().flat_map(of_case).collect()
}

/// Returns every trial of a suite by the observed profile, which counts only where it is asked for.
pub fn observed(suite: &Suite) -> Vec<Arc<Trial>> {
    suite.cases.iter().flat_map(observed_of).collect()
}

/// Returns the trials of one case about editions.
pub fn of_case(case: &Arc<Case>) -> Vec<Arc<Trial>> {
    let mut trials = Vec::new();
    for (edition, expect) in &case.expect {
        for (index, member) in case.members.iter().enumerate() {
            // The loader refuses `as-listed` where there are no lists.
            let answer = |stated: &Stated| match (stated, &member.listed) {
                (Stated::Answer(answer), _) | (Stated::AsListed, Some(answer)) => answer.clone(),
                (Stated::AsListed, None) => unreachable!("as-listed without lists is refused"),
            };
            trials.push(Arc::new(Trial {
                name: case.trial_name(Profile::Edition(*edition), member),
                case: Arc::clone(case),
                profile: Profile::Edition(*edition),
                member: index,
                conforming: expect.conforming.map(answer),
            }));
        }
    }
    trials
}

/// Returns the trials of one case by the observed profile.
pub fn observed_of(case: &Arc<Case>) -> Vec<Arc<Trial>> {
    let answers = case.observed.iter().flat_map(|observed| &observed.answers);
    let trials = case.members.iter().zip(answers).enumerate().map(|(index, (member, answer))| {
        Arc::new(Trial {
            name: case.trial_name(Profile::GoogleCpp, member),
            case: Arc::clone(case),
            profile: Profile::GoogleCpp,
            member: index,
            conforming: Conforming::One(answer.clone()),
        })
    });
    trials.collect()
}
