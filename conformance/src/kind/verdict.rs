//! The kind `verdict`: may this crawler fetch this URL?
//!
//! A case asks about one URL, or about lists of URLs; the key of each list is the answer. The keys `matches` and
//! `does-not-match` belong to a file with one `pattern`, and `allowed` and `disallowed` to any other file. The deciding
//! line is compared only if the case and the answer both name it. If the file is a pair of rules, [`Kind::complete`]
//! adds the line. Start at the implementation of [`Kind`]; the module `wire` reads and writes the messages.

use std::sync::Arc;

use robots_core::{Edition, Parser};
use serde::Deserialize;
use serde_yaml::{Mapping, Value};

use super::agents::{self, Agents, agents_text};
use super::contract::{Kind, NotAnAnswer};
use super::keys::{KeyGroup, List, Reading, one};
use super::{Answer, Ask, Expected, Member, Role, file, mapping};
use crate::kind::absolute;
use crate::octets::{WrittenPart, join};
use crate::yaml::OneOrMany;
use robots_console::render::elided;

/// The data of a question of the kind `verdict`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerdictQuestion {
    /// The octets of the file.
    pub robots_txt: Arc<[u8]>,
    /// The names of the crawler. Under an edition, these names are product tokens.
    pub agents: Agents,
    /// The URL, or its path and query.
    pub url: String,
}

/// A verdict, with the deciding line and the reason, if the engine gives them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerdictAnswer {
    /// Whether the URL may be fetched.
    pub allowed: bool,
    /// The number of the deciding line, from 1, if the engine knows it.
    pub line: Option<u32>,
    /// The engine's reason as text. Reports show this text, but the suite does not check it.
    pub evidence: Option<String>,
}

/// A verdict that a case expects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExpectedVerdict {
    /// Whether the URL may be fetched.
    pub allowed: bool,
    /// The lines that may decide. The list is empty if the line is not judged.
    pub lines: Vec<u32>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Keys {
    url: Option<String>,
    url_parts: Option<Vec<WrittenPart>>,
    allowed: Option<Vec<String>>,
    disallowed: Option<Vec<String>>,
    matches: Option<Vec<String>>,
    does_not_match: Option<Vec<String>>,
}

/// A verdict that a case expects, with its deciding line.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WithLine {
    verdict: String,
    line: Option<OneOrMany<u32>>,
}

impl Kind for VerdictQuestion {
    type Answer = VerdictAnswer;
    type Expected = ExpectedVerdict;

