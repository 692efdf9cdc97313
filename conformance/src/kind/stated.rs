//! Reads the answer that a case or a deviations file states: [`expected`]. The kind reads the value; this module adds
//! the message that lists the answers of the kind.

use crate::kind::QuestionKind;
use serde_yaml::Value;

use super::contract::NotAnAnswer;
use super::{Expected, answers, read_expected};
use crate::yaml::inline;

/// Reads an answer to a question of this kind, as a case or a deviations file states it.
///
/// # Errors
/// Returns a message that describes the mistake, or lists the answers that the kind has.
pub(crate) fn expected(kind: QuestionKind, value: &Value) -> Result<Expected, String> {
    let because = match read_expected(kind, value) {
        Ok(expected) => return Ok(expected),
        Err(NotAnAnswer::Sentence(sentence)) => return Err(sentence),
        Err(NotAnAnswer::Form(because)) => because,
    };
    let because = because.map_or_else(String::new, |because| format!(" ({because})"));
    Err(format!(
        "{} is not an answer to `ask: {kind}`; the answers are {}{because}",
        inline(value),
        answers(kind)
    ))
}
