//! [`Interpreted`], the engine that uses a parser of this workspace or of another project.
//!
//! The engine takes the edition from the question. The engine passes the question to the code for the question's kind
//! (`engine/table.rs`). The engine supports editions only, not the observed profile `google-cpp`.

use super::{Answer, Engine, Profile, Question, Role};
use crate::edition::Edition;
use crate::file::Options;
use crate::parser::Parser;
use crate::robots_txt::RobotsTxt;

/// An engine made from a parser: the parser reports lines, and the core decides what the lines mean.
///
/// ```
/// use robots_core::engine::{Engine, Interpreted};
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dialect/line_parser.rs"));
/// # fn main() {
/// let engine = Interpreted(LineParser);
/// assert_eq!(engine.name(), "line-parser");
/// # }
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
            Some(edition) => self.answer_by_kind(&question.ask, edition),
            None => Answer::unsupported("it answers questions under editions only"),
        }
    }
}

impl<P: Parser> Interpreted<P> {
    /// Parses a file under an edition.
    pub(super) fn parse<'o>(&self, edition: Edition, octets: &'o [u8]) -> RobotsTxt<&'o [u8]> {
        RobotsTxt::parse(&self.0, octets, Options::from(edition))
    }
}
