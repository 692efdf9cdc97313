//! The engine of a parser.

use super::{Answer, Engine, Question, Role};
use crate::edition::{Edition, Profile};
use crate::file::Options;
use crate::parser::Parser;
use crate::robots_txt::RobotsTxt;

/// The engine of a parser: the parser reports syntax, the core decides what it means.
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
        Profile::ALL
    }

    fn roles(&self) -> &[Role] {
        Role::ALL
    }

    fn answer(&self, question: &Question) -> Answer {
        self.answer_by_kind(question)
    }
}

impl<P: Parser> Interpreted<P> {
    /// Parses a file by a profile.
    pub(super) fn parse<'o>(&self, profile: Profile, octets: &'o [u8]) -> RobotsTxt<&'o [u8]> {
        RobotsTxt::parse(&self.0, octets, Options::default().profile(profile))
    }
}

/// Returns the edition to answer by.
///
/// # Errors
/// `unsupported` under the observed profile, which consists of verdicts.
pub(super) fn edition(profile: Profile) -> Result<Edition, Answer> {
    let unsupported = || Answer::unsupported("the observed profile gives verdicts only");
    profile.edition().ok_or_else(unsupported)
}
