//! Writes findings for people, with their lines.
//!
//! Start at [`write()`]. Without `--all`, a report should fit on a screen. So [`folded()`] shows the worst findings
//! with their lines, and writes one line for each kind of the remaining findings. [`render()`] shows one finding. A
//! line of a file can contain any text of any length, so [`Excerpt`] escapes it, cuts it around the finding, and
//! computes the position of the finding in the result.

use std::cmp::Reverse;
use std::fmt::Write as _;
use std::io::{self, Write};

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use anstyle::AnsiColor;
use robots_console::render;
use robots_console::render::grouped;
use robots_core::syntax::Span;
use robots_lint::{Finding, FindingKind, Level as Severity};

use super::linted::{Linted, line_end, line_start};
use super::portability::{Claim, Reader};
use robots_console::output;

/// The maximum number of pieces of software that the note about a construct names. `LINES` is the maximum number of
/// line numbers in the line about a kind.
const READERS: usize = 3;
const LINES: usize = 6;

/// The number of findings of a file that are shown with their lines. These findings, and one line for each kind, fit on
/// a screen.
const SNIPPETS: usize = 3;

/// The maximum number of findings of a kind that the text format needs: the findings that are shown with their lines,
/// and those in the list of line numbers.
pub(super) const OF_A_KIND: usize = SNIPPETS + LINES;

/// The number of octets of a line that are shown before the start of a finding. `BEHIND` is the number of octets that
/// are shown after the start of the finding.
const BEFORE: usize = 60;
const BEHIND: usize = 120;

