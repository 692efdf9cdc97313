//! Answers: written by a subject, read by the runner.

use robots_core::RuleKind;
use robots_core::engine::{Answer, QuestionKind, WrittenGroup};
use robots_core::fetch::{Freshness, Scope};
use robots_core::syntax::GrammarMatch;
use serde_json::{Map, Value, json};

use crate::case::{Expected, Rule};
use crate::load::{ACCESSES, access_id};

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

/// Reads the answer to a question of this kind; keys beside it are left alone.
///
/// # Errors
/// A sentence that says what the message is, and what it should be.
///
/// ```
/// use robots_conformance::protocol::answer;
/// use robots_core::engine::QuestionKind;
/// let wrong = answer(QuestionKind::Verdict, &serde_json::json!({ "id": 7, "verdict": true }));
/// assert_eq!(
///     wrong.unwrap_err(),
///     "an answer of the wrong type: `verdict` is true; it is \"allow\" or \"disallow\"",
/// );
/// ```
pub fn answer(ask: QuestionKind, message: &Value) -> Result<Answer, String> {
    let nothing = Map::new();
    let keys = message.as_object().unwrap_or(&nothing);
    let wrong = |key: &str, what: &str| {
        format!("an answer of the wrong type: `{key}` is {}; it is {what}", shown(&message[key]))
    };
    for (key, answer) in
        [("unsupported", Answer::Unsupported as fn(String) -> _), ("error", Answer::Error)]
    {
        if let Some(value) = keys.get(key) {
            return value
                .as_str()
                .map(|text| answer(text.to_owned()))
                .ok_or_else(|| wrong(key, "a text that says why"));
        }
    }
    let key = ask.id();
    let Some(value) = keys.get(key) else {
        let other = QuestionKind::ALL.iter().copied().find(|other| keys.contains_key(other.id()));
        return Err(match other {
            Some(other) => format!(
                "an answer to a question not asked: the question was of kind {key}, the answer has \
                 `{other}`"
            ),
            None => {
                format!("an answer without `{key}`, `unsupported` or `error`: {}", shown(message))
            }
        });
    };
    match ask {
        QuestionKind::Verdict => {
            let allowed = match value.as_str() {
                Some("allow") => true,
                Some("disallow") => false,
                _ => return Err(wrong(key, "\"allow\" or \"disallow\"")),
            };
            let line = match keys.get("line") {
                None | Some(Value::Null) => None,
                Some(line) => Some(
                    line.as_u64()
                        .and_then(|line| u32::try_from(line).ok())
                        .filter(|line| *line > 0)
                        .ok_or_else(|| wrong("line", "the number of the deciding line, from 1"))?,
                ),
            };
            let evidence = keys.get("evidence").and_then(Value::as_str).map(str::to_owned);
            Ok(Answer::Verdict { allowed, line, evidence })
        }
        QuestionKind::Groups => value
            .as_array()
            .and_then(|groups| groups.iter().map(|value| group(value, true)).collect())
            .map(Answer::Groups)
            .ok_or_else(|| wrong(key, GROUPS)),
        QuestionKind::Group if value.is_null() => Ok(Answer::Group(None)),
        QuestionKind::Group => {
            let group = group(value, false).ok_or_else(|| wrong(key, GROUP))?;
            Ok(Answer::Group(Some(group)))
        }
        QuestionKind::Sitemaps => {
            texts(value).map(Answer::Sitemaps).ok_or_else(|| wrong(key, "a list of texts"))
        }
        QuestionKind::Scope => {
            let all = [Scope::Governs, Scope::DoesNotGovern, Scope::NotARobotsUrl];
            word(value, &all, ToString::to_string).map(Answer::Scope).map_err(|it| wrong(key, &it))
        }
        QuestionKind::Access => {
            word(value, &ACCESSES, access_id).map(Answer::Access).map_err(|it| wrong(key, &it))
        }
        QuestionKind::Freshness => {
            let all = [Freshness::Fresh, Freshness::Stale];
            word(value, &all, ToString::to_string)
                .map(Answer::Freshness)
                .map_err(|it| wrong(key, &it))
        }
        QuestionKind::Derives => derivation(value)
            .map(Answer::Derives)
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

fn group(value: &Value, needs_agents: bool) -> Option<WrittenGroup> {
    let agents = match value.get("agents") {
        Some(agents) => texts(agents)?,
        None if needs_agents => return None,
        None => Vec::new(),
    };
    let rules = value.get("rules")?.as_array()?.iter().map(rule).collect::<Option<_>>()?;
    Some(WrittenGroup { agents, rules })
}

fn rule(value: &Value) -> Option<Rule> {
    let [kind, value] = value.as_array()?.as_slice() else { return None };
    let kind = match kind.as_str()? {
        "allow" => RuleKind::Allow,
        "disallow" => RuleKind::Disallow,
        _ => return None,
    };
    Some((kind, value.as_str()?.to_owned()))
}

fn texts(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|text| text.as_str().map(str::to_owned)).collect()
}

fn derivation(value: &Value) -> Option<GrammarMatch> {
    let lines: Option<Vec<bool>> =
        value.get("lines")?.as_array()?.iter().map(Value::as_bool).collect();
    Some(GrammarMatch::new(value.get("file")?.as_bool()?, lines?))
}

/// Reads one of a set of words; the error lists them.
fn word<T: Clone>(value: &Value, all: &[T], id: impl Fn(&T) -> String) -> Result<T, String> {
    let found = value.as_str().and_then(|word| all.iter().find(|one| id(one) == word));
    found
        .cloned()
        .ok_or_else(|| format!("one of {}", all.iter().map(id).collect::<Vec<_>>().join(", ")))
}

/// Renders a value for a message, a long one cut.
fn shown(value: &Value) -> String {
    super::cut(&super::line(value))
}
