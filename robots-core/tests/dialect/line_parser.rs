/// A parser of the plainest dialect, for the examples of the docs and the tests of the seam: lines end
/// in LF, the first colon parts field and value, `#` begins a comment.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LineParser;

impl robots_core::Parser for LineParser {
    fn name(&self) -> &str {
        "line-parser"
    }

    fn parse(&self, octets: &[u8], sink: &mut dyn FnMut(robots_core::Line)) {
        use robots_core::{Line, Span};
        let trimmed = |from: usize, text: &[u8]| {
            let start = from + (text.len() - text.trim_ascii_start().len());
            Span::new(start, start + text.trim_ascii().len())
        };
        let mut at = 0;
        for (number, text) in (1..).zip(octets.split_inclusive(|octet| *octet == b'\n')) {
            let whole = Span::new(at, at + text.len());
            let text = text.strip_suffix(b"\n").unwrap_or(text);
            let mut line = Line::new(number, whole, Span::new(at, at + text.len()));
            let hash = text.iter().position(|octet| *octet == b'#').unwrap_or(text.len());
            line.comment = (hash < text.len()).then(|| Span::new(at + hash, at + text.len()));
            if let Some(colon) = text[..hash].iter().position(|octet| *octet == b':') {
                line.field = Some(trimmed(at, &text[..colon]));
                line.colon = Some(Span::new(at + colon, at + colon + 1));
                line.value = Some(trimmed(at + colon + 1, &text[colon + 1..hash]));
            }
            sink(line);
            at = whole.end();
        }
    }
}
