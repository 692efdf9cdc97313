//! Answers: written by a subject, read by the runner.

use robots_core::RuleKind;
use robots_core::engine::{Answer, QuestionKind, WrittenGroup};
use robots_core::fetch::{Freshness, Scope};
use robots_core::syntax::GrammarMatch;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::message::{Message, shown};
use crate::case::{ACCESSES, access_id};
use crate::case::{Expected, Rule};

/// Writes an answer.
///
/// ```
/// use robots_core::engine::Answer;
/// use robots_conformance::protocol::reply;
/// assert_eq!(reply(7, &Answer::verdict(true)).to_string(), r#"{"id":7,"verdict":"allow"}"#);
/// ```
#[must_use]
pub fn reply(id: u64, answer: &Answer) -> Value {
    let keys = match answer {
        Answer::Verdict { allowed, line, evidence } => {
            let mut keys = json!({ "verdict": verdict_id(*allowed) });
            if let Some(line) = line {
                keys["line"] = (*line).into();
            }
            if let Some(evidence) = evidence {
                keys["evidence"] = evidence.as_str().into();
            }
            keys
        }
        Answer::Groups(groups) => {
            json!({ "groups": groups.iter().map(group_value).collect::<Vec<_>>() })
        }
        Answer::Group(group) => json!({ "group": group.as_ref().map(group_value) }),
        Answer::Sitemaps(urls) => json!({ "sitemaps": urls }),
        Answer::Scope(scope) => json!({ "scope": scope.to_string() }),
        Answer::Access(access) => json!({ "access": access_id(access) }),
        Answer::Freshness(freshness) => json!({ "freshness": freshness.to_string() }),
        Answer::Derives(derivation) => {
            json!({ "derives": { "file": derivation.file(), "lines": derivation.lines() } })
        }
        Answer::Unsupported(reason) => json!({ "unsupported": reason }),
        Answer::Error(message) => json!({ "error": message }),
        _ => json!({ "error": "the protocol has no such answer" }),
    };
    let mut message = json!({ "id": id });
    if let (Value::Object(message), Value::Object(keys)) = (&mut message, keys) {
        message.extend(keys);
    }
    message
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
            let allowed = match message.get(key) {
                Some(Word::Allow) => true,
                Some(Word::Disallow) => false,
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
            Ok(Answer::Verdict { allowed, line, evidence })
        }
        QuestionKind::Groups => message
            .get::<Vec<ReadGroup>>(key)
            .and_then(|groups| groups.into_iter().map(|group| group.written(true)).collect())
            .map(Answer::Groups)
            .ok_or_else(|| wrong(key, GROUPS)),
        QuestionKind::Group if message.is_null(key) => Ok(Answer::Group(None)),
        QuestionKind::Group => {
            let group = message.get::<ReadGroup>(key).and_then(|group| group.written(false));
            Ok(Answer::Group(Some(group.ok_or_else(|| wrong(key, GROUP))?)))
        }
        QuestionKind::Sitemaps => {
            message.get(key).map(Answer::Sitemaps).ok_or_else(|| wrong(key, "a list of texts"))
        }
        QuestionKind::Scope => {
            let all = [Scope::Governs, Scope::DoesNotGovern, Scope::NotARobotsUrl];
            word(message, key, &all, ToString::to_string)
                .map(Answer::Scope)
                .map_err(|it| wrong(key, &it))
        }
        QuestionKind::Access => word(message, key, &ACCESSES, access_id)
            .map(Answer::Access)
            .map_err(|it| wrong(key, &it)),
        QuestionKind::Freshness => {
            let all = [Freshness::Fresh, Freshness::Stale];
            word(message, key, &all, ToString::to_string)
                .map(Answer::Freshness)
                .map_err(|it| wrong(key, &it))
        }
        QuestionKind::Derives => message
            .get::<ReadMatch>(key)
            .map(|read| Answer::Derives(GrammarMatch::new(read.file, read.lines)))
            .ok_or_else(|| wrong(key, "{\"file\":true,\"lines\":[true,false]}")),
    }
}

/// Writes an answer that a case states, with `lines`, any of which may decide, instead of `line`.
pub(crate) fn expected(expected: &Expected) -> Value {
    match expected {
        Expected::Verdict { allowed, lines } if lines.is_empty() => {
            json!({ "verdict": verdict_id(*allowed) })
        }
        Expected::Verdict { allowed, lines } => {
            json!({ "verdict": verdict_id(*allowed), "lines": lines })
        }
        Expected::Groups(groups) => {
            let groups: Vec<Value> = groups
                .iter()
                .map(|group| json!({ "agents": group.agents, "rules": rule_values(&group.rules) }))
                .collect();
            json!({ "groups": groups })
        }
        Expected::Group(rules) => {
            let group = rules.as_ref().map(|rules| json!({ "rules": rule_values(rules) }));
            json!({ "group": group })
        }
        Expected::Sitemaps(urls) => json!({ "sitemaps": urls }),
        Expected::Scope(scope) => json!({ "scope": scope.to_string() }),
        Expected::Access(access) => json!({ "access": access_id(access) }),
        Expected::Freshness(freshness) => json!({ "freshness": freshness.to_string() }),
        Expected::Derives { file, lines } => {
            let mut keys = Map::new();
            keys.extend(file.map(|file| ("file".to_owned(), file.into())));
            keys.extend(lines.as_ref().map(|lines| ("lines".to_owned(), lines.clone().into())));
            json!({ "derives": keys })
        }
    }
}

const GROUPS: &str = "a list of {\"agents\":[\"a\"],\"rules\":[[\"disallow\",\"/x\"]]}";
const GROUP: &str = "{\"rules\":[[\"disallow\",\"/x\"]]}, or null where the crawler follows none";

fn verdict_id(allowed: bool) -> &'static str {
    if allowed { "allow" } else { "disallow" }
}

fn group_value(group: &WrittenGroup) -> Value {
    json!({ "agents": group.agents, "rules": rule_values(&group.rules) })
}

fn rule_values(rules: &[Rule]) -> Vec<Value> {
    rules.iter().map(|(kind, value)| json!([kind.to_string(), value])).collect()
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Word {
    Allow,
    Disallow,
}

/// A group as a line has it.
#[derive(Deserialize)]
struct ReadGroup {
    agents: Option<Vec<String>>,
    rules: Vec<(Word, String)>,
}

impl ReadGroup {
    fn written(self, needs_agents: bool) -> Option<WrittenGroup> {
        let agents = match self.agents {
            Some(agents) => agents,
            None if needs_agents => return None,
            None => Vec::new(),
        };
        let kind = |word: &Word| match word {
            Word::Allow => RuleKind::Allow,
            Word::Disallow => RuleKind::Disallow,
        };
        let rules = self.rules.into_iter().map(|(word, value)| (kind(&word), value)).collect();
        Some(WrittenGroup { agents, rules })
    }
}

/// What derives, as a line has it.
#[derive(Deserialize)]
struct ReadMatch {
    file: bool,
    lines: Vec<bool>,
}

/// Reads one of a set of words; the error lists them.
fn word<T: Clone>(
    message: &Message,
    key: &str,
    all: &[T],
    id: impl Fn(&T) -> String,
) -> Result<T, String> {
    let word: Option<String> = message.get(key);
    let found = word.and_then(|word| all.iter().find(|one| id(one) == word));
    found
        .cloned()
        .ok_or_else(|| format!("one of {}", all.iter().map(id).collect::<Vec<_>>().join(", ")))
}
