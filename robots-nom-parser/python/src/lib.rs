//! The parser for Python, as the module `robots_verdicts._native`.
//!
//! `robots-core` makes all decisions; this crate only converts values between Rust and Python.
//! `robots_verdicts/_native.pyi` declares the Python interface.

use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use robots_core::error::NotAQuestion;
use robots_core::syntax::Shown;
use robots_core::usage::Vocabulary;
use robots_core::{Crawler, Edition, ProductToken};

mod evidence;
mod usage;

use crate::evidence::{Reasoned, text};
use crate::usage::{Header, Usage};

/// The module.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::evidence::Reasoned;
    #[pymodule_export]
    use super::usage::Usage;
    #[pymodule_export]
    use super::{RobotsTxt, RuleSet, parse, product_tokens};
}

/// A parsed robots.txt. It contains the octets of the file and offsets into them.
#[pyclass(frozen, module = "robots_verdicts")]
struct RobotsTxt(Arc<robots_core::RobotsTxt<Vec<u8>>>);

/// Reads a robots.txt under an edition. Any octets are valid.
#[pyfunction]
#[pyo3(signature = (robots_txt, *, edition = "google-2022"))]
fn parse(py: Python<'_>, robots_txt: Body<'_>, edition: &str) -> PyResult<RobotsTxt> {
    let edition: Edition = edition
        .parse()
        .map_err(|error| PyValueError::new_err(format!("{}: {error}", quoted(edition))))?;
    let octets = match robots_txt {
        Body::Octets(octets) => octets.as_bytes().to_vec(),
        Body::Text(text) => text.to_str()?.as_bytes().to_vec(),
    };
    let parsed = py.detach(|| robots_nom_parser::parse_with(octets, edition));
    Ok(RobotsTxt(Arc::new(parsed)))
}

/// Returns the product tokens of a whole `User-Agent` header, most specific first.
#[pyfunction]
fn product_tokens(header: &str) -> PyResult<Vec<String>> {
    let crawler = Crawler::from_header(header).map_err(|_| {
        PyValueError::new_err(format!("the User-Agent header {} names no product", quoted(header)))
    })?;
    Ok(crawler.tokens().iter().map(|token| token.as_str().to_owned()).collect())
}

