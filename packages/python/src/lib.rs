//! The parser and the cache for Python, as the module `robots_verdicts._native`.
//!
//! `robots-core` and `robots-fetch` make all decisions; this crate only converts values between Rust and Python.
//! `robots_verdicts/_native.pyi` declares the Python interface.

use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use robots_core::{Crawler, Options};

mod arguments;
mod arrow;
mod cache;
mod evidence;
mod fetch_verdict;
mod guard;
mod judged;
mod pickled;
mod record;
mod retrieval;
mod settings;
mod state;
mod store;
mod turns;
mod usage;
mod warc;

use crate::arguments::{crawler, no_url, octets, options, quoted};
use crate::evidence::{Reasoned, text};
use crate::state::LARGE;
use crate::usage::{Header, Usage, vocabulary};

/// The extension module `robots_verdicts._native`.
#[pymodule]
mod _native {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::arrow::{Array, access, groups, sitemaps, usage as arrow_usage, verdicts};
    #[pymodule_export]
    use super::cache::Cache;
    #[pymodule_export]
    use super::evidence::{Reasoned, verdict};
    #[pymodule_export]
    use super::fetch_verdict::FetchVerdict;
    #[pymodule_export]
    use super::guard::{PublicOnly, Refused};
    #[pymodule_export]
    use super::judged::governed;
    #[pymodule_export]
    use super::record::{Record, record};
    #[pymodule_export]
    use super::retrieval::{Request, Retrieval, Wait, ftp_refusal};
    #[pymodule_export]
    use super::settings::{Settings, settings};
    #[pymodule_export]
    use super::store::{FileStore, MemoryStore};
    #[pymodule_export]
    use super::usage::{Usage, usage};
    #[pymodule_export]
    use super::warc::{Responses, responses};
    #[pymodule_export]
    use super::{RobotsTxt, RuleSet, parse, product_tokens, robots, rules};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}

/// A parsed robots.txt. The object contains the octets of the file and offsets into them.
#[pyclass(frozen, module = "robots_verdicts")]
struct RobotsTxt(Arc<robots_core::RobotsTxt<Vec<u8>>>, Options);

/// Reads a robots.txt under an edition. Any octets are valid.
#[pyfunction]
#[pyo3(signature = (robots_txt, *, edition = "google-2022", limit = None))]
fn parse(
    robots_txt: &Bound<'_, PyAny>,
    edition: &str,
    limit: Option<&Bound<'_, PyAny>>,
) -> PyResult<RobotsTxt> {
    let options = options(edition, limit)?;
    Ok(RobotsTxt::read(robots_txt.py(), octets(robots_txt)?, options))
}

/// Returns the product tokens of a whole `User-Agent` header, most specific first.
#[pyfunction]
fn product_tokens(header: &str) -> PyResult<Vec<String>> {
    let crawler = Crawler::from_header(header).map_err(|_| {
        PyValueError::new_err(format!("the User-Agent header {} names no product", quoted(header)))
    })?;
    Ok(crawler.tokens().iter().map(|token| token.as_str().to_owned()).collect())
}

impl RobotsTxt {
    fn read(py: Python<'_>, octets: Vec<u8>, options: Options) -> Self {
        let parsed = py.detach(|| robots_nom_parser::parse_with(octets, options));
        Self(Arc::new(parsed), options)
    }

    fn compiled(&self, py: Python<'_>, crawler: Crawler) -> RuleSet {
        let is_large = self.0.body().len() >= LARGE;
        let compile = || self.0.rules_for(&crawler);
        let rules = if is_large { py.detach(compile) } else { compile() };
        RuleSet(rules, crawler)
    }
}

#[pymethods]
impl RobotsTxt {
    /// Returns whether the crawler may fetch the URL.
    fn allows(&self, agent: &Bound<'_, PyAny>, url: &str) -> PyResult<bool> {
        // The common case, an agent with one token, comes first, because it needs no allocation.
        if let Ok(token) = agent.cast::<PyString>()
            && let Ok(verdict) = self.0.try_verdict(token.to_str()?, url)
        {
            return Ok(verdict.is_allowed());
        }
        Ok(self.verdict(agent, url)?.allowed)
    }

