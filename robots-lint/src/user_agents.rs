//! The findings about one user-agent line: whether its value names a crawler. The module `groups` handles groups that
//! name a crawler again.

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
    if rest.is_empty() {
        let is_documented =
            DOCUMENTED.iter().any(|(known, _)| token.eq_ignore_ascii_case(known.as_bytes()));
        if token.iter().any(u8::is_ascii_digit) && !is_documented {
            sink.add(FindingKind::AgentDigits, span);
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

/// Tokens with a digit that are not reported, because a crawler documents them. Each token has the address of the
/// crawler's page.
const DOCUMENTED: [(&str, &str); 1] = [("MJ12bot", "https://mj12bot.com/")];
