//! The findings about one rule: about its path, the encoding of the path, and its wildcards. The module `groups`
//! compares rules with other rules.

use super::file::{Sink, before_comment};
use super::kind::FindingKind;
use super::one::Detail;
use super::values::paths;
use robots_core::RuleKind;
use robots_core::path::split_url;
use robots_core::syntax::{Field, NoEffect, Span};

/// Adds the findings about one rule.
pub(super) fn of_line(
    kind: RuleKind,
    effect: Result<(), NoEffect>,
    value: Span,
    sink: &mut Sink<'_, '_>,
) {
    let path = sink.octets(value);
    match effect {
        Err(NoEffect::Empty) => {
            // The effect of an empty disallow depends on its group, so `groups` checks it.
            if kind == RuleKind::Allow {
                sink.add(FindingKind::EmptyAllow, before_comment(&sink.line, sink));
            }
            return;
        }
        _ if split_url(path).is_some() => return sink.add(FindingKind::AbsoluteUrl, value),
        Err(_) => return sink.add(FindingKind::NoSlash, value),
        Ok(()) => {}
    }
    match path.first() {
        Some(b'*') => sink.add(FindingKind::LeadingStar, value),
        Some(b'/') | None => {}
        Some(_) => sink.add(FindingKind::SlashAssumed, value),
    }
    if paths(path).count() > 1 {
        let field = if kind == RuleKind::Allow { Field::Allow } else { Field::Disallow };
        return sink.add_with(FindingKind::PathsJoined, value, Detail::Field(field));
    }
    octets(path, value, sink);
    wildcards(path, value, sink);
    foreign(path, value, sink);
    if path == b"/robots.txt" {
        sink.add(FindingKind::RobotsTxtRule, value);
    }
    if let Some(comment) = sink.line.comment
        && comment.start() == value.end()
    {
        sink.add(FindingKind::HashInPath, comment);
    }
}

/// Adds findings about octets in a path that must be encoded.
fn octets(path: &[u8], value: Span, sink: &mut Sink<'_, '_>) {
    if path.iter().any(|octet| matches!(octet, b' ' | b'\t')) {
        sink.add(FindingKind::RawSpace, value);
    }
    // Octets outside UTF-8 are ignored here, because another finding reports them.
    if !path.is_ascii() && core::str::from_utf8(path).is_ok() {
        sink.add(FindingKind::NonAscii, value);
    }
    let digit = |at: usize| path.get(at).is_some_and(u8::is_ascii_hexdigit);
    let stray = memchr::memchr_iter(b'%', path).find(|at| !(digit(at + 1) && digit(at + 2)));
    if let Some(at) = stray {
        sink.add(FindingKind::StrayPercent, part(value, at, at + 1));
    }
}

/// Adds findings about `*` and `$` in a path.
fn wildcards(path: &[u8], value: Span, sink: &mut Sink<'_, '_>) {
    let (body, anchored) = match path.split_last() {
        Some((b'$', body)) => (body, true),
        _ => (path, false),
    };
    if let Some(at) = memchr::memchr(b'$', body) {
        sink.add(FindingKind::DollarInside, part(value, at, at + 1));
    }
    let literal = body.iter().rposition(|octet| *octet != b'*').map_or(0, |last| last + 1);
    let stars = body.len() - literal;
    // A path that has only stars is ignored here, because it is reported as a leading star.
    if stars > 0 && literal > 0 {
        if anchored {
            sink.add(FindingKind::UselessDollar, part(value, literal, path.len()));
        } else {
            sink.add(FindingKind::UselessStar, part(value, literal, path.len()));
        }
    }
    if let Some(at) = memchr::memmem::find(&body[..literal], b"**") {
        sink.add(FindingKind::UselessStar, part(value, at, at + 1));
    }
}

/// Adds findings about a path that is written as other software reads it.
fn foreign(path: &[u8], value: Span, sink: &mut Sink<'_, '_>) {
    let is_unusual = |octet: &u8| matches!(octet, b'(' | b')' | b'[' | b']' | b'\\');
    let is_regular = path.iter().any(is_unusual)
        && REGULAR.iter().any(|part| memchr::memmem::find(path, part).is_some());
    if is_regular {
        sink.add(FindingKind::RegularExpression, value);
    } else if let Some(at) = memchr::memchr(b'\\', path) {
        sink.add(FindingKind::BackslashInPath, part(value, at, at + 1));
    }
    if let [b'/', b'.', extension @ .., b'$'] = path
        && EXTENSIONS.iter().any(|known| extension.eq_ignore_ascii_case(known.as_bytes()))
    {
        sink.add(FindingKind::ExtensionAlone, value);
    }
}

/// Parts of regular expressions that a path hardly contains for another reason. `.*` alone is not one of them, because
/// `/index.*` is a usual pattern. Each part has a bracket or a backslash, which hardly any path has, so most paths are
/// searched once.
const REGULAR: [&[u8]; 13] = [
    b"(.*", b".*)", b"(?", b"[^", b"[0-9", b"[a-z", b"[A-Z", b"]+", b")+", b"\\d+", b"\\w+",
    b"\\.", b"\\/",
];

/// Extensions of files. A file whose whole name is one of them is not usual, unlike `/.git` or `/.env`.
const EXTENSIONS: [&str; 27] = [
    "asp", "aspx", "avi", "cgi", "css", "csv", "doc", "docx", "gif", "htm", "html", "inc", "jpeg",
    "jpg", "js", "jsp", "mp3", "mp4", "pdf", "php", "png", "ppt", "swf", "txt", "xls", "xml",
    "zip",
];

fn part(value: Span, from: usize, to: usize) -> Span {
    Span::new(value.start() + from, value.start() + to)
}
