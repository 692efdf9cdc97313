//! Findings for people, with the lines they are about.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use anstyle::AnsiColor;
use robots_conformance::render;
use robots_core::syntax::Span;
use robots_lint::{Finding, FindingKind};

use super::linted::{Linted, line_end, line_start};
use super::portability::{Claim, Reader};

/// How much software is named of a claim, and how many lines of a note.
const READERS: usize = 4;
const LINES: usize = 6;

/// Octets of a line that are shown before a finding, and from its beginning on.
const BEFORE: usize = 60;
const BEHIND: usize = 120;

/// Writes the findings of files, and a line a file that counts them.
///
/// Errors and warnings are shown with their lines. Notes come after them, each kind on one line, unless every one is
/// wanted.
pub(super) fn write(files: &[Linted<'_>], all: bool, out: &mut dyn Write) -> io::Result<()> {
    for file in files {
        let is_note = |finding: &&Finding<'_>| finding.level() == robots_lint::Level::Note;
        for finding in file.findings.shown().iter().filter(|finding| all || !is_note(finding)) {
            writeln!(out, "{}", render(file.name, file.body, finding))?;
        }
        for (kind, count) in file.findings.left_out() {
            if kind.level() > robots_lint::Level::Note {
                writeln!(out, "and {count} more of {kind}; --all shows them")?;
            }
        }
        let mut notes: BTreeMap<FindingKind, Vec<&Finding<'_>>> = BTreeMap::new();
        for finding in file.findings.shown().iter().filter(|finding| !all && is_note(finding)) {
            notes.entry(finding.kind()).or_default().push(finding);
        }
        for (kind, findings) in &notes {
            let lines = findings.iter().map(|finding| finding.line());
            let count = file.findings.of_kind(*kind);
            // What one finding says is about its line; of several, the kind says what they have in common.
            let says = match &findings[..] {
                [finding] if count == 1 => format!("{}; {}", finding.cause(), finding.mend()),
                _ => kind.summary().trim_end_matches('.').to_owned(),
            };
            note(out, kind.name(), &says, &listed(lines, count))?;
        }
        for claim in &file.claims {
            let lines = listed([claim.line].into_iter(), claim.lines);
            note(out, claim.construct, &otherwise(claim), &lines)?;
        }
        if !notes.is_empty() || !file.claims.is_empty() {
            writeln!(
                out,
                "  `robots-conformance lint --explain KIND` explains a note, --all shows each with its line"
            )?;
        }
        writeln!(out, "{}: {}", render::name(file.name), counted(file))?;
    }
    Ok(())
}

/// Writes the line a file that counts its findings.
pub(super) fn totals(files: &[Linted<'_>], out: &mut dyn Write) -> io::Result<()> {
    files
        .iter()
        .try_for_each(|file| writeln!(out, "{}: {}", render::name(file.name), counted(file)))
}

/// Writes a note on one line.
fn note(out: &mut dyn Write, name: &str, says: &str, lines: &str) -> io::Result<()> {
    let style = AnsiColor::Green.on_default().bold();
    writeln!(out, "{style}note[{name}]{style:#}: {} ({lines})", render::visible(says))
}

/// Names lines: `line 4`, `lines 4, 5 and 171 more`.
fn listed(lines: impl Iterator<Item = robots_core::syntax::LineNumber>, count: usize) -> String {
    let named: Vec<String> = lines.take(LINES).map(|line| line.to_string()).collect();
    let more = count - named.len();
    match (count, more) {
        (1, _) => format!("line {}", named.join("")),
        (_, 0) => format!("lines {}", named.join(", ")),
        _ => format!("lines {} and {more} more", named.join(", ")),
    }
}

/// Says who reads a construct otherwise.
pub(super) fn otherwise(claim: &Claim<'_>) -> String {
    let of = |reader: &&Reader| {
        let case = reader.cases.first().map_or("no case", String::as_str);
        format!("{} {} ({case})", reader.name, reader.version)
    };
    let mut names: Vec<String> = claim.readers.iter().take(READERS).map(of).collect();
    if claim.readers.len() > READERS {
        names.push(format!("{} more", claim.readers.len() - READERS));
    }
    format!(
        "not all software reads this alike: {}; read otherwise by {}",
        claim.says.trim_end_matches('.'),
        names.join(", ")
    )
}

/// Returns how many findings there are of each level, the worst first. What other software reads otherwise is a note.
fn counted(file: &Linted<'_>) -> String {
    let of = |level: robots_lint::Level| {
        let count = file.of(level);
        let plural = if count == 1 { "" } else { "s" };
        (count > 0).then(|| format!("{count} {level}{plural}"))
    };
    let levels: Vec<String> =
        robots_lint::Level::ALL.iter().rev().filter_map(|level| of(*level)).collect();
    if levels.is_empty() { "no findings".to_owned() } else { levels.join(", ") }
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