    const ROLE: Option<Role> = None;
    const KEYS: &'static [KeyGroup] = &[file::KEYS, agents::KEYS, KeyGroup::of::<Keys>()];
    const LISTS: &'static [&'static str] = &["matches", "does-not-match", "allowed", "disallowed"];
    const ANSWERS: &'static str = "`allow`, `disallow` or `{ verdict: allow, line: 3 }`";
    const TEMPLATE: (&'static str, &'static str) = (
        "    robots: |\n      user-agent: examplebot\n      disallow: /\n    url: /\n",
        "disallow",
    );
    const HAS_TWO_SIDES: bool = true;

    fn read(case: &mut Reading<'_>) -> Vec<Member> {
        let keys: Keys = case.keys();
        keys.check(case);
        let agents = case.agents();
        let Some((robots_txt, agents)) = case.robots_txt().zip(agents) else { return Vec::new() };
        let ask = |url: &str| VerdictQuestion {
            robots_txt: Arc::clone(&robots_txt),
            agents: agents.clone(),
            url: absolute(url),
        };
        let list = |key, members, allowed| {
            let answer = Expected::Verdict(ExpectedVerdict { allowed, lines: Vec::new() });
            List { key, members, answer }
        };
        let lists = [
            list("matches", &keys.matches, false),
            list("does-not-match", &keys.does_not_match, true),
            list("allowed", &keys.allowed, true),
            list("disallowed", &keys.disallowed, false),
        ];
        let are_listed = lists.iter().any(|list| list.members.is_some());
        match (keys.url(case), are_listed) {
            (Some(url), false) => one(Some(ask(&url))),
            (Some(_), true) => {
                case.wrong("url", "both a URL and lists of URLs; keep one of the two");
                Vec::new()
            }
            (None, false) => {
                case.wrong("id", "nothing is asked; give `url`, `url-parts` or lists of URLs");
                Vec::new()
            }
            (None, true) => case.listed(&lists, |_, url| Some(Ask::Verdict(ask(url)))),
        }
    }

    fn robots_txt(&self) -> Option<&[u8]> {
        Some(&self.robots_txt)
    }

    fn answer<P: Parser>(&self, parser: &P, edition: Edition) -> Result<Self::Answer, Answer> {
        let robots_txt = file::parsed(parser, edition, &self.robots_txt);
        let crawler = self.agents.crawler().map_err(|error| Answer::Error(error.to_string()))?;
        match robots_txt.try_verdict(crawler, &self.url) {
            Ok(verdict) => Ok(VerdictAnswer {
                allowed: verdict.is_allowed(),
                line: verdict.rule().map(|rule| rule.line().number.get()),
                evidence: Some(verdict.to_string()),
            }),
            Err(error) => Err(Answer::Error(error.to_string())),
        }
    }

    fn expected(value: &Value) -> Result<ExpectedVerdict, NotAnAnswer> {
        let allowed = |word: &str| match word {
            "allow" => Ok(true),
            "disallow" => Ok(false),
            _ => Err(NotAnAnswer::FORM),
        };
        if let Some(word) = value.as_str() {
            return Ok(ExpectedVerdict { allowed: allowed(word)?, lines: Vec::new() });
        }
        let WithLine { verdict, line } =
            serde_yaml::from_value(value.clone()).map_err(|_| NotAnAnswer::FORM)?;
        let lines = line.map(OneOrMany::into_vec).unwrap_or_default();
        if lines.contains(&0) {
            return Err(NotAnAnswer::FORM);
        }
        Ok(ExpectedVerdict { allowed: allowed(&verdict)?, lines })
    }

    /// If the file is a pair of rules, adds the deciding line, because the line follows from the verdict.
    fn complete(case: &Mapping, mut expected: ExpectedVerdict) -> ExpectedVerdict {
        if expected.lines.is_empty() && case.contains_key("allow") {
            expected.lines = vec![if expected.allowed { 2 } else { 3 }];
        }
        expected
    }

    fn is_open(stated: &[&ExpectedVerdict]) -> bool {
        [true, false].iter().all(|side| stated.iter().any(|verdict| verdict.allowed == *side))
    }

    fn stated(answer: &VerdictAnswer) -> ExpectedVerdict {
        ExpectedVerdict { allowed: answer.allowed, lines: answer.line.into_iter().collect() }
    }

    fn conforms(expected: &ExpectedVerdict, answer: &VerdictAnswer) -> bool {
        let lines = &expected.lines;
        expected.allowed == answer.allowed
            && answer.line.is_none_or(|line| lines.is_empty() || lines.contains(&line))
    }

    /// Returns whether the entry covers the answer. An entry without a line covers only a wrong verdict. If the verdict
    /// is right and the line is wrong, the entry must state the line. An entry with a line covers only an answer with
    /// that line.
    fn is_deviation(
        stated: &ExpectedVerdict,
        right: &[&ExpectedVerdict],
        answer: &VerdictAnswer,
    ) -> bool {
        let by_line_alone = right.iter().any(|right| right.allowed == stated.allowed);
        let is_exact = if stated.lines.is_empty() { !by_line_alone } else { answer.line.is_some() };
        is_exact && Self::conforms(stated, answer)
    }

    fn question(&self) -> String {
        format!("may {} fetch <{}>?", agents_text(&self.agents), elided(&self.url))
    }

    fn text(ExpectedVerdict { allowed, lines }: &ExpectedVerdict) -> String {
        let verdict = word(*allowed);
        if lines.is_empty() {
            return verdict.to_owned();
        }
        let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
        format!("{verdict}\nline {}", lines.join(" or "))
    }

    fn yaml(ExpectedVerdict { allowed, lines }: &ExpectedVerdict) -> Value {
        let verdict = Value::from(word(*allowed));
        match lines[..] {
            [] => verdict,
            [line] => mapping([("verdict", verdict), ("line", line.into())]),
            _ => mapping([("verdict", verdict), ("line", lines.clone().into())]),
        }
    }

    fn side(expected: &ExpectedVerdict) -> String {
        word(expected.allowed).to_owned()
    }

    fn evidence(answer: &VerdictAnswer) -> Option<&str> {
        answer.evidence.as_deref()
    }
}

fn word(allowed: bool) -> &'static str {
    if allowed { "allow" } else { "disallow" }
}

impl Keys {
    /// Reports each list whose key does not fit the form in which the case gives its file.
    fn check(&self, case: &mut Reading<'_>) {
        if case.has("pattern") {
            if self.allowed.is_some() || self.disallowed.is_some() {
                case.wrong("allowed", "with `pattern`, write `does-not-match` and `matches`");
            }
        } else if self.matches.is_some() || self.does_not_match.is_some() {
            let message = "`matches` and `does-not-match` belong to `pattern`; write `disallowed` and \
                           `allowed`";
            case.wrong("matches", message);
        }
    }

