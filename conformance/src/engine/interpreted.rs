//! [`Interpreted`], the engine that uses a parser of this workspace or of another project.
//!
//! The engine takes the edition from the question. The engine passes the question to the code for the question's kind
//! (`kind/contract.rs`). The engine supports editions only, not the observed profile `google-cpp`.

use robots_core::Parser;

use super::{Engine, Profile, Question};
use crate::kind::{self, Answer, Role};

/// An engine made from a parser: the parser reports lines, and the core decides what the lines mean.
///
/// ```
/// use robots_conformance::engine::{Engine, Interpreted};
/// use robots_nom_parser::ScanParser;
/// assert_eq!(Interpreted(ScanParser).name(), "scan");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Interpreted<P>(pub P);

impl<P: Parser> Engine for Interpreted<P> {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn profiles(&self) -> &[Profile] {
        Profile::WITH_DRAFTS
    }

    fn roles(&self) -> &[Role] {
        Role::PARSER_AND_CRAWLER
    }

    fn answer(&self, question: &Question) -> Answer {
        match question.profile.edition() {
            Some(edition) => kind::answer(&question.ask, &self.0, edition),
            None => Answer::unsupported("it answers questions under editions only"),
        }
    }
}
