//! [`Exchange`] reads the HTTP message of a record as a client would have read it from a connection.

use robots_core::fetch::Failure;

use crate::machine::response::{FIELDS, HEAD};
use crate::machine::retrieval::{ARCHIVED, BodyError, Progress, Reading, Response};

/// The reason why a client would have got no usable answer.
pub(super) type Failed = (Failure, String);

/// The longest line of a chunk's size, in octets.
const SIZE_LINE: usize = 1024;

/// Reads an answer, first its head and then its body.
pub(super) struct Exchange {
    /// The head as it is stored, up to its blank line.
    pub(super) head: Vec<u8>,
    pub(super) status: Option<u16>,
    limit: usize,
    body: Option<Body>,
    failed: Option<Failed>,
}

struct Body {
    reading: Reading,
    framing: Framing,
    is_full: bool,
}

/// What remains of the body.
enum Framing {
    Close,
    /// The number of octets until the end.
    Length(u64),
    Chunked(Chunked),
}

impl Exchange {
    /// `limit` is the maximum number of octets of a file that are read.
    pub(super) fn new(limit: usize) -> Self {
        Self { head: Vec::new(), status: None, limit, body: None, failed: None }
    }

    /// Reads the next octets.
    pub(super) fn push(&mut self, octets: &[u8]) {
        if self.failed.is_some() {
            return;
        }
        let pushed = match &mut self.body {
            Some(body) => body.push(octets),
            None => self.push_head(octets),
        };
        if let Err(failed) = pushed {
            self.failed = Some(failed);
        }
    }

    fn push_head(&mut self, octets: &[u8]) -> Result<(), Failed> {
        let before = self.head.len();
        let most = (HEAD + 1).saturating_sub(before).min(octets.len());
        self.head.extend_from_slice(&octets[..most]);
        let Some(end) = end_of_head(&self.head, before) else {
            let is_long = self.head.len() > HEAD;
            return if is_long { Err(invalid("its head is longer than 64 KiB")) } else { Ok(()) };
        };
        self.head.truncate(end);
        let mut body = self.read_head()?;
        let pushed = body.push(&octets[end - before..]);
        self.body = Some(body);
        pushed
    }

    fn read_head(&mut self) -> Result<Body, Failed> {
        let mut fields = [httparse::EMPTY_HEADER; FIELDS];
        let mut parsed = httparse::Response::new(&mut fields);
        // An archive writes the answers of HTTP/2 and HTTP/3 in the form of HTTP/1.1.
        let is_later = matches!(self.head.get(..6), Some(b"HTTP/2" | b"HTTP/3"));
        let later = is_later.then(|| {
            let line = memchr::memchr(b' ', &self.head).unwrap_or(self.head.len());
            [b"HTTP/1.1", &self.head[line..]].concat()
        });
        let status = parsed.parse(later.as_deref().unwrap_or(&self.head));
        if !status.is_ok_and(|status| status.is_complete()) {
            return Err(invalid("its head is malformed"));
        }
        let status = parsed.code.unwrap_or_default();
        self.status = Some(status);
        let fields = parsed.headers.iter().map(|field| (field.name, field.value));
        let reading = Reading::with_codings(status, fields, self.limit, ARCHIVED)
            .map_err(|error| failed(&error))?;
        let framing = match reading.declared_length() {
            _ if reading.is_chunked() => Framing::Chunked(Chunked::Size(Vec::new())),
            Some(length) => Framing::Length(length),
            None => Framing::Close,
        };
        if reading.is_chunked() && parsed.version == Some(0) {
            return Err(invalid("it is HTTP/1.0 with Transfer-Encoding"));
        }
        let is_full = !reading.wants_body();
        Ok(Body { reading, framing, is_full })
    }

