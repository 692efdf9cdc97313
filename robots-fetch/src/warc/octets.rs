//! [`Octets`] reads an archive from any source and decodes its members: gzip members, zstd frames, or plain octets.
//!
//! Start at [`Octets::rest`], [`Octets::more`] and [`Octets::next_member`]: octets of two members never mix, because a
//! record that continues in the next member is told from a record that was cut only by the beginning of that member.
//! Damage is not the end: [`Octets::seek_member`] continues at the next member, and [`Octets::seek_record`] at the next
//! record. The memory is bounded by the two buffers and the window of zstd, whatever the archive claims.

use std::io::{self, Read};

use memchr::memmem;
use zstd::stream::raw::{DParameter, Decoder as Unzstd, InBuffer, Operation as _, OutBuffer};

use super::gzip::{GZIP, Gunzip, State};

/// The length of a buffer in octets. A head of a record fits into it.
pub(super) const BUFFER: usize = 256 * 1024;

/// The number of octets before the current one that are kept, so that reading can go back to them after damage.
const KEPT: usize = BUFFER / 2;

/// The largest dictionary of a zstd archive, in octets, before and after decoding.
const DICTIONARY: (usize, usize) = (1 << 20, 4 << 20);

/// The largest window of zstd that is accepted, as the exponent of a power of two: 128 MiB, the default of `zstd -d`.
const WINDOW: u32 = 27;

/// The number of octets of a candidate that are read to see whether a member with a record begins there.
const TRIED: usize = 512;

const ZSTD: &[u8] = b"\x28\xb5\x2f\xfd";
/// The magic numbers of zstd's skippable frames are 16 numbers, whose first octet differs; a dictionary has the 14th.
const SKIPPABLE: &[u8] = b"\x2a\x4d\x18";
const DICTIONARY_FRAME: u8 = 0x5d;
/// Every record begins with these octets.
pub(super) const RECORD: &[u8] = b"WARC/";

