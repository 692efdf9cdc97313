//! Adapter for the crate fast-robots. The crate parses octets, which must be UTF-8, and decides about a path with its
//! query. The crate also returns groups and sitemaps.

use fast_robots::{RobotsTxt, RuleKind};
use robots_conformance_peers::{Question, Reply, Value, json, serve, verdict};

fn main() -> std::io::Result<()> {
    let answers = [("verdict", allowed as fn(&_) -> _), ("groups", groups), ("sitemaps", sitemaps)];
    serve("fast-robots", &["rfc9309"], &answers)
}

fn allowed(question: &Question) -> Reply {
    let octets = question.octets()?;
    let robots = RobotsTxt::parse_bytes(&octets)?;
    verdict(robots.is_allowed(question.token()?, &question.path_and_query()?))
}

fn groups(question: &Question) -> Reply {
    let octets = question.octets()?;
    let groups: Vec<Value> = RobotsTxt::parse_bytes(&octets)?
        .groups
        .iter()
        .map(|group| {
            let rules = group.rules.iter().map(|rule| {
                let kind = match rule.kind {
                    RuleKind::Allow => "allow",
                    RuleKind::Disallow => "disallow",
                };
                [kind, rule.pattern]
            });
            json!({ "agents": group.agents, "rules": rules.collect::<Vec<_>>() })
        })
        .collect();
    Ok(json!({ "groups": groups }))
}

fn sitemaps(question: &Question) -> Reply {
    let octets = question.octets()?;
    Ok(json!({ "sitemaps": RobotsTxt::parse_bytes(&octets)?.extensions.sitemaps }))
}