    /// Returns whether the crawler may fetch the URL, and why.
    fn verdict(&self, agent: &Bound<'_, PyAny>, url: &str) -> PyResult<Reasoned> {
        let crawler = crawler(agent)?;
        let verdict = self.0.try_verdict(&crawler, url);
        verdict.map(|verdict| Reasoned::of(&verdict)).map_err(|error| no_url(url, error))
    }

    /// Returns the preferences about the use of the URL's content.
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
        usage.map(|usage| Usage::of(usage, vocabulary)).map_err(|error| no_url(url, error))
    }

    /// Compiles the rules that a crawler follows, for many URLs.
    fn rules_for(&self, agent: &Bound<'_, PyAny>) -> PyResult<RuleSet> {
        Ok(self.compiled(agent.py(), crawler(agent)?))
    }

    /// Returns the sitemaps as written.
    #[getter]
    fn sitemaps(&self) -> Vec<String> {
        self.0.sitemaps().map(|(url, _)| text(url)).collect()
    }

    /// Returns the values of a field, as written: all values of the file, or only the values for a crawler.
    #[pyo3(signature = (name, agent = None))]
    fn values(&self, name: &str, agent: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<String>> {
        let Some(agent) = agent else {
            let lines = self.0.records().filter(|line| line.is_named(name));
            return Ok(lines.map(|line| text(line.value())).collect());
        };
        let crawler = crawler(agent)?;
        let merged = self.0.followed_by(&crawler);
        Ok(merged.map_or_else(Vec::new, |merged| merged.values(name).map(text).collect()))
    }

    /// Returns the seconds of the first valid `crawl-delay` for the crawler. No edition defines this field.
    fn crawl_delay(&self, agent: &Bound<'_, PyAny>) -> PyResult<Option<f64>> {
        let merged = self.0.followed_by(&crawler(agent)?);
        Ok(merged.and_then(|merged| merged.crawl_delay()).map(|delay| delay.as_secs_f64()))
    }

    /// Returns the edition under which the file is read.
    #[getter]
    fn edition(&self) -> &'static str {
        self.0.edition().id()
    }

    fn __repr__(&self) -> String {
        format!("<RobotsTxt of {} octets, {}>", self.0.body().len(), self.edition())
    }

    fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, pickled::Robots<'_>)> {
        let arguments = (self.0.body(), self.edition(), self.1.limit());
        Ok((pickled::function(py, "_robots")?, arguments))
    }
}

/// The rules that one crawler follows, compiled for many URLs.
#[pyclass(frozen, module = "robots_verdicts")]
struct RuleSet(robots_core::RuleSet, Crawler);

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

    /// Returns the preferences about the use of the URL's content.
    #[pyo3(signature = (url, *, header = Header::default(), vocabulary = "vocab-07"))]
    fn usage(&self, url: &str, header: Header, vocabulary: &str) -> PyResult<Usage> {
        let vocabulary = self::vocabulary(vocabulary)?;
        let usage = self.0.try_usage(url, &header.lines());
        usage.map(|usage| Usage::of(usage, vocabulary)).map_err(|error| no_url(url, error))
    }

    /// Returns the rules in the order of the file. A rule is a pair: `allow` or `disallow`, and the path pattern as
    /// written.
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

    fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, pickled::Rules)> {
        let tokens = match self.1.tokens() {
            [] => vec!["*".to_owned()],
            tokens => tokens.iter().map(ToString::to_string).collect(),
        };
        let arguments = (pickled::file_of(&self.0), self.0.edition().id(), tokens);
        Ok((pickled::function(py, "_rules")?, arguments))
    }
}

/// Makes a parsed file again from its pickled form.
#[pyfunction]
#[pyo3(name = "_robots")]
fn robots(py: Python<'_>, octets: &[u8], edition: &str, limit: usize) -> PyResult<RobotsTxt> {
    let options = options(edition, None)?.with_limit(limit);
    Ok(RobotsTxt::read(py, octets.to_vec(), options))
}

/// Makes rules again from their pickled form.
#[pyfunction]
#[pyo3(name = "_rules")]
fn rules(
    py: Python<'_>,
    octets: &[u8],
    edition: &str,
    tokens: &Bound<'_, PyAny>,
) -> PyResult<RuleSet> {
    let options = options(edition, None)?.with_limit(Options::MAX);
    let crawler = crawler(tokens)?;
    Ok(RobotsTxt::read(py, octets.to_vec(), options).compiled(py, crawler))
}
