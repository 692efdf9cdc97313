/// A parser of a very simple dialect, for examples in the documentation and for tests of the parser interface. Lines
/// end in LF, the first colon separates field and value, and `#` begins a comment.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LineParser;

impl robots_core::Parser for LineParser {
    fn name(&self) -> &str {
        "line-parser"
    }

    fn parse(&self, octets: &[u8], report: &mut robots_core::syntax::Report<'_>) {
        use robots_core::syntax::{Line, Span};
        let trimmed = |from: usize, text: &[u8]| {
            let start = from + (text.len() - text.trim_ascii_start().len());
            Span::new(start, start + text.trim_ascii().len())
        };
        let mut at = 0;
        for text in octets.split_inclusive(|octet| *octet == b'\n') {
            let whole = Span::new(at, at + text.len());
            let text = text.strip_suffix(b"\n").unwrap_or(text);
            let mut line = Line::new(whole, Span::new(at, at + text.len()));
            let hash = text.iter().position(|octet| *octet == b'#').unwrap_or(text.len());
            if hash < text.len() {
                line = line.with_comment(Span::new(at + hash, at + text.len()));
            }
            if let Some(colon) = text[..hash].iter().position(|octet| *octet == b':') {
                let (field, value) = (&text[..colon], &text[colon + 1..hash]);
                let colon = Span::new(at + colon, at + colon + 1);
                line =
                    line.with_record(trimmed(at, field), Some(colon), trimmed(colon.end(), value));
            }
            report.line(line);
            at = whole.end();
        }
    }
}