    fn url(&self, case: &mut Reading<'_>) -> Option<String> {
        match (&self.url, &self.url_parts) {
            (Some(_), Some(_)) => {
                case.wrong("url", "both `url` and `url-parts`; keep one");
                None
            }
            (Some(url), None) => Some(url.clone()),
            (None, Some(parts)) => match join(parts).map(String::from_utf8) {
                Ok(Ok(url)) => Some(url),
                Ok(Err(_)) => {
                    case.wrong("url-parts", "`url-parts` is not UTF-8; percent-encode the octets");
                    None
                }
                Err(problem) => {
                    case.wrong("url-parts", format!("`url-parts`: {problem}"));
                    None
                }
            },
            (None, None) => None,
        }
    }
}

#[cfg(feature = "process")]
mod wire {
    use robots_core::RuleKind;
    use serde::ser::SerializeMap;

    use super::{ExpectedVerdict, VerdictAnswer, VerdictQuestion};
    use crate::kind::contract::Wire;
    use crate::kind::fields::{Fields, NotAQuestion, WrongKey};
    use crate::kind::vector::WriteVector;
    use crate::kind::word::wire::As;
    use crate::kind::{agents, file};

    impl Wire for VerdictQuestion {
        const QUESTION_KEYS: &'static [&'static str] =
            &[file::wire::KEY, agents::wire::KEYS[0], agents::wire::KEYS[1], "url"];
        const ANSWER_KEYS: &'static [&'static str] = &["line", "evidence"];
        const WRITE_VECTOR: Option<WriteVector<Self>> = Some(|question, keys| {
            keys.robots_txt(&question.robots_txt);
            keys.agents(&question.agents);
            keys.url(&question.url);
        });

        fn write<M: SerializeMap>(&self, message: &mut M) -> Result<(), M::Error> {
            file::wire::write(&self.robots_txt, message)?;
            agents::wire::write(&self.agents, message)?;
            message.serialize_entry("url", &self.url)
        }

        fn read(message: &Fields) -> Result<Self, NotAQuestion> {
            Ok(Self {
                robots_txt: file::wire::read(message)?,
                agents: agents::wire::read(message)?,
                url: message.key("url")?,
            })
        }

        /// Writes `lines` instead of `line`, because any of the stated lines may decide.
        fn write_expected<M: SerializeMap>(
            expected: &ExpectedVerdict,
            message: &mut M,
        ) -> Result<(), M::Error> {
            message.serialize_entry("verdict", &verdict(expected.allowed))?;
            if expected.lines.is_empty() {
                return Ok(());
            }
            message.serialize_entry("lines", &expected.lines)
        }

        fn write_answer<M: SerializeMap>(
            answer: &VerdictAnswer,
            message: &mut M,
        ) -> Result<(), M::Error> {
            message.serialize_entry("verdict", &verdict(answer.allowed))?;
            if let Some(line) = answer.line {
                message.serialize_entry("line", &line)?;
            }
            if let Some(evidence) = &answer.evidence {
                message.serialize_entry("evidence", evidence)?;
            }
            Ok(())
        }

        fn read_answer(message: &Fields) -> Result<VerdictAnswer, WrongKey> {
            let word: Option<As<RuleKind>> = message.get("verdict");
            let Some(As(kind)) = word else {
                return Err(WrongKey::new("verdict", "\"allow\" or \"disallow\""));
            };
            let line = if message.is_null("line") {
                None
            } else {
                let line = message.get::<u32>("line").filter(|line| *line > 0);
                let wrong = || WrongKey::new("line", "the number of the deciding line, from 1");
                Some(line.ok_or_else(wrong)?)
            };
            let evidence = message.get("evidence");
            Ok(VerdictAnswer { allowed: kind == RuleKind::Allow, line, evidence })
        }
    }

    fn verdict(allowed: bool) -> As<RuleKind> {
        As(if allowed { RuleKind::Allow } else { RuleKind::Disallow })
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    /// A line is right only if it is one of the stated lines. A neighbouring line is wrong.
    #[rstest]
    #[trace]
    #[case(&[3], Some(3), true)]
    #[case(&[3], Some(2), false)]
    #[case(&[3], Some(1), false)]
    #[case(&[3], Some(4), false)]
    #[case(&[2, 5], Some(5), true)]
    #[case(&[2, 5], Some(3), false)]
    #[case(&[3], None, true)]
    #[case(&[], Some(7), true)]
    fn the_deciding_line_is_a_stated_one(
        #[case] stated: &[u32],
        #[case] line: Option<u32>,
        #[case] right: bool,
    ) {
        let expected = ExpectedVerdict { allowed: true, lines: stated.to_vec() };
        let answer = |allowed| VerdictAnswer { allowed, line, evidence: None };
        assert_eq!(VerdictQuestion::conforms(&expected, &answer(true)), right);
        assert!(!VerdictQuestion::conforms(&expected, &answer(false)));
    }
}
