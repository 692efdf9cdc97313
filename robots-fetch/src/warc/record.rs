//! [`Records`] reads the records of an archive: their heads, and the octets of a block as they are needed.
//!
//! A block is valid only if the archive continues with another record after it, or ends. A shorter or longer block would
//! give a file that lacks rules, or that has the rules of another site.

use std::time::Duration;

use super::octets::{Broken, Octets, RECORD};
use crate::machine::response::HEAD;

/// The fields of a record that a reader of responses needs.
#[derive(Debug, Default)]
pub(super) struct Head {
    pub(super) kind: Kind,
    /// `WARC-Target-URI`.
    pub(super) url: String,
    /// `WARC-Date`, as the time since the Unix epoch.
    pub(super) date: Duration,
    /// `WARC-Truncated`, or `segmented` for a record that continues in another one.
    pub(super) truncated: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kind {
    Response,
    Revisit,
    #[default]
    Other,
}

pub(super) struct Records {
    octets: Octets,
    /// The head of the record, as it is stored.
    head: Vec<u8>,
    /// Whether a line of the head continues the line before.
    is_folded: bool,
    /// Where the record begins in the archive, in octets.
    pub(super) offset: u64,
    /// The number of octets of the block that have not been read.
    left: u64,
}

const CUT: Broken = Broken::Record("the record ends before its Content-Length");

impl Records {
    pub(super) fn new(octets: Octets) -> Self {
        Self { octets, head: Vec::new(), is_folded: false, offset: 0, left: 0 }
    }

    /// Reads the head of the next record, or returns `None` at the end of the archive. The block of the record before
    /// must have been read with [`end_block`](Self::end_block).
    pub(super) fn next_head(&mut self) -> Result<Option<Head>, Broken> {
        self.offset = self.octets.offset();
        while !self.skip_line_ends()? {
            let opened = self.octets.next_member();
            self.offset = self.octets.offset();
            if !opened? {
                return Ok(None);
            }
        }
        if !self.begins_record()? {
            return Err(Broken::Record("no record begins here"));
        }
        self.octets.mark();
        self.read_head()?;
        self.left = 0;
        let head = Head::read(&self.head, self.is_folded, &mut self.left)?;
        self.octets.mark();
        if self.octets.lacks(self.left) {
            return Err(CUT);
        }
        Ok(Some(head))
    }

    /// Copies the head, and consumes it with its blank line.
    fn read_head(&mut self) -> Result<(), Broken> {
        self.head.clear();
        self.is_folded = false;
        let mut line = 0;
        loop {
            self.fill(Broken::Record("the archive ends inside the head of a record"))?;
            let rest = self.octets.rest();
            let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
            self.head.extend_from_slice(&rest[..end]);
            self.octets.consume(end);
            if self.head.len() > HEAD {
                return Err(Broken::Record("the head of the record is longer than 64 KiB"));
            }
            match &self.head[line..] {
                b"\r\n" | b"\n" => return Ok(()),
                [first, .., b'\n'] => {
                    self.is_folded |= matches!(first, b' ' | b'\t');
                    line = self.head.len();
                }
                _ => {}
            }
        }
    }

    /// Makes sure that octets are in memory. A record may continue in the next member, but if a record begins there, this
    /// one was cut.
    fn fill(&mut self, cut: Broken) -> Result<(), Broken> {
        while self.octets.rest().is_empty() {
            if !self.octets.more()? && (!self.octets.next_member()? || self.begins_record()?) {
                return Err(cut);
            }
        }
        Ok(())
    }

    /// Returns the next octets of the block, or `None` at its end.
    pub(super) fn block(&mut self) -> Result<Option<&[u8]>, Broken> {
        if self.left == 0 {
            return Ok(None);
        }
        self.fill(CUT)?;
        let rest = self.octets.rest();
        let length = usize::try_from(self.left).unwrap_or(usize::MAX).min(rest.len());
        Ok(Some(&rest[..length]))
    }

    /// Marks octets of the block as read.
    pub(super) fn consume(&mut self, octets: usize) {
        self.left -= octets as u64;
        self.octets.consume(octets);
    }

    /// Reads the rest of the block, and fails if no record begins after it.
    pub(super) fn end_block(&mut self) -> Result<(), Broken> {
        while let Some(length) = self.block()?.map(<[u8]>::len) {
            self.consume(length);
        }
        if self.skip_line_ends()? && !self.begins_record()? {
            return Err(Broken::Record("no record begins after its Content-Length"));
        }
        Ok(())
    }

    /// After damage: finds the next place where a record may begin.
    pub(super) fn recover(&mut self, damage: &Broken) -> Result<(), Broken> {
        self.left = 0;
        match damage {
            Broken::Record(_) => match self.octets.seek_record() {
                Err(Broken::Member(_)) => self.octets.seek_member().map_err(Broken::Source),
                sought => sought,
            },
            _ => self.octets.seek_member().map_err(Broken::Source),
        }
    }

    /// Skips line ends. Returns whether this member has further octets.
    fn skip_line_ends(&mut self) -> Result<bool, Broken> {
        loop {
            let rest = self.octets.rest();
            let ends = rest.iter().take_while(|octet| matches!(octet, b'\r' | b'\n')).count();
            let is_end = ends == rest.len();
            self.octets.consume(ends);
            if !is_end {
                return Ok(true);
            }
            if !self.octets.more()? {
                return Ok(false);
            }
        }
    }

