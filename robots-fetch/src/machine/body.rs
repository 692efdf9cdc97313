//! [`BodyReader`] reads a body as it arrives, decodes its content coding and stops at the limit.
//!
//! Start at [`BodyReader::push`]. The decoders write to [`Bounded`], which keeps one octet more than the limit, drops
//! the next [`BEYOND`] octets and refuses all further ones, so a small encoded body cannot fill the memory. The dropped
//! octets are read because an error in them may show that the octets before them are wrong: a changed octet can make a
//! file longer than the limit. Encoded octets are decoded in small pieces, because a decoder that fails loses the output
//! of the whole piece. If reading stops before the limit, the rest may contain rules, so the body counts as incomplete.

use std::fmt;
use std::io::{self, Write};

/// The content codings that a client requests, in the order of `Accept-Encoding`.
pub(super) const REQUESTED: &[&str] = &[
    #[cfg(feature = "gzip")]
    "gzip",
    #[cfg(feature = "brotli")]
    "br",
    #[cfg(feature = "zstd")]
    "zstd",
    #[cfg(feature = "deflate")]
    "deflate",
];

/// The content codings of the responses in an archive. Its crawler may have requested others than a client of this build.
#[cfg(feature = "warc")]
pub(crate) const ARCHIVED: &[&str] = &["gzip", "br", "zstd", "deflate"];

/// Returns the value of `Accept-Encoding`.
pub(super) fn accept_encoding() -> String {
    if REQUESTED.is_empty() { "identity".to_owned() } else { REQUESTED.join(", ") }
}

/// The number of octets by which an encoded body may exceed the limit, because encoding makes random octets longer. If
/// an encoded body is longer, but its decoded octets do not reach the limit, it counts as incomplete.
const OVERHEAD: usize = 64 * 1024;

/// The number of decoded octets after the limit that are read and dropped. An error in these octets counts. Reading stops
/// after them, so an error later in a longer body is not noticed.
const BEYOND: usize = 64 * 1024;

#[cfg(any(feature = "zstd", feature = "warc"))]
/// The longest window of a zstd body: 8 MiB (RFC 9659). The constant is the exponent of a power of two.
const ZSTD_WINDOW: u32 = 23;

/// The number of octets that are decoded at once. If these octets contain an error, their whole output is lost.
const PIECE: usize = 1024;

/// Reads the octets of a body as they arrive.
///
/// The limit counts octets after decoding. One more octet is kept, so that a parser sees that the file was cut. The next
/// 64 KiB are read too, because an error there shows that the body is broken.
///
/// ```
/// use robots_fetch::retrieval::{BodyReader, Progress};
/// let mut reader = BodyReader::new(None, 10).unwrap();
/// assert_eq!(reader.push(b"user-agent: *\n"), Ok(Progress::More));
/// assert_eq!(reader.push(&[b'#'; 64 * 1024]), Ok(Progress::Full));
/// let body = reader.finish().unwrap();
/// assert_eq!((body.octets(), body.is_cut()), (&b"user-agent:"[..], true));
/// ```
pub struct BodyReader {
    limit: usize,
    raw: usize,
    sink: Sink,
    /// Whether reading stopped before the end of the body.
    has_stopped: bool,
    error: Option<BodyError>,
}

/// Whether the reader needs more of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// More octets are needed.
    More,
    /// No more octets are needed: stop reading, and close the connection.
    Full,
}

/// A decoded body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Body {
    octets: Vec<u8>,
    cut: bool,
}

impl Body {
    /// Makes a complete body from its octets, which have no content coding.
    #[must_use]
    pub fn of(octets: impl Into<Vec<u8>>) -> Self {
        Self { octets: octets.into(), cut: false }
    }

    /// Returns the octets. If the body was cut, the result has one octet more than the limit.
    #[must_use]
    pub fn octets(&self) -> &[u8] {
        &self.octets
    }

    /// Returns whether the body was longer than the limit.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.cut
    }

    /// Returns the octets without the unused memory of a body that arrived in parts, because a cache keeps them long.
    pub(crate) fn into_octets(mut self) -> Vec<u8> {
        self.octets.shrink_to_fit();
        self.octets
    }
}

/// The reason why a body cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BodyError {
    /// The body has a content coding that was not requested.
    UnknownCoding(String),
    /// The octets of the body are not valid in its content coding.
    Broken(&'static str),
    /// The content coding ends early, or reading stopped before its end.
    Incomplete(&'static str),
    /// The body has fewer octets than its `Content-Length`.
    Short,
}

impl fmt::Display for BodyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownCoding(coding) => {
                write!(f, "the body has the content coding `{coding}`, which was not requested")
            }
            Self::Broken(coding) => {
                write!(f, "the body is not valid {coding}, although the response declares it")
            }
            Self::Incomplete(coding) => write!(f, "the {coding} of the body ends early"),
            Self::Short => f.write_str("the body has fewer octets than its Content-Length"),
        }
    }
}