/// Writes the findings of files, and for each file a line that counts them.
///
/// If `all` is true, every finding is shown with its line. Otherwise only a few errors and warnings are shown with
/// their lines, and the remaining findings have one line for each kind. Findings of the worst kinds are selected first,
/// and a second finding of a kind is selected only after the first finding of every kind.
pub(super) fn write(files: &[Linted<'_>], all: bool, out: &mut dyn Write) -> io::Result<()> {
    for file in files {
        let has_folded = if all {
            for finding in file.findings.shown() {
                writeln!(out, "{}", render(file.name, file.body, finding))?;
            }
            false
        } else {
            folded(file, out)?
        };
        for claim in &file.claims {
            let lines = listed([claim.line].into_iter(), claim.lines);
            line(out, Severity::Note, claim.construct, &briefly(claim), &lines)?;
        }
        if (has_folded || !file.claims.is_empty()) && !output::is_quiet() {
            writeln!(
                out,
                "  `robots lint --explain KIND` explains a finding, --all shows each with its line"
            )?;
        }
        // If there are several files, this line names the file that has the findings above the line, so it is printed
        // even with `--quiet`.
        let is_named = files.len() > 1 && Severity::ALL.iter().any(|level| file.of(*level) > 0);
        if is_named || !output::is_quiet() {
            writeln!(out, "{}: {}", render::name(file.name), counted(file))?;
        }
    }
    Ok(())
}

/// Writes some findings with their lines, and one line for each kind of the remaining findings. Returns whether there
/// are remaining findings.
fn folded(file: &Linted<'_>, out: &mut dyn Write) -> io::Result<bool> {
    let mut kinds = grouped(file.findings.shown().iter().map(|finding| (finding.kind(), finding)));
    kinds.sort_by_key(|(kind, _)| Reverse(kind.level()));
    let mut snippets = vec![0; kinds.len()];
    let mut left = SNIPPETS;
    for round in 0..SNIPPETS {
        for ((kind, findings), count) in kinds.iter().zip(&mut snippets) {
            if kind.level() > Severity::Note && findings.len() > round && left > 0 {
                (*count, left) = (*count + 1, left - 1);
            }
        }
    }
    let mut has_folded = false;
    for ((kind, findings), snippets) in kinds.iter().zip(snippets) {
        let (shown, rest) = findings.split_at(snippets);
        for finding in shown {
            writeln!(out, "{}", render(file.name, file.body, finding))?;
        }
        let count = file.findings.of_kind(*kind) - snippets;
        if count == 0 {
            continue;
        }
        has_folded = true;
        let lines = listed(rest.iter().map(|finding| finding.line()), count);
        if snippets > 0 {
            writeln!(out, "and {count} more of {kind} ({lines})")?;
            continue;
        }
        // A single finding is described by its own sentence, and several findings by the description of their kind.
        let says = match rest {
            [finding] if count == 1 => format!("{}; {}", finding.cause(), finding.fix()),
            _ => kind.summary().trim_end_matches('.').to_owned(),
        };
        line(out, kind.level(), kind.name(), &says, &lines)?;
    }
    Ok(has_folded)
}

/// Writes one line for a file, with the number of its findings.
pub(super) fn totals(files: &[Linted<'_>], out: &mut dyn Write) -> io::Result<()> {
    files
        .iter()
        .try_for_each(|file| writeln!(out, "{}: {}", render::name(file.name), counted(file)))
}

/// Writes one line about the findings of a kind, or about a construct that some software reads in another way.
fn line(
    out: &mut dyn Write,
    level: Severity,
    name: &str,
    says: &str,
    lines: &str,
) -> io::Result<()> {
    let color = match level {
        Severity::Error => AnsiColor::Red,
        Severity::Warning => AnsiColor::Yellow,
        Severity::Note => AnsiColor::Green,
    };
    let style = color.on_default().bold();
    writeln!(out, "{style}{level}[{name}]{style:#}: {} ({lines})", render::visible(says))
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

/// Returns a sentence that names the software of a claim, with one case for each piece of software.
pub(super) fn otherwise(claim: &Claim<'_>) -> String {
    let of = |reader: &&Reader| {
        let case = reader.cases.first().map_or("no case", String::as_str);
        format!("{} {} ({case})", reader.name, reader.version)
    };
    format!(
        "not all software reads this in the same way: {}; read differently by {}",
        claim.says.trim_end_matches('.'),
        software(claim, of)
    )
}

/// Returns a sentence that names the software of a claim, without the cases.
fn briefly(claim: &Claim<'_>) -> String {
    let names = software(claim, |reader| format!("{} {}", reader.name, reader.version));
    match claim.construct.parse::<FindingKind>() {
        // A claim about a kind of finding needs no description, because the finding has one.
        Ok(_) => format!("some software reads this differently: {names}"),
        Err(_) => format!("some software reads {} differently: {names}", claim.says),
    }
}

/// Lists the software of a claim.
fn software(claim: &Claim<'_>, name: impl Fn(&&Reader) -> String) -> String {
    let mut names: Vec<String> = claim.readers.iter().take(READERS).map(name).collect();
    if claim.readers.len() > READERS {
        names.push(format!("{} more", claim.readers.len() - READERS));
    }
    names.join(", ")
}

/// Returns the number of findings of each level, the worst first. A claim about other software is a note.
fn counted(file: &Linted<'_>) -> String {
    let of = |level: Severity| {
        let count = file.of(level);
        (count > 0).then(|| render::counted(count, level.name()))
    };
    let levels: Vec<String> = Severity::ALL.iter().rev().filter_map(|level| of(*level)).collect();
    if levels.is_empty() { "no findings".to_owned() } else { levels.join(", ") }
}

/// Renders one finding with its line, its fix and its source, given the name and the octets of its file.
#[must_use]
pub(crate) fn render(name: &str, body: &[u8], finding: &Finding<'_>) -> String {
    let line = Excerpt::of(body, finding.span());
    let level = match finding.level() {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let (cause, fix) = (finding.cause().to_string(), finding.fix().to_string());
    let (cause, fix) = (render::visible(&cause), render::visible(&fix));
    let name = render::name(name);
    let mut group = Group::with_title(level.primary_title(cause).id(finding.kind().name()))
        .element(
            Snippet::source(line.text)
                .line_start(finding.line().get() as usize)
                .path(name)
                .annotation(AnnotationKind::Primary.span(line.start..line.end)),
        );
    group = group.element(Level::HELP.message(fix));
    if let Some(source) = finding.source() {
        group = group.element(Level::NOTE.message(format!("{source} ({})", source.requirement())));
    }
    Renderer::styled().render(&[group])
}

/// The visible part of a line, and the position of the span in it, in octets.
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

/// Returns the last offset, up to the given offset, that is not inside a UTF-8 character.
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
