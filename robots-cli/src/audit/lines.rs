//! The lines of one log: [`Lines`], from a file or standard input, with gzip and zstd decoded.
//!
//! Lines stay in the buffer, so no line is copied. A line that is longer than [`LONGEST_LINE`] is skipped and never kept.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use robots_audit::LONGEST_LINE;

/// The length of the buffer in octets: some lines of the greatest length.
const BUFFER: usize = 4 * LONGEST_LINE;

/// The lines of one log.
pub(super) struct Lines {
    source: Box<dyn Read>,
    buffer: Vec<u8>,
    /// The part of the buffer that was filled and not read.
    filled: std::ops::Range<usize>,
    is_over: bool,
    /// The number of lines before the present one.
    number: u64,
}

/// A line of a log.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Present<'b> {
    /// A line without its end.
    Line(&'b [u8]),
    /// The last line, which has no end: perhaps a server is still writing it.
    Unended(&'b [u8]),
    TooLong,
    End,
}

impl Lines {
    /// Opens a log: a path, or `-` for standard input. The first octets decide whether it is compressed.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        if path == Path::new("-") {
            Self::of(Box::new(io::stdin()))
        } else {
            Self::of(Box::new(File::open(path)?))
        }
    }

    /// Reads the lines of a stream.
    fn of(stream: Box<dyn Read>) -> io::Result<Self> {
        let mut stream = BufReader::with_capacity(64 * 1024, stream);
        let source: Box<dyn Read> = match stream.fill_buf()? {
            [0x1F, 0x8B, ..] => Box::new(MultiGzDecoder::new(stream)),
            [0x28, 0xB5, 0x2F, 0xFD, ..] => Box::new(zstd::Decoder::with_buffer(stream)?),
            _ => Box::new(stream),
        };
        Ok(Self { source, buffer: vec![0; BUFFER], filled: 0..0, is_over: false, number: 0 })
    }

    /// Returns the first lines, without reading them: those in at most 64 KiB, and at most 200.
    pub(super) fn first(&mut self) -> io::Result<Vec<&[u8]>> {
        while self.filled.len() < LONGEST_LINE && !self.is_over {
            self.fill()?;
        }
        let octets = &self.buffer[self.filled.clone()];
        let whole = if self.is_over {
            octets
        } else {
            &octets[..octets.iter().rposition(|octet| *octet == b'\n').unwrap_or(0)]
        };
        Ok(whole.split(|octet| *octet == b'\n').take(200).collect())
    }

    /// Returns the number of the present line, from 1.
    pub(super) fn number(&self) -> u64 {
        self.number + 1
    }

    /// Returns the present line. It stays the present line until [`Self::advance`].
    pub(super) fn present(&mut self) -> io::Result<Present<'_>> {
        loop {
            let octets = &self.buffer[self.filled.clone()];
            if let Some(end) = memchr::memchr(b'\n', octets).filter(|end| *end <= LONGEST_LINE) {
                let start = self.filled.start;
                return Ok(Present::Line(&self.buffer[start..start + end]));
            }
            if octets.len() > LONGEST_LINE {
                return Ok(Present::TooLong);
            }
            if self.is_over {
                let rest = &self.buffer[self.filled.clone()];
                return Ok(if rest.is_empty() { Present::End } else { Present::Unended(rest) });
            }
            self.fill()?;
        }
    }

    /// Moves to the next line.
    pub(super) fn advance(&mut self) -> io::Result<()> {
        self.number += 1;
        loop {
            let octets = &self.buffer[self.filled.clone()];
            if let Some(end) = memchr::memchr(b'\n', octets) {
                self.filled.start += end + 1;
                return Ok(());
            }
            self.filled = 0..0;
            if self.is_over {
                return Ok(());
            }
            self.fill()?;
        }
    }

    /// Reads more octets behind those that are not read.
    fn fill(&mut self) -> io::Result<()> {
        if self.filled.start > 0 {
            self.buffer.copy_within(self.filled.clone(), 0);
            self.filled = 0..self.filled.len();
        }
        let read = loop {
            match self.source.read(&mut self.buffer[self.filled.end..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read?,
            }
        };
        self.is_over = read == 0;
        self.filled.end += read;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read, Write as _};

    use rstest::rstest;

    use super::{LONGEST_LINE, Lines, Present};

    fn all(lines: &mut Lines) -> Vec<String> {
        let mut all = Vec::new();
        loop {
            all.push(match lines.present().unwrap() {
                Present::End => return all,
                Present::TooLong => "too long".to_owned(),
                Present::Line(line) => String::from_utf8_lossy(line).into_owned(),
                Present::Unended(line) => format!("{}…", String::from_utf8_lossy(line)),
            });
            lines.advance().unwrap();
        }
    }

    #[rstest]
    #[trace]
    #[case(b"", &[])]
    #[case(b"\n\na", &["", "", "a…"])]
    #[case(b"a\r\nb\n", &["a\r", "b"])]
    fn lines_end_with_lf(#[case] text: &'static [u8], #[case] expected: &[&str]) {
        assert_eq!(all(&mut Lines::of(Box::new(text)).unwrap()), expected);
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(text).unwrap();
        // Rotated logs are often joined, and each part is a gzip member.
        let octets = [gzip.finish().unwrap(), Vec::new()].concat();
        assert_eq!(all(&mut Lines::of(Box::new(io::Cursor::new(octets))).unwrap()), expected);
        let octets = zstd::encode_all(text, 1).unwrap();
        assert_eq!(all(&mut Lines::of(Box::new(io::Cursor::new(octets))).unwrap()), expected);
    }

    /// A line of 1 GB is skipped; the buffer does not grow.
    #[test]
    fn a_line_of_any_length_is_skipped() {
        let long = |octets: u64| io::repeat(b'a').take(octets);
        let longest = LONGEST_LINE as u64;
        let stream = (&b"x\n"[..]).chain(long(1 << 30)).chain(&b"\ny\n"[..]);
        let stream = stream.chain(long(longest)).chain(&b"\n"[..]).chain(long(longest + 1));
        let mut lines = Lines::of(Box::new(stream)).unwrap();
        let read = all(&mut lines);
        assert_eq!(
            (&*read[0], &*read[1], &*read[2], read[3].len()),
            ("x", "too long", "y", LONGEST_LINE)
        );
        assert_eq!((&*read[4], read.len()), ("too long", 5));
        assert_eq!((lines.buffer.len(), lines.number()), (super::BUFFER, 6));
    }
}
