//! Reads a case that asks questions: makes the case from raw structs, and reports all problems.
//!
//! Start at [`Loader::question`]. Keys that are unknown or have the wrong form are reported and removed first, so the
//! steps after this read only well-formed keys. [`super::form`] reads the keys that cases of every form have. The
//! module `kind` reads the keys of a question and its answers, so this module does not know the kinds.
//! [`Asked::expectation`] reads the answers that one edition expects.

use std::sync::Arc;

use crate::kind::{QuestionKind, Role};
use robots_core::Edition;
use serde::Deserialize;
use serde_yaml::{Mapping, Value};

use super::form::{AS_LISTED, Context, Item, ReadForm, check_either};
use super::loader::Loader;
use super::raw;
use crate::kind::{self, KeyProblem};
use crate::octets::{self, WrittenPart};
use crate::suite::case::{Conforming, Questions, Reading, Stated};
use crate::yaml::{WrongKey, fields, from_right_keys, right_keys};

impl Loader {
    pub(super) fn question(&mut self, item: Item<'_>, value: &Value) {
        let case = self.case::<Asked>(item, value);
        self.suite.cases.extend(case.map(Arc::new));
    }

    /// Returns the role that the subject needs. This is *retriever* if only retrievers are asked questions of this
    /// kind. Otherwise it is the role to which the requirement is addressed.
    fn role(&self, ask: QuestionKind, requirement: &str) -> Role {
        let addressed = || self.suite.requirement(requirement).map(|found| found.role);
        let only = ask.role().filter(|role| *role == Role::Retriever);
        only.or_else(addressed).unwrap_or_default()
    }
}

/// A question while it is read. The keys are needed again to read the expectations.
struct Asked {
    keys: Mapping,
    questions: Questions,
}

impl ReadForm for Asked {
    type Form = Questions;
    type Conforming = Conforming<Stated>;

    fn check(key: &str, value: &Value) -> Result<(), WrongKey> {
        match check_either::<raw::Case, raw::Question>(key, value) {
            Err(WrongKey::Unknown(_)) => {
                kind::check(key, value).unwrap_or_else(|| Err(WrongKey::Unknown(known_keys())))
            }
            checked => checked,
        }
    }

    fn read(
        loader: &mut Loader,
        context: &Context<'_>,
        requirement: &str,
        keys: Mapping,
    ) -> Option<Self> {
        let raw::Question { ask } = from_right_keys(&keys);
        let ask = match ask {
            Some(word) => loader.named(&context.place("ask"), &context.who(), &word)?,
            None => QuestionKind::Verdict,
        };
        let members = kind::members(&keys, ask).unwrap_or_else(|problems| {
            for KeyProblem { key, message } in problems {
                // If a key was refused, a problem without a key may be a mere consequence of that. Such a problem is
                // not reported.
                if key != "id" || loader.refused.is_empty() {
                    context.report(loader, key, message);
                }
            }
            Vec::new()
        });
        let parts: OnlyParts = from_right_keys(&keys);
        let parts = parts.robots_parts.unwrap_or_default();
        // An invalid escape is already reported.
        let robots_parts = octets::resolve(&parts).unwrap_or_default();
        let role = loader.role(ask, requirement);
        let questions = Questions { role, ask, members, robots_parts, observed: None };
        Some(Self { keys, questions })
    }

    fn expectation(
        &self,
        loader: &mut Loader,
        context: &Context<'_>,
        edition: Edition,
        value: &Value,
    ) -> Option<(Conforming<Stated>, raw::Terms)> {
        let mut report = |message: String| context.report_edition(loader, edition, message);
        let (answers, terms) = self.answers(value, &mut report);
        let conforming = self.conforming(&answers).map_err(report).ok()?;
        Some((conforming, terms))
    }

    fn form(self) -> Questions {
        self.questions
    }
}

