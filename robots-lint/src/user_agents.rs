//! The findings about one user-agent line: whether its value names a crawler. The module `groups` handles groups that
//! name a crawler again.

use super::agent_name;
use super::file::{Sink, before_comment};
use super::kind::FindingKind;
use super::one::Detail;
use super::values::{joined, names_another};
use robots_core::ProductToken;
use robots_core::syntax::{NoEffect, Span};

/// Adds the findings about the value of a user-agent line.
pub(super) fn of_line(effect: Result<(), NoEffect>, span: Span, sink: &mut Sink<'_, '_>) {
    if effect == Err(NoEffect::Empty) {
        return sink.add(FindingKind::EmptyAgent, before_comment(&sink.line, sink));
    }
    let value = sink.octets(span);
    if value == b"*" {
        return;
    }
    let token = ProductToken::leading(value);
    let rest = Span::new(span.start() + token.len(), span.end());
    if token.is_empty() {
        return sink.add(FindingKind::AgentNamesNobody, span);
    }
    if DOCUMENTED.iter().any(|(known, _)| value.eq_ignore_ascii_case(known.as_bytes())) {
        return;
    }
    if rest.is_empty() {
        if token.iter().any(u8::is_ascii_digit) {
            sink.add(FindingKind::AgentDigits, span);
        }
        if ALL.iter().any(|all| token.eq_ignore_ascii_case(all.as_bytes())) {
            sink.add(FindingKind::AgentAll, span);
        }
        if agent_name::is_policy(token) {
            sink.add(FindingKind::PolicyToken, span);
        } else if let Some(name) = agent_name::meant(token) {
            sink.add_with(FindingKind::MisspeltAgent, span, Detail::Agent(name));
        }
        return;
    }
    let kind = if names_another(value, token) {
        FindingKind::AgentHeader
    } else if joined(value).count() > 1 {
        FindingKind::AgentsJoined
    } else {
        return sink.add_with(FindingKind::AgentSuffix, rest, Detail::Part(token.len()));
    };
    sink.add_with(kind, span, Detail::Part(token.len()));
}

/// Names that RFC 9309 does not allow, and that are not reported, because a crawler documents them. Each name has the
/// address of the crawler's page.
const DOCUMENTED: [(&str, &str); 3] = [
    ("MJ12bot", "https://mj12bot.com/"),
    ("Mail.RU_Bot", "https://help.mail.ru/webmaster/indexing/robots"),
    ("Y!J-SRD", "https://help.yahoo.co.jp/help/jp/search/indexing/indexing-15.html"),
];

/// Words for all crawlers. No crawler has one of them as its name.
const ALL: [&str; 4] = ["all", "any", "everybody", "everyone"];
