//! The findings of one user-agent line: whom its value names.

use alloc::string::String;

use super::lines::{Sink, before_comment};
use super::{Detail, FindingKind};
use crate::agent::{Crawler, ends_token};
use crate::edition::Semantics;
use crate::line::{NoEffect, Span};
use crate::meaning::observed;

/// Adds the findings of a value.
pub(super) fn of_line(
    effect: Result<(), NoEffect>,
    span: Span,
    semantics: &Semantics,
    sink: &mut Sink<'_, '_>,
) {
    if effect == Err(NoEffect::Empty) {
        return sink.add(FindingKind::EmptyAgent, before_comment(&sink.line, sink));
    }
    let value = sink.octets(span);
    if value == b"*" {
        return;
    }
    let token = token(value, semantics);
    let rest = Span::new(span.start() + token.len(), span.end());
    if semantics.observed && observed::is_global(value) {
        let rest = Span::new(span.start() + 1, span.end());
        return sink.add_with(FindingKind::AgentSuffix, rest, Detail::Part(1));
    }
    if token.is_empty() {
        return sink.add(FindingKind::AgentNamesNobody, span);
    }
    if rest.is_empty() {
        if token.iter().any(u8::is_ascii_digit) {
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

/// Returns the product token with which a value begins, as a profile cuts it.
pub(super) fn token<'v>(value: &'v [u8], semantics: &Semantics) -> &'v [u8] {
    let ends =
        |at: &usize| ends_token(value, *at) || semantics.observed && value[*at].is_ascii_digit();
    let end = (0..value.len()).find(ends);
    &value[..end.unwrap_or(value.len())]
}

/// Returns the product token of a whole `User-Agent` header.
pub(super) fn of_header(value: &[u8]) -> Option<String> {
    let crawler = Crawler::from_header(&String::from_utf8_lossy(value)).ok()?;
    crawler.tokens().first().map(|token| String::from(token.as_str()))
}

/// Returns the names that a value lists, with commas, semicolons or bars between them; one where it lists none.
pub(super) fn joined(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_mark = |octet: &u8| matches!(octet, b',' | b';' | b'|');
    let parts = || value.split(is_mark).map(<[u8]>::trim_ascii).filter(|part| !part.is_empty());
    let is_name = |part: &[u8]| part == b"*" || !ends_token(part, 0);
    let is_list = !value.contains(&b'(') && parts().all(is_name);
    let whole = (!is_list).then_some(value);
    whole.into_iter().chain(parts().filter(move |_| is_list))
}

/// Returns whether a value is a header whose product is not the one it begins with.
fn names_another(value: &[u8], token: &[u8]) -> bool {
    let is_header = value.contains(&b'(') || value.starts_with(b"Mozilla/");
    is_header && of_header(value).is_some_and(|named| !named.as_bytes().eq_ignore_ascii_case(token))
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use rstest::rstest;

    use super::{joined, token};
    use crate::edition::Edition;

    #[rstest]
    #[case("", "")]
    #[case("*bot", "")]
    #[case("bot/1.0", "bot")]
    #[case("MJ12bot", "MJ12bot")]
    #[case("a_b-c d", "a_b-c")]
    fn tokens(#[case] value: &str, #[case] expected: &str) {
        assert_eq!(token(value.as_bytes(), Edition::Rfc9309.semantics()), expected.as_bytes());
    }

    #[rstest]
    #[case("Googlebot, Bingbot", &["Googlebot", "Bingbot"])]
    #[case("a;b|*", &["a", "b", "*"])]
    #[case("a,", &["a"])]
    #[case("bot/1.0 (x; y)", &["bot/1.0 (x; y)"])]
    #[case("a, (b)", &["a, (b)"])]
    fn lists(#[case] value: &str, #[case] expected: &[&str]) {
        let names: Vec<&str> =
            joined(value.as_bytes()).map(|name| core::str::from_utf8(name).unwrap()).collect();
        assert_eq!(names, expected);
    }
}
