//! Answers as the cases and the deviations files state them.

use robots_core::RuleKind;
use robots_core::engine::QuestionKind;
use robots_core::fetch::{Freshness, Retry, Scope};
use serde_yaml::Value;

use super::problem::inline;
use super::raw;
use crate::case::{ACCESSES, Expected, Group, Rule, access_id};

/// Reads an answer to a question of this kind.
///
/// # Errors
/// A sentence that says what is allowed instead.
pub(crate) fn answer(ask: QuestionKind, value: &Value) -> Result<Expected, String> {
    let wrong = || wrong_answer(ask, value);
    match ask {
        QuestionKind::Verdict => verdict(value).ok_or_else(wrong),
        QuestionKind::Groups => {
            let raw: Vec<raw::Group> = structured(ask, value)?;
            let groups: Result<Vec<Group>, String> = raw
                .into_iter()
                .map(|group| match group.agents {
                    Some(agents) => Ok(Group::new(&agents, rules(group.rules)?)),
                    None => Err("a group of `groups` needs `agents`".to_owned()),
                })
                .collect();
            groups.map(Expected::Groups)
        }
        QuestionKind::Group if value.as_str() == Some("none") => Ok(Expected::Group(None)),
        QuestionKind::Group => {
            let raw: raw::Group = structured(ask, value)?;
            if raw.agents.is_some() {
                return Err(
                    "the agents of a merged group are not compared; leave `agents` out".into()
                );
            }
            Ok(Expected::Group(Some(rules(raw.rules)?)))
        }
        QuestionKind::Sitemaps => structured(ask, value).map(Expected::Sitemaps),
        QuestionKind::Scope => {
            named(value, Scope::ALL, ToString::to_string).map(Expected::Scope).ok_or_else(wrong)
        }
        QuestionKind::Access => {
            named(value, &ACCESSES, access_id).map(Expected::Access).ok_or_else(wrong)
        }
        QuestionKind::Retry => {
            named(value, Retry::ALL, ToString::to_string).map(Expected::Retry).ok_or_else(wrong)
        }
        QuestionKind::Freshness => {
            let all = [Freshness::Fresh, Freshness::Stale];
            named(value, &all, ToString::to_string).map(Expected::Freshness).ok_or_else(wrong)
        }
        QuestionKind::Derives => {
            let raw: raw::Derives = structured(ask, value)?;
            if raw.file.is_none() && raw.lines.is_none() {
                return Err(wrong());
            }
            Ok(Expected::Derives { file: raw.file, lines: raw.lines })
        }
    }
}

fn verdict(value: &Value) -> Option<Expected> {
    let allowed = |word: &str| match word {
        "allow" => Some(true),
        "disallow" => Some(false),
        _ => None,
    };
    if let Some(word) = value.as_str() {
        return Some(Expected::Verdict { allowed: allowed(word)?, lines: Vec::new() });
    }
    let raw: raw::Verdict = serde_yaml::from_value(value.clone()).ok()?;
    let lines = raw.line.map(raw::OneOrMany::into_vec).unwrap_or_default();
    (!lines.contains(&0)).then_some(())?;
    Some(Expected::Verdict { allowed: allowed(&raw.verdict)?, lines })
}

fn named<T: Clone>(value: &Value, all: &[T], id: impl Fn(&T) -> String) -> Option<T> {
    let word = value.as_str()?;
    all.iter().find(|candidate| id(candidate) == word).cloned()
}

fn rules(raw: Vec<std::collections::BTreeMap<String, String>>) -> Result<Vec<Rule>, String> {
    let rule = |entry: std::collections::BTreeMap<String, String>| {
        let mut pairs = entry.into_iter();
        match (pairs.next(), pairs.next()) {
            (Some((kind, value)), None) if kind == "allow" => Ok((RuleKind::Allow, value)),
            (Some((kind, value)), None) if kind == "disallow" => Ok((RuleKind::Disallow, value)),
            _ => Err("a rule is one pair, `allow: /x` or `disallow: /x`".to_owned()),
        }
    };
    raw.into_iter().map(rule).collect()
}

fn structured<T: serde::de::DeserializeOwned>(
    ask: QuestionKind,
    value: &Value,
) -> Result<T, String> {
    serde_yaml::from_value(value.clone())
        .map_err(|error| format!("{} ({error})", wrong_answer(ask, value)))
}

fn wrong_answer(ask: QuestionKind, value: &Value) -> String {
    let allowed = match ask {
        QuestionKind::Verdict => "`allow`, `disallow` or `{ verdict: allow, line: 3 }`",
        QuestionKind::Groups => "a list of `{ agents: [a], rules: [{ disallow: /x }] }`",
        QuestionKind::Group => "`{ rules: [{ disallow: /x }] }` or `none`",
        QuestionKind::Sitemaps => "a list of URLs",
        QuestionKind::Scope => "`governs`, `does-not-govern` or `not-a-robots-url`",
        QuestionKind::Access => {
            "`follow-redirect`, `full-allow`, `full-disallow`, `conditional-allow`, `use-cached-copy` or \
             `undefined`"
        }
        QuestionKind::Retry => "`when-stale`, `until-answered` or `frequently`",
        QuestionKind::Freshness => "`fresh` or `stale`",
        QuestionKind::Derives => "`{ file: true, lines: [true, false] }`, one key at least",
    };
    format!("{} is no answer to `ask: {ask}`; the answers are {allowed}", inline(value))
}
