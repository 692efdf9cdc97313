//! Prepares answers: converts bodies to octets, and headers to the form that is sent.
//!
//! A [`Route`] holds the answers to one path and counts the requests for this path. All answers are prepared when the
//! server starts: each `{name}` of an origin is replaced by its scheme and authority, and bodies are encoded. So a
//! mistake in a body is reported before the first request, and a request needs little work. This module sends nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use hyper::body::Bytes;

use crate::body::{self, Expand};
use crate::response::{Coded, Coding, Fault, Response, Responses};

/// The answers to one path, in order. The last answer is repeated.
pub(super) struct Route {
    answers: Vec<Arc<Prepared>>,
    asked: AtomicUsize,
}

impl Route {
    pub(super) fn new(responses: &Responses, expand: &Expand<'_>) -> Result<Self, String> {
        let answers =
            responses.0.iter().map(|response| Prepared::new(response, expand).map(Arc::new));
        Ok(Self { answers: answers.collect::<Result<_, _>>()?, asked: AtomicUsize::new(0) })
    }

    /// Makes the answer of a path that does not exist.
    pub(super) fn missing() -> Self {
        let missing = Response { status: Some(404), ..Response::text("There is no such page.\n") };
        Self::new(&missing.into(), &str::to_owned).expect("a text has no fault")
    }

    /// Returns the next answer. A HEAD request does not advance the sequence.
    pub(super) fn next(&self, head_alone: bool) -> Arc<Prepared> {
        let asked = self.asked.fetch_add(usize::from(!head_alone), Ordering::Relaxed);
        Arc::clone(&self.answers[asked.min(self.answers.len() - 1)])
    }
}

/// A prepared response.
pub(super) struct Prepared {
    pub(super) status: u16,
    /// The headers `content-type` and `location`, and the headers that the sites add. The length and the content coding
    /// are not included.
    pub(super) headers: Vec<(String, String)>,
    pub(super) delay: Duration,
    pub(super) fault: Option<Fault>,
    plain: Bytes,
    coded: Option<(Coding, Coded, Bytes)>,
}

impl Prepared {
    fn new(response: &Response, expand: &Expand<'_>) -> Result<Self, String> {
        let (octets, media_type) = match &response.body {
            Some(body) => body.octets(expand)?,
            None => (Vec::new(), body::PLAIN),
        };
        let mut headers = vec![("content-type".to_owned(), media_type.to_owned())];
        if let Some(location) = &response.location {
            headers.push(("location".to_owned(), expand(location)));
        }
        for (name, value) in &response.headers {
            let name = name.to_ascii_lowercase();
            headers.retain(|(other, _)| *other != name);
            headers.extend(value.as_ref().map(|value| (name, expand(value))));
        }
        let mut coded = response
            .coding
            .map(|coding| (coding, response.coded, Bytes::from(body::encode(&octets, coding))));
        if response.fault == Some(Fault::GzipBomb) {
            coded = Some((Coding::Gzip, response.coded, Bytes::from(body::bomb(&octets))));
        }
        Ok(Self {
            status: response.status(),
            headers,
            delay: Duration::from_millis(response.delay),
            fault: response.fault,
            plain: octets.into(),
            coded,
        })
    }

    /// Returns the body and its `Content-Encoding`. `accepted` is the value of the request's `Accept-Encoding`.
    pub(super) fn body(&self, accepted: &str) -> (Bytes, Option<&'static str>) {
        match &self.coded {
            Some((coding, coded, octets))
                if *coded == Coded::Always || accepts(accepted, *coding) =>
            {
                (octets.clone(), Some(name(*coding)))
            }
            _ => (self.plain.clone(), None),
        }
    }

    /// Returns the `Location` header.
    pub(super) fn location(&self) -> Option<&str> {
        self.headers.iter().find(|(name, _)| name == "location").map(|(_, value)| value.as_str())
    }

    /// Returns the phrase for the access log.
    pub(super) fn what(&self) -> String {
        match self.fault {
            None => format!("answered {}", self.status),
            Some(fault) => fault.to_string(),
        }
    }
}

const fn name(coding: Coding) -> &'static str {
    match coding {
        Coding::Gzip => "gzip",
        Coding::Br => "br",
        Coding::Zstd => "zstd",
    }
}

/// Returns whether an `Accept-Encoding` names a coding with a weight other than 0.
fn accepts(accepted: &str, coding: Coding) -> bool {
    accepted.split(',').any(|item| {
        let mut words = item.split(';').map(str::trim);
        let named = words.next().is_some_and(|word| word.eq_ignore_ascii_case(name(coding)));
        let refused = words.any(|word| {
            word.strip_prefix("q=")
                .is_some_and(|weight| weight.parse().is_ok_and(|q: f32| q <= 0.0))
        });
        named && !refused
    })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[trace]
    #[case("gzip, br", true)]
    #[case("deflate, GZIP;q=0.5", true)]
    #[case("gzip;q=0", false)]
    #[case("br", false)]
    #[case("", false)]
    fn codings(#[case] accepted: &str, #[case] gzip: bool) {
        assert_eq!(accepts(accepted, Coding::Gzip), gzip);
    }

    #[test]
    fn answers_follow_each_other_and_the_last_stays() {
        let responses: Responses = serde_yaml::from_str("[503, {location: /x}, ok]").unwrap();
        let route = Route::new(&responses, &str::to_owned).unwrap();
        let statuses: Vec<u16> = (0..4).map(|_| route.next(false).status).collect();
        assert_eq!(statuses, [503, 301, 200, 200]);
    }

    #[test]
    fn a_header_without_a_value_is_suppressed() {
        let responses: Responses =
            serde_yaml::from_str("{text: x, headers: {Content-Type: null, x-a: b}}").unwrap();
        let route = Route::new(&responses, &str::to_owned).unwrap();
        assert_eq!(route.next(false).headers, [("x-a".to_owned(), "b".to_owned())]);
    }
}
