//! Answers: written by a subject, read by the runner.

use std::borrow::Cow;

use robots_core::RuleKind;
use robots_core::engine::{Answer, QuestionKind, VerdictAnswer, WrittenGroup};
use robots_core::fetch::{Access, Freshness, Retry, Scope};
use robots_core::syntax::GrammarMatch;
use serde::{Deserialize, Serialize};

use super::message::{Message, shown};
use super::word::{As, Word, known};
use crate::case::{Expected, Rule};

/// An answer as a message: the question's number, and what is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AnswerMessage<'a> {
    id: Option<u64>,
    #[serde(flatten)]
    told: Told<'a>,
}

impl AnswerMessage<'_> {
    /// Returns the answer to a line that is no question: it has no number.
    #[must_use]
    pub(crate) fn nobodys_error(message: String) -> Self {
        Self { id: None, told: Told::Error { error: message.into() } }
    }
}

/// Writes an answer.
///
/// ```
/// use robots_core::engine::Answer;
/// use robots_conformance::protocol::{line, reply};
/// assert_eq!(line(&reply(7, &Answer::verdict(true))), r#"{"id":7,"verdict":"allow"}"#);
/// ```
#[must_use]
pub fn reply(id: u64, answer: &Answer) -> AnswerMessage<'_> {
    let told = match answer {
        Answer::Verdict(VerdictAnswer { allowed, line, evidence }) => Told::Verdict {
            verdict: verdict(*allowed),
            line: *line,
            lines: &[],
            evidence: evidence.as_deref(),
        },
        Answer::Groups(groups) => {
            Told::Groups { groups: groups.iter().map(GroupMessage::from).collect() }
        }
        Answer::Group(group) => Told::Group { group: group.as_ref().map(GroupMessage::from) },
        Answer::Sitemaps(urls) => Told::Sitemaps { sitemaps: urls },
        Answer::Scope(scope) => Told::Scope { scope: As(*scope) },
        Answer::Access(access) => Told::Access { access: As(*access) },
        Answer::Retry(retry) => Told::Retry { retry: As(*retry) },
        Answer::Freshness(freshness) => Told::Freshness { freshness: As(*freshness) },
        Answer::Derives(derivation) => Told::Derives {
            derives: MatchMessage {
                file: Some(derivation.file()),
                lines: Some(derivation.lines().into()),
            },
        },
        Answer::Unsupported(reason) => Told::Unsupported { unsupported: reason },
        Answer::Error(message) => Told::Error { error: message.into() },
        _ => Told::Error { error: "the protocol has no such answer".into() },
    };
    AnswerMessage { id: Some(id), told }
}

/// The octets that a reason, an error or evidence has at most, as it stands in the line.
pub const LONGEST_TEXT: usize = 8 * 1024;

/// Returns how many octets the answer to a question about a file of so many octets has at most: more cannot be
/// said of it.
#[must_use]
pub fn longest_answer(file: usize) -> usize {
    file.saturating_mul(16).saturating_add(16 * 1024)
}