impl std::error::Error for BodyError {}

/// Decodes a content coding and keeps the decoded octets.
trait Decoder: Send + Sync {
    /// Returns the name of the coding.
    fn name(&self) -> &'static str;

    fn write_all(&mut self, octets: &[u8]) -> io::Result<()>;

    fn output(&mut self) -> &mut Bounded;

    /// Writes the remaining octets, and fails if the coding is not complete.
    fn close(&mut self) -> io::Result<()>;
}

/// Implements [`Decoder`] for a decoder that writes to a [`Bounded`].
macro_rules! decoder {
    ($feature:literal, $type:ty, $name:literal, $close:ident) => {
        #[cfg(any(feature = $feature, feature = "warc"))]
        impl Decoder for $type {
            fn name(&self) -> &'static str {
                $name
            }

            fn write_all(&mut self, octets: &[u8]) -> io::Result<()> {
                Write::write_all(self, octets)
            }

            fn output(&mut self) -> &mut Bounded {
                self.get_mut()
            }

            fn close(&mut self) -> io::Result<()> {
                self.$close().map(|_| ())
            }
        }
    };
}

decoder!("gzip", flate2::write::MultiGzDecoder<Bounded>, "gzip", try_finish);
decoder!("deflate", flate2::write::ZlibDecoder<Bounded>, "deflate", try_finish);
decoder!("brotli", brotli_decompressor::DecompressorWriter<Bounded>, "br", close);
decoder!("zstd", zstd::stream::write::Decoder<'static, Bounded>, "zstd", do_finish);

/// Makes the decoder of a coding, or returns `None` if this build has no such decoder. `gzip` and `x-gzip` are the same
/// (RFC 9110, 8.4.1.3).
#[cfg_attr(
    not(any(feature = "zstd", feature = "warc")),
    expect(clippy::unnecessary_wraps, reason = "only the zstd decoder can fail")
)]
#[cfg_attr(
    not(any(
        feature = "gzip",
        feature = "deflate",
        feature = "brotli",
        feature = "zstd",
        feature = "warc"
    )),
    expect(clippy::needless_pass_by_value, reason = "the decoder owns its output")
)]
fn decoder(coding: &str, sink: Bounded) -> Result<Option<Box<dyn Decoder>>, BodyError> {
    #[cfg(not(any(
        feature = "gzip",
        feature = "deflate",
        feature = "brotli",
        feature = "zstd",
        feature = "warc"
    )))]
    let _ = &sink;
    Ok(match coding {
        #[cfg(any(feature = "gzip", feature = "warc"))]
        "gzip" | "x-gzip" => Some(Box::new(flate2::write::MultiGzDecoder::new(sink))),
        #[cfg(any(feature = "deflate", feature = "warc"))]
        "deflate" => Some(Box::new(flate2::write::ZlibDecoder::new(sink))),
        #[cfg(any(feature = "brotli", feature = "warc"))]
        "br" => Some(Box::new(brotli_decompressor::DecompressorWriter::new(sink, 4096))),
        #[cfg(any(feature = "zstd", feature = "warc"))]
        "zstd" => Some(Box::new(unzstd(sink).map_err(|_| BodyError::Broken("zstd"))?)),
        _ => None,
    })
}

/// The destination of a body's octets.
enum Sink {
    /// The body has no content coding.
    Identity(Bounded),
    Coded(Box<dyn Decoder>),
}

impl Sink {
    fn name(&self) -> &'static str {
        match self {
            Self::Identity(_) => "body",
            Self::Coded(decoder) => decoder.name(),
        }
    }

    fn write_all(&mut self, octets: &[u8]) -> io::Result<()> {
        match self {
            Self::Identity(sink) => sink.write_all(octets),
            Self::Coded(decoder) => decoder.write_all(octets),
        }
    }

    fn output(&mut self) -> &mut Bounded {
        match self {
            Self::Identity(sink) => sink,
            Self::Coded(decoder) => decoder.output(),
        }
    }

    fn close(&mut self) -> io::Result<()> {
        match self {
            Self::Identity(_) => Ok(()),
            Self::Coded(decoder) => decoder.close(),
        }
    }
}

impl BodyReader {
    /// Makes the reader of a body, given the value of its `Content-Encoding`.
    ///
    /// # Errors
    /// Returns an error if the coding was not requested.
    pub fn new(content_encoding: Option<&str>, limit: usize) -> Result<Self, BodyError> {
        Self::with_codings(content_encoding, limit, REQUESTED)
    }

