//! Reads lines of limited length from a stream. Start at [`read_line`]. It skips the octets beyond the limit and does
//! not store them, so another process cannot fill the memory with one line. `read_within` stops at the limit instead.

use std::io::{self, BufRead};

/// The result of reading a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Read {
    /// A line, without its end.
    Line,
    /// A line that is longer than the limit.
    TooLong,
    /// No line, because the stream has ended.
    End,
}

/// Reads a line of at most `most` octets, without its line end. Lines end with LF.
///
/// # Errors
/// Returns an error if the reader fails.
///
/// ```
/// use robots_console::lines::{Read, read_line};
///
/// let (mut input, mut line) = (&b"long line\nnext"[..], Vec::new());
/// assert_eq!(read_line(&mut input, &mut line, 4)?, Read::TooLong);
/// assert_eq!((read_line(&mut input, &mut line, 4)?, &line[..]), (Read::Line, &b"next"[..]));
/// assert_eq!(read_line(&mut input, &mut line, 4)?, Read::End);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn read_line(reader: &mut impl BufRead, line: &mut Vec<u8>, most: usize) -> io::Result<Read> {
    let read = read_within(reader, line, most)?;
    if read == Read::TooLong {
        line.clear();
        reader.skip_until(b'\n')?;
    }
    Ok(read)
}

/// Reads a line like [`read_line`], but does not skip the rest of a line that is too long.
///
/// # Errors
/// Returns an error if the reader fails.
pub fn read_within(reader: &mut impl BufRead, line: &mut Vec<u8>, most: usize) -> io::Result<Read> {
    line.clear();
    let mut is_begun = false;
    loop {
        let octets = match reader.fill_buf() {
            Ok(octets) => octets,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let end = octets.iter().position(|octet| *octet == b'\n');
        let part = &octets[..end.unwrap_or(octets.len())];
        let is_over = octets.is_empty();
        is_begun |= !is_over;
        if line.len() + part.len() > most {
            return Ok(Read::TooLong);
        }
        line.extend_from_slice(part);
        let taken = part.len() + usize::from(end.is_some());
        reader.consume(taken);
        if end.is_some() || is_over {
            return Ok(if is_begun { Read::Line } else { Read::End });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use rstest::rstest;

    use super::{Read, read_line};

    #[rstest]
    #[trace]
    #[case(b"", &[])]
    #[case(b"\n", &[Some("")])]
    #[case(b"a\n\nb", &[Some("a"), Some(""), Some("b")])]
    #[case(b"abcd\nabcde\nx\n", &[Some("abcd"), None, Some("x")])]
    #[case(b"abcdefghijklmnopqrstuvwxyz", &[None])]
    fn lines_are_bounded(
        #[case] input: &[u8],
        #[case] expected: &[Option<&str>],
        #[values(1, 3, 64)] buffer: usize,
    ) {
        let mut reader = BufReader::with_capacity(buffer, input);
        let (mut line, mut read) = (Vec::new(), Vec::new());
        loop {
            match read_line(&mut reader, &mut line, 4).unwrap() {
                Read::End => break,
                Read::TooLong => read.push(None),
                Read::Line => read.push(Some(String::from_utf8(line.clone()).unwrap())),
            }
            assert!(line.len() <= 4);
        }
        let read: Vec<Option<&str>> = read.iter().map(Option::as_deref).collect();
        assert_eq!(read, expected);
    }
}
