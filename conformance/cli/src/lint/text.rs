//! Findings for people, with the lines they are about.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use robots_conformance::render;
use robots_core::syntax::Span;
use robots_lint::{Finding, FindingKind};

use super::portability::{Claim, Reader};
use super::{Linted, line_end, line_start};

/// How many findings of a kind are shown of a file.
const OF_A_KIND: usize = 5;

/// How much software is named of a claim.
const READERS: usize = 4;

/// Octets of a line that are shown before a finding, and from its beginning on.
const BEFORE: usize = 60;
const BEHIND: usize = 120;

/// Writes the findings of files, and a line a file that counts them.
pub(super) fn write(files: &[Linted<'_>], all: bool) -> String {
    let mut out = String::new();
    for file in files {
        let mut shown: BTreeMap<FindingKind, usize> = BTreeMap::new();
        for finding in &file.findings {
            let count = shown.entry(finding.kind()).or_default();
            *count += 1;
            if all || *count <= OF_A_KIND {
                out.push_str(&render(file.name, file.body, finding));
                out.push('\n');
            }
        }
        for (kind, count) in shown.iter().filter(|(_, count)| !all && **count > OF_A_KIND) {
            let _ = writeln!(out, "and {} more of {kind}; --all shows them", count - OF_A_KIND);
        }
        for claim in &file.claims {
            out.push_str(&portability(file, claim));
            out.push('\n');
        }
        let _ = writeln!(out, "{}: {}", render::name(file.name), counted(&file.findings));
    }
    out
}

/// Returns how many findings there are of each level, the worst first.
fn counted(findings: &[Finding<'_>]) -> String {
    if findings.is_empty() {
        return "no findings".to_owned();
    }
    let of = |level: robots_lint::Level| {
        let count = findings.iter().filter(|finding| finding.level() == level).count();
        let plural = if count == 1 { "" } else { "s" };
        (count > 0).then(|| format!("{count} {level}{plural}"))
    };
    robots_lint::Level::ALL
        .iter()
        .rev()
        .filter_map(|level| of(*level))
        .collect::<Vec<_>>()
        .join(", ")
}

/// Renders one finding with its line, its mend and its source, given the name and the octets of its file.
#[must_use]
pub fn render(name: &str, body: &[u8], finding: &Finding<'_>) -> String {
    let line = Excerpt::of(body, finding.span());
    let level = match finding.level() {
        robots_lint::Level::Error => Level::ERROR,
        robots_lint::Level::Warning => Level::WARNING,
        robots_lint::Level::Note => Level::NOTE,
    };
    let (cause, mend) = (finding.cause().to_string(), finding.mend().to_string());
    let (cause, mend) = (render::visible(&cause), render::visible(&mend));
    let name = render::name(name);
    let mut group = Group::with_title(level.primary_title(cause).id(finding.kind().name()))
        .element(
            Snippet::source(line.text)
                .line_start(finding.line().get() as usize)
                .path(name)
                .annotation(AnnotationKind::Primary.span(line.start..line.end)),
        );
    group = group.element(Level::HELP.message(mend));
    if let Some(source) = finding.source() {
        group = group.element(Level::NOTE.message(format!("{source} ({})", source.requirement())));
    }
    Renderer::styled().render(&[group])
}

/// Renders who reads a construct otherwise, with the first line that has it.
fn portability(file: &Linted<'_>, claim: &Claim<'_>) -> String {
    let line = Excerpt::of(file.body, claim.span);
    let of = |reader: &Reader| {
        let case = reader.cases.first().map_or("no case", String::as_str);
        format!("{} {} ({case})", reader.name, reader.version)
    };
    let mut names: Vec<String> = claim.readers.iter().take(READERS).map(of).collect();
    if claim.readers.len() > READERS {
        names.push(format!("{} more", claim.readers.len() - READERS));
    }
    let title = format!("not all software reads this alike: {}", claim.says.trim_end_matches('.'));
    let mut cases = claim.readers.iter().flat_map(|reader| &reader.cases);
    let case = cases.next().map_or("", String::as_str);
    let mut group = Group::with_title(Level::NOTE.primary_title(title).id(claim.construct))
        .element(
            Snippet::source(line.text)
                .line_start(claim.line.get() as usize)
                .path(render::name(file.name))
                .annotation(AnnotationKind::Primary.span(line.start..line.end)),
        );
    group = group.element(Level::NOTE.message(format!("read otherwise by {}", names.join(", "))));
    if claim.lines > 1 {
        let others = claim.lines - 1;
        let plural = if others == 1 { "line has" } else { "lines have" };
        group = group.element(Level::NOTE.message(format!("{others} more {plural} it")));
    }
    let shows =
        format!("each by the case behind it; `robots-conformance show {case}` shows the first");
    Renderer::styled().render(&[group.element(Level::NOTE.message(shows))])
}

/// What is shown of a line, and where the span in question stands in it, in octets of the text.
struct Excerpt {
    text: String,
    start: usize,
    end: usize,
}

impl Excerpt {
    fn of(body: &[u8], span: Span) -> Self {
        let (line_start, line_end) = (line_start(body, span.start()), line_end(body, span.start()));
        let from = boundary(body, line_start.max(span.start().saturating_sub(BEFORE)));
        let to = boundary(body, line_end.min(span.start() + BEHIND));
        let end = span.end().clamp(span.start(), to);
        let mut text = String::new();
        if from > line_start {
            text.push_str("… ");
        }
        push(&mut text, &body[from..span.start()]);
        let start = text.len();
        push(&mut text, &body[span.start()..end]);
        let marked = text.len();
        push(&mut text, &body[end..to]);
        if to < line_end {
            text.push_str(" …");
        }
        Self { text, start, end: marked }
    }
}

/// Returns the last place up to an offset at which no UTF-8 character is cut.
fn boundary(body: &[u8], at: usize) -> usize {
    let is_tail = |at: &usize| matches!(body.get(*at), Some(0x80..=0xBF));
    (at.saturating_sub(3)..=at).rev().find(|at| !is_tail(at)).unwrap_or(at)
}

fn push(text: &mut String, octets: &[u8]) {
    for chunk in octets.utf8_chunks() {
        text.push_str(&render::visible(chunk.valid()).replace('\n', "\\n"));
        for octet in chunk.invalid() {
            let _ = write!(text, "\\x{octet:02X}");
        }
    }
}