/// Reads the answer to a question of this kind; keys beside it are left alone.
///
/// # Errors
/// A sentence that says what the message is, and what it should be.
///
/// ```
/// use robots_conformance::protocol::{Message, answer};
/// use robots_core::engine::QuestionKind;
/// let line = br#"{ "id": 7, "verdict": true }"#;
/// let wrong = answer(QuestionKind::Verdict, &Message::read(line).unwrap());
/// assert_eq!(
///     wrong.unwrap_err(),
///     "an answer of the wrong type: `verdict` is true; it is \"allow\" or \"disallow\"",
/// );
/// ```
pub fn answer(ask: QuestionKind, message: &Message) -> Result<Answer, String> {
    let wrong = |key: &str, what: &str| {
        let is = message.raw(key).map(|value| shown(value.as_bytes())).unwrap_or_default();
        format!("an answer of the wrong type: `{key}` is {is}; it is {what}")
    };
    for key in ["unsupported", "error", "evidence"] {
        if let Some(length) = message.raw(key).map(str::len).filter(|it| *it > LONGEST_TEXT) {
            return Err(format!(
                "`{key}` has {length} octets; {LONGEST_TEXT} are taken at most, so shorten it"
            ));
        }
    }
    for (key, answer) in
        [("unsupported", Answer::Unsupported as fn(String) -> _), ("error", Answer::Error)]
    {
        if message.raw(key).is_some() {
            return message.get(key).map(answer).ok_or_else(|| wrong(key, "a text that says why"));
        }
    }
    let key = ask.id();
    if message.raw(key).is_none() {
        let has = |other: &&QuestionKind| message.raw(other.id()).is_some();
        return Err(match QuestionKind::ALL.iter().find(has) {
            Some(other) => format!(
                "an answer to a question not asked: the question was of kind {key}, the answer has \
                 `{other}`"
            ),
            None => {
                format!("an answer without `{key}`, `unsupported` or `error`: {}", message.shown())
            }
        });
    }
    match ask {
        QuestionKind::Verdict => {
            let allowed = match message.get::<As<RuleKind>>(key) {
                Some(As(kind)) => kind == RuleKind::Allow,
                None => return Err(wrong(key, "\"allow\" or \"disallow\"")),
            };
            let line = match message.raw("line") {
                None | Some("null") => None,
                Some(_) => Some(
                    message
                        .get::<u32>("line")
                        .filter(|line| *line > 0)
                        .ok_or_else(|| wrong("line", "the number of the deciding line, from 1"))?,
                ),
            };
            let evidence = message.get("evidence");
            Ok(Answer::Verdict(VerdictAnswer { allowed, line, evidence }))
        }
        QuestionKind::Groups => message
            .get::<Vec<GroupMessage<'static>>>(key)
            .and_then(|groups| groups.into_iter().map(|group| group.written(true)).collect())
            .map(Answer::Groups)
            .ok_or_else(|| wrong(key, GROUPS)),
        QuestionKind::Group if message.is_null(key) => Ok(Answer::Group(None)),
        QuestionKind::Group => {
            let group = message.get::<GroupMessage<'static>>(key);
            let group = group.and_then(|group| group.written(false));
            Ok(Answer::Group(Some(group.ok_or_else(|| wrong(key, GROUP))?)))
        }
        QuestionKind::Sitemaps => {
            message.get(key).map(Answer::Sitemaps).ok_or_else(|| wrong(key, "a list of texts"))
        }
        QuestionKind::Scope => word(message, key).map(Answer::Scope).map_err(|it| wrong(key, &it)),
        QuestionKind::Access => {
            word(message, key).map(Answer::Access).map_err(|it| wrong(key, &it))
        }
        QuestionKind::Retry => word(message, key).map(Answer::Retry).map_err(|it| wrong(key, &it)),
        QuestionKind::Freshness => {
            word(message, key).map(Answer::Freshness).map_err(|it| wrong(key, &it))
        }
        QuestionKind::Derives => match message.get(key) {
            Some(MatchMessage { file: Some(file), lines: Some(lines) }) => {
                Ok(Answer::Derives(GrammarMatch::new(file, lines.into_owned())))
            }
            _ => Err(wrong(key, "{\"file\":true,\"lines\":[true,false]}")),
        },
    }
}

