//! The kind `derives`: do these octets derive from the edition's grammar?
//!
//! A case has either a robots.txt or lists of lines. The lines are escaped, because a line may contain any octet. Each
//! line of a list becomes a separate file with a line ending. The key of the list states whether each of its lines
//! derives, and nothing about the whole file. An answer has one result for the whole file and one for each line. A part
//! that an expectation leaves out is not judged. Start at the implementation of [`Kind`]; the module `wire` reads and
//! writes the messages.

use std::sync::Arc;

use robots_core::syntax::GrammarMatch;
use robots_core::{Edition, Parser};
use robots_spec_cases::unescape;
use serde::Deserialize;
use serde_yaml::Value;

use super::contract::{Kind, NotAnAnswer};
use super::keys::{KeyGroup, List, Reading, one};
use super::{Answer, Ask, Expected, Member, Role, file};

/// The data of a question of the kind `derives`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DerivesQuestion {
    /// The octets of the file.
    pub robots_txt: Arc<[u8]>,
}

/// The expected result of a derivation from the grammar; a part that is `None` is not judged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExpectedMatch {
    /// Whether the file derives.
    pub file: Option<bool>,
    /// Whether each line derives.
    pub lines: Option<Vec<bool>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Keys {
    derivable: Option<Vec<String>>,
    not_derivable: Option<Vec<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawMatch {
    file: Option<bool>,
    lines: Option<Vec<bool>>,
}

impl Kind for DerivesQuestion {
    type Answer = GrammarMatch;
    type Expected = ExpectedMatch;

    const ROLE: Option<Role> = Some(Role::Parser);
    const KEYS: &'static [KeyGroup] = &[file::KEYS, KeyGroup::of::<Keys>()];
    const LISTS: &'static [&'static str] = &["derivable", "not-derivable"];
    const ANSWERS: &'static str = "`{ file: true, lines: [true, false] }`, one key at least";
    const TEMPLATE: (&'static str, &'static str) =
        (file::TEMPLATE, "{ file: true, lines: [true, true] }");
    const HAS_TWO_SIDES: bool = true;

    fn read(case: &mut Reading<'_>) -> Vec<Member> {
        let keys: Keys = case.keys();
        let list = |key, members, derives| List { key, members, answer: line(derives) };
        let lists = [
            list("derivable", &keys.derivable, true),
            list("not-derivable", &keys.not_derivable, false),
        ];
        if lists.iter().all(|list| list.members.is_none()) {
            return one(case.robots_txt().map(|robots_txt| Self { robots_txt }));
        }
        if case.has_file() {
            case.wrong("derivable", "both a robots.txt and lists of lines; keep one of the two");
        }
        case.listed(&lists, |case, line| match unescape(line) {
            Ok(mut octets) => {
                if !matches!(octets.last(), Some(b'\r' | b'\n')) {
                    octets.push(b'\n');
                }
                Some(Ask::Derives(Self { robots_txt: octets.into() }))
            }
            Err(problem) => {
                case.wrong("derivable", format!("{line:?}: {problem}"));
                None
            }
        })
    }

    fn robots_txt(&self) -> Option<&[u8]> {
        Some(&self.robots_txt)
    }

    fn answer<P: Parser>(&self, parser: &P, edition: Edition) -> Result<Self::Answer, Answer> {
        let grammar = edition.grammar();
        grammar
            .and_then(|grammar| parser.derives(grammar, &self.robots_txt))
            .ok_or_else(|| Answer::unsupported("there is no recogniser for this edition's grammar"))
    }

    fn expected(value: &Value) -> Result<ExpectedMatch, NotAnAnswer> {
        let RawMatch { file, lines } = serde_yaml::from_value(value.clone())?;
        if file.is_none() && lines.is_none() {
            return Err(NotAnAnswer::FORM);
        }
        Ok(ExpectedMatch { file, lines })
    }

    /// Returns true if one expectation states only that a single line derives, and another expectation states only that
    /// it does not derive.
    fn is_open(stated: &[&ExpectedMatch]) -> bool {
        let side = |derives| ExpectedMatch { file: None, lines: Some(vec![derives]) };
        [true, false].iter().all(|derives| stated.contains(&&side(*derives)))
    }

    fn stated(answer: &GrammarMatch) -> ExpectedMatch {
        ExpectedMatch { file: Some(answer.file()), lines: Some(answer.lines().to_vec()) }
    }

    fn conforms(expected: &ExpectedMatch, answer: &GrammarMatch) -> bool {
        expected.file.is_none_or(|file| file == answer.file())
            && expected.lines.as_ref().is_none_or(|lines| *lines == answer.lines())
    }

    fn is_deviation(
        stated: &ExpectedMatch,
        right: &[&ExpectedMatch],
        answer: &GrammarMatch,
    ) -> bool {
        let is_whole = |right: &&ExpectedMatch| {
            (right.file.is_none() || stated.file.is_some())
                && (right.lines.is_none() || stated.lines.is_some())
        };
        right.iter().all(is_whole) && Self::conforms(stated, answer)
    }

    fn question(&self) -> String {
        "do the file and its lines derive from the edition's grammar?".to_owned()
    }

    fn text(ExpectedMatch { file, lines }: &ExpectedMatch) -> String {
        let derives = |yes| if yes { "derives" } else { "does not derive" };
        let mut facts: Vec<String> = Vec::new();
        facts.extend(file.map(|file| format!("the file {}", derives(file))));
        for (index, line) in lines.iter().flatten().enumerate() {
            facts.push(format!("line {} {}", index + 1, derives(*line)));
        }
        if lines.as_ref().is_some_and(Vec::is_empty) {
            facts.push("no lines".to_owned());
        }
        facts.join("\n")
    }

    fn yaml(ExpectedMatch { file, lines }: &ExpectedMatch) -> Value {
        let file = file.map(|file| ("file".into(), file.into()));
        let lines = lines.as_ref().map(|lines| {
            let lines: Vec<Value> = lines.iter().map(|line| (*line).into()).collect();
            ("lines".into(), lines.into())
        });
        Value::Mapping(file.into_iter().chain(lines).collect())
    }
}

