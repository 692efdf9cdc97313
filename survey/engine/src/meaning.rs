//! Describes the meaning of a line in words, for the list of lines on the page. [`Meanings`] knows the groups of the
//! file, so the words for a rule can name the crawlers that follow it.

use std::collections::BTreeMap;

use robots_core::syntax::{Field, Line, LineKind, LineNumber};
use robots_core::{RobotsTxt, RuleKind};

/// The crawlers that each user-agent line and each rule of a file is about, in words.
pub(crate) struct Meanings {
    /// The crawlers that the group of a rule names, by the line of the rule. A rule that belongs to no group has no
    /// entry.
    rules: BTreeMap<LineNumber, String>,
    agents: BTreeMap<LineNumber, String>,
}

/// The meaning of a line, and whether it has effect.
pub(crate) struct Meaning {
    pub(crate) says: String,
    pub(crate) has_effect: bool,
}

impl Meanings {
    pub(crate) fn of(robots: &RobotsTxt<&[u8]>) -> Self {
        let (mut rules, mut agents) = (BTreeMap::new(), BTreeMap::new());
        for group in robots.groups() {
            let mut named = Vec::new();
            for agent in group.user_agents() {
                let who = who(agent.value(), agent.is_global());
                agents.insert(agent.line().number, who.clone());
                named.push(who);
            }
            let named = match &named[..] {
                [first, second, third, _, ..] => {
                    format!("{first}, {second}, {third} and {} more", named.len() - 3)
                }
                _ => named.join(", "),
            };
            rules.extend(group.rules().map(|rule| (rule.line().number, named.clone())));
        }
        Self { rules, agents }
    }

    pub(crate) fn meaning(&self, body: &[u8], line: &Line, kind: LineKind) -> Meaning {
        let value = line.value.map_or_else(String::new, |value| text(&body[value.range()]));
        let effect = |says: String| Meaning { says, has_effect: true };
        let none = |says: String| Meaning { says, has_effect: false };
        match kind {
            LineKind::Blank => effect("blank; separates nothing".to_owned()),
            LineKind::Comment => effect("a comment".to_owned()),
            LineKind::Record { field, effect: Err(why) } => none(format!("{field}: {why}")),
            LineKind::Record { field: Field::UserAgent, .. } => {
                match self.agents.get(&line.number) {
                    Some(who) => effect(format!("the rules below are for {who}")),
                    None => none("names nobody".to_owned()),
                }
            }
            LineKind::Record { field: Field::Sitemap, .. } => effect("names a sitemap".to_owned()),
            LineKind::Record { field, .. } => {
                let Some(kind) = field.rule() else { return effect(field.to_string()) };
                match self.rules.get(&line.number) {
                    Some(named) => effect(rule(kind, &value, named)),
                    None => none(format!("{field}: it belongs to no group")),
                }
            }
            LineKind::Unknown => none("a field that robots.txt does not define".to_owned()),
            LineKind::Malformed(malformed) => none(malformed.to_string()),
            _ => none("no record".to_owned()),
        }
    }
}

/// Returns the crawlers that a user-agent line names, in words.
fn who(value: &[u8], is_global: bool) -> String {
    if is_global { "all crawlers".to_owned() } else { format!("`{}`", cut(text(value))) }
}

/// Shortens a long name, because the text of each rule of the group repeats it.
fn cut(name: String) -> String {
    match name.char_indices().nth(40) {
        Some((at, _)) => format!("{}…", &name[..at]),
        None => name,
    }
}

/// Describes a rule.
fn rule(kind: RuleKind, path: &str, named: &str) -> String {
    let may = match kind {
        RuleKind::Allow => "may fetch",
        RuleKind::Disallow => "may not fetch",
    };
    let (path, ends) = match path.strip_suffix('$') {
        Some(path) => (path, true),
        None => (path, false),
    };
    let what = match (path, ends) {
        ("/" | "*" | "/*", false) => "anything".to_owned(),
        (path, false) => format!("what begins with `{path}`"),
        (path, true) => format!("`{path}` exactly"),
    };
    let star = if path.contains('*') { "; `*` stands for any octets" } else { "" };
    format!("{named}: {may} {what}{star}")
}

fn text(octets: &[u8]) -> String {
    String::from_utf8_lossy(octets).into_owned()
}