    fn begins_record(&mut self) -> Result<bool, Broken> {
        while self.octets.rest().len() < RECORD.len() && self.octets.more()? {}
        Ok(self.octets.rest().starts_with(RECORD))
    }
}

impl Head {
    /// Reads a head, and the length of the block. A line that begins with a space continues the line before (WARC 1.0, 4).
    fn read(head: &[u8], is_folded: bool, length: &mut u64) -> Result<Self, Broken> {
        let (mut read, mut lengths, mut date) = (Self::default(), Vec::new(), None);
        let unfolded = is_folded.then(|| {
            let mut lines = head.split(|octet| *octet == b'\n');
            let first = lines.next().unwrap_or_default().to_vec();
            lines.fold(first, |mut head, line| {
                let continues = line.starts_with(b" ") || line.starts_with(b"\t");
                if continues {
                    head.truncate(head.trim_ascii_end().len());
                }
                head.push(if continues { b' ' } else { b'\n' });
                head.extend_from_slice(line.trim_ascii_start());
                head
            })
        });
        let head = unfolded.as_deref().unwrap_or(head);
        if !matches!(head, [b'W', b'A', b'R', b'C', b'/', b'0' | b'1', b'.', ..]) {
            return Err(Broken::Record("the version is not WARC/1.0 or WARC/1.1"));
        }
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', head) {
            let line = &head[std::mem::replace(&mut start, end + 1)..end];
            let Some(colon) = memchr::memchr(b':', line) else { continue };
            let (name, value) = (&line[..colon], line[colon + 1..].trim_ascii());
            let is = |other: &str| name.eq_ignore_ascii_case(other.as_bytes());
            match name.len() {
                9 if is("WARC-Type") => read.kind = Kind::of(value),
                9 if is("WARC-Date") => date = Some(value),
                14 if is("Content-Length") => lengths.push(value),
                14 if is("WARC-Truncated") => read.truncated = Some(text(value)),
                // Some archives write the URL as `<URL>`.
                15 if is("WARC-Target-URI") => {
                    let inner = value.strip_prefix(b"<").and_then(|url| url.strip_suffix(b">"));
                    read.url = text(inner.unwrap_or(value));
                }
                19 if is("WARC-Segment-Number") => {
                    read.truncated.get_or_insert_with(|| "segmented".to_owned());
                }
                _ => {}
            }
        }
        let number = |value: &&[u8]| {
            let is_number = !value.is_empty() && value.iter().all(u8::is_ascii_digit);
            is_number.then(|| str::from_utf8(value).ok()?.parse().ok()).flatten()
        };
        *length = match lengths.first().and_then(number) {
            Some(length) if lengths.iter().all(|other| number(other) == Some(length)) => length,
            _ => return Err(Broken::Record("the Content-Length of the record is not one number")),
        };
        // Nobody reads the date of another record.
        if read.kind != Kind::Other {
            let date = date.and_then(since_epoch);
            read.date = date.ok_or(Broken::Record("the WARC-Date is not a date"))?;
        }
        Ok(read)
    }
}

impl Kind {
    fn of(value: &[u8]) -> Self {
        match value {
            _ if value.eq_ignore_ascii_case(b"response") => Self::Response,
            _ if value.eq_ignore_ascii_case(b"revisit") => Self::Revisit,
            _ => Self::Other,
        }
    }
}

fn text(value: &[u8]) -> String {
    str::from_utf8(value)
        .map_or_else(|_| String::from_utf8_lossy(value).into_owned(), str::to_owned)
}

/// Reads a date such as `2024-05-01T12:34:56Z`, which may have fractions of a second (WARC 1.1, 5.4).
fn since_epoch(date: &[u8]) -> Option<Duration> {
    let date = str::from_utf8(date).ok()?.strip_suffix('Z')?;
    let (date, fraction) = date.split_once('.').unwrap_or((date, ""));
    let mut numbers = [0; 6];
    let mut parts = date.split(['-', 'T', ':']);
    for number in &mut numbers {
        *number = parts.next().filter(|part| matches!(part.len(), 2 | 4))?.parse::<u64>().ok()?;
    }
    let [year, month, day, hours, minutes, seconds] = numbers;
    let is_valid = (1970..=9999).contains(&year)
        && (1..=12).contains(&month)
        && (1..=31).contains(&day)
        && (hours < 24 && minutes < 60 && seconds <= 60)
        && parts.next().is_none();
    // The days before a month in a year that begins in March, so that the leap day is its last day.
    let (year, month) = if month < 3 { (year - 1, month + 9) } else { (year, month - 3) };
    let leap_days = year / 4 - year / 100 + year / 400;
    let days = (year * 365 + leap_days + (month * 153 + 2) / 5 + day).checked_sub(719_469)?;
    let nanoseconds = format!("0.{fraction}0").parse().ok().filter(|_| fraction.len() < 10);
    let fraction = Duration::try_from_secs_f64(nanoseconds?).ok()?;
    let whole = Duration::from_secs(((days * 24 + hours) * 60 + minutes) * 60 + seconds);
    is_valid.then_some(whole + fraction)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rstest::rstest;

    use super::since_epoch;

    #[rstest]
    #[case("1970-01-01T00:00:00Z", Some(0))]
    #[case("1994-11-06T08:49:37Z", Some(784_111_777))]
    #[case("2024-02-29T23:59:59Z", Some(1_709_251_199))]
    #[case("2024-03-01T00:00:00Z", Some(1_709_251_200))]
    #[case("2024-13-01T00:00:00Z", None)]
    #[case("2024-03-01", None)]
    #[case("2024-03-01T00:00:00", None)]
    #[case("1969-12-31T00:00:00Z", None)]
    #[case("yesterday", None)]
    fn dates(#[case] date: &str, #[case] expected: Option<u64>) {
        assert_eq!(since_epoch(date.as_bytes()), expected.map(Duration::from_secs));
    }

    #[test]
    fn dates_have_fractions() {
        let expected = Some(Duration::from_millis(1_500));
        assert_eq!(since_epoch(b"1970-01-01T00:00:01.5Z"), expected);
    }
}