impl Asked {
    /// Reads the mapping of an expectation. An answer without such a mapping is an expectation too.
    fn answers(&self, value: &Value, mut wrong: impl FnMut(String)) -> (raw::Answers, raw::Terms) {
        let bare = || raw::Answers { answer: Some(value.clone()), ..raw::Answers::default() };
        let Some(mapping) = value.as_mapping() else { return (bare(), raw::Terms::default()) };
        // An answer alone may be a mapping too, but it has none of the keys of an expectation.
        let mut known = fields::<raw::Answers>().iter().chain(fields::<raw::Terms>());
        if !known.any(|key| mapping.contains_key(*key))
            && kind::expected(self.questions.ask, value).is_ok()
        {
            return (bare(), raw::Terms::default());
        }
        let check = check_either::<raw::Answers, raw::Terms>;
        let right = right_keys(mapping, check, |_, message| wrong(message));
        (from_right_keys(&right), from_right_keys(&right))
    }

    fn conforming(&self, raw: &raw::Answers) -> Result<Conforming<Stated>, String> {
        let lists = kind::are_listed(&self.keys, self.questions.ask);
        match (&raw.answer, &raw.any_of, &raw.readings) {
            (Some(value), None, None) if value.as_str() == Some("undefined") => {
                Ok(Conforming::Undefined)
            }
            (Some(value), None, None) => {
                let stated = self.stated(value)?;
                if lists && stated != Stated::AsListed {
                    return Err(
                        "a case with lists expects `as-listed`; the lists define the answers"
                            .into(),
                    );
                }
                Ok(Conforming::One(stated))
            }
            (None, Some(values), None) => {
                let answers: Vec<Stated> =
                    values.iter().map(|value| self.stated(value)).collect::<Result<_, _>>()?;
                two_different(&answers, "any-of")?;
                Ok(Conforming::AnyOf(answers))
            }
            (None, None, Some(readings)) => {
                let read = |reading: &raw::Reading| {
                    let passage = reading.passage.clone();
                    if passage.trim().is_empty() {
                        return Err("a reading's `passage` is blank; name the passage".to_owned());
                    }
                    Ok(Reading { answer: self.stated(&reading.answer)?, passage })
                };
                let readings: Vec<Reading<Stated>> =
                    readings.iter().map(read).collect::<Result<_, _>>()?;
                let answers: Vec<Stated> =
                    readings.iter().map(|reading| reading.answer.clone()).collect();
                two_different(&answers, "readings")?;
                Ok(Conforming::Readings(readings))
            }
            (None, None, None) => {
                Err("nothing is expected; give `answer`, `any-of` or `readings`".to_owned())
            }
            _ => Err("`answer`, `any-of` and `readings` exclude each other; keep one".to_owned()),
        }
    }

    fn stated(&self, value: &Value) -> Result<Stated, String> {
        match value.as_str() {
            Some(AS_LISTED) if kind::are_listed(&self.keys, self.questions.ask) => {
                Ok(Stated::AsListed)
            }
            Some(AS_LISTED) => {
                Err("`as-listed` needs lists; this case asks one question, so state its answer"
                    .into())
            }
            _ => {
                let answer = kind::expected(self.questions.ask, value)?;
                Ok(Stated::Answer(kind::complete(&self.keys, answer)))
            }
        }
    }
}

/// The parts of a robots.txt. A case stores the parts, because `robots-conformance vectors` writes a long file in
/// parts.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
struct OnlyParts {
    robots_parts: Option<Vec<WrittenPart>>,
}

/// Returns the names of all keys of a question: the keys that every case has, `ask`, and the keys of the kinds.
fn known_keys() -> Vec<&'static str> {
    let of_all = fields::<raw::Case>().iter().chain(fields::<raw::Question>());
    of_all.copied().chain(kind::known_keys()).collect()
}

fn two_different(answers: &[Stated], key: &str) -> Result<(), String> {
    if answers.len() < 2 {
        return Err(format!("`{key}` has fewer than two answers; write `answer`"));
    }
    for (index, answer) in answers.iter().enumerate() {
        if answers[..index].contains(answer) {
            return Err(format!("`{key}` states an answer twice; keep one"));
        }
    }
    Ok(())
}