    pub(super) fn with_codings(
        content_encoding: Option<&str>,
        limit: usize,
        codings: &[&str],
    ) -> Result<Self, BodyError> {
        let sink = Bounded { octets: Vec::new(), most: limit.saturating_add(1), dropped: 0 };
        let coding = content_encoding.unwrap_or_default().trim().to_ascii_lowercase();
        let sink = match &*coding {
            "" | "identity" => Sink::Identity(sink),
            _ => {
                let is_known = codings.contains(&coding.strip_prefix("x-").unwrap_or(&coding));
                let decoder = if is_known { decoder(&coding, sink)? } else { None };
                let unknown = || BodyError::UnknownCoding(coding.chars().take(64).collect());
                Sink::Coded(decoder.ok_or_else(unknown)?)
            }
        };
        Ok(Self { limit, raw: 0, sink, has_stopped: false, error: None })
    }

    /// Reads the next octets.
    ///
    /// # Errors
    /// Returns an error if the octets are not valid in the content coding.
    pub fn push(&mut self, octets: &[u8]) -> Result<Progress, BodyError> {
        self.raw += octets.len();
        let most = self.limit.saturating_add(1);
        // A body without a coding cannot have a decoding error, so it needs no small pieces.
        let piece = if matches!(self.sink, Sink::Identity(_)) { octets.len() } else { PIECE };
        for piece in octets.chunks(piece.max(1)) {
            let written = match self.error {
                None => self.sink.write_all(piece),
                Some(_) => Ok(()),
            };
            if self.sink.output().dropped >= BEYOND {
                self.has_stopped = true;
                return Ok(Progress::Full);
            }
            if written.is_err() {
                self.error = Some(BodyError::Broken(self.sink.name()));
            }
        }
        let dropped = self.sink.output().dropped;
        self.has_stopped |= self.raw > most.saturating_add(OVERHEAD + dropped);
        match &self.error {
            Some(error) => Err(error.clone()),
            None if self.has_stopped => Ok(Progress::Full),
            None => Ok(Progress::More),
        }
    }

    /// Returns the number of octets that have arrived, before decoding.
    pub(super) fn arrived(&self) -> usize {
        self.raw
    }

    /// Returns whether reading stopped before the end of the body, because no more octets were needed.
    pub(super) fn has_stopped(&self) -> bool {
        self.has_stopped
    }

    /// Returns whether the content coding is incomplete. No coding is complete before its first octet.
    fn is_unfinished(&mut self) -> bool {
        let is_coded = !matches!(self.sink, Sink::Identity(_));
        (is_coded && self.raw == 0) || self.sink.close().is_err()
    }

    /// Returns the body. Call this function when all octets have arrived, or when no more are needed.
    ///
    /// # Errors
    /// Returns an error if the body is not valid in its content coding, or ends early.
    pub fn finish(mut self) -> Result<Body, BodyError> {
        let most = self.limit.saturating_add(1);
        let cut = self.sink.output().octets.len() >= most;
        // If reading stopped before the limit, the rest of the body is unknown: it may contain rules.
        let is_incomplete = if self.has_stopped { !cut } else { self.is_unfinished() };
        if self.error.is_none() && is_incomplete {
            self.error = Some(BodyError::Incomplete(self.sink.name()));
        }
        match self.error {
            Some(error) => Err(error),
            None => Ok(Body { octets: std::mem::take(&mut self.sink.output().octets), cut }),
        }
    }
}

#[cfg(any(feature = "zstd", feature = "warc"))]
fn unzstd(sink: Bounded) -> io::Result<zstd::stream::write::Decoder<'static, Bounded>> {
    let mut decoder = zstd::stream::write::Decoder::new(sink)?;
    decoder.window_log_max(ZSTD_WINDOW)?;
    Ok(decoder)
}

/// Keeps the first `most` octets, drops the next [`BEYOND`] octets, and refuses all further octets.
struct Bounded {
    octets: Vec<u8>,
    most: usize,
    /// The number of dropped octets.
    dropped: usize,
}

impl Write for Bounded {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        let kept = octets.len().min(self.most - self.octets.len());
        self.octets.extend_from_slice(&octets[..kept]);
        let dropped = (octets.len() - kept).min(BEYOND - self.dropped);
        self.dropped += dropped;
        if kept + dropped == 0 && !octets.is_empty() {
            return Err(io::Error::from(io::ErrorKind::WriteZero));
        }
        Ok(kept + dropped)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(all(test, feature = "gzip", feature = "deflate", feature = "brotli", feature = "zstd"))]
mod tests;