    /// Returns the answer, given whether the archive has only a part of it.
    pub(super) fn finish(self, is_truncated: bool) -> Result<Response, Failed> {
        if let Some(failed) = self.failed {
            return Err(failed);
        }
        let Some(body) = self.body else {
            return Err(invalid("it ends before its blank line"));
        };
        let incomplete = |why: &str| Err((Failure::Incomplete, why.to_owned()));
        match &body.framing {
            _ if body.is_full => {}
            _ if is_truncated => {
                return incomplete("the archive has only the beginning of the body");
            }
            Framing::Chunked(Chunked::End) | Framing::Close | Framing::Length(_) => {}
            Framing::Chunked(_) => return incomplete("the chunked body ends early"),
        }
        body.reading.finish().map_err(|error| failed(&error))
    }
}

impl Body {
    fn push(&mut self, octets: &[u8]) -> Result<(), Failed> {
        let mut rest = octets;
        while !rest.is_empty() && !self.is_full {
            let part = match &mut self.framing {
                Framing::Close => std::mem::take(&mut rest),
                Framing::Length(left) => {
                    let length = usize::try_from(*left).unwrap_or(usize::MAX).min(rest.len());
                    *left -= length as u64;
                    let part = &rest[..length];
                    // What comes after the body is not part of the answer.
                    rest = if *left == 0 { &[] } else { &rest[length..] };
                    part
                }
                Framing::Chunked(chunked) => chunked.next(&mut rest)?,
            };
            if !part.is_empty() {
                self.is_full =
                    self.reading.push(part).map_err(|error| failed(&error))? == Progress::Full;
            }
        }
        Ok(())
    }
}

/// The chunked transfer coding (RFC 9112, 7.1).
enum Chunked {
    /// Inside the line with the size of a chunk.
    Size(Vec<u8>),
    /// Inside a chunk, with this number of octets left.
    Chunk(u64),
    /// After a chunk, with this number of octets of its line end left.
    After(u8),
    /// After the last chunk. The trailer is ignored.
    End,
}

impl Chunked {
    /// Takes the next octets from the input, and returns those that are of the body.
    fn next<'o>(&mut self, rest: &mut &'o [u8]) -> Result<&'o [u8], Failed> {
        let broken = || (Failure::Chunking, "the chunked body is malformed".to_owned());
        match self {
            Self::Size(line) => {
                let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
                line.extend_from_slice(&rest[..end.min(SIZE_LINE)]);
                *rest = &rest[end..];
                if line.len() > SIZE_LINE {
                    return Err(broken());
                }
                if line.ends_with(b"\n") {
                    match httparse::parse_chunk_size(line) {
                        Ok(httparse::Status::Complete((_, 0))) => *self = Self::End,
                        Ok(httparse::Status::Complete((_, size))) => *self = Self::Chunk(size),
                        _ => return Err(broken()),
                    }
                }
                Ok(&[])
            }
            Self::Chunk(left) => {
                let length = usize::try_from(*left).unwrap_or(usize::MAX).min(rest.len());
                let (part, after) = rest.split_at(length);
                (*rest, *left) = (after, *left - length as u64);
                if *left == 0 {
                    *self = Self::After(2);
                }
                Ok(part)
            }
            Self::After(left) => {
                if rest[0] != if *left == 2 { b'\r' } else { b'\n' } {
                    return Err(broken());
                }
                *rest = &rest[1..];
                *self = if *left == 2 { Self::After(1) } else { Self::Size(Vec::new()) };
                Ok(&[])
            }
            Self::End => {
                *rest = &[];
                Ok(&[])
            }
        }
    }
}

/// Returns where the head ends, after its blank line. The first octets were searched before.
fn end_of_head(head: &[u8], searched: usize) -> Option<usize> {
    let mut line = searched.saturating_sub(3);
    while let Some(end) = memchr::memchr(b'\n', &head[line..]).map(|end| line + end) {
        let is_blank = head[..end].ends_with(b"\n") || head[..end].ends_with(b"\n\r");
        if is_blank {
            return Some(end + 1);
        }
        line = end + 1;
    }
    None
}

fn invalid(why: &str) -> Failed {
    (Failure::InvalidResponse, why.to_owned())
}

fn failed(error: &BodyError) -> Failed {
    (Failure::InvalidResponse, error.to_string())
}
