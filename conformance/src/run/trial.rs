//! Makes trials from cases. A trial is one question under one profile, with its conforming answers. A profile is an
//! edition, or the observed profile, which contains recorded answers of Google's library.
//!
//! Start at [`of_case()`], which makes a trial for each edition and member of a case. [`trials()`] does this for a
//! suite. [`observed_of()`] makes the trials of the observed profile separately, because they are run only on request.
//! A trial shares its case and refers to the member by index. Reports and deviations files refer to a trial by its
//! name.

use std::sync::Arc;

use crate::engine::Profile;
use crate::engine::Question;
use crate::kind::{QuestionKind, Role};

use crate::kind::Member;
use crate::suite::Suite;
use crate::suite::case::{Case, Conforming, Expect, Stated};
use crate::suite::requirement::Level;

/// One question of a case under one profile.
#[derive(Clone, Debug)]
pub struct Trial {
    name: String,
    case: Arc<Case>,
    profile: Profile,
    member: usize,
    conforming: Conforming,
}

impl Trial {
    /// Returns the name `area::case-id::edition`, with `::member` if the case has lists.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the full name `engine::area::case-id::edition[::member]`, which begins with the name of the engine.
    pub fn full_name(&self, engine: &str) -> String {
        format!("{engine}::{}", self.name)
    }

    /// Returns the case.
    pub fn case(&self) -> &Case {
        &self.case
    }

    /// Returns the profile of the question.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// Returns whether the trial is about a draft, and has the same expectation as a published edition. Files for other
    /// projects leave out such a trial, because it repeats the question and the expectation of another trial.
    pub fn is_repeated(&self) -> bool {
        self.profile.edition().is_some_and(|edition| self.case.is_repeated(edition))
    }

    /// Returns the kind of the question.
    pub fn kind(&self) -> QuestionKind {
        self.case.form.ask
    }

    /// Returns the role that the subject needs.
    pub fn role(&self) -> Role {
        self.case.form.role
    }

    /// Returns whether every well-formed answer conforms.
    pub fn is_open(&self) -> bool {
        self.conforming.is_open(self.case.form.ask)
    }

    /// Returns the member of the case, which contains the question.
    pub fn member(&self) -> &Member {
        &self.case.form.members[self.member]
    }

    /// Returns the expectation of the edition for the case, with its level, source and row. Under the observed profile,
    /// Google's library itself is the source.
    ///
    /// # Panics
    /// Never panics, because a trial is made only for an edition that the case names, or for an observed answer.
    pub fn expect(&self) -> &Expect {
        match self.profile.edition() {
            Some(edition) => &self.case.expect[&edition],
            None => &self.case.form.observed.as_ref().expect("it was observed").expect,
        }
    }

    /// Returns the level of the requirement. Returns `None` under the observed profile, which no document defines.
    pub fn level(&self) -> Option<Level> {
        self.profile.edition().map(|_| self.expect().level)
    }

    /// Returns the level as reports write it, which is `must`, `stated`, `should`, `may` or `observed`.
    pub fn level_id(&self) -> &'static str {
        self.level().map_or("observed", Level::id)
    }

    /// Returns the conforming answers.
    pub fn conforming(&self) -> &Conforming {
        &self.conforming
    }

    /// Returns the question.
    pub fn question(&self) -> Question {
        Question { profile: self.profile, ask: self.member().ask.clone() }
    }
}

/// Returns every trial of a suite about an edition or a draft, in the order of cases, editions and members.
pub fn trials(suite: &Suite) -> Vec<Arc<Trial>> {
    suite.cases.iter().flat_map(of_case).collect()
}

/// Returns every trial of a suite about a published edition, without the trials about drafts.
pub fn published(suite: &Suite) -> Vec<Arc<Trial>> {
    let mut trials = trials(suite);
    trials.retain(|trial| trial.profile().is_usual());
    trials
}

/// Returns every trial of a suite under the observed profile, which is run only on request.
pub fn observed(suite: &Suite) -> Vec<Arc<Trial>> {
    suite.cases.iter().flat_map(observed_of).collect()
}

/// Returns the trials of one case under the editions that it names.
pub fn of_case(case: &Arc<Case>) -> Vec<Arc<Trial>> {
    let mut trials = Vec::new();
    for (edition, expect) in &case.expect {
        for (index, member) in case.form.members.iter().enumerate() {
            let answer = |stated: &Stated| stated.answer(member).clone();
            trials.push(Arc::new(Trial {
                name: case.trial_name(Profile::Edition(*edition), member.name.as_deref()),
                case: Arc::clone(case),
                profile: Profile::Edition(*edition),
                member: index,
                conforming: expect.conforming.map(answer),
            }));
        }
    }
    trials
}

/// Returns the trials of one case under the observed profile.
pub fn observed_of(case: &Arc<Case>) -> Vec<Arc<Trial>> {
    let answers = case.form.observed.iter().flat_map(|observed| &observed.answers);
    let trials =
        case.form.members.iter().zip(answers).enumerate().map(|(index, (member, answer))| {
            Arc::new(Trial {
                name: case.trial_name(Profile::GoogleCpp, member.name.as_deref()),
                case: Arc::clone(case),
                profile: Profile::GoogleCpp,
                member: index,
                conforming: Conforming::One(answer.clone()),
            })
        });
    trials.collect()
}