/// Why reading cannot go on here.
#[derive(Debug)]
pub(super) enum Broken {
    /// The source failed, so reading ends.
    Source(io::Error),
    /// The coding of a member is damaged.
    Member(&'static str),
    /// A record is damaged.
    Record(&'static str),
}

impl From<io::Error> for Broken {
    fn from(error: io::Error) -> Self {
        Self::Source(error)
    }
}

pub(super) struct Octets {
    input: Input,
    coding: Option<Coding>,
    output: Buffer,
    /// Whether a member is open, and its end has not been reached.
    is_open: bool,
    /// Whether no octet of the member has been consumed.
    is_fresh: bool,
    /// Damage that was found after octets that are valid.
    damage: Option<&'static str>,
    /// The number of octets that were read again. It stays below the number of octets of the archive so far, so that
    /// reading stays linear.
    again: u64,
}

enum Coding {
    Plain,
    Gzip(Box<Gunzip>),
    Zstd(Box<Unzstd<'static>>),
}

impl Octets {
    /// `length` is the length of the archive in octets, if it is known.
    pub(super) fn new(source: Box<dyn Read + Send>, length: Option<u64>) -> Self {
        let input = Input { source, buffer: Buffer::new(), offset: 0, mark: None, length };
        let output = Buffer { octets: Vec::new(), start: 0, end: 0 };
        Self {
            input,
            coding: None,
            output,
            is_open: false,
            is_fresh: false,
            damage: None,
            again: 0,
        }
    }

    /// Returns the decoded octets of this member that are in memory.
    pub(super) fn rest(&self) -> &[u8] {
        match self.coding {
            Some(Coding::Plain) => self.input.buffer.rest(),
            _ => self.output.rest(),
        }
    }

    pub(super) fn consume(&mut self, octets: usize) {
        self.is_fresh &= octets == 0;
        match self.coding {
            Some(Coding::Plain) => self.input.buffer.start += octets,
            _ => self.output.start += octets,
        }
    }

    /// Returns the place in the archive file that is read next, in octets: of a coded archive, where the member begins.
    pub(super) fn offset(&self) -> u64 {
        match (&self.coding, self.input.mark) {
            (Some(Coding::Gzip(_) | Coding::Zstd(_)), Some(mark)) => {
                self.input.offset + mark as u64
            }
            _ => self.input.position(),
        }
    }

    /// Returns whether a number of octets is more than the archive still has, if that is known.
    pub(super) fn lacks(&self, octets: u64) -> bool {
        let is_plain = matches!(self.coding, Some(Coding::Plain));
        let left = self.input.length.map(|length| length.saturating_sub(self.input.position()));
        is_plain && left.is_some_and(|left| octets > left)
    }

    /// Remembers this place of a plain archive, so that [`seek_record`](Self::seek_record) can go back to it.
    pub(super) fn mark(&mut self) {
        if matches!(self.coding, Some(Coding::Plain)) {
            self.input.mark = Some(self.input.buffer.start);
        }
    }

    /// Adds decoded octets of this member to [`rest`](Self::rest). Returns false if the member has no more.
    pub(super) fn more(&mut self) -> Result<bool, Broken> {
        if let Some(damage) = self.damage.take() {
            self.is_open = false;
            return Err(Broken::Member(damage));
        }
        if !self.is_open {
            return Ok(false);
        }
        let Some(coding) = &mut self.coding else { return Ok(false) };
        if let Coding::Plain = coding {
            self.is_open = self.input.more()?;
            return Ok(self.is_open);
        }
        self.output.make_room(None);
        let before = self.output.end;
        while self.is_open && self.output.end < self.output.octets.len() {
            if self.input.buffer.rest().is_empty() && !self.input.more()? {
                self.damage = Some("the archive ends inside a member");
                break;
            }
            let (from, to) = (self.input.buffer.rest(), &mut self.output.octets[self.output.end..]);
            let (read, written, state) = coding.decode(from, to);
            self.input.buffer.start += read;
            self.output.end += written;
            match state {
                State::Open if read + written > 0 => {}
                State::Ended => self.is_open = false,
                State::Open | State::Damaged => {
                    self.damage = Some(coding.damage());
                    break;
                }
            }
        }
        match self.output.end > before {
            true => Ok(true),
            false if self.damage.is_some() => self.more(),
            false => Ok(false),
        }
    }

    /// Opens the next member. Returns false at the end of the archive.
    pub(super) fn next_member(&mut self) -> Result<bool, Broken> {
        if self.coding.is_none() {
            let start = self.input.at_least(4)?;
            self.coding = Some(match start {
                _ if start.starts_with(GZIP) => Coding::Gzip(Box::new(Gunzip::new())),
                _ if start.starts_with(ZSTD) || start.get(1..4) == Some(SKIPPABLE) => {
                    Coding::zstd(&[])?
                }
                _ => Coding::Plain,
            });
            if !matches!(self.coding, Some(Coding::Plain)) {
                self.output = Buffer::new();
            }
        } else if matches!(self.coding, Some(Coding::Plain)) {
            return Ok(false);
        }
        loop {
            self.input.mark = Some(self.input.buffer.start);
            let is_first = self.input.position() == 0;
            let start = self.input.at_least(4)?;
            if start.is_empty() {
                return Ok(false);
            }
            match &mut self.coding {
                Some(Coding::Zstd(_)) if start.get(1..4) == Some(SKIPPABLE) => {
                    let is_dictionary = is_first && start[0] == DICTIONARY_FRAME;
                    self.skippable(is_dictionary)?;
                    continue;
                }
                Some(Coding::Zstd(_)) if !start.starts_with(ZSTD) => {
                    return Err(Broken::Member("no zstd frame begins here"));
                }
                Some(Coding::Zstd(frame)) => frame.reinit()?,
                Some(Coding::Gzip(_)) if !start.starts_with(GZIP) => {
                    return Err(Broken::Member("no gzip member begins here"));
                }
                Some(Coding::Gzip(member)) => member.reset(),
                _ => {}
            }
            (self.is_open, self.is_fresh) = (true, true);
            return Ok(true);
        }
    }

    /// Reads a skippable frame, which may be the dictionary of the archive:
    /// <https://iipc.github.io/warc-specifications/specifications/warc-zstd/>.
    fn skippable(&mut self, is_dictionary: bool) -> Result<(), Broken> {
        let head = self.input.at_least(8)?;
        let Some(length) = head.get(4..8).and_then(|length| length.try_into().ok()) else {
            return Err(Broken::Member("the archive ends inside a frame"));
        };
        let mut left = u32::from_le_bytes(length) as usize;
        self.input.buffer.start += 8;
        if is_dictionary && left > DICTIONARY.0 {
            return Err(Broken::Member("the dictionary of the archive is longer than 1 MiB"));
        }
        let mut dictionary = Vec::new();
        while left > 0 {
            if self.input.buffer.rest().is_empty() && !self.input.more()? {
                return Err(Broken::Member("the archive ends inside a frame"));
            }
            let rest = self.input.buffer.rest();
            let part = &rest[..left.min(rest.len())];
            if is_dictionary {
                dictionary.extend_from_slice(part);
            }
            left -= part.len();
            self.input.buffer.start += part.len();
        }
        if is_dictionary {
            if dictionary.starts_with(ZSTD) {
                dictionary = zstd::bulk::decompress(&dictionary, DICTIONARY.1)
                    .map_err(|_| Broken::Member("the dictionary of the archive is not valid"))?;
            }
            self.coding = Some(Coding::zstd(&dictionary)?);
        }
        Ok(())
    }

    /// After damage of a member: finds the next place where a member with a record begins. At the end of the archive,
    /// no octets remain.
    pub(super) fn seek_member(&mut self) -> io::Result<()> {
        (self.is_open, self.damage) = (false, None);
        self.output.start = self.output.end;
        let magic = match &self.coding {
            Some(Coding::Gzip(_)) => GZIP,
            Some(Coding::Zstd(_)) => ZSTD,
            _ => return Ok(()),
        };
        // A damaged member may have been read over its end, into the members after it.
        if self.input.mark == Some(self.input.buffer.start) {
            self.input.buffer.start += 1;
        } else {
            self.go_back(1);
        }
        self.input.mark = None;
        loop {
            let start = self.input.at_least(TRIED)?;
            if start.len() < magic.len() {
                self.input.buffer.start = self.input.buffer.end;
                return Ok(());
            }
            let Some(found) = memmem::find(start, magic) else {
                self.input.buffer.start = self.input.buffer.end - (magic.len() - 1);
                continue;
            };
            self.input.buffer.start += found;
            // The first octets of a zstd frame are decoded only with its whole block, so its magic number is enough.
            if magic == ZSTD {
                return Ok(());
            }
            let tried = self.input.at_least(TRIED)?.len().min(TRIED);
            // If too many octets were read again, any candidate is accepted.
            if !self.may_read_again(tried) {
                return Ok(());
            }
            let mut first = [0; RECORD.len()];
            let candidate = &self.input.buffer.rest()[..tried];
            let Some(Coding::Gzip(member)) = &mut self.coding else { return Ok(()) };
            member.reset();
            let (_, written, _) = member.decode(candidate, &mut first);
            if &first[..written] == RECORD {
                return Ok(());
            }
            self.input.buffer.start += 1;
        }
    }

    /// After damage of a record: finds the next place where a record begins, after the mark of a plain archive or in the
    /// rest of a member. If the rest of the member has none, the next member is the place.
    pub(super) fn seek_record(&mut self) -> Result<(), Broken> {
        if matches!(self.coding, Some(Coding::Plain)) {
            self.go_back(0);
        } else if self.is_fresh && self.rest().starts_with(RECORD) {
            // The record before was cut at the end of its member.
            return Ok(());
        }
        loop {
            let rest = self.rest();
            let found = memmem::find_iter(rest, b"\nWARC/")
                .find(|found| matches!(rest.get(found + 6..found + 8), Some([b'0'..=b'9', b'.'])));
            if let Some(found) = found {
                self.consume(found + 1);
                return Ok(());
            }
            self.consume(rest.len().saturating_sub(7));
            if !self.more()? {
                self.consume(self.rest().len());
                return Ok(());
            }
        }
    }

    /// Goes back to the octet that comes this number of octets after the mark, if it is still in memory and not too many
    /// octets were read again.
    fn go_back(&mut self, after: usize) {
        let Some(mark) = self.input.mark.take() else { return };
        let start = self.input.buffer.start;
        if mark + after < start && self.may_read_again(start - mark) {
            self.input.buffer.start = mark + after;
        }
    }

    fn may_read_again(&mut self, octets: usize) -> bool {
        let again = self.again.saturating_add(octets as u64);
        let may = again <= self.input.position().saturating_add(BUFFER as u64);
        if may {
            self.again = again;
        }
        may
    }
}

impl Coding {
    fn zstd(dictionary: &[u8]) -> io::Result<Self> {
        let mut decoder = Unzstd::with_dictionary(dictionary)?;
        decoder.set_parameter(DParameter::WindowLogMax(WINDOW))?;
        Ok(Self::Zstd(Box::new(decoder)))
    }

    /// Decodes octets. Returns how many it read and how many it wrote.
    fn decode(&mut self, from: &[u8], to: &mut [u8]) -> (usize, usize, State) {
        match self {
            Self::Plain => (0, 0, State::Damaged),
            Self::Gzip(member) => member.decode(from, to),
            Self::Zstd(decoder) => {
                let (mut from, mut to) = (InBuffer::around(from), OutBuffer::around(to));
                let state = match decoder.run(&mut from, &mut to) {
                    Ok(0) => State::Ended,
                    Ok(_) => State::Open,
                    Err(_) => State::Damaged,
                };
                (from.pos(), to.pos(), state)
            }
        }
    }

    fn damage(&self) -> &'static str {
        match self {
            Self::Zstd(_) => "the zstd frame is not valid",
            _ => "the gzip member is not valid",
        }
    }
}

/// The archive as it is stored.
struct Input {
    source: Box<dyn Read + Send>,
    buffer: Buffer,
    /// The place of the buffer's first octet in the archive.
    offset: u64,
    /// The place in the buffer to which reading may go back.
    mark: Option<usize>,
    length: Option<u64>,
}

impl Input {
    fn position(&self) -> u64 {
        self.offset + self.buffer.start as u64
    }

    /// Reads more octets. Returns false at the end of the archive.
    fn more(&mut self) -> io::Result<bool> {
        self.mark = self.mark.filter(|mark| self.buffer.start - mark <= KEPT);
        let moved = self.buffer.make_room(self.mark);
        self.mark = self.mark.map(|mark| mark - moved);
        self.offset += moved as u64;
        loop {
            match self.source.read(&mut self.buffer.octets[self.buffer.end..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
                Ok(read) => {
                    self.buffer.end += read;
                    return Ok(read > 0);
                }
            }
        }
    }

    /// Returns all octets that are in memory: at least this number, unless the archive ends.
    fn at_least(&mut self, octets: usize) -> io::Result<&[u8]> {
        while self.buffer.rest().len() < octets && self.more()? {}
        Ok(self.buffer.rest())
    }
}

struct Buffer {
    octets: Vec<u8>,
    start: usize,
    end: usize,
}

impl Buffer {
    fn new() -> Self {
        Self { octets: vec![0; BUFFER], start: 0, end: 0 }
    }

    fn rest(&self) -> &[u8] {
        &self.octets[self.start..self.end]
    }

    /// Moves the rest, and the octets from the mark on, to the front if the room after them is small. Returns by how
    /// many octets they were moved.
    fn make_room(&mut self, mark: Option<usize>) -> usize {
        let from = mark.unwrap_or(self.start);
        if from == 0 || (from < self.end && self.octets.len() - self.end >= KEPT / 2) {
            return 0;
        }
        self.octets.copy_within(from..self.end, 0);
        self.start -= from;
        self.end -= from;
        from
    }
}
