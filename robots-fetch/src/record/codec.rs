//! The stored form of a record: one line, a head in JSON, and the octets of the file.
//!
//! The line contains the version, the lengths of the head and of the file, and one checksum of head and file. A record
//! that has another version, or is cut or damaged, cannot be read at all, because a part of a file could allow a URL
//! that the whole file forbids.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{About, FileCopy, Last, Record};

const MAGIC: &str = "robots-fetch 1";

/// The maximum length of the first line, which has fixed words and three numbers.
const LINE: usize = 80;

#[derive(Serialize, Deserialize)]
struct Head {
    key: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    copy: Option<About>,
    last: Last,
}

/// The reason why octets are not a readable record. If a store returns such octets, the record counts as absent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable(&'static str);

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the record cannot be read and is ignored: {}", self.0)
    }
}

impl std::error::Error for Unreadable {}

impl Record {
    /// Returns the record in its stored form.
    #[must_use]
    pub fn to_octets(&self) -> Vec<u8> {
        let (about, body) = match &self.copy {
            Some(copy) => (Some(copy.about.clone()), &*copy.body),
            None => (None, &[][..]),
        };
        let head = Head { key: self.key.clone(), copy: about, last: self.last.clone() };
        // The head contains only values that JSON can express, so writing it cannot fail.
        let head = serde_json::to_vec(&head).unwrap_or_default();
        let mut octets = first_line(&head, body).into_bytes();
        octets.reserve_exact(1 + head.len() + body.len());
        octets.push(b'\n');
        octets.extend_from_slice(&head);
        octets.extend_from_slice(body);
        octets
    }

    /// Reads a record from its stored form.
    ///
    /// # Errors
    /// Returns [`Unreadable`] if the octets have another version, or differ from the octets that were written.
    pub fn from_octets(octets: &[u8]) -> Result<Self, Unreadable> {
        let line = octets.iter().take(LINE).position(|octet| *octet == b'\n');
        let (line, rest) = line
            .and_then(|end| Some((std::str::from_utf8(&octets[..end]).ok()?, &octets[end + 1..])))
            .ok_or(Unreadable("it does not begin like a record"))?;
        let numbers = line.strip_prefix(MAGIC).ok_or(Unreadable("it has another version"))?;
        let mut numbers = numbers.split_ascii_whitespace();
        let mut length = || numbers.next()?.parse::<usize>().ok();
        let lengths = length().zip(length());
        let (head, body) = lengths.ok_or(Unreadable("its first line is damaged"))?;
        if head.checked_add(body) != Some(rest.len()) {
            return Err(Unreadable("it is truncated"));
        }
        let (head, body) = rest.split_at(head);
        if line != first_line(head, body) {
            return Err(Unreadable("its checksum is wrong"));
        }
        let head: Head =
            serde_json::from_slice(head).map_err(|_| Unreadable("its head has an unknown form"))?;
        let copy = head.copy.map(|about| FileCopy { body: body.to_vec(), about });
        Ok(Self { key: head.key, copy, last: head.last })
    }
}

fn first_line(head: &[u8], body: &[u8]) -> String {
    let sum = checksum(head, body);
    format!("{MAGIC} {} {} {sum:08x}", head.len(), body.len())
}

fn checksum(head: &[u8], body: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(head);
    hasher.update(body);
    hasher.finalize()
}

pub(super) mod milliseconds {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u64(u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
    }

    pub(crate) fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Duration, D::Error> {
        u64::deserialize(from).map(Duration::from_millis)
    }
}

pub(super) mod optional_milliseconds {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer};

    #[expect(clippy::ref_option, reason = "serde's form")]
    pub(crate) fn serialize<S: Serializer>(
        time: &Option<Duration>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        match time {
            Some(time) => super::milliseconds::serialize(time, to),
            None => to.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'d, D: Deserializer<'d>>(
        from: D,
    ) -> Result<Option<Duration>, D::Error> {
        Ok(Option::<u64>::deserialize(from)?.map(Duration::from_millis))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;

    use super::super::{About, End, FileCopy, Hop, Last, Record};

    fn record(body: Option<Vec<u8>>, seconds: u64, status: Option<u16>) -> Record {
        let time = Duration::from_secs(seconds);
        let copy = body.map(|body| FileCopy {
            about: About {
                fetched_at: time,
                validated_at: time,
                max_age: Some(time),
                url: "http://example.com/robots.txt".to_owned(),
                etag: Some("\"a\"".to_owned()),
                limit: body.len(),
                ..About::default()
            },
            body,
        });
        let last = Last {
            at: time,
            end: End { status, failure: Some("dns".to_owned()), ..End::default() },
            hops: vec![Hop { url: "http://x/".to_owned(), status: 301 }],
            unreachable_since: Some(time),
            ..Last::default()
        };
        Record { key: "http://example.com".to_owned(), copy, last }
    }

    #[test]
    fn a_record_without_a_body_is_short() {
        let octets = record(None, 1, Some(503)).to_octets();
        assert!(octets.len() < 400, "{}", String::from_utf8_lossy(&octets));
    }

    /// A store may keep these octets in memory, so the memory allocated for them must not be much larger than the
    /// octets themselves.
    #[test]
    fn a_record_takes_the_memory_of_its_octets() {
        let record = record(Some(vec![b'#'; 10_000]), 1, None);
        let octets = record.to_octets();
        assert!(octets.capacity() < octets.len() + octets.len() / 10, "{}", octets.capacity());
        assert_eq!(Record::from_octets(&octets), Ok(record));
    }

    #[test]
    fn a_record_that_cannot_be_read_says_why() {
        let octets = record(None, 1, None).to_octets();
        let message = |octets: &[u8]| Record::from_octets(octets).unwrap_err().to_string();
        assert_eq!(
            message(&octets[..octets.len() - 1]),
            "the record cannot be read and is ignored: it is truncated"
        );
        assert!(message(b"garbage\n").ends_with("it has another version"));
    }

    #[test]
    fn a_head_with_more_than_is_known_is_read() {
        let octets = String::from_utf8(record(None, 1, Some(503)).to_octets()).unwrap();
        let (_, head) = octets.split_once('\n').unwrap();
        let head = head.replacen('{', "{\"newer\":1,", 1);
        let sum = super::checksum(head.as_bytes(), b"");
        let octets = format!("{} {} 0 {sum:08x}\n{head}", super::MAGIC, head.len());
        assert_eq!(Record::from_octets(octets.as_bytes()), Ok(record(None, 1, Some(503))));
    }

    proptest! {
        #[test]
        fn a_record_survives(
            body: Option<Vec<u8>>, seconds in 0..u64::from(u32::MAX), status: Option<u16>
        ) {
            let record = record(body, seconds, status);
            prop_assert_eq!(Record::from_octets(&record.to_octets()), Ok(record));
        }

        /// If a bit is changed or the end is cut off, the record cannot be read.
        #[test]
        fn a_damaged_record_is_none(body: Vec<u8>, at: prop::sample::Index, bit in 0..8_u32) {
            let octets = record(Some(body), 1, None).to_octets();
            let mut damaged = octets.clone();
            damaged[at.index(octets.len())] ^= 1 << bit;
            prop_assert!(Record::from_octets(&damaged).is_err());
            prop_assert!(Record::from_octets(&octets[..at.index(octets.len())]).is_err());
        }

        #[test]
        fn any_octets_are_read_or_refused(octets: Vec<u8>) {
            let _ = Record::from_octets(&octets);
        }
    }
}
