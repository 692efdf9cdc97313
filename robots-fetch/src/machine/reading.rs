//! [`Reading`] reads an answer as it arrives, first its head and then its body.
//!
//! [`Reading`] combines [`Response`] and [`BodyReader`], and checks that the body is not shorter than the answer
//! declares. The HTTP transport uses [`Reading`], and so does `retriever.rs` for answers from the script of a timeline.
//! So answers from the network and answers from a script are read in the same way.

use super::body::{BodyError, BodyReader, Progress, REQUESTED};
use super::response::Response;

/// Reads an answer as it arrives: the status and the fields, and then the octets of the body.
///
/// ```
/// use robots_fetch::retrieval::{Progress, Reading};
/// let mut reading = Reading::new(200, [("content-type", &b"text/plain"[..])], 500)?;
/// assert!(reading.wants_body());
/// assert_eq!(reading.push(b"user-agent: *\n")?, Progress::More);
/// let response = reading.finish()?;
/// assert!(response.has_a_file());
/// # Ok::<(), robots_fetch::retrieval::BodyError>(())
/// ```
pub struct Reading {
    response: Response,
    body: Option<BodyReader>,
}

impl Reading {
    /// Reads the status and the fields, whose names may be in upper or lower case. `limit` is the maximum number of
    /// octets of a file that are read.
    ///
    /// # Errors
    /// Returns an error if the body has a content coding that was not requested.
    pub fn new<'f>(
        status: u16,
        fields: impl IntoIterator<Item = (&'f str, &'f [u8])>,
        limit: usize,
    ) -> Result<Self, BodyError> {
        Self::with_codings(status, fields, limit, REQUESTED)
    }

    pub(crate) fn with_codings<'f>(
        status: u16,
        fields: impl IntoIterator<Item = (&'f str, &'f [u8])>,
        limit: usize,
        codings: &[&str],
    ) -> Result<Self, BodyError> {
        let response = Response::new(status, fields);
        let coding = response.content_encoding();
        let reader = || BodyReader::with_codings(coding, limit, codings);
        let body = response.has_a_file().then(reader).transpose()?;
        Ok(Self { response, body })
    }

    /// Returns whether the body must be read. If not, the retrieval ignores it.
    #[must_use]
    pub fn wants_body(&self) -> bool {
        self.body.is_some()
    }

    /// Returns whether the body is chunked.
    #[cfg(feature = "warc")]
    pub(crate) fn is_chunked(&self) -> bool {
        self.response.is_chunked()
    }

    /// Returns the `Content-Length`, if the answer has one.
    #[cfg(feature = "warc")]
    pub(crate) fn declared_length(&self) -> Option<u64> {
        self.response.declared_length()
    }

    /// Reads the next octets of the body, as they arrive, before decoding.
    ///
    /// # Errors
    /// Returns an error if the octets are not valid in the content coding.
    pub fn push(&mut self, octets: &[u8]) -> Result<Progress, BodyError> {
        self.body.as_mut().map_or(Ok(Progress::Full), |body| body.push(octets))
    }

    /// Returns the answer. Call this function when all octets have arrived, or when no more are needed.
    ///
    /// # Errors
    /// Returns an error if the body is not valid in its content coding, ends early, or is shorter than its
    /// `Content-Length`.
    pub fn finish(self) -> Result<Response, BodyError> {
        let Self { response, body } = self;
        let Some(body) = body else { return Ok(response) };
        // If the answer itself marks the end of an empty body, the file is empty, whatever its content coding.
        let (arrived, has_stopped) = (body.arrived(), body.has_stopped());
        if arrived == 0 && response.shows_its_end() {
            return Ok(response);
        }
        let body = body.finish()?;
        // Not all HTTP libraries report a body that is too short.
        if !has_stopped && response.is_longer_than(arrived) {
            return Err(BodyError::Short);
        }
        Ok(response.with_body(body))
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    /// A body that ends before its declared length is a failure, unless reading stopped before.
    #[test]
    fn a_body_has_its_declared_length() {
        let read = |status: u16, length: &str, body: &[u8]| {
            let mut reading = Reading::new(status, [("content-length", length.as_bytes())], 10)?;
            reading.push(body)?;
            reading.finish()
        };
        let error = |length: &str, body: &[u8]| read(200, length, body).err();
        assert_eq!(error("5", b""), Some(BodyError::Short));
        assert_eq!(error("5", b"abcd"), Some(BodyError::Short));
        assert_eq!(error("5", b"abcde"), None);
        assert_eq!(error("0", b""), None);
        assert_eq!(error("20", b"abcdefghijk"), Some(BodyError::Short), "the limit is 10");
        assert_eq!(error("100000", &vec![b'a'; 70_000]), None, "reading stopped");
        assert_eq!(error("20", b"abcdefghij"), Some(BodyError::Short));
        assert!(read(204, "5", b"").is_ok());
    }

    /// Only the body of a file is read.
    #[rstest]
    #[trace]
    #[case(200, &[], true)]
    #[case(299, &[("transfer-encoding", "chunked")], true)]
    #[case(404, &[], false)]
    #[case(200, &[("transfer-encoding", "gzip")], false)]
    fn only_a_file_is_read(
        #[case] status: u16,
        #[case] fields: &[(&str, &str)],
        #[case] is_read: bool,
    ) {
        let fields = fields.iter().map(|(name, value)| (*name, value.as_bytes()));
        let mut reading = Reading::new(status, fields, 10).unwrap();
        assert_eq!(reading.wants_body(), is_read);
        let progress = if is_read { Progress::More } else { Progress::Full };
        assert_eq!(reading.push(b"abc"), Ok(progress));
        let expected: &[u8] = if is_read { b"abc" } else { b"" };
        assert_eq!(reading.finish().unwrap().body.octets(), expected);
    }

    /// If the answer itself marks the end of an empty body, the result is an empty file in any coding.
    #[cfg(feature = "gzip")]
    #[rstest]
    #[trace]
    #[case(200, &[], false)]
    #[case(200, &[("content-length", "5")], false)]
    #[case(200, &[("content-length", "0")], true)]
    #[case(200, &[("transfer-encoding", "chunked")], true)]
    #[case(204, &[], true)]
    #[case(204, &[("content-length", "5")], true)]
    fn a_coded_body_may_be_empty(
        #[case] status: u16,
        #[case] fields: &[(&str, &str)],
        #[case] is_empty: bool,
    ) {
        let coding = ("content-encoding", "gzip");
        let fields = fields.iter().chain([&coding]);
        let fields = fields.map(|(name, value)| (*name, value.as_bytes()));
        let response = Reading::new(status, fields, 10).unwrap().finish();
        let expected = if is_empty { None } else { Some(BodyError::Incomplete("gzip")) };
        assert_eq!(response.err(), expected);
    }
}