/// The octets of a file, or its text.
#[derive(FromPyObject)]
enum Body<'py> {
    #[pyo3(transparent, annotation = "bytes")]
    Octets(Bound<'py, PyBytes>),
    #[pyo3(transparent, annotation = "str")]
    Text(Bound<'py, PyString>),
}

/// A product token, or several, most specific first.
///
/// A list is read by iteration, and only up to the maximum number of tokens. The length that the list reports is not
/// used, because a Python object may report any length.
fn crawler(agent: &Bound<'_, PyAny>) -> PyResult<Crawler> {
    let tokens = match agent.cast::<PyString>() {
        Ok(token) => vec![token.to_str()?.to_owned()],
        Err(_) => agent
            .try_iter()?
            .take(Crawler::MOST + 1)
            .map(|token| token?.extract::<String>())
            .collect::<PyResult<_>>()?,
    };
    Crawler::new(tokens.iter()).map_err(|_| no_token(&tokens))
}

/// Reads the id of a vocabulary.
fn vocabulary(id: &str) -> PyResult<Vocabulary> {
    id.parse().map_err(|error| PyValueError::new_err(format!("{}: {error}", quoted(id))))
}

/// Makes the error for a text that is not a product token, in the terms of this module.
fn no_token(tokens: &[String]) -> PyErr {
    let what = match tokens {
        [] => "a crawler needs at least one product token".to_owned(),
        [_, rest @ ..] if rest.len() >= Crawler::MOST => {
            format!("a crawler has at most {} product tokens", Crawler::MOST)
        }
        tokens => {
            let refused = tokens.iter().find(|token| ProductToken::new(token.as_str()).is_err());
            let refused = refused.map_or("", String::as_str);
            format!("{} is not a product token: 1 to 256 letters, digits, _ and -", quoted(refused))
        }
    };
    PyValueError::new_err(format!("{what}; product_tokens() takes them from a User-Agent header"))
}

/// Makes the error for an invalid question: a wrong token or URL.
fn refused(error: NotAQuestion, token: &str, url: &str) -> PyErr {
    match error {
        NotAQuestion::Url(error) => no_url(url, error),
        _ => no_token(&[token.to_owned()]),
    }
}

/// Makes the error for a text that is not a URL.
fn no_url(url: &str, error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(format!("{}: {error}", quoted(url)))
}

/// Returns a value for a message: in quotation marks, with the middle of a long value omitted.
fn quoted(text: &str) -> String {
    format!("'{}'", Shown(text.as_bytes()))
}

#[pymethods]
impl RobotsTxt {
    /// Returns whether the crawler may fetch the URL.
    fn allows(&self, agent: &Bound<'_, PyAny>, url: &str) -> PyResult<bool> {
        // The common case comes first: one token needs no allocation.
        if let Ok(token) = agent.cast::<PyString>() {
            let verdict = self.0.try_verdict(token.to_str()?, url);
            return match verdict {
                Ok(verdict) => Ok(verdict.is_allowed()),
                Err(error) => Err(refused(error, token.to_str()?, url)),
            };
        }
        Ok(self.verdict(agent, url)?.allowed)
    }

    /// Returns whether the crawler may fetch the URL, and why.
    fn verdict(&self, agent: &Bound<'_, PyAny>, url: &str) -> PyResult<Reasoned> {
        let crawler = crawler(agent)?;
        let verdict = self.0.try_verdict(&crawler, url);
        verdict.map(|verdict| Reasoned::of(&verdict)).map_err(|error| refused(error, "", url))
    }

    /// Returns for what the content of the URL may be used.
    #[pyo3(signature = (agent, url, *, header = Header::default(), vocabulary = "vocab-07"))]
    fn usage(
        &self,
        agent: &Bound<'_, PyAny>,
        url: &str,
        header: Header,
        vocabulary: &str,
    ) -> PyResult<Usage> {
        let (crawler, vocabulary) = (crawler(agent)?, self::vocabulary(vocabulary)?);
        let usage = self.0.try_usage(&crawler, url, &header.lines());
        usage.map(|usage| Usage::of(usage, vocabulary)).map_err(|error| refused(error, "", url))
    }

    /// Compiles the rules that a crawler follows, for many URLs.
    fn rules_for(&self, agent: &Bound<'_, PyAny>) -> PyResult<RuleSet> {
        Ok(RuleSet(self.0.rules_for(&crawler(agent)?)))
    }

    /// Returns the sitemaps as written.
    #[getter]
    fn sitemaps(&self) -> Vec<String> {
        self.0.sitemaps().map(|(url, _)| text(url)).collect()
    }

    /// Returns the seconds of the first `crawl-delay` after the user-agent line that selects the crawler's groups. No
    /// edition defines this field. The search begins at that line and not at the group, because user-agent lines of two
    /// crawlers without a rule between them form one group, although each has its own delay.
    fn crawl_delay(&self, agent: &Bound<'_, PyAny>) -> PyResult<Option<f64>> {
        let crawler = crawler(agent)?;
        let Some(merged) = self.0.followed_by(&crawler) else { return Ok(None) };
        let selecting = merged.user_agent().line().number;
        let lines = merged.groups().flat_map(|group| group.lines());
        let mut own = lines.filter(|line| line.line().number > selecting);
        let seconds = own.find_map(|line| {
            let number = line.is_named("crawl-delay").then(|| text(line.value()))?;
            number.parse::<f64>().ok().filter(|seconds| seconds.is_finite() && *seconds >= 0.0)
        });
        Ok(seconds)
    }

    /// Returns the edition under which the file is read.
    #[getter]
    fn edition(&self) -> &'static str {
        self.0.edition().id()
    }

    fn __repr__(&self) -> String {
        format!("<RobotsTxt of {} octets, {}>", self.0.body().len(), self.edition())
    }
}

/// The rules that one crawler follows, compiled for many URLs.
#[pyclass(frozen, module = "robots_verdicts")]
struct RuleSet(robots_core::RuleSet);

#[pymethods]
impl RuleSet {
    /// Returns whether the crawler may fetch the URL.
    fn allows(&self, url: &str) -> PyResult<bool> {
        match self.0.try_verdict(url) {
            Ok(verdict) => Ok(verdict.is_allowed()),
            Err(error) => Err(no_url(url, error)),
        }
    }

    /// Returns whether the crawler may fetch the URL, and why.
    fn verdict(&self, url: &str) -> PyResult<Reasoned> {
        let verdict = self.0.try_verdict(url);
        verdict.map(|verdict| Reasoned::of(&verdict)).map_err(|error| no_url(url, error))
    }

    /// Returns for what the content of the URL may be used.
    #[pyo3(signature = (url, *, header = Header::default(), vocabulary = "vocab-07"))]
    fn usage(&self, url: &str, header: Header, vocabulary: &str) -> PyResult<Usage> {
        let vocabulary = self::vocabulary(vocabulary)?;
        let usage = self.0.try_usage(url, &header.lines());
        usage.map(|usage| Usage::of(usage, vocabulary)).map_err(|error| no_url(url, error))
    }

    /// Returns the rules in the order of the file: `allow` or `disallow`, and the path pattern as written.
    #[getter]
    fn rules(&self) -> Vec<(String, String)> {
        self.0.rules().map(|rule| (rule.kind().to_string(), text(rule.path()))).collect()
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __repr__(&self) -> String {
        format!("<RuleSet of {} rules>", self.0.len())
    }
}