/// Writes an answer that a case states, with `lines`, any of which may decide, instead of `line`.
pub(crate) fn expected(expected: &Expected) -> impl Serialize + '_ {
    match expected {
        Expected::Verdict { allowed, lines } => {
            Told::Verdict { verdict: verdict(*allowed), line: None, lines, evidence: None }
        }
        Expected::Groups(groups) => Told::Groups {
            groups: groups
                .iter()
                .map(|group| GroupMessage {
                    agents: Some(group.agents.iter().map(|agent| agent.as_str().into()).collect()),
                    rules: rules(&group.rules),
                })
                .collect(),
        },
        Expected::Group(group) => Told::Group {
            group: group.as_ref().map(|group| GroupMessage { agents: None, rules: rules(group) }),
        },
        Expected::Sitemaps(urls) => Told::Sitemaps { sitemaps: urls },
        Expected::Scope(scope) => Told::Scope { scope: As(*scope) },
        Expected::Access(access) => Told::Access { access: As(*access) },
        Expected::Retry(retry) => Told::Retry { retry: As(*retry) },
        Expected::Freshness(freshness) => Told::Freshness { freshness: As(*freshness) },
        Expected::Derives { file, lines } => Told::Derives {
            derives: MatchMessage { file: *file, lines: lines.as_deref().map(Into::into) },
        },
    }
}

/// What an answer tells: one key of its kind, and what may stand beside it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
enum Told<'a> {
    Verdict {
        verdict: As<RuleKind>,
        #[serde(skip_serializing_if = "Option::is_none")]
        line: Option<u32>,
        /// What a case states: any of these may decide.
        #[serde(skip_serializing_if = "<[u32]>::is_empty")]
        lines: &'a [u32],
        #[serde(skip_serializing_if = "Option::is_none")]
        evidence: Option<&'a str>,
    },
    Groups {
        groups: Vec<GroupMessage<'a>>,
    },
    Group {
        group: Option<GroupMessage<'a>>,
    },
    Sitemaps {
        sitemaps: &'a [String],
    },
    Scope {
        scope: As<Scope>,
    },
    Access {
        access: As<Access>,
    },
    Retry {
        retry: As<Retry>,
    },
    Freshness {
        freshness: As<Freshness>,
    },
    Derives {
        derives: MatchMessage<'a>,
    },
    Unsupported {
        unsupported: &'a str,
    },
    Error {
        error: Cow<'a, str>,
    },
}

/// A group, as an answer has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct GroupMessage<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    agents: Option<Vec<Cow<'a, str>>>,
    rules: Vec<(As<RuleKind>, Cow<'a, str>)>,
}

/// What derives from a grammar, as an answer has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct MatchMessage<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<Cow<'a, [bool]>>,
}

const GROUPS: &str = "a list of {\"agents\":[\"a\"],\"rules\":[[\"disallow\",\"/x\"]]}";
const GROUP: &str = "{\"rules\":[[\"disallow\",\"/x\"]]}, or null where the crawler follows none";

fn verdict(allowed: bool) -> As<RuleKind> {
    As(if allowed { RuleKind::Allow } else { RuleKind::Disallow })
}

fn rules(rules: &[Rule]) -> Vec<(As<RuleKind>, Cow<'_, str>)> {
    rules.iter().map(|(kind, path)| (As(*kind), path.as_str().into())).collect()
}

impl<'a> From<&'a WrittenGroup> for GroupMessage<'a> {
    fn from(group: &'a WrittenGroup) -> Self {
        let agents = group.agents.iter().map(|agent| agent.as_str().into()).collect();
        Self { agents: Some(agents), rules: rules(&group.rules) }
    }
}

impl GroupMessage<'_> {
    fn written(self, needs_agents: bool) -> Option<WrittenGroup> {
        let agents = match self.agents {
            Some(agents) => agents.into_iter().map(Cow::into_owned).collect(),
            None if needs_agents => return None,
            None => Vec::new(),
        };
        let rules = self.rules.into_iter().map(|(As(kind), path)| (kind, path.into_owned()));
        Some(WrittenGroup { agents, rules: rules.collect() })
    }
}

/// Reads one of a set of words; the error lists them.
fn word<T: Word>(message: &Message, key: &str) -> Result<T, String> {
    let word: Option<As<T>> = message.get(key);
    word.map(|As(value)| value).ok_or_else(|| format!("one of {}", known::<T>()))
}
