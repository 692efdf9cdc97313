//! [`Gunzip`] decodes gzip members (RFC 1952), one after another.
//!
//! The head and the end of a member are read here, because `zlib_rs` can use its state again only for the octets between
//! them. A new state needs 50 KB, which takes longer than decoding the two members of a small response.

use zlib_rs::crc32::crc32;
use zlib_rs::{Inflate, InflateFlush, Status};

/// The first octets of a member: the magic number, and the only method of compression.
pub(super) const GZIP: &[u8] = b"\x1f\x8b\x08";

/// The flags of a head. Another flag means that the head has parts that nobody knows.
const HEAD_CHECKSUM: u8 = 2;
const EXTRA: u8 = 4;
const NAME: u8 = 8;
const COMMENT: u8 = 16;
const UNKNOWN: u8 = 0b1110_0000;

/// The largest window, as the exponent of a power of two.
const WINDOW: u8 = 15;

/// The state of a member after some of its octets were decoded.
pub(super) enum State {
    Open,
    Ended,
    Damaged,
}

pub(super) struct Gunzip {
    inflate: Inflate,
    part: Part,
    /// The number of octets of this part that were read.
    read: usize,
    flags: u8,
    /// The length of the extra field in octets.
    extra: usize,
    /// The checksum of the head, if the head has one.
    head_checksum: u32,
    /// The checksum of the decoded octets.
    checksum: u32,
}

/// The parts of a member, in their order. Only the first and the last two are in every member.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Fixed,
    ExtraLength,
    Extra,
    Name,
    Comment,
    HeadChecksum,
    Body,
    End,
}

impl Gunzip {
    pub(super) fn new() -> Self {
        Self {
            inflate: Inflate::new(false, WINDOW),
            part: Part::Fixed,
            read: 0,
            flags: 0,
            extra: 0,
            head_checksum: 0,
            checksum: 0,
        }
    }

    /// Begins a new member.
    pub(super) fn reset(&mut self) {
        self.inflate.reset(false);
        (self.part, self.read, self.flags, self.extra) = (Part::Fixed, 0, 0, 0);
        (self.head_checksum, self.checksum) = (0, 0);
    }

    /// Decodes octets. Returns how many it read and how many it wrote.
    pub(super) fn decode(&mut self, from: &[u8], to: &mut [u8]) -> (usize, usize, State) {
        let mut read = 0;
        while self.part < Part::Body {
            let Some(octet) = from.get(read) else { return (read, 0, State::Open) };
            read += 1;
            if !self.head(*octet) {
                return (read, 0, State::Damaged);
            }
        }
        let mut written = 0;
        if self.part == Part::Body {
            let (before, after) = (self.inflate.total_in(), self.inflate.total_out());
            let status = self.inflate.decompress(&from[read..], to, InflateFlush::NoFlush);
            let count = |total: u64, before: u64| usize::try_from(total - before).unwrap_or(0);
            read += count(self.inflate.total_in(), before);
            written = count(self.inflate.total_out(), after);
            self.checksum = crc32(self.checksum, &to[..written]);
            match status {
                Ok(Status::StreamEnd) => (self.part, self.read) = (Part::End, 0),
                Ok(Status::Ok | Status::BufError) => return (read, written, State::Open),
                Err(_) => return (read, written, State::Damaged),
            }
        }
        // The checksum, and the length modulo 2^32.
        let end = (self.inflate.total_out() << 32 | u64::from(self.checksum)).to_le_bytes();
        for octet in &from[read..] {
            read += 1;
            if *octet != end[self.read] {
                return (read, written, State::Damaged);
            }
            self.read += 1;
            if self.read == end.len() {
                return (read, written, State::Ended);
            }
        }
        (read, written, State::Open)
    }

    /// Reads an octet of the head. Returns whether it is valid.
    fn head(&mut self, octet: u8) -> bool {
        let at = self.read;
        self.read += 1;
        let (is_valid, is_complete) = match self.part {
            Part::Fixed => match at {
                0..=2 => (octet == GZIP[at], false),
                3 => {
                    self.flags = octet;
                    self.head_checksum = crc32(0, GZIP);
                    (octet & UNKNOWN == 0, false)
                }
                // The time, the strength of the compression and the system.
                _ => (true, at == 9),
            },
            Part::ExtraLength => {
                self.extra |= usize::from(octet) << (8 * at);
                (true, at == 1)
            }
            Part::Extra => (true, at + 1 == self.extra),
            Part::Name | Part::Comment => (true, octet == 0),
            Part::HeadChecksum => (octet == self.head_checksum.to_le_bytes()[at], at == 1),
            Part::Body | Part::End => (false, false),
        };
        // The checksum of the head does not include itself.
        if self.flags & HEAD_CHECKSUM != 0 && self.part != Part::HeadChecksum {
            self.head_checksum = crc32(self.head_checksum, &[octet]);
        }
        if is_complete {
            self.next_part();
        }
        is_valid
    }

    fn next_part(&mut self) {
        let parts = [
            (Part::ExtraLength, self.flags & EXTRA != 0),
            (Part::Extra, self.extra > 0),
            (Part::Name, self.flags & NAME != 0),
            (Part::Comment, self.flags & COMMENT != 0),
            (Part::HeadChecksum, self.flags & HEAD_CHECKSUM != 0),
        ];
        let next = parts.into_iter().find(|(part, is_present)| *part > self.part && *is_present);
        (self.part, self.read) = (next.map_or(Part::Body, |(part, _)| part), 0);
    }
}
