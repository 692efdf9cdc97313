//! Fixes a file without changing a verdict or a preference: [`fix`].
//!
//! A finding may have a [replacement](super::Finding::replacement). Some replacements change what crawlers may fetch,
//! because for example a corrected rule takes effect. So the module `effect` compares the file before and after a fix,
//! and only fixes that change no verdict and no preference are applied. If all fixes together change one, each half of
//! them is tried separately, and so on down to single fixes. This module does not read or write files.

use alloc::string::String;
use alloc::vec::Vec;

use super::effect;
use super::kind::FindingKind;
use super::one::Finding;
use super::walk::{findings, findings_at};
use robots_core::syntax::{LineNumber, Span};
use robots_core::{Options, Parser, RobotsTxt};

/// The maximum number of comparisons in one call of [`fix`]. All these comparisons together have the
/// [limit](effect::STEPS) of one comparison.
const COMPARISONS: u32 = 256;

/// The result of [`fix`]: the fixed file, and which findings were fixed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fixed {
    /// The octets of the fixed file.
    pub body: Vec<u8>,
    /// The findings that were fixed: their lines in the old file, and their kinds.
    pub applied: Vec<(LineNumber, FindingKind)>,
    /// The findings whose fix was not applied, because it may change a verdict or a preference.
    pub left: Vec<(LineNumber, FindingKind)>,
}

/// Applies the fixes that change no verdict and no preference, for the findings that the caller selects.
///
/// Without the feature `usage`, no fix is applied to a file with `content-usage` lines under an edition that defines
/// them. `origin` is the origin that serves the file, if it is known.
///
/// ```
/// use robots_core::Options;
/// use robots_nom_parser::ScanParser;
///
/// let body = b"user-agent: *\ndisallow: /a*\ndisalow: /b\n";
/// let fixed = robots_lint::fix(&ScanParser, body, Options::default(), None, |_| true);
/// assert_eq!(fixed.body, b"user-agent: *\ndisallow: /a\ndisalow: /b\n");
/// assert_eq!(fixed.left[0].1, robots_lint::FindingKind::MisspeltField);
/// ```
pub fn fix<P: Parser + ?Sized>(
    parser: &P,
    body: &[u8],
    options: Options,
    origin: Option<&str>,
    wanted: impl Fn(&Finding<'_>) -> bool,
) -> Fixed {
    let robots = RobotsTxt::parse(parser, body, options);
    let found = match origin {
        Some(origin) => findings_at(&robots, origin),
        None => findings(&robots),
    };
    let mut edits: Vec<Edit> = Vec::new();
    for finding in found.filter(wanted) {
        let Some(text) = finding.replacement() else { continue };
        let (span, line, kind) = (finding.span(), finding.line(), finding.kind());
        // If two findings have overlapping spans, this call fixes only the first one.
        if edits.last().is_none_or(|last| last.span.end() <= span.start()) {
            edits.push(Edit { span, text, line, kind });
        }
    }
    let mut steps = effect::STEPS;
    let is_same = |accepted: &[&Edit]| {
        if steps == 0 {
            return false;
        }
        // Reading the fixed file counts as work too.
        steps = steps.saturating_sub(body.len() as u64 / 8);
        let new = edited(body, accepted);
        let new = RobotsTxt::parse(parser, &new, options);
        let difference = effect::compare_by(&robots, &new, &mut steps);
        difference.changes().is_empty() && !difference.is_sampled()
    };
    let mut fixing =
        Fixing { is_same, accepted: Vec::new(), left: Vec::new(), comparisons: COMPARISONS };
    fixing.accept(&edits.iter().collect::<Vec<_>>());
    let named = |edits: &[&Edit]| edits.iter().map(|edit| (edit.line, edit.kind)).collect();
    Fixed {
        body: edited(body, &fixing.accepted),
        applied: named(&fixing.accepted),
        left: named(&fixing.left),
    }
}

/// The replacement of a finding, with the span that it replaces.
struct Edit {
    span: Span,
    text: String,
    line: LineNumber,
    kind: FindingKind,
}

/// The state while edits are tried: `accepted` has the edits that certainly change no answer, and `left` has the edits
/// that are not applied. Both lists are in the order of the file.
struct Fixing<'e, F> {
    is_same: F,
    accepted: Vec<&'e Edit>,
    left: Vec<&'e Edit>,
    comparisons: u32,
}

impl<'e, F: FnMut(&[&Edit]) -> bool> Fixing<'e, F> {
    fn accept(&mut self, edits: &[&'e Edit]) {
        if edits.is_empty() {
            return;
        }
        if self.comparisons == 0 {
            self.left.extend(edits);
            return;
        }
        self.comparisons -= 1;
        // Edits are tried in the order of the file, so the accepted edits are in this order too.
        let together = [&self.accepted[..], edits].concat();
        if (self.is_same)(&together) {
            self.accepted = together;
        } else if let [edit] = edits {
            self.left.push(edit);
        } else {
            let (first, second) = edits.split_at(edits.len() / 2);
            self.accept(first);
            self.accept(second);
        }
    }
}

/// Returns the octets with edits, which are in the order of the file and do not overlap.
fn edited(body: &[u8], edits: &[&Edit]) -> Vec<u8> {
    let mut out = Vec::with_capacity(body.len());
    let mut at = 0;
    for edit in edits {
        out.extend_from_slice(&body[at..edit.span.start()]);
        out.extend_from_slice(edit.text.as_bytes());
        at = edit.span.end();
    }
    out.extend_from_slice(&body[at..]);
    out
}
