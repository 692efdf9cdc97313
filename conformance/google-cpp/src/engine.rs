//! Defines two engines: [`GoogleCpp`] gives the answers of the library, and [`WithGoogleCpp`] combines it with an
//! engine that answers under editions.

use robots_conformance::engine::{Engine, Profile, Question, Reply};
use robots_conformance::kind::{Answer, Ask, Role, VerdictAnswer};

use crate::verdict::verdict;

/// An engine that gives the answers that Google's published library was observed to give. The engine answers only
/// verdict questions under [`Profile::GoogleCpp`].
///
/// ```
/// use robots_conformance::engine::{Engine, Profile};
/// assert_eq!(robots_google_cpp::GoogleCpp.profiles(), [Profile::GoogleCpp]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct GoogleCpp;

impl Engine for GoogleCpp {
    fn name(&self) -> &str {
        "google-cpp"
    }

    fn profiles(&self) -> &[Profile] {
        &[Profile::GoogleCpp]
    }

    /// Returns the roles parser and crawler, because the library also answered the verdict questions of the cases for
    /// crawlers.
    fn roles(&self) -> &[Role] {
        Role::PARSER_AND_CRAWLER
    }

    fn answer(&self, question: &Question) -> Answer {
        match (question.profile, &question.ask) {
            (Profile::GoogleCpp, Ask::Verdict(asked)) => {
                let verdict = verdict(&asked.robots_txt, &asked.agents, &asked.url);
                Answer::Verdict(VerdictAnswer {
                    allowed: verdict.is_allowed(),
                    line: verdict.line(),
                    evidence: Some(verdict.to_string()),
                })
            }
            (Profile::GoogleCpp, _) => {
                Answer::unsupported("the library answers verdict questions only")
            }
            _ => Answer::unsupported("the library does not implement an edition"),
        }
    }
}

/// An engine that answers under editions, combined with the observed library.
///
/// [`GoogleCpp`] answers questions under [`Profile::GoogleCpp`]. The other engine answers all other questions.
///
/// ```
/// use robots_core::Edition;
/// use robots_conformance::engine::{Engine, IsAllowed, Profile};
/// use robots_google_cpp::WithGoogleCpp;
/// let engine = IsAllowed { name: "open", f: |_: &[u8], _: &str, _: &str| true };
/// let engine = WithGoogleCpp::new(engine);
/// assert_eq!(engine.name(), "open");
/// assert_eq!(engine.profiles(), [Profile::Edition(Edition::Rfc9309), Profile::GoogleCpp]);
/// ```
#[derive(Clone, Debug)]
pub struct WithGoogleCpp<E> {
    engine: E,
    profiles: Vec<Profile>,
}

impl<E: Engine> WithGoogleCpp<E> {
    /// Adds the observed library to an engine.
    #[must_use]
    pub fn new(engine: E) -> Self {
        let editions = engine.profiles().iter().filter(|profile| **profile != Profile::GoogleCpp);
        let profiles = editions.copied().chain([Profile::GoogleCpp]).collect();
        Self { engine, profiles }
    }
}

impl<E: Engine> Engine for WithGoogleCpp<E> {
    fn name(&self) -> &str {
        self.engine.name()
    }

    fn profiles(&self) -> &[Profile] {
        &self.profiles
    }

    fn roles(&self) -> &[Role] {
        self.engine.roles()
    }

    fn takes_clock(&self) -> bool {
        self.engine.takes_clock()
    }

    fn answer(&self, question: &Question) -> Answer {
        match question.profile {
            Profile::GoogleCpp => GoogleCpp.answer(question),
            _ => self.engine.answer(question),
        }
    }

    fn reply(&self, question: &Question) -> Reply {
        match question.profile {
            Profile::GoogleCpp => GoogleCpp.reply(question),
            _ => self.engine.reply(question),
        }
    }
}