fn line(derives: bool) -> Expected {
    Expected::Derives(ExpectedMatch { file: None, lines: Some(vec![derives]) })
}

#[cfg(feature = "process")]
mod wire {
    use std::borrow::Cow;

    use robots_core::syntax::GrammarMatch;
    use serde::ser::SerializeMap;
    use serde::{Deserialize, Serialize};

    use super::{DerivesQuestion, ExpectedMatch};
    use crate::kind::contract::Wire;
    use crate::kind::fields::{Fields, NotAQuestion, WrongKey};
    use crate::kind::file;

    /// The value of `derives`.
    #[derive(Serialize, Deserialize)]
    struct Match<'a> {
        #[serde(skip_serializing_if = "Option::is_none")]
        file: Option<bool>,
        #[serde(skip_serializing_if = "Option::is_none")]
        lines: Option<Cow<'a, [bool]>>,
    }

    impl Wire for DerivesQuestion {
        const QUESTION_KEYS: &'static [&'static str] = &[file::wire::KEY];

        fn write<M: SerializeMap>(&self, message: &mut M) -> Result<(), M::Error> {
            file::wire::write(&self.robots_txt, message)
        }

        fn read(message: &Fields) -> Result<Self, NotAQuestion> {
            Ok(Self { robots_txt: file::wire::read(message)? })
        }

        fn write_expected<M: SerializeMap>(
            expected: &ExpectedMatch,
            message: &mut M,
        ) -> Result<(), M::Error> {
            let lines = expected.lines.as_deref().map(Into::into);
            message.serialize_entry("derives", &Match { file: expected.file, lines })
        }

        fn read_answer(message: &Fields) -> Result<GrammarMatch, WrongKey> {
            match message.get("derives") {
                Some(Match { file: Some(file), lines: Some(lines) }) => {
                    Ok(GrammarMatch::new(file, lines.into_owned()))
                }
                _ => Err(WrongKey::new("derives", "{\"file\":true,\"lines\":[true,false]}")),
            }
        }
    }
}
